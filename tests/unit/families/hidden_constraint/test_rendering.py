from __future__ import annotations

from collections.abc import Callable

from forge.families.hidden_constraint import rendering
from forge.families.hidden_constraint.item import build
from forge.families.hidden_constraint.seed import HiddenConstraintSeed
from forge.text.edits import compare

ACTIVE = (
    "I'm due at the test centre on Thursday morning to have my van inspected. The centre is just 200 metres from my "
    "gate, the weather should be fine, and the van has been in my carport since Sunday. Should I walk there or drive "
    "there?"
)


def test_the_quartet_differs_in_one_edit_each(seed: HiddenConstraintSeed) -> None:
    four = rendering.quartet(seed)
    assert four["active"] == ACTIVE
    assert four["removed"] == ACTIVE.replace("my carport", "their yard")
    assert four["explicit"] == ACTIVE.replace("inspected.", "inspected, which needs the whole vehicle on their ramp.")
    assert "the yearly fee in their account." in four["salience_control"]


def test_every_version_is_there_and_one_edit_away(seed: HiddenConstraintSeed) -> None:
    made = rendering.versions(seed)
    assert set(made) == {
        "active", "removed", "explicit", "salience_control", "strength/strong", "strength/medium", "strength/weak",
        "explicitness/implicit", "explicitness/hint", "explicitness/explicit", "no_conflict",
    }  # fmt: skip
    assert made["strength/strong"] == made["explicitness/implicit"] == ACTIVE
    for name, text in made.items():
        assert "{" not in text
        if text != ACTIVE and name != "no_conflict":
            assert len(compare(ACTIVE, text).spans) == 1, name


def test_a_slot_at_the_start_of_a_sentence_gets_a_capital() -> None:
    values = {"clause": ", which helps,", "cue": "near me", "fact": "my van", "question": "Now?"}
    made = rendering.fill("{fact} is here{clause}. {cue} it is. {question}", values)
    assert made == "My van is here, which helps. Near me it is. Now?"


def test_the_clauses_place_is_the_fewest_words_that_mark_it(
    seed: HiddenConstraintSeed, change: Callable[..., HiddenConstraintSeed]
) -> None:
    assert rendering.anchor(seed) == "van inspected"
    assert rendering.anchor(change(("template",), "{clause}I go {cue} by {fact} now. {question}")) is None
    twice = "I have my van inspected as my van inspected{clause} is {cue}, by {fact}. {question}"
    assert rendering.anchor(change(("template",), twice)) == "as my van inspected"


def test_a_short_fact_is_kept_with_words_around_it(change: Callable[..., HiddenConstraintSeed]) -> None:
    raw = "I want to have my van inspected{clause} {cue}. It is used by {fact} around here. {question}"
    seed = change(("template",), raw)
    seed = seed.model_copy(update={"fact": seed.fact.model_copy(update={"active": "night", "removed": "day"})})
    assert rendering.fact_edit(seed) == ("used by night", "used by day")
    first = seed.model_copy(
        update={"template": raw.replace("It is used by {fact} around", "{fact} is the time around")}
    )
    assert rendering.fact_edit(first) == ("night is the", "day is the")


def test_the_item_of_the_own_wording_is_the_quartet(seed: HiddenConstraintSeed, glasses: HiddenConstraintSeed) -> None:
    for one in (seed, glasses):
        four, made = rendering.quartet(one), build(one, rendering.active(one))
        assert [made.text, made.removed_text, made.explicit_text, made.salience_control_text] == list(four.values())


def test_words_are_found_in_their_usual_forms() -> None:
    assert rendering.says("It gets there by being driven", "drive")
    assert not rendering.says("It is a driveway", "drive")
    assert rendering.lacking("have my headlights realigned at the shop", "have the headlights aligned") == ["aligned"]


def test_what_is_shown_is_text_options_and_instruction() -> None:
    assert rendering.shown("Text?", ("Drive over", "Walk over")) == (
        "Text?\n\nA. Drive over\nB. Walk over\n"
        "Answer with the letter on the first line, then one short sentence of reason."
    )
