"""Seed files: found, resolved, validated, with file, line and what to write."""

from __future__ import annotations

from pathlib import Path

import pytest
from forge_tiny import TinyFamily

from forge.model.errors import ConfigError, SeedError, UsageError
from forge.workspace.seedfiles import Problem, available, family_of, read, resolve

SEED = """\
- id: {id}
  name: boxes
  author: {{kind: human}}
  source: original
  domain: home
  probe:
    trap:
      is_false: Can such a box open?
      is_true: Does such a box stay shut?
    control:
      is_false: Does another box stay shut?
      is_true: Can another box open?
  prompt: I have 7 boxes that never open. How long?
  number: '7'
"""
HEADER = "set: T1\nfamily: tiny\nlang: en\nlicence: CC0\nseeds:\n"


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "T1.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def problems(tmp_path: Path, text: str) -> list[Problem]:
    loaded = read(write(tmp_path, text), TinyFamily())
    assert (loaded.seeds is None) == bool(loaded.errors)
    return list(loaded.problems)


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_a_good_file(tmp_path: Path) -> None:
    loaded = read(write(tmp_path, HEADER + SEED.format(id="t-1") + SEED.format(id="t-2")), TinyFamily())
    assert loaded.problems == ()
    assert loaded.seeds is not None
    assert [seed.id for seed in loaded.seeds.seeds] == ["t-1", "t-2"]
    assert [seed.set for seed in loaded.seeds.seeds] == ["T1", "T1"]
    assert loaded.seeds.seeds[0].licence == "CC0"
    assert loaded.seeds.header == {"set": "T1", "family": "tiny", "lang": "en", "licence": "CC0"}


def test_yaml_s_no_is_told_with_the_line_and_what_to_write(tmp_path: Path) -> None:
    text = HEADER + SEED.format(id="t-1").replace("Can such a box open?", "no")
    (problem,) = problems(tmp_path, text)
    assert problem.line == line_of(text, "is_false: no")
    assert problem.message == "probe.trap.is_false: YAML reads no as false; write 'no' in quotes"
    assert str(problem) == f"{tmp_path / 'T1.yaml'}:{problem.line}: error: [t-1] {problem.message}"


@pytest.mark.parametrize(("written", "kind"), [("7", "int"), ("7.50", "float"), ("2026-05-01", "date")])
def test_a_number_or_date_without_quotes(tmp_path: Path, written: str, kind: str) -> None:
    text = HEADER + SEED.format(id="t-1").replace("'7'", written)
    (problem,) = problems(tmp_path, text)
    assert problem.line == line_of(text, f"number: {written}")
    assert problem.message == f"number: YAML reads {written} as a {kind}; write '{written}' in quotes"


def test_a_missing_field(tmp_path: Path) -> None:
    text = HEADER + SEED.format(id="t-1").replace("  domain: home\n", "")
    (problem,) = problems(tmp_path, text)
    assert (problem.line, problem.message) == (line_of(text, "- id: t-1"), "the field `domain` is missing")


def test_an_empty_field_is_called_empty(tmp_path: Path) -> None:
    text = HEADER + SEED.format(id="t-1").replace("name: boxes", 'name: ""').replace("domain: home", "domain:")
    name, domain = problems(tmp_path, text)
    assert (name.line, name.message) == (line_of(text, 'name: ""'), "the field `name` is empty: fill it in")
    assert (domain.line, domain.message) == (
        line_of(text, "domain:"),
        "the field `domain` is empty: fill it in, or take the line out",
    )


def test_an_unknown_field(tmp_path: Path) -> None:
    text = HEADER + SEED.format(id="t-1").replace("  prompt:", "  promt: x\n  prompt:")
    (problem,) = problems(tmp_path, text)
    assert problem.line == line_of(text, "promt: x")
    assert problem.message.startswith("unknown field `promt`")
    assert "forge seeds schema" in problem.message


def test_a_value_that_is_not_allowed(tmp_path: Path) -> None:
    text = HEADER + SEED.format(id="t-1").replace("kind: human", "kind: dog")
    (problem,) = problems(tmp_path, text)
    assert problem.line == line_of(text, "kind: dog")
    assert "'human', 'model' or 'table'" in problem.message
    assert "'dog'" in problem.message


def test_an_id_that_is_taken(tmp_path: Path) -> None:
    text = HEADER + SEED.format(id="t-1") + SEED.format(id="t-2") + SEED.format(id="t-1")
    (problem,) = problems(tmp_path, text)
    first = line_of(text, "- id: t-1")
    assert problem.line == text[: text.rindex("- id: t-1")].count("\n") + 1
    assert problem.message == f"the id t-1 is taken by the seed on line {first}; give this one another"


def test_an_id_that_is_no_id(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, HEADER + SEED.format(id="../x"))
    assert problem.line == 6
    assert problem.message.startswith("id: ")


def test_lint_s_findings_stand_on_their_own_lines(tmp_path: Path) -> None:
    text = HEADER + SEED.format(id="t-1").replace("'7'", "'9'")
    (problem,) = problems(tmp_path, text)
    assert problem.line == line_of(text, "number:")
    assert problem.message == "9 is not in the prompt; write it there"
    unlinted = read(write(tmp_path, text), TinyFamily(), lint=False)
    assert unlinted.problems == ()
    assert unlinted.seeds is not None


