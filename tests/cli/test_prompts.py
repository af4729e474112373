"""`forge prompts`: what there is, where it comes from, and what a role would be sent."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from cli.inside import call

from forge.families.salience import SalienceFamily
from forge.model.words import Role

CHECKOUT = Path(__file__).resolve().parents[2]
SHIPPED = CHECKOUT / "prompts" / "salience"


@pytest.fixture
def workspace(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Path:
    call(capsys, tmp_path, "init")
    return tmp_path


def override(workspace: Path, old: str, new: str) -> Path:
    path = workspace / "prompts" / "salience" / "annealer.md"
    path.parent.mkdir(parents=True)
    source = (SHIPPED / "annealer.md").read_text()
    assert old in source
    path.write_text(source.replace(old, new, 1))
    return path


def test_list_names_every_shipped_template(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    done = call(capsys, workspace, "prompts", "list", "--json")
    rows = {row["id"]: row for row in done.document}
    assert done.code == 0
    assert set(rows) >= {f"salience/{path.stem}" for path in SHIPPED.glob("*.md")}
    row = rows["salience/annealer"]
    assert row["role"] == "annealer"
    assert row["sha256"] == hashlib.sha256((SHIPPED / "annealer.md").read_bytes()).hexdigest()
    assert (row["source"], row["overrides"], row["error"]) == ("forge", None, None)


def test_an_override_is_marked_and_used(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    path = override(workspace, "# system\n", "# system\nOVERRIDDEN. ")
    rows = {row["id"]: row for row in call(capsys, workspace, "prompts", "list", "--json").document}
    assert rows["salience/annealer"]["source"] == "workspace"
    assert rows["salience/annealer"]["path"] == str(path)
    assert rows["salience/annealer"]["overrides"] == str(SHIPPED / "annealer.md")
    assert "overrides" in call(capsys, workspace, "prompts", "list").out
    shown = call(capsys, workspace, "prompts", "show", "annealer", "--seed", "my_first-magnets")
    assert "OVERRIDDEN. " in shown.out


def test_a_malformed_template_is_a_row_of_its_own(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    override(workspace, "id: salience/annealer", "id: salience/anealer")
    done = call(capsys, workspace, "prompts", "list", "--json")
    assert done.code == 3
    broken = [row for row in done.document if row["error"]]
    assert [row["id"] for row in broken] == ["salience/annealer"]
    assert "does not match the file" in broken[0]["error"]


@pytest.mark.parametrize("role", [role.value for role in Role])
def test_every_role_can_be_shown(capsys: pytest.CaptureFixture[str], workspace: Path, role: str) -> None:
    done = call(capsys, workspace, "prompts", "show", role, "--seed", "my_first-magnets", "--json")
    assert done.code == 0, done.err
    document = done.document
    roles = [message["role"] for message in document["messages"]]
    assert (roles[0], roles[1], roles[-1]) == ("system", "user", "user")
    everything = "\n".join(message["content"] for message in document["messages"])
    assert "fridge magnets" in everything
    assert "{{" not in everything
    assert (document["template"] is None) == (role == "solver")


def test_a_control_is_shown_without_the_trap(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    args = ("prompts", "show", "judge", "--seed", "my_first-magnets", "--condition", "control")
    out = call(capsys, workspace, *args).out
    assert "sticky pads" in out
    assert "fridge magnets" not in out
    solver = call(
        capsys, workspace, "prompts", "show", "solver", "--seed", "my_first-magnets", "--condition", "explicit"
    )
    assert "though pine has no iron in it" in solver.out


def test_messages_are_told_apart(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    lines = call(capsys, workspace, "prompts", "show", "solver", "--seed", "my_first-magnets").out.splitlines()
    assert lines[0].startswith("system ---")
    assert lines[1] == "(empty)"
    assert lines[2].startswith("user ---")
    assert lines[3].startswith("Our pantry door")


def test_raw_needs_no_seed(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    done = call(capsys, workspace, "prompts", "show", "generator", "--raw")
    assert done.out == (SHIPPED / "generator.md").read_text()
    assert call(capsys, workspace, "prompts", "show", "generator").code == 2


def test_wrong_names_are_met_with_the_nearest(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    role = call(capsys, workspace, "prompts", "show", "anealer", "--seed", "my_first-magnets")
    assert (role.code, "did you mean annealer" in role.err) == (3, True)
    condition = call(
        capsys, workspace, "prompts", "show", "judge", "--seed", "my_first-magnets", "--condition", "controls"
    )
    assert condition.code == 2
    assert all(name in condition.err for name in SalienceFamily.conditions)
    solver = call(capsys, workspace, "prompts", "show", "solver", "--raw")
    assert (solver.code, "no template" in solver.err) == (2, True)
