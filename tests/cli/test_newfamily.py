"""`forge new-family`: a family without code, and an installable one with code."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from cli.conftest import environment
from cli.inside import call

from forge.model.words import REWRITERS, Role
from forge.prompts.collection import parse

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture
def workspace(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("FORGE_PROFILE", raising=False)
    (tmp_path / "forge.toml").write_text("")
    return tmp_path


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_family_without_code(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    done = call(capsys, workspace, "new-family", "ferry")
    assert done.code == 0
    made = {"seeds/ferry/first.yaml", *(f"prompts/ferry/{role.value}.md" for role in REWRITERS)}
    assert files(workspace) == {"forge.toml", *made}
    header = yaml.safe_load((workspace / "seeds" / "ferry" / "first.yaml").read_text())
    assert (header["family"], header["extends"], header["set"]) == ("ferry", "salience", "first")
    assert "forge anneal --seed-set ferry/first" in done.out


def test_its_prompts_are_copies_under_its_own_name(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    call(capsys, workspace, "new-family", "ferry")
    for role in REWRITERS:
        path = workspace / "prompts" / "ferry" / f"{role.value}.md"
        mine = parse(path.read_text(), f"ferry/{role.value}", str(path))
        base = CHECKOUT / "prompts" / "salience" / f"{role.value}.md"
        theirs = parse(base.read_text(), f"salience/{role.value}", str(base))
        assert replace(mine, id="", sha256="", path="", source="") == replace(
            theirs, id="", sha256="", path="", source=""
        )
        assert mine.source.startswith("---\n# The family ferry uses this template")


def test_it_passes_lint_and_a_dry_run(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    call(capsys, workspace, "new-family", "ferry")
    lint = call(capsys, workspace, "seeds", "lint", "ferry/first")
    assert lint.code == 0
    assert "0 errors, 0 warnings" in lint.err
    check = call(capsys, workspace, "check", "--seed", "first-magnets", "--json")
    assert check.code == 0
    assert check.document["set"] == "ferry/first"
    dry = call(capsys, workspace, "anneal", "--seed-set", "ferry/first", "--dry-run", "--json")
    assert dry.code == 0, dry.err
    assert "fridge magnets" in dry.out
    new = call(capsys, workspace, "seeds", "new", "second", "--family", "ferry", "--json")
    assert yaml.safe_load(Path(new.document["file"]).read_text())["extends"] == "salience"


def test_its_own_prompts_are_the_ones_that_are_sent(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    call(capsys, workspace, "new-family", "ferry")
    path = workspace / "prompts" / "ferry" / "generator.md"
    path.write_text(path.read_text().replace("# system\n", "# system\nMIND THE FERRY.\n"))
    shown = call(capsys, workspace, "prompts", "show", "generator", "--seed", "first-magnets", "--json")
    assert shown.document["template"]["path"] == str(path)
    assert shown.document["messages"][0]["content"].startswith("MIND THE FERRY.")
    truth = call(capsys, workspace, "prompts", "show", "truth", "--seed", "first-magnets", "--json")
    assert truth.document["template"]["id"] == "salience/truth"


@pytest.mark.parametrize("name", ["../x", "Ferry", "a-b", "", "1st", "a/b", "ferry\n", "x" * 41])
def test_a_bad_name_writes_nothing(capsys: pytest.CaptureFixture[str], workspace: Path, name: str) -> None:
    assert call(capsys, workspace, "new-family", name).code == 2
    assert files(workspace) == {"forge.toml"}


def test_a_name_that_is_taken_is_refused(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    assert call(capsys, workspace, "new-family", "salience").code == 2
    call(capsys, workspace, "new-family", "ferry")
    again = call(capsys, workspace, "new-family", "ferry")
    assert (again.code, "family of this name" in again.err) == (2, True)


def test_files_that_are_there_stay(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    path = workspace / "prompts" / "ferry" / "generator.md"
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    done = call(capsys, workspace, "new-family", "ferry", "--json")
    assert path.read_text() == "mine"
    assert done.document["kept"] == [str(path)]


def test_a_family_with_code_keeps_the_contract(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    done = call(capsys, workspace, "new-family", "paper_boat", "--code", "--json")
    assert done.code == 0
    folder = workspace / "forge-paper-boat"
    assert files(folder) == {"pyproject.toml", "forge_paper_boat/__init__.py", "tests/test_contract.py"}
    assert all(
        "@" not in path.read_text() for path in (folder / "pyproject.toml", folder / "tests" / "test_contract.py")
    )
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:asyncio", str(folder)],
        cwd=folder,
        env={**environment(), "PYTHONPATH": os.pathsep.join([str(CHECKOUT), str(folder)])},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert "1 passed" in tested.stdout


@pytest.mark.slow
def test_a_family_with_code_installs_and_grows(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    pytest.importorskip("hatchling")
    call(capsys, workspace, "new-family", "paper_boat", "--code")
    target = workspace / "site"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*install, "--target", str(target), str(workspace / "forge-paper-boat")], check=True, timeout=120)
    where = {**environment(), "PYTHONPATH": os.pathsep.join([str(CHECKOUT), str(target)])}

    def forge(*args: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "forge", *args]
        return subprocess.run(
            command, cwd=workspace, env=where, capture_output=True, text=True, timeout=120, check=False
        )

    lint = forge("seeds", "lint", "paper_boat/first")
    assert lint.returncode == 0, lint.stdout + lint.stderr
    dry = forge("anneal", "--seed-set", "paper_boat/first", "--dry-run")
    assert dry.returncode == 0, dry.stderr
    assert "a paper boat" in dry.stdout
    new = forge("seeds", "new", "second", "--family", "paper_boat")
    assert new.returncode == 0, new.stderr
    assert "the words, verbatim from the prompt" in (workspace / "seeds" / "paper_boat" / "second.yaml").read_text()
    shown = forge("prompts", "show", Role.GENERATOR.value, "--seed", "first-boat")
    assert 'Keep these words: "a paper boat"' in shown.stdout
