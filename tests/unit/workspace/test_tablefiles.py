"""Tables of ingredients: found beside their sets, read with file and line, and refused with what to write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from forge_tiny import TinyFamily
from unit.families.salience.tables import mini

from forge.families.base import Scalable
from forge.families.salience.family import SalienceFamily
from forge.model.errors import ConfigError, SeedError, UsageError
from forge.workspace import tablefiles
from forge.workspace.seedfiles import SetRef

FAMILY = SalienceFamily()
MINI = mini.text()


def shelf(root: Path, *names: str, tables: tuple[str, ...] = ()) -> Path:
    """A seeds folder with sets and tables of these names."""
    (root / "salience" / "tables").mkdir(parents=True, exist_ok=True)
    for name in names:
        (root / "salience" / f"{name}.yaml").write_text("set: x\n", encoding="utf-8")
    for name in tables:
        (root / "salience" / "tables" / f"{name}.yaml").write_text(MINI, encoding="utf-8")
    return root


def ref(root: Path, name: str) -> SetRef:
    return SetRef("salience", name, root / "salience" / f"{name}.yaml")


def read(tmp_path: Path, text: str, *, lint: bool = True) -> tablefiles.LoadedTable:
    path = tmp_path / "D1.yaml"
    path.write_text(text, encoding="utf-8")
    return tablefiles.read(path, FAMILY, mini.HEADER, lint=lint)


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_a_table_lies_in_the_folder_tables_beside_its_set(tmp_path: Path) -> None:
    root = shelf(tmp_path / "seeds", "D1", "D2", tables=("D1", "lonely"))
    assert tablefiles.find(ref(root, "D1"), [root]) == root / "salience" / "tables" / "D1.yaml"
    assert tablefiles.find(ref(root, "D2"), [root]) is None
    assert tablefiles.of_sets([root]) == [(ref(root, "D1"), root / "salience" / "tables" / "D1.yaml")]


def test_the_first_root_with_a_table_wins_even_where_the_set_lies_in_another(tmp_path: Path) -> None:
    mine = shelf(tmp_path / "mine", "D1")
    theirs = shelf(tmp_path / "theirs", "D1", "D2", tables=("D1", "D2"))
    assert tablefiles.find(ref(mine, "D1"), [mine, theirs]) == theirs / "salience" / "tables" / "D1.yaml"
    shelf(mine, tables=("D1",))
    assert tablefiles.find(ref(mine, "D1"), [mine, theirs]) == mine / "salience" / "tables" / "D1.yaml"
    assert [(found.name, path.parents[2].name) for found, path in tablefiles.of_sets([mine, theirs])] == [
        ("salience/D1", "mine"),
        ("salience/D2", "theirs"),
    ]


def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        tablefiles.find(SetRef("salience", "../secret", tmp_path), [tmp_path])


def test_a_sound_table_is_read_with_its_composer_and_its_warnings(tmp_path: Path) -> None:
    loaded = read(tmp_path, MINI)
    assert loaded.path == tmp_path / "D1.yaml"
    assert loaded.composer is not None
    assert [option.id for option in loaded.composer.options] == [
        "wicker-basket-barrel", "string-bag-barrel", "feather-pillow-loaves",
    ]  # fmt: skip
    # Two of three combinations rest on one need, one of three on the other: both more than 15 %.
    assert [(problem.severity, problem.line) for problem in loaded.problems] == [
        ("warning", line_of(MINI, "tasks:")),
        ("warning", line_of(MINI, "tasks:")),
    ]


def test_without_lint_only_the_form_is_looked_at(tmp_path: Path) -> None:
    text = MINI.replace("bind: with my {x} and nothing else", "bind: on its own")
    assert any(problem.severity == "error" for problem in read(tmp_path, text).problems)
    assert read(tmp_path, text, lint=False).problems == ()
    assert read(tmp_path, text, lint=False).composer is not None


def test_problems_come_in_the_order_of_their_lines_and_name_their_rows(tmp_path: Path) -> None:
    text = MINI.replace("bind: with my {x} and nothing else", "bind: on its own")
    text = text.replace("cannot: it cannot carry rainwater\n  objection: a lined or tarred basket\n  bind: dip my {x}",
                        "cannot: it cannot carry rainwater\n  objection: a lined or tarred basket\n  bind: not my {x}")  # fmt: skip
    text = text.replace("clause: which is soft all round", "clause: 'which is soft all round,'")
    problems = read(tmp_path, text).problems
    lines = [problem.line for problem in problems]
    assert lines == sorted(lines)
    assert lines[1] == line_of(text, "tasks:")  # the shares of the needs, which lint looks at last
    errors = [problem for problem in problems if problem.severity == "error"]
    assert [(problem.line, problem.seed) for problem in errors] == [
        (line_of(text, "sharp edge: {fact"), ""),
        (line_of(text, "bind: not my"), "barrel"),
        (line_of(text, "bind: on its own"), "loaves"),
    ]
    assert str(errors[1]).startswith(f"{tmp_path / 'D1.yaml'}:{errors[1].line}: error: [barrel] 'not my {{x}} straight")


@pytest.mark.parametrize(
    ("old", "new", "at", "who", "message"),
    [
        ("op: quotient", "op: divide", "{name: trips", "barrel", r"tasks\.0\.steps\.0\.op: Input .* \(got 'divide'\)"),
        ("  scene: There are", "  scenery: There are", "- id: loaves", "loaves", r"tasks\.1\.scene: Field required"),
        ("  scene: There are", "  scenery: There are", "  scenery:", "loaves", r"tasks\.1\.scenery: Extra inputs .*"),
        ("- id: loaves", "- id: Loaves!", "- id: Loaves!", "Loaves!", r"tasks\.1\.id: String should match .*"),
        ("format: 1", "format: 2", "format: 2", "", r"format: Input should be 1 \(got 2\)"),
        ("kind: cross", "kind: crossed", "kind: crossed", "", r"kind: Input should be 'cross' or 'pairs' .*"),
        ("classes:\n  water carrier: {}\n  cutter: {}\n", "classes: 7\n", "classes: 7", "", r"classes: Input .*"),
    ],
)
def test_what_has_not_the_form_is_named_with_line_and_row(
    tmp_path: Path, old: str, new: str, at: str, who: str, message: str
) -> None:
    text = MINI.replace(old, new, 1)
    assert text != MINI
    loaded = read(tmp_path, text)
    assert loaded.composer is None
    found = [(problem.line, problem.seed) for problem in loaded.problems if re.fullmatch(message, problem.message)]
    assert found == [(line_of(text, at), who)], loaded.problems


def test_rows_under_pairs_are_called_pairs(tmp_path: Path) -> None:
    text = mini.text("pairs").replace("  objection: the lowest social calls of some bats\n", "")
    path = tmp_path / "D3.yaml"
    path.write_text(text, encoding="utf-8")
    (problem,) = tablefiles.read(path, FAMILY, mini.PAIRS_HEADER).problems
    assert (problem.line, problem.seed) == (line_of(text, "- id: bat-calls"), "bat-calls")
    assert problem.message == "pairs.1.objection: Field required"


@pytest.mark.parametrize("text", ["", "- a\n- b\n", "just words\n", "7\n", "frames: [a]\n"])
def test_any_yaml_that_is_no_table_is_told_so(tmp_path: Path, text: str) -> None:
    loaded = read(tmp_path, text)
    assert loaded.composer is None
    assert loaded.problems
    assert {problem.line for problem in loaded.problems} == {1}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("format: 1\nset: [D1\n", ":3"),
        ("format: 1\nset: D1\nset: D2\n", ":3"),  # YAML would silently drop the first
    ],
)
def test_what_is_no_yaml_is_an_error_with_its_line(tmp_path: Path, text: str, where: str) -> None:
    with pytest.raises(SeedError) as caught:
        read(tmp_path, text)
    assert caught.value.where == f"{tmp_path / 'D1.yaml'}{where}"


def test_a_file_that_cannot_be_read_is_an_error_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(SeedError, match="the table cannot be read") as caught:
        tablefiles.read(tmp_path / "none.yaml", FAMILY, mini.HEADER)
    assert caught.value.where == str(tmp_path / "none.yaml")
    (tmp_path / "latin.yaml").write_bytes("set: Café\n".encode("latin-1"))
    with pytest.raises(SeedError, match="the table cannot be read"):
        tablefiles.read(tmp_path / "latin.yaml", FAMILY, mini.HEADER)


def test_a_sets_composer(tmp_path: Path) -> None:
    root = shelf(tmp_path / "seeds", "D1", tables=("D1",))
    found = tablefiles.composer(ref(root, "D1"), [root], FAMILY, mini.HEADER)
    assert len(found.options) == 3


def test_a_set_without_a_table_is_told_where_to_write_one_and_which_sets_have_one(tmp_path: Path) -> None:
    root = shelf(tmp_path / "seeds", "D1", "D2", "D4", tables=("D1", "D4"))
    with pytest.raises(ConfigError) as caught:
        tablefiles.composer(ref(root, "D2"), [root], FAMILY, mini.HEADER)
    assert caught.value.what == "the seed set salience/D2 has no table of ingredients"
    assert caught.value.where == "seeds/salience/tables/D2.yaml"
    assert "salience/D1, salience/D4" in (caught.value.fix or "")
    with pytest.raises(ConfigError, match="sets with a table: none"):
        tablefiles.composer(ref(root, "D2"), [shelf(tmp_path / "bare", "D2")], FAMILY, mini.HEADER)


def test_a_table_with_errors_composes_nothing_and_says_where_they_are(tmp_path: Path) -> None:
    root = shelf(tmp_path / "seeds", "D1", tables=("D1",))
    path = root / "salience" / "tables" / "D1.yaml"
    text = MINI.replace("op: quotient", "op: divide").replace("  scene: There are", "  scenery: There are")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SeedError) as caught:
        tablefiles.composer(ref(root, "D1"), [root], FAMILY, mini.HEADER)
    message = str(caught.value)
    assert "the table of salience/D1 has 3 error(s)" in message
    for part in ("{name: trips", "- id: loaves", "  scenery:"):
        assert f"{path}:{line_of(text, part)}: error: " in message
    assert "forge seeds lint salience/D1" in (caught.value.fix or "")


def test_a_family_that_composes_nothing_is_not_scalable() -> None:
    assert isinstance(FAMILY, Scalable)
    assert not isinstance(TinyFamily(), Scalable)
