"""Surface naturalness by rules: four of the paper's five scores. Whether a scene is lifelike no rule can say."""

from __future__ import annotations

import re
from dataclasses import dataclass

from forge.families.salience import wording
from forge.families.salience.seed import SalienceSeed
from forge.families.surface import (
    BEST,
    CONTRACTION,
    DOUBTS,
    EXAM,
    FIRST_PERSON,
    LISTED,
    STILTED,
    WORDS,
    WORST,
    clamped,
    conciseness,
    no_escape,
)
from forge.families.terms import Terms
from forge.model.checks import Verdict
from forge.model.words import Role
from forge.text.lexicon import Lexicon
from forge.text.normalise import sentences
from forge.text.numbers import NumberKind, find_numbers

IDEAL_DENSITY = 4
"""Numbers in a hundred words that a person drops without thinking."""
IDEAL_PLACE = 0.35
"""What makes the plan impossible is best first named after this share of the text."""
IDEAL_NUMBERS = (3, 7)


@dataclass(frozen=True, slots=True)
class Surface:
    """Scores from 1 to 5; the mean is called `surface` because life_naturalness is missing."""

    conciseness: float
    concealment: float
    numeric_naturalness: float
    no_escape_word: float

    @property
    def mean(self) -> float:
        """The mean of the four."""
        return (self.conciseness + self.concealment + self.numeric_naturalness + self.no_escape_word) / 4


def surface(seed: SalienceSeed, text: str) -> Surface:
    """Score a wording. Each score starts at 5 and loses points; see the functions below for what costs how much."""
    return Surface(conciseness(text), _concealment(seed, text), _numeric(seed, text), no_escape(text))


def naturalness(seed: SalienceSeed, text: str) -> Verdict:
    """The verdict: `score` is the mean of the scores present; what it is worth is the routing table's to say."""
    scores = surface(seed, text)
    details = {
        "name": "surface",
        "life_naturalness": None,
        "conciseness": scores.conciseness,
        "concealment": scores.concealment,
        "numeric_naturalness": scores.numeric_naturalness,
        "no_escape_word": scores.no_escape_word,
    }
    weakest = min((value, name) for name, value in details.items() if isinstance(value, float))
    return Verdict(
        Role.NATURALNESS.value,
        passed=True,
        reason=f"weakest: {weakest[1]} {weakest[0]:.1f}",
        score=round(scores.mean, 6),
        details=details,
    )


def _concealment(seed: SalienceSeed, text: str) -> float:
    """1 when what the control edits is not there. Else the loss is: 1.5 for words of doubt; 2 for an awareness term;
    1.5 when the first sentence already holds tool and blocker with no number beside them, 0.5 with one; 0.5 for each
    time beyond the first that the edited words return; 0.5 when they stand in the question; 2 without a first
    person; 0.5 per exam or stiff word, at most 2; 0.3 when nothing is contracted; and up to 1 for naming it before
    35 % of the text, in proportion."""
    olds = [old for old, _ in seed.edits]
    spans = sentences(text)
    if not spans or not wording.terms_in(text, olds):
        return WORST
    lost = 1.5 if DOUBTS.search(text) else 0.0
    if Terms(seed.awareness.plain).find(text):
        lost += 2
    first = spans[0].text
    if wording.terms_in(first, olds) and len(wording.groups_in(seed, first)) >= min(2, len(seed.key_terms)):
        lost += 0.5 if find_numbers(first) else 1.5
    lost += 0.5 * max(0, sum(text.lower().count(old.lower()) for old in olds) - len(olds))
    if any(wording.terms_in(question, olds) for question in wording.questions(text)):
        lost += 0.5
    if not FIRST_PERSON.search(text):
        lost += 2
    lost += min(2.0, 0.5 * (len(EXAM.findall(text)) + len(STILTED.findall(text))))
    if not CONTRACTION.search(text):
        lost += 0.3
    share = min(hit.start for hit in Lexicon(olds).find(text)) / len(text)
    lost += max(0.0, IDEAL_PLACE - share) / IDEAL_PLACE
    return clamped(BEST - lost)


def _numeric(seed: SalienceSeed, text: str) -> float:
    """1 without a number. Else the loss is: 1 per number fewer than 3; 0.5 per number above 7; 0.2 per number above 4
    in a hundred words; 0.5 per number above 3 in one sentence; 0.5 per bare number that the seed lacks; 1 for three
    decimals; 0.75 per "x = 4" or "Cost: 4", at most 2.5; 1 for exam words; 1 without a question."""
    numbers = find_numbers(text)
    words = len(WORDS.findall(text))
    if not numbers or not words:
        return WORST
    least, most = IDEAL_NUMBERS
    lost = max(0, least - len(numbers)) + 0.5 * max(0, len(numbers) - most)
    lost += 0.2 * max(0.0, 100 * len(numbers) / words - IDEAL_DENSITY)
    crowded = max(sum(span.start <= number.start < span.end for number in numbers) for span in sentences(text))
    lost += 0.5 * max(0, crowded - 3)
    known = {other.value for number in seed.numbers for other in find_numbers(number.text)}
    bare = [number for number in numbers if number.kind is NumberKind.COUNT and number.value not in known]
    lost += 0.5 * len(bare)
    if re.search(r"\d\.\d{3,}", text):
        lost += 1
    lost += min(2.5, 0.75 * len(LISTED.findall(text)))
    if EXAM.search(text):
        lost += 1
    if not wording.questions(text):
        lost += 1
    return clamped(BEST - lost)
