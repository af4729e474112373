"""No help page loads anything heavy, and none needs more than the table to be listed."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from cli.conftest import ROOT, environment, forge

from forge.cli import table

HEAVY = (
    *("litellm", "langgraph", "langchain_core", "langsmith", "duckdb", "pandas", "numpy", "scipy", "datasketch"),
    *("xllamacpp", "jinja2", "pydantic", "httpx", "yaml", "rapidfuzz", "sqlite3", "asyncio"),
)
WALK = """
import io, json, sys, contextlib
import click
from forge.cli import house
from forge.cli.app import app
HEAVY = json.loads(sys.argv[1])
found = {}
def look(path, command):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        code = app.code([*path, "--help"])
    found[" ".join(path)] = {
        "code": code, "heavy": [name for name in HEAVY if name in sys.modules], "help": text.getvalue(),
        "house": isinstance(command, (house.Command, house.Group)), "doc": bool(command.help),
        "bare": [p.name for p in command.params if isinstance(p, click.Option) and not p.help],
    }
    if isinstance(command, click.Group):
        ctx = click.Context(command)
        for name in command.list_commands(ctx):
            look([*path, name], command.get_command(ctx, name))
look([], app)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def pages() -> dict[str, dict[str, object]]:
    done = subprocess.run(
        [sys.executable, "-c", WALK, json.dumps(HEAVY)],
        cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, dict[str, object]] = json.loads(done.stdout)
    return found


def test_no_help_page_loads_anything_heavy(pages: dict[str, dict[str, object]]) -> None:
    assert {path: page["heavy"] for path, page in pages.items() if page["heavy"]} == {}


def test_every_command_has_a_help_page_and_every_option_a_text(pages: dict[str, dict[str, object]]) -> None:
    assert len(pages) > len(table.COMMANDS)
    for path, page in pages.items():
        assert page["code"] == 0, path
        assert page["house"], f"{path}: use cls=house.Command or house.Group"
        assert page["doc"], path
        assert page["bare"] == [], path
        assert str(page["help"]).startswith("Usage: forge"), path


def test_the_root_page_lists_every_command_of_the_table(pages: dict[str, dict[str, object]]) -> None:
    for row in table.COMMANDS:
        assert f"  {row.name} " in str(pages[""]["help"])
        assert row.name in pages


def test_every_row_of_the_table_names_a_module_that_exists() -> None:
    assert [row.name for row in table.COMMANDS if importlib.util.find_spec(row.module) is None] == []


@pytest.mark.parametrize("args", [["--version"], ["--help"], []])
def test_the_root_alone_imports_no_command(args: list[str], tmp_path: Path) -> None:
    modules = sorted(row.module for row in table.COMMANDS)
    code = (
        "import sys, json\nfrom forge.cli.app import main\ncode = main(json.loads(sys.argv[1]))\n"
        "bad = [m for m in json.loads(sys.argv[2]) if m in sys.modules]\nsys.exit(9 if bad else code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(args), json.dumps([*modules, *HEAVY])],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []


def test_version_is_one_line(tmp_path: Path) -> None:
    from forge.version import __version__

    assert forge("--version", cwd=tmp_path).stdout == f"forge {__version__}\n"
