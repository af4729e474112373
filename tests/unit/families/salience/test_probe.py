from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.families.base import knows
from forge.families.probe import questions, read_probe
from forge.families.salience.seed import SalienceSeed
from forge.model.checks import Response
from forge.model.words import Knows

QUESTION = "Can a laundry net hold water? Answer yes or no."


def test_the_four_questions_are_balanced(seed: SalienceSeed) -> None:
    asked = questions(seed.probe)
    assert [question.name for question in asked] == [
        "probe/trap/is_false", "probe/trap/is_true", "probe/control/is_false", "probe/control/is_true",
    ]  # fmt: skip
    assert [question.truth for question in asked] == [False, True, False, True]
    assert all(question.text.endswith("? Answer yes or no.") for question in asked)


def test_who_always_says_no_knows_nothing(seed: SalienceSeed) -> None:
    asked = questions(seed.probe)
    assert knows({question.name: False for question in asked}, asked) is Knows.UNCLEAR
    assert knows({question.name: question.truth for question in asked}, asked) is Knows.YES
    assert knows({question.name: not question.truth for question in asked}, asked) is Knows.NO


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("yes", "Yes."),
        ("no", "No"),
        ("no", "**No**, it cannot."),
        ("no", "A: no"),
        ("yes", "Answer: Yes, it can."),
        ("no", "The answer is no."),
        ("no", "no, but yes with a liner"),
        ("no", "It can't."),
        ("no", "A laundry net cannot hold water."),
        ("yes", "It can hold water."),
        ("no", "Incorrect."),
        ("yes", "Correct"),
        ("yes", "I would say yes."),
        ("no", "<think>yes? hmm</think>No."),
        (None, "Yes and no."),
        (None, "It depends on the mesh."),
        (None, "Maybe."),
        (None, ""),
        (None, "I would say yes, or no if it is wet."),
        (None, "Knowing nets, they note nothing."),
    ],
)
def test_reading(said: str | None, text: str) -> None:
    reading = read_probe(QUESTION, Response(text))
    assert reading.label == said, reading
    if said:
        assert text[reading.start : reading.end] == reading.evidence


def test_a_cut_answer_says_so() -> None:
    assert read_probe(QUESTION, Response("Well, let us", cut=True)).unreadable == "cut"
    assert read_probe(QUESTION, Response("No, a net is", cut=True)).label == "no"


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=120))
def test_no_text_raises(text: str) -> None:
    read_probe(QUESTION, Response(text))


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Yes, a wire birdcage can be filled to the brim with water.", "yes"),
        ("No, a wire birdcage can not be filled to the brim with water.", "no"),
        ("Yes, a wire birdcage can be filled.", "yes"),
    ],
)
def test_an_answer_that_repeats_the_questions_words_is_an_answer(text: str, label: str) -> None:
    question = "Can a wire birdcage be filled to the brim with water? Answer yes or no."
    assert read_probe(question, Response(text)).label == label


def test_the_question_alone_is_none() -> None:
    question = "Can a wire birdcage be filled to the brim with water? Answer yes or no."
    assert read_probe(question, Response("Can a wire birdcage be filled to the brim with water?")).label is None
