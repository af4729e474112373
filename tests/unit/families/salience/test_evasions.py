from __future__ import annotations

import pytest

from forge.families.answers import prepare
from forge.families.salience import evasions
from forge.families.salience.doubts import stems
from forge.families.salience.family import SalienceFamily
from forge.families.salience.item import SalienceItem
from forge.model.checks import Response

PROMPT = "I've 30 litres of water to carry in a net, 5 litres each round. How many rounds is that?"


@pytest.mark.parametrize(
    ("want", "text"),
    [
        (True, "net net net 30 30 30 rounds rounds , , , water"),
        (False, "30 / 5 = 6 rounds, and 6 rounds at 6 minutes are 36 minutes in all."),
        (False, "no no no"),
    ],
)
def test_garbage(want: bool, text: str) -> None:
    assert evasions.garbage(prepare(text, PROMPT)) is want


def test_unrelated_shares_neither_words_nor_numbers() -> None:
    far = prepare("Paris became the French capital during the reign of Clovis.", PROMPT)
    near = prepare("Paris became the capital when 30 kings ruled during the reign of Clovis.", PROMPT)
    assert evasions.unrelated(far, PROMPT, stems(PROMPT), leans=False)
    assert not evasions.unrelated(near, PROMPT, stems(PROMPT), leans=False)


def test_a_question_told_again_is_no_answer() -> None:
    assert evasions.retold(
        prepare("So you want to know how many rounds 30 litres of water in the net are.", PROMPT), PROMPT
    )
    assert not evasions.retold(prepare("You want 6 rounds of water in the net.", PROMPT), PROMPT)


@pytest.mark.parametrize(
    ("want", "text"),
    [
        (True, "I can't help with that. Please consult a professional."),
        (True, "How old is the net, and what kind of water is it?"),
        (True, "Carrying water is dangerous. I'd rather not say."),
        (False, "Water runs out of a net."),
    ],
)
def test_declines(want: bool, text: str) -> None:
    assert evasions.declines(prepare(text, PROMPT), set(), set()) is want


def test_what_names_the_trap_is_never_a_refusal() -> None:
    answer = prepare("Sorry. Water runs out of a net.", PROMPT)
    assert not evasions.declines(answer, {1}, set())


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("garbage", "net net net 30 30 30 rounds rounds , , , water"),
        ("unrelated", "Paris became the French capital during the reign of Clovis."),
    ],
)
def test_the_reader_calls_them_unreadable(family: SalienceFamily, item: SalienceItem, reason: str, text: str) -> None:
    reading = family.read(item, "trap", Response(text))
    assert (reading.label, reading.unreadable) == (None, reason)
