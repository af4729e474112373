from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.families.hidden_constraint.guards import GUARDS, cues_in, guards
from forge.families.hidden_constraint.item import build
from forge.families.hidden_constraint.rendering import active
from forge.families.hidden_constraint.seed import HiddenConstraintSeed, Options

SOUND = (
    "Thursday morning I'm getting my van inspected at the test centre, and I want to plan the day. It's just 200 metres "
    "from my gate and dry out. The van has been in my carport since Sunday. Should I walk there or drive there?"
)
WRONG = [
    ("fact", SOUND.replace("in my carport", "in the carport")),
    ("fact", SOUND.replace("and dry out", "and dry in my carport")),
    ("cue", SOUND.replace("just 200 metres from my gate", "a short walk away")),
    ("cue", SOUND.replace("and dry out", "or about 900 metres from my gate")),
    ("goal", SOUND.replace("at the test centre", "at the garage")),
    ("question", SOUND.replace("Should I walk there or drive there?", "Walk or drive?")),
    ("question", SOUND + " Thanks a lot!"),
    ("question", SOUND.replace("plan the day.", "plan the day. Will it rain?")),
    ("clause_place", SOUND.replace("my van inspected", "my van looked at and inspected")),
    ("clause_place", SOUND.replace("plan the day", "see my van inspected")),
    ("pair", SOUND.replace("and dry out", "and they keep cars in their yard")),
    ("reveals", SOUND.replace("plan the day.", "plan the day. They need the whole vehicle on the ramp.")),
    ("answered", SOUND.replace("plan the day.", "plan the day. You should just take it there.")),
    ("answered", SOUND.replace("Should I", "A. Drive there B. Walk there. Should I")),
    ("escape_phrase", SOUND.replace("plan the day.", "plan the day. Just assume it works.")),
    ("length", SOUND.replace("plan the day.", "plan the day. " + "It was a long week for us all. " * 12)),
    ("voice", "Sure, here is the message: " + SOUND),
    ("language", "这个计划行不通，因为网袋装不了牛奶。"),
]


def test_the_own_wording_and_a_sound_rewrite_pass(seed: HiddenConstraintSeed, glasses: HiddenConstraintSeed) -> None:
    assert guards(seed, active(seed)) == guards(glasses, active(glasses)) == []
    assert guards(seed, SOUND) == []
    made = build(seed, SOUND)
    assert made.removed_text == SOUND.replace("my carport", "their yard")
    assert "inspected, which needs the whole vehicle on their ramp at the test" in made.explicit_text


@pytest.mark.parametrize("strength", ["about 900 metres from my gate", "about 4 kilometres from my gate"])
def test_another_strength_of_the_cue_is_a_cue(seed: HiddenConstraintSeed, strength: str) -> None:
    text = SOUND.replace("just 200 metres from my gate", strength)
    assert guards(seed, text) == []
    assert cues_in(seed, text) == [strength]


@pytest.mark.parametrize(("guard", "text"), WRONG)
def test_each_fault_has_its_guard(seed: HiddenConstraintSeed, guard: str, text: str) -> None:
    found = guards(seed, text)
    assert guard in {one.guard for one in found}, found


def test_what_the_options_rest_on_must_be_named(change: Callable[..., HiddenConstraintSeed]) -> None:
    text = (
        "I want to have my van inspected{clause} at the test centre. It is {cue}, the station is across town, and the van "
        "is parked up in {fact} over there. {question}"
    )
    seed = change(("template",), text).model_copy(update={"question": "Should I walk over or go to the station?"})
    seed = seed.model_copy(update={"options": Options(constraint_heavy="Go to the station", heuristic="Walk over now")})
    own = active(seed)
    assert guards(seed, own) == []
    moved = own.replace("the station is across town, and", "and")
    assert [one.guard for one in guards(seed, moved)] == ["named"]
    assert "station" in guards(seed, moved)[0].message


def test_every_guard_is_tried() -> None:
    assert {guard for guard, _ in WRONG} | {"named"} == set(GUARDS)


@given(text=st.text(max_size=400))
@settings(max_examples=60, deadline=None)
def test_any_text_is_judged_and_what_passes_makes_an_item(shared: HiddenConstraintSeed, text: str) -> None:
    objections = guards(shared, text)
    assert objections or build(shared, text).text == text
