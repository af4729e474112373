"""Templates: found root by root, hashed, strict about variables, and deaf to marks in their values."""

from __future__ import annotations

from pathlib import Path

import pytest

from forge.model.errors import PromptError
from forge.model.ids import text_digest
from forge.prompts.collection import PromptLibrary, parse

SOURCE = """---
id: toy/judge
version: 2
role: judge
voices: [a, b]
reply:
  type: object
  properties:
    label: {type: string}
---
# system
Be brief.

# user
One: {{ one }}

# assistant
{"label": "x"}

# user
Two: {{ two }}
"""


def write(root: Path, name: str, source: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(source)


def test_sections_become_turns_in_order(tmp_path: Path) -> None:
    write(tmp_path, "toy/judge.md", SOURCE)
    library = PromptLibrary([tmp_path])
    messages = library.render("toy/judge", {"one": 1, "two": "{{ three }} {% x %}"})
    assert [(m.role, m.content) for m in messages] == [
        ("system", "Be brief."),
        ("user", "One: 1"),
        ("assistant", '{"label": "x"}'),
        # a template mark inside a value stays as it is
        ("user", "Two: {{ three }} {% x %}"),
    ]
    template = library.get("toy/judge")
    assert (template.version, template.role, template.extra) == (2, "judge", {"voices": ["a", "b"]})
    assert template.sha256 == text_digest(SOURCE)


def test_a_missing_system_section_is_an_explicit_empty_one(tmp_path: Path) -> None:
    write(tmp_path, "toy/judge.md", "---\nid: toy/judge\nversion: 1\nrole: judge\n---\n# user\nHello\n")
    assert [m.role for m in PromptLibrary([tmp_path]).render("toy/judge", {})] == ["system", "user"]


def test_a_missing_variable_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    write(tmp_path, "toy/judge.md", SOURCE)
    with pytest.raises(PromptError, match="'two' is undefined") as error:
        PromptLibrary([tmp_path]).render("toy/judge", {"one": 1})
    assert str(tmp_path) in (error.value.where or "")


def test_the_first_root_wins_and_a_family_without_code_falls_back(tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    write(theirs, "toy/judge.md", SOURCE)
    write(mine, "toy/judge.md", SOURCE.replace("Be brief.", "Be mine."))
    assert PromptLibrary([mine, theirs]).get("toy/judge").turns[0][1] == "Be mine."
    assert PromptLibrary([theirs], {"own": "toy"}).get("own/judge").id == "toy/judge"
    assert PromptLibrary([mine, theirs]).ids() == ["toy/judge"]


@pytest.mark.parametrize("name", ["../secret", "toy/../../etc", "toy", "TOY/judge", "toy/judge.md", ""])
def test_an_id_never_becomes_another_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(PromptError, match="not a template id"):
        PromptLibrary([tmp_path]).get(name)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("# user\nx", "front matter between"),
        ("---\n[\n---\n# user\nx", "not YAML"),
        ("---\nid: toy/judge\n---\n# user\nx", "lacks version, role"),
        ("---\nid: other/judge\nversion: 1\nrole: judge\n---\n# user\nx", "does not match"),
        ("---\nid: toy/judge\nversion: 1\nrole: judge\n---\nno sections", "in turn"),
        ("---\nid: toy/judge\nversion: 1\nrole: judge\n---\n# user\nx\n# user\ny", "in turn"),
        ("---\nid: toy/judge\nversion: 1\nrole: judge\n---\n# user\nx\n# assistant\ny", "in turn"),
    ],
)
def test_malformed_templates_say_what_is_wrong(source: str, message: str) -> None:
    with pytest.raises(PromptError, match=message):
        parse(source, "toy/judge", "toy/judge.md")


def test_a_template_runs_no_code(tmp_path: Path) -> None:
    source = SOURCE.replace("{{ two }}", "{{ two.__class__.__mro__ }}")
    write(tmp_path, "toy/judge.md", source)
    with pytest.raises(PromptError):
        PromptLibrary([tmp_path]).render("toy/judge", {"one": 1, "two": "x"})
