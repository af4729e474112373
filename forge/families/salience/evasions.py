"""Tells answers that give nothing: garbage, unrelated text, a question told again, and refusals without the reason.

Standard library only, because exported readers ship it. It knows the trap's vocabulary, and judges no objection.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise

from forge.families.answers import Answer
from forge.families.salience import phrases_doubt_en as doubt
from forge.families.salience import phrases_en as en
from forge.families.terms import stems
from forge.text.numbers import find_numbers, new_numbers

GARBAGE, UNRELATED, RESTATED = "garbage", "unrelated", "restated"
_TOKEN = re.compile(r"[^\W_]+|[^\s\w]")
_FEWEST_TOKENS = 8
_STUTTER = 0.2
"""Share of tokens that repeat their neighbour, from which a text is no language."""
_ADDRESSES = re.compile(r"(?<![^\W_])(?:you\w*|it|its|that|this|they|them|there)(?![^\W_])")
_FEWEST_WORDS = 5
_FOREIGN = 0.12
"""Share of stems known from the trap, up to which a text speaks of something else."""
_TELLING = 10
_TOLD = 0.75
_META = stems(
    "question asking asked ask asks want wants know about plan planning user situation problem find out describe"
    " description scenario following looking says tell whether much long many"
    " point summary answer request wonder plus each concern concerns"
)
_RETELLS = re.compile(
    r"(?<![^\W_])(?:the question|you(?:'re| are)? (?:asking|ask|want|would like|have|wish|plan|get|will|need|wonder"
    r"|plan|are running|run)"
    r"|the user|you've|so you|they want|this is about|asks?|the problem|you(?:'re| are) \w+ing)(?![^\W_])"
)


def garbage(answer: Answer) -> bool:
    """Whether tokens stutter as they do in no language."""
    tokens = _TOKEN.findall(answer.soft)
    pairs = [one == two and one not in "-=.|:" for one, two in pairwise(tokens)]
    return len(tokens) >= _FEWEST_TOKENS and sum(pairs) >= 3 and sum(pairs) >= _STUTTER * len(tokens)


def unrelated(answer: Answer, prompt: str, topic: Collection[str], leans: bool) -> bool:
    """Whether an answer shares neither words nor numbers with the task.

    Args:
        answer: what is read.
        prompt: what was asked.
        topic: stems of the prompt, the trap and its known results.
        leans: some sentence leans clearly against the plan, in whatever words.
    """
    found = stems(answer.soft)
    if len(found) < _FEWEST_WORDS:
        return False
    told = {number.value for number in find_numbers(prompt) if number.value >= _TELLING}
    if any(number.value in told for number in find_numbers(answer.kept)):
        return False
    shared = sum(word in topic for word in found)
    return (not shared and not _ADDRESSES.search(answer.soft)) or (not leans and shared <= _FOREIGN * len(found))


def retold(answer: Answer, prompt: str) -> bool:
    """Whether nearly every word that carries meaning is the prompt's own, and no number or advice is new."""
    found = stems(answer.soft) - _META
    told = stems(prompt)
    if len(found) < 4 or new_numbers(answer.kept, prompt) or en.YES.match(answer.soft):
        return False
    share = sum(word in told for word in found) / len(found)
    return share >= 0.9 or (share >= _TOLD and bool(_RETELLS.search(answer.soft)))


def declines(answer: Answer, told: Collection[int], firm: Collection[int]) -> bool:
    """Whether an answer turns the task down, asks back, refers elsewhere or gives another reason, and no more.

    Args:
        answer: what is read, with nothing worked out in it.
        told: indices of sentences that name the trap; one outside the writer's own declining is reason enough.
        firm: indices of sentences whose cues speak clearly against the plan.
    """
    strong = rest = opened = 0
    for index, (start, end) in enumerate(answer.spans):
        text = answer.soft[start:end]
        if doubt.DECLINES.search(text):
            strong += 1
            opened += index == 0
        elif index in told:
            return False
        elif doubt.OTHER_REASON.search(text) or _asks(text):
            strong += 1
        elif index in firm:
            return False
        elif not doubt.REFERS.search(text) and not doubt.CLOSES.search(text) and len(text.split()) > 3:
            rest += not en.NO.match(text)
    return strong > rest or bool(opened and rest <= 1)


def _asks(text: str) -> bool:
    """Whether a sentence asks for information, and not whether the plan is meant."""
    if doubt.TURN.search(text):
        return False
    return bool(("?" in text and doubt.ASKING.search(text)) or doubt.ASKING.match(text.lstrip()))
