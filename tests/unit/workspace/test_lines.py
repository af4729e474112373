"""YAML with line numbers."""

from __future__ import annotations

import pytest

from forge.model.errors import SeedError
from forge.workspace.lines import parse

TEXT = """\
set: T1
seeds:
- id: a
  list: [no, 382.80]
  deep:
    flag: no
- id: b
"""


def test_data_lines_and_what_was_written() -> None:
    lined = parse(TEXT, "t.yaml")
    assert lined.data["seeds"][0] == {"id": "a", "list": [False, 382.8], "deep": {"flag": False}}
    assert lined.line(("set",)) == 1
    assert lined.line(("seeds", 0, "id")) == 3
    assert lined.line(("seeds", 0, "list", 1)) == 4
    assert lined.line(("seeds", 0, "deep")) == 5
    assert lined.line(("seeds", 0, "deep", "flag")) == 6
    assert lined.line(("seeds", 1, "id")) == 7
    assert lined.raw[("seeds", 0, "deep", "flag")] == "no"
    assert lined.raw[("seeds", 0, "list", 1)] == "382.80"


def test_a_missing_value_is_on_its_parent_s_line() -> None:
    lined = parse(TEXT, "t.yaml")
    assert lined.line(("seeds", 1, "prompt")) == 7
    assert lined.line(("nothing", "at", "all")) == 1


def test_an_empty_document() -> None:
    lined = parse("# nothing\n", "t.yaml")
    assert lined.data is None
    assert lined.line(("seeds",)) == 1


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a: 1\nb: [1, 2\nc: 3\n", 3, "not YAML"),
        ("a: b: c\n", 1, "not YAML"),
        ("a: 1\n\tb: 2\n", 2, "not YAML"),
        ("a: 1\nb: 2\na: 3\n", 3, "same key twice"),
        ("a:\n- x: 1\n  y: 2\n  x: 3\n", 4, "same key twice"),
        ("a: 'open\n", 2, "not YAML"),
        ("a: 1\n---\nb: 2\n", 2, "not YAML"),
        ("a: !!python/object/apply:os.system ['true']\n", 1, "not YAML"),
        ("a: !mine x\n", 1, "not YAML"),
    ],
)
def test_what_is_wrong_and_where(text: str, line: int, what: str) -> None:
    with pytest.raises(SeedError, match=what) as caught:
        parse(text, "t.yaml")
    assert caught.value.where == f"t.yaml:{line}"


def test_the_repeated_key_is_the_value() -> None:
    with pytest.raises(SeedError) as caught:
        parse("prompt: a\nprompt: b\n", "t.yaml")
    assert caught.value.value == "prompt"
    assert "keep one" in str(caught.value.fix)


def test_a_control_character_is_an_error_with_a_file() -> None:
    with pytest.raises(SeedError, match="not YAML") as caught:
        parse("a: \x00\n", "t.yaml")
    assert str(caught.value.where).startswith("t.yaml")
