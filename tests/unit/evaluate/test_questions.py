"""What an evaluation asks: every condition of every item under every arm, in the frozen words."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from unit.evaluate.releasecases import release, scenarios

from forge.evaluate.questions import FIRST_SAMPLE, Wanted, overlapping, questions
from forge.families.base import Family
from forge.families.loading import load
from forge.model.checks import Prompt
from forge.model.errors import UsageError
from forge.model.profile import Limits
from forge.model.scenarios import Order

QUARTET = ["active", "removed", "explicit", "salience_control", "no_conflict"]


@dataclass(frozen=True)
class Loud:
    id: str = "loud"

    def apply(self, prompt: Prompt) -> Prompt:
        return replace(prompt, user=prompt.user.upper())


def family(name: str) -> Family:
    return load(name, None, {name})


def test_every_condition_of_every_item_under_every_arm() -> None:
    made = scenarios("hidden_constraint", "A1", 2)
    found = questions(release(made), family, [None, Loud()], Wanted())
    wanted = [(one.id, name, arm) for one in made for name in QUARTET for arm in ("none", "loud")]
    assert [(one.item, one.condition, one.arm) for one in found] == wanted
    plain = found[0]
    assert plain.prompt.user == made[0].versions["active"].prompt
    assert plain.prompt.system == ""
    assert plain.prompt.fixed
    assert plain.gold == "constraint_heavy"
    assert found[1].prompt.user == plain.prompt.user.upper()


def test_gradients_are_read_as_the_active_version() -> None:
    made = scenarios("hidden_constraint", "A1", 1)
    found = {one.condition: one for one in questions(release(made), family, [None], Wanted(gradients=True))}
    assert [name for name in found if "/" in name] == list(made[0].gradients)
    assert {found[name].like for name in made[0].gradients} == {"active"}
    assert found["removed"].like == "removed"


def test_both_orders_are_asked_where_the_set_has_both() -> None:
    made = scenarios("hidden_constraint", "A1", 1, Order.BOTH)
    found = {one.condition: one for one in questions(release(made), family, [None], Wanted())}
    assert len(found) == 2 * len(QUARTET)
    options = [made[0].options["constraint_heavy"], made[0].options["heuristic"]]
    plain = [found["active"].prompt.user.index(one) for one in options]
    swapped = [found["active_swapped"].prompt.user.index(one) for one in options]
    assert (plain[0] < plain[1]) is not (swapped[0] < swapped[1])


def test_conditions_and_limit_narrow_it() -> None:
    made = scenarios("salience", "D1", 3)
    found = questions(release(made), family, [None], Wanted(("control", "trap"), limit=2))
    assert [(one.item, one.condition) for one in found] == [
        (one.id, name) for one in made[:2] for name in ("trap", "control")
    ]
    assert {one.gold for one in found} == {"strict_pass", "completes"}


def test_an_unknown_condition_is_named_with_those_there_are() -> None:
    with pytest.raises(UsageError) as caught:
        questions(release(scenarios("salience", "D1", 1)), family, [None], Wanted(("active",)))
    assert "'active'" in str(caught.value)
    assert "trap" in str(caught.value)


def test_models_that_made_the_release_are_named_with_their_roles() -> None:
    made = scenarios("salience", "D1", 1)
    models = {"solver": ("local/a",), "judge": ("openai/x | openai/y",), "generator": ("local/a",)}
    found = overlapping(release(made, models), ["local/a", "openai/y", "openai/z", "local/a"])
    assert found == {"local/a": ("generator", "solver"), "openai/y": ("judge",)}


def test_samples_lie_beyond_those_that_growing_uses() -> None:
    limits = Limits()
    assert max(limits.stability_samples, limits.diagnosis_samples) < FIRST_SAMPLE
