"""Reads which option a response chooses, as a label. Standard library only, because exported readers ship it."""

from __future__ import annotations

from forge.families.hidden_constraint.labels import ChoiceLabel
from forge.model.checks import Reading, Response
from forge.text.choice import read_choice

ANSWER, REASONING_AND_ANSWER = "answer", "reasoning+answer"


def read(
    response: Response,
    options: tuple[str, str],
    order: tuple[ChoiceLabel, ChoiceLabel],
    question: str,
    scope: str = ANSWER,
) -> Reading:
    """Return the label of the option that a response chooses (Core-100, section 5, Protocol).

    A choice stands in the answer, so a reasoning trace is never read; with the wider scope the offsets alone move. A
    response that commits to none is unreadable with the parser's reason, or `cut` when its token limit ended it.

    Args:
        options: the words of A and B, as they were shown.
        order: the labels of A and B.
        question: the text above the options; sentences copied from it are no answer.
    """
    choice = read_choice(response.text, options, question)
    if choice.letter is None:
        reason = "cut" if response.cut else str(choice.reason)
        return Reading(None, reason, scope=scope, cut=response.cut, details={"letter": None})
    shift = len(response.reasoning) + 1 if scope == REASONING_AND_ANSWER and response.reasoning else 0
    start, end, evidence = choice.evidence
    place = "AB".index(choice.letter)
    return Reading(
        str(order[place]),
        evidence=evidence,
        start=start + shift if evidence else -1,
        end=end + shift if evidence else -1,
        scope=scope,
        cut=response.cut,
        details={"letter": choice.letter, "first": place == 0},
    )
