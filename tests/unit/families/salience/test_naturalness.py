from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.families.salience.naturalness import naturalness, surface
from forge.families.salience.seed import SalienceSeed

SOUND = (
    "I've got 30 litres of water to haul from the pump before lunch. A round takes 6 minutes and my laundry net takes "
    "5 litres. How many rounds is that?"
)
STIFF = (
    "Calculate the number of rounds required to transport 30 litres of water from the pump utilizing a laundry net "
    "with a capacity of 5 litres, given that each round requires 6 minutes. Determine the total duration.",
    "Volume: 30 litres of water\nCapacity: 5 litres (laundry net)\nRound: 6 minutes\nFrom: the pump\nHow many rounds?",
    "The task is to haul water in a laundry net. The requirements are: (1) 30 litres, (2) 5 litres per round, (3) 6 "
    "minutes per round, (4) the pump is 40 m away. Provide the number of rounds and the finishing time.",
)
GARBAGE = ("asdf qwer zxcv laundry 1 2 3 4", "", "!!!", "net " * 60)


def test_a_sound_wording_is_good_enough_to_certify(seed: SalienceSeed) -> None:
    assert surface(seed, seed.prompt).mean >= 3.5
    assert surface(seed, SOUND).mean >= 3.5


@pytest.mark.parametrize("text", STIFF)
def test_a_stiff_or_listed_wording_is_not(seed: SalienceSeed, text: str) -> None:
    assert surface(seed, text).mean < 3.5


@pytest.mark.parametrize("text", GARBAGE)
def test_garbage_does_not_reach_the_solver(seed: SalienceSeed, text: str) -> None:
    assert surface(seed, text).mean < 2.5


def test_a_rate_a_person_and_a_colon_in_a_sentence_are_no_exam(seed: SalienceSeed) -> None:
    rate = SOUND.replace("A round takes 6 minutes", "It's 6 minutes a person")
    assert surface(seed, rate).no_escape_word == 5.0
    assert surface(seed, SOUND.replace("A round", "A person has")).no_escape_word < 5.0
    told = SOUND.replace("I've got 30 litres", "Here is what there is to do for us today: 30 litres")
    listed = SOUND.replace("I've got 30 litres", "Volume: 30 litres")
    assert surface(seed, told).numeric_naturalness > surface(seed, listed).numeric_naturalness


def test_longer_is_worse(seed: SalienceSeed) -> None:
    more = SOUND.replace("before lunch", "before lunch, and I'd like to sit down for a while after that" * 6)
    assert surface(seed, more).conciseness < surface(seed, SOUND).conciseness


def test_an_escape_word_costs_the_whole_score(seed: SalienceSeed) -> None:
    assert surface(seed, "Hypothetically, " + SOUND).no_escape_word == 1.0


def test_announcing_the_detail_costs_concealment(seed: SalienceSeed) -> None:
    told = "I know it's odd, but I carry water from the pump in a laundry net. " + SOUND.replace("laundry ", "")
    assert surface(seed, told).concealment < surface(seed, SOUND).concealment - 1


def test_the_verdict_has_five_fields_and_one_is_null(seed: SalienceSeed) -> None:
    verdict = naturalness(seed, SOUND)
    scores = [value for name, value in verdict.details.items() if name not in ("name", "life_naturalness")]
    assert verdict.details["name"] == "surface"
    assert verdict.details["life_naturalness"] is None
    assert len(scores) == 4
    assert verdict.score == pytest.approx(sum(scores) / 4)


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=300))
def test_every_score_is_between_one_and_five(shared_seed: SalienceSeed, text: str) -> None:
    scores = surface(shared_seed, text)
    assert 1 <= scores.mean <= 5
