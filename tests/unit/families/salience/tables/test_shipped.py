"""The shipped tables: as large as promised, spread over many truths, and sound in every combination."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from forge.families.base import Option
from forge.families.salience.family import SalienceFamily
from forge.families.salience.lint import lint as seed_lint
from forge.families.salience.tables.composer import SalienceComposer
from forge.families.salience.tables.ingredients import Table
from forge.text.lemmas import lemmas
from forge.workspace import tablefiles
from forge.workspace.seedfiles import SetRef, available, read

SEEDS = Path(__file__).resolve().parents[5] / "seeds"
CROSS, PAIRS = ("D1", "D2", "D4"), "D3"
SETS = (*CROSS, PAIRS)
LEAST_TRIPLES, LEAST_FRAMES, LEAST_PAIRS = 150, 9, 60
MOST_SHARE = 0.15
EVERY_TENTH = 10


def path_of(name: str) -> Path:
    return SEEDS / "salience" / "tables" / f"{name}.yaml"


@lru_cache
def header_of(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((SEEDS / "salience" / f"{name}.yaml").read_text("utf-8"))
    return {key: value for key, value in loaded.items() if key != "seeds"}


@lru_cache
def rows_of(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(path_of(name).read_text("utf-8"))
    return loaded


@lru_cache
def composer_of(name: str) -> SalienceComposer:
    return SalienceComposer(Table.model_validate(rows_of(name)), header_of(name))


def triples(name: str) -> set[tuple[tuple[str, ...], ...]]:
    """(tool, object, action) of every combination, in dictionary forms."""
    tasks = {task["id"]: task for task in rows_of(name).get("tasks", rows_of(name).get("pairs"))}
    found = set()
    for option in composer_of(name).options:
        task = tasks[option.task]
        tool = task.get("tool", option.thing)
        found.add((lemmas(tool), lemmas(task["object"]), lemmas(task["action"])))
    return found


def test_every_shipped_set_has_its_table() -> None:
    refs = [ref for ref in available([SEEDS]) if ref.family == "salience"]
    assert {ref.bare for ref in refs} == set(SETS)
    assert [tablefiles.find(ref, [SEEDS]) for ref in refs] == [path_of(ref.bare) for ref in refs]


@pytest.mark.parametrize("name", SETS)
def test_a_table_belongs_to_its_set(name: str) -> None:
    rows = rows_of(name)
    assert (rows["set"], rows["kind"]) == (name, "pairs" if name == PAIRS else "cross")
    loaded = tablefiles.composer(SetRef("salience", name, path_of(name)), [SEEDS], SalienceFamily(), header_of(name))
    assert loaded.options == composer_of(name).options


@pytest.mark.parametrize("name", CROSS)
def test_a_cross_table_has_the_promised_size(name: str) -> None:
    assert len(triples(name)) >= LEAST_TRIPLES
    assert len(set(rows_of(name)["frames"])) >= LEAST_FRAMES


def test_the_pairs_have_the_promised_number() -> None:
    assert len(triples(PAIRS)) >= LEAST_PAIRS
    assert len(composer_of(PAIRS).options) == len({option.seed for option in composer_of(PAIRS).options})


@pytest.mark.parametrize("name", SETS)
def test_no_need_carries_more_than_its_share(name: str) -> None:
    needs = Counter(option.need for option in composer_of(name).options)
    assert {need: count for need, count in needs.items() if count > MOST_SHARE * needs.total()} == {}


@pytest.mark.parametrize("name", SETS)
def test_no_plan_repeats_a_hand_written_seed(name: str) -> None:
    shipped = read(SEEDS / "salience" / f"{name}.yaml", SalienceFamily(), lint=False).seeds
    assert shipped is not None
    taken = {(lemmas(seed.triple.tool), lemmas(seed.triple.object)) for seed in shipped.seeds}
    assert {triple for triple in triples(name) if triple[:2] in taken} == set()


def faults(name: str, option: Option) -> list[str]:
    """What is wrong with an option's seed: what the rules say, plurals with a singular's verb, doubled marks."""
    family, seed = SalienceFamily(), composer_of(name).compose(option, 0, 0).seed
    found = [finding.message for finding in seed_lint(seed) if finding.severity == "error"]
    verdict = family.viability(seed)
    if verdict.grade not in ("A", "A-"):
        found.append(f"graded {verdict.grade}: {verdict.reason}")
    probe = " ".join(question.text for question in family.probe(seed))
    said = f"{seed.prompt} {seed.trap_core} {seed.control.core} {probe}"
    found += re.findall(r"\bthey (?:is|has|does|was|isn't|doesn't|(?!always|thus|perhaps)\w+[^s\W]s)\b", seed.trap_core)
    found += re.findall(r"[{}]|[,;:?!] ?[,;:.]|  ", said)
    return found


@pytest.mark.parametrize("name", SETS)
def test_every_tenth_combination_is_sound(name: str) -> None:
    options = composer_of(name).options[::EVERY_TENTH]
    found = {option.id: faults(name, option) for option in options}
    assert {key: value for key, value in found.items() if value} == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_lint_finds_no_error_in_any_combination(name: str) -> None:
    loaded = tablefiles.read(path_of(name), SalienceFamily(), header_of(name))
    assert loaded.composer is not None
    assert [str(problem) for problem in loaded.problems if problem.severity == "error"] == []
