from __future__ import annotations

from typing import Any

import pytest

from forge.families import language
from forge.families.salience import slips
from forge.families.salience.seed import SalienceSeed


@pytest.mark.parametrize(
    "text",
    [
        "Mi hermana va a pasar 40 días en la estación y tiene que entrenar 90 minutos cada día con su bicicleta.",
        "Mia sorella non ha il tempo di andare alla stazione, e io le porto una bicicletta che costa 40 euro.",
        "Moja siostra spędza czterdzieści dni poza domem, dlatego trenuje codziennie przez półtorej godziny rano.",
    ],
)
def test_other_languages(text: str) -> None:
    assert language.foreign(text)


@pytest.mark.parametrize(
    "text",
    [
        "Driving from Los Angeles to Las Vegas via La Jolla. How long will it take us to get there?",
        "Party Saturday, fridge dead, need 240 cubes.",
        "Seating plan done, 45 copies needed by 9:30, feeding the original in at 20 seconds a go. When do I switch on?",
    ],
)
def test_english_with_names_or_few_small_words(text: str) -> None:
    assert not language.foreign(text)


def test_what_is_denied_mends_nothing(seed: SalienceSeed) -> None:
    assert list(slips.mends(seed, "My laundry net isn't lined.")) == []
    assert list(slips.mends(seed, "My laundry net is lined."))


def test_a_late_event_that_is_put_off_mends_a_plan_in_time(raw: dict[str, Any]) -> None:
    text = "The fair was yesterday, but it has been postponed until Sunday."
    assert list(slips.mends(SalienceSeed(**raw), text)) == []
    raw["blocker"]["kind"] = "time"
    assert list(slips.mends(SalienceSeed(**raw), text)) == ["postponed"]


def test_a_seed_may_use_its_own_words(raw: dict[str, Any]) -> None:
    raw["prompt"] = raw["prompt"].replace("my laundry net takes", "my laundry net, neatly lined up, takes")
    assert list(slips.mends(SalienceSeed(**raw), "My laundry net is lined up.")) == []


def test_the_prompts_own_premise_is_no_reveal(raw: dict[str, Any]) -> None:
    told = "Of course the laundry net won't haul water by itself."
    assert list(slips.tells(SalienceSeed(**raw), told))
    raw["prompt"] += " Mind you, it won't haul water by itself."
    assert list(slips.tells(SalienceSeed(**raw), told)) == []


def test_a_reply_is_none_where_something_is_asked() -> None:
    assert slips.replies("You need to set out at nine.") == "You need to"
    assert slips.replies("Mum says you need to set out early. When do I start?") is None