def test_every_problem_of_every_seed_is_found_in_one_go(tmp_path: Path) -> None:
    text = HEADER.replace("licence: CC0\n", "") + SEED.format(id="a-1").replace("  domain: home\n", "")
    text += "- just words\n" + SEED.format(id="b-1").replace("kind: human", "kind: dog")
    messages = [problem.message for problem in problems(tmp_path, text)]
    assert any("lacks `licence`" in message for message in messages)
    assert any("`domain` is missing" in message for message in messages)
    assert any("a seed is a mapping" in message for message in messages)
    assert any("kind" in message for message in messages)
    lines = [problem.line for problem in problems(tmp_path, text)]
    assert lines == sorted(lines)


@pytest.mark.parametrize("seeds", ["", "seeds: []\n", "seeds: {a: 1}\n"])
def test_a_file_needs_seeds(tmp_path: Path, seeds: str) -> None:
    messages = [one.message for one in problems(tmp_path, HEADER.replace("seeds:\n", "") + seeds)]
    assert "`seeds` must be a list with at least one seed" in messages


def test_broken_yaml_names_file_and_line(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + "- id: a: b\n")
    with pytest.raises(SeedError, match="not YAML") as caught:
        read(path, TinyFamily())
    assert caught.value.where == f"{path}:6"
    with pytest.raises(SeedError, match="same key twice") as caught:
        read(write(tmp_path, HEADER + SEED.format(id="t-1") + "  number: '8'\n"), TinyFamily())
    assert caught.value.where == f"{path}:{6 + SEED.count(chr(10))}"


def test_what_cannot_be_read_or_is_no_mapping(tmp_path: Path) -> None:
    with pytest.raises(SeedError, match="cannot be read"):
        read(tmp_path / "none.yaml", TinyFamily())
    (tmp_path / "latin.yaml").write_bytes(b"set: \xff\n")
    with pytest.raises(SeedError, match="cannot be read"):
        read(tmp_path / "latin.yaml", TinyFamily())
    with pytest.raises(SeedError, match="is a mapping"):
        read(write(tmp_path, "- a\n- b\n"), TinyFamily())


def test_of_several_sets_only_the_family_s_own_is_read(tmp_path: Path) -> None:
    inner = (HEADER + SEED.format(id="t-1")).replace("\n", "\n  ").rstrip()
    text = f"sets:\n- {inner}\n- set: X\n  family: other\n  seeds: [{{id: x}}]\n"
    loaded = read(write(tmp_path, text), TinyFamily())
    assert loaded.problems == ()
    assert loaded.seeds is not None
    assert [seed.id for seed in loaded.seeds.seeds] == ["t-1"]
    other = write(tmp_path, "set: X\nfamily: other\nseeds: []\n")
    with pytest.raises(SeedError, match="no seed set of this family"):
        read(other, TinyFamily())


def test_the_family_and_what_it_extends(tmp_path: Path) -> None:
    assert family_of(write(tmp_path, "set: X\nfamily: ferry\nextends: salience\n")) == ("ferry", "salience")
    assert family_of(write(tmp_path, "set: X\n")) == (tmp_path.name, None)
    with pytest.raises(SeedError, match="must be a name"):
        family_of(write(tmp_path, "family: no\n"))


# ------------------------------------------------------------------------------------------------------ finding sets


def tree(root: Path, *names: str) -> Path:
    for name in names:
        path = root / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("set: x\n")
    return root


def test_the_first_root_wins_and_names_are_sorted(tmp_path: Path) -> None:
    one = tree(tmp_path / "one", "salience/D1", "zoo/Z1")
    two = tree(tmp_path / "two", "salience/D1", "salience/D2")
    found = available([one, two])
    assert [ref.name for ref in found] == ["salience/D1", "salience/D2", "zoo/Z1"]
    assert found[0].path == one / "salience" / "D1.yaml"


def test_bare_and_full_names(tmp_path: Path) -> None:
    root = tree(tmp_path, "salience/D1", "salience/mine", "zoo/D1", "zoo/Z1", "other/mine")
    assert resolve("zoo/D1", [root]).path == root / "zoo" / "D1.yaml"
    assert resolve("Z1", [root]).name == "zoo/Z1"
    # Bare D1 to D4 are salience's; every other bare name must be the only one.
    assert resolve("D1", [root]).name == "salience/D1"
    with pytest.raises(ConfigError, match="several families") as caught:
        resolve("mine", [root])
    assert caught.value.fix == "write one of other/mine, salience/mine"


def test_an_unknown_name_brings_the_nearest(tmp_path: Path) -> None:
    root = tree(tmp_path, "salience/kitchen", "salience/garden", "zoo/Z1")
    with pytest.raises(ConfigError, match="no seed set kitchn") as caught:
        resolve("kitchn", [root])
    assert "did you mean kitchen" in str(caught.value.fix)
    assert str(root) in str(caught.value.where)
    with pytest.raises(ConfigError) as caught:
        resolve("kitchen", [])
    assert "no seeds folder found" in str(caught.value.where)


@pytest.mark.parametrize("name", ["../x", "salience/../x", "a/b/c", "", "/etc/passwd", "salience/", "a b"])
def test_an_unsafe_name_is_refused_before_any_look(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="not a name"):
        resolve(name, [tmp_path])
