"""Fixtures of the command line's tests: forge as a real process, and one grown workspace that readers share."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cli.world import Served, World, workspace
from click.testing import CliRunner

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a forge process: nothing of the caller's that steers forge or rich."""
    drop = ("FORGE_", "COLUMNS", "NO_COLOR", "FORCE_COLOR", "TTY_", "OPENAI_", "ANTHROPIC_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(drop)}
    return {**kept, "PYTHONPATH": str(ROOT), "LITELLM_LOCAL_MODEL_COST_MAP": "True", **more}


def forge(*args: str, cwd: Path, timeout: float = 120, **more: str) -> subprocess.CompletedProcess[str]:
    """Run forge to its end."""
    return subprocess.run(
        [sys.executable, "-m", "forge", *args],
        cwd=cwd,
        env=environment(**more),
        capture_output=True,
        text=True,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
        check=False,
    )


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


def inside(*args: str, cwd: Path) -> Done:
    """Run forge in this process on the workspace `cwd`: the same code, without paying for its imports again."""
    from forge.cli.app import app

    unset = {name: None for name in os.environ if name.startswith(("FORGE_", "OPENAI_", "NO_COLOR"))}
    with warnings.catch_warnings():
        # As in a process of its own: a library's warning must not become an exception in the middle of a call.
        warnings.simplefilter("ignore")
        found = CliRunner().invoke(app, ["-C", str(cwd), *args], env=unset)
    return Done(found.exit_code, found.stdout, found.stderr)


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    """The world's provider."""
    with Served(World()) as running:
        yield running


@pytest.fixture(scope="session")
def grown(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with one finished run on two seeds of D1; `anneal.json` and `anneal.err` hold what it printed."""
    folder = workspace(tmp_path_factory.mktemp("grown"), served.server.base_url)
    done = forge("anneal", "--seed-set", "D1", "--limit", "2", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    (folder / "anneal.json").write_text(done.stdout)
    (folder / "anneal.err").write_text(done.stderr)
    return folder
