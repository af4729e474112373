from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from forge.families.hidden_constraint.seed import ConstraintKind, Heuristic, HiddenConstraintSeed


def test_cell_and_dimension_come_from_the_two_families(seed: HiddenConstraintSeed) -> None:
    assert (seed.cell, seed.dimension) == ("A1", "H-prox x C-pres")
    other = seed.model_copy(update={"heuristic": Heuristic.SEM, "constraint_kind": ConstraintKind.SCOPE})
    assert other.cell == "D4"


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("I go {clause} {cue} {fact}.", "{question} 0 times"),
        ("I go {clause} {cue} {fact} and {fact}. {question}", "{fact} 2 times"),
        ("I go {clause} {cue} {fact} {when}. {question}", "may stand between braces"),
        ("I go {clause} {cue} {fact} }. {question}", "may stand between braces"),
    ],
)
def test_each_slot_stands_once(change: Callable[..., HiddenConstraintSeed], template: str, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        change(("template",), template)


def test_every_strength_must_be_there(raw: dict[str, Any]) -> None:
    del raw["cue"]["medium"]
    with pytest.raises(ValidationError, match="medium"):
        HiddenConstraintSeed(**raw)


def test_a_clause_begins_with_a_comma(change: Callable[..., HiddenConstraintSeed]) -> None:
    with pytest.raises(ValidationError, match="begin"):
        change(("clause", "explicit"), "which needs the van")


def test_a_hint_changes_something(change: Callable[..., HiddenConstraintSeed]) -> None:
    with pytest.raises(ValidationError, match="from and to are both"):
        change(("gradients", "explicitness", "hint"), {"from": "my van", "to": "my van"})


def test_content_is_the_same_for_the_same_scenario(seed: HiddenConstraintSeed, raw: dict[str, Any]) -> None:
    assert HiddenConstraintSeed(**raw).content == seed.content
    assert seed.model_copy(update={"tags": ("viral",)}).content == seed.content
