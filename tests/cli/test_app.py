"""The root: unknown names, exit codes, how errors are told, and what a terminal never sees."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from cli.conftest import environment, forge
from click.testing import CliRunner

from forge.cli import errors
from forge.cli.app import app
from forge.cli.console import clean, short
from forge.model.errors import BudgetReached, ConfigError, Interrupted, UsageError


@pytest.mark.parametrize(
    ("typed", "near"), [("aneal", "anneal"), ("item", "items"), ("repaly", "replay"), ("leger", "ledger")]
)
def test_an_unknown_command_names_the_nearest(typed: str, near: str) -> None:
    found = CliRunner().invoke(app, [typed])
    assert found.exit_code == 2
    assert found.stdout == ""
    assert f"no command '{typed}'; did you mean {near}" in found.stderr


@pytest.mark.parametrize(
    "args",
    [
        ["--nope"],
        ["anneal"],
        ["anneal", "--seed-set", "D1", "--limit", "0"],
        ["anneal", "--seed-set", "D1", "--max-usd", "-1"],
        ["items", "list", "--limit", "x"],
        ["items", "shwo"],
        ["runs", "show"],
        ["-C", "/no/such/folder", "graph"],
        ["anneal", "--seed-set", "D1", "--set", "limits.top_k"],
    ],
)
def test_wrong_use_exits_2_with_nothing_on_standard_output(
    args: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = CliRunner().invoke(app, args)
    assert found.exit_code == 2
    assert found.stdout == ""
    assert "error: " in found.stderr
    assert "Traceback" not in found.stderr


@click.command()
@click.argument("kind")
def _broken(kind: str) -> None:
    raise {
        "config": ConfigError("the file is wrong", where="forge.toml:3", value="x\x1b[31m", fix="mend it"),
        "usage": UsageError("wrong"),
        "budget": BudgetReached("enough"),
        "interrupted": Interrupted("stopped"),
        "ctrl-c": KeyboardInterrupt(),
        "abort": click.Abort(),
        "bug": ZeroDivisionError("division by zero"),
    }[kind]


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    monkeypatch.setattr(type(app), "get_command", lambda self, ctx, name: _broken)
    return CliRunner()


@pytest.mark.parametrize(
    ("kind", "code"),
    [("config", 3), ("usage", 2), ("budget", 4), ("interrupted", 130), ("ctrl-c", 130), ("abort", 130), ("bug", 1)],
)
def test_exit_codes_and_no_traceback(broken: CliRunner, kind: str, code: int) -> None:
    found = broken.invoke(app, ["graph", kind])
    assert found.exit_code == code
    assert found.stdout == ""
    assert "Traceback" not in found.stderr


def test_an_error_says_what_where_value_and_fix(broken: CliRunner) -> None:
    found = broken.invoke(app, ["graph", "config"])
    lines = found.stderr.splitlines()
    assert lines == [
        "error: the file is wrong", "  where: forge.toml:3", "  value: x\ufffd[31m", "  fix:   mend it",
    ]  # fmt: skip


def test_a_bug_is_one_line_that_points_to_debug(broken: CliRunner) -> None:
    found = broken.invoke(app, ["graph", "bug"])
    assert found.stderr.startswith("error: forge failed in a way it should not: ZeroDivisionError: division by zero\n")
    assert "--debug" in found.stderr


@pytest.mark.parametrize("args", [["--debug", "graph", "bug"], ["graph", "bug", "--debug"]])
def test_debug_shows_the_traceback_wherever_it_stands(broken: CliRunner, args: list[str]) -> None:
    found = broken.invoke(app, args)
    assert found.exit_code == 1
    assert "Traceback (most recent call last)" in found.stderr


def test_debug_by_environment_and_not_behind_two_dashes(broken: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Traceback" not in broken.invoke(app, ["graph", "bug", "--", "--debug"]).stderr
    monkeypatch.setenv("FORGE_DEBUG", "1")
    assert "Traceback" in broken.invoke(app, ["graph", "config"]).stderr
    monkeypatch.setenv("FORGE_DEBUG", "0")
    assert "Traceback" not in broken.invoke(app, ["graph", "config"]).stderr


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "forge", "graph"],
        cwd=tmp_path, env=environment(), stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
    )  # fmt: skip
    os.close(writing)
    assert done.stderr == ""
    assert done.returncode == errors.BUG


def test_text_of_unknown_origin_cannot_steer_a_terminal() -> None:
    assert clean("a\x1b[2Jb\x07c\x9bd\u202ee\ud800f") == "a\ufffd[2Jb\ufffdc\ufffdd\ufffde\ufffdf"
    assert clean("tab\tline\r\nnext") == "tab\tline\nnext"
    assert short("one\n two   three", 9) == "one two…"
    assert short("exact", 5) == "exact"


def test_colour_only_on_a_terminal_and_never_with_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        def __init__(self) -> None:
            self.text = ""

        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> None:
            self.text += text

        def flush(self) -> None:
            pass

    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = Terminal()
    monkeypatch.setattr(sys, "stderr", coloured)
    errors.report(UsageError("wrong"), debug=False)
    assert coloured.text == "\x1b[1;31merror:\x1b[0m wrong\n"
    plain = Terminal()
    monkeypatch.setattr(sys, "stderr", plain)
    monkeypatch.setenv("NO_COLOR", "1")
    errors.report(UsageError("wrong"), debug=False)
    assert plain.text == "error: wrong\n"


def test_no_pipe_gets_colour(tmp_path: Path) -> None:
    for args in (["--help"], ["config", "show"], ["models", "list"], ["nope"]):
        done = forge(*args, cwd=tmp_path)
        assert "\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["items", "show", "i-nothing", "--json"], 2),
        (["items", "list", "--where", "colour = red", "--json"], 2),
        (["runs", "show", "last", "--json"], 2),
        (["replay", "last", "--json"], 2),
        (["anneal", "--seed-set", "NOPE", "--json"], 3),
        (["anneal", "--seed-set", "D1", "--profile", "nope", "--json"], 3),
        (["config", "show", "--set", "limits.topk=3", "--json"], 3),
        (["audit", "judge", "--data", "rows.jsonl", "--json"], 3),
    ],
)
def test_a_json_command_that_fails_writes_nothing_to_standard_output(
    args: list[str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.jsonl").write_text("not json\n")
    found = CliRunner().invoke(app, args)
    assert found.exit_code == code, found.stderr
    assert found.stdout == ""
    assert "error: " in found.stderr


@pytest.mark.parametrize(
    "args", [["runs", "list"], ["items", "list"], ["models", "list"], ["config", "show"], ["ledger", "stats"]]
)
def test_readers_work_in_an_empty_folder_and_leave_it_empty(
    args: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = CliRunner().invoke(app, [*args, "--json"])
    assert found.exit_code == 0, found.stderr
    json.loads(found.stdout)
    assert CliRunner().invoke(app, args).exit_code == 0
    assert list(tmp_path.iterdir()) == []


def test_folder_option_names_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "forge.toml").write_text('profile = "hosted"\n')
    found = CliRunner().invoke(app, ["-C", str(tmp_path), "config", "show", "--json"])
    shown = json.loads(found.stdout)
    assert shown["profile"] == "hosted"
    assert shown["workspace"] == str(tmp_path.resolve())
    assert shown["values"]["name"]["source"] == str(tmp_path / "forge.toml")


def test_config_says_where_each_value_comes_from_and_shows_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORGE_PROFILE", "mine")
    monkeypatch.setenv("MY_KEY", "sk-secret-0123456789abcdef")
    (tmp_path / "forge.toml").write_text(
        '[profiles.mine]\nextends = "local"\nworkers = 3\n'
        '[endpoints.openai]\napi_base = "http://me:hunter2hunter2@host/v1"\napi_key_env = "MY_KEY"\n'
    )
    found = CliRunner().invoke(app, ["-C", str(tmp_path), "config", "show", "--set", "limits.top_k=2", "--json"])
    values = json.loads(found.stdout)["values"]
    assert values["name"] == {"value": "mine", "source": "environment: FORGE_PROFILE"}
    assert values["workers"]["value"] == 3
    assert values["workers"]["source"].startswith(str(tmp_path))
    assert values["limits.top_k"] == {"value": 2, "source": "command line"}
    assert values["limits.patience"] == {"value": 2, "source": "default"}
    assert values["roles.solver.temperature"]["source"] == "shipped: profile local"
    assert values["endpoints.openai.api_key_env"]["value"] == "MY_KEY"
    assert "hunter2" not in found.output
    assert "sk-secret" not in found.output


def test_a_key_in_the_file_reaches_no_message(tmp_path: Path) -> None:
    for line in ('api_key = "sk-secret-0123456789abcdef"', 'api_key_env = "sk-secret-0123456789abcdef"'):
        (tmp_path / "forge.toml").write_text(f"[endpoints.openai]\n{line}\n")
        found = CliRunner().invoke(app, ["-C", str(tmp_path), "config", "show", "--debug"])
        assert found.exit_code == 3
        assert "sk-secret" not in found.output
        assert "api_key_env" in found.stderr
