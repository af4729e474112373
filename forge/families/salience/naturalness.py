"""Surface naturalness by rules: four of the paper's five scores. Whether a scene is lifelike no rule can say."""

from __future__ import annotations

import re
from dataclasses import dataclass

from forge.families.salience import wording
from forge.families.salience.seed import SalienceSeed
from forge.families.salience.terms import STOP_WORDS, Terms
from forge.model.checks import Verdict
from forge.model.words import Role
from forge.text.lexicon import Lexicon
from forge.text.normalise import sentences
from forge.text.numbers import NumberKind, find_numbers

BEST, WORST = 5.0, 1.0
IDEAL_CHARACTERS = (140, 260)
IDEAL_SENTENCE = 16
"""Words: a person's sentence on the mean; every 7 words more cost a point."""
IDEAL_DENSITY = 4
"""Numbers in a hundred words that a person drops without thinking."""
IDEAL_PLACE = 0.35
"""What makes the plan impossible is best first named after this share of the text."""
IDEAL_NUMBERS = (3, 7)

_WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_FIRST_PERSON = re.compile(
    r"(?<![^\W_])(?:i|i['’](?:m|ve|ll|d)|my|me|we|we['’](?:re|ve|ll|d)|our|us)(?![^\W_])", re.IGNORECASE
)
_CONTRACTION = re.compile(r"(?<![^\W_])\w+['’](?:m|re|ve|ll|d|s|t)(?![^\W_])", re.IGNORECASE)
_EXAM = re.compile(
    r"(?<![^\W_])(?:calculate|compute|determine|find the|solve|evaluate|given (?:that|the|a|an)|suppose"
    r"|consider a|derive"
    r"|what is the (?:total|minimum|maximum|optimal)|show your work|step by step|in total, how many"
    r"|an individual|a person (?:who|has|is|was|wants|needs|must|can|will|uses|plans|intends|decides|carries)"
    r"|the individual|respectively|the following|optimi[sz]e|provide (?:a|an|the)|list (?:the|all)|explain"
    r"|the total (?:number|"
    r"amount|duration|time) (?:of|required|needed))(?![^\W_])",
    re.IGNORECASE,
)
_STILTED = re.compile(
    r"(?<![^\W_])(?:utili[sz]e|utili[sz]ing|utili[sz]ation|aforementioned|henceforth|pursuant|commence"
    r"|commencing|in order to"
    r"|therein|thereof|hereby|whereby|furthermore|moreover|said (?:bag|card|device|item|vessel)|per annum"
    r"|regulations?|clause|section"
    r"|protocol|compliance|procedure|mandated|requisite|subsequently|prior to|in accordance with|designated"
    r"|allocated|facilitate"
    r"|ascertain|endeavou?r|optimal|logistical|parameters|constraints|requirements?|specified|it is (?:required"
    r"|necessary|noted)"
    r"|shall|must be|task is to|objective|goal is to|scenario|assigned)(?![^\W_])",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"(?:^|\n)\s*(?:[-*•]|\d{1,2}[.)])\s|(?<![^\W_])\w+ ?= ?[$£€]?\d|\([a-d1-4]\)"
    r"|(?:^|[\n,;.(])[ \t]*(?:[^\W\d_]+ ){0,2}[^\W\d_]+: ?[$£€]?\d"
)
_DOUBTS = re.compile(
    r"(?<![^\W_])(?:even though|although|despite|i know (?:that )?(?:it|this)|is (?:it|this"
    r"|that) (?:even )?(?:possible|feasible)"
    r"|(?:would|will|does|can) (?:it|that|this) (?:even |actually |really )?work|can i even|feasible|infeasible"
    r"|impossible|unusual"
    r"|somehow|strange as|odd as|sounds (?:odd|strange|silly|weird|crazy)|trick|riddle|puzzle)(?![^\W_])",
    re.IGNORECASE,
)


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
    return Surface(_conciseness(text), _concealment(seed, text), _numeric(seed, text), _no_escape(text))


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


def _clamped(value: float) -> float:
    return round(min(BEST, max(WORST, value)), 2)


def _per_hundred(pattern: re.Pattern[str], text: str) -> float:
    words = len(_WORDS.findall(text))
    return 100 * len(pattern.findall(text)) / words if words else 0.0


def _conciseness(text: str) -> float:
    """1 point per 130 characters above 260 or 30 below 140; per 7 words of mean sentence length above 16; 0.5 per stiff
    word in a hundred, at most 2; 0.6 per list item, at most 2; 3 for text that is not English or repeats itself."""
    words = [word.lower() for word in _WORDS.findall(text)]
    if not words:
        return WORST
    least, most = IDEAL_CHARACTERS
    lost = max(0, len(text) - most) / 130 + max(0, least - len(text)) / 30
    lengths = [len(span.text.split()) for span in sentences(text)]
    lost += max(0.0, sum(lengths) / len(lengths) - IDEAL_SENTENCE) / 7
    lost += min(2.0, 0.5 * _per_hundred(_STILTED, text))
    lost += min(2.0, 0.6 * len(_LISTED.findall(text)))
    if text.isascii() and sum(word.replace("’", "'") in STOP_WORDS for word in words) < 0.25 * len(words):
        lost += 3
    if len(words) > 30 and len(set(words)) < 0.45 * len(words):
        lost += 3
    return _clamped(BEST - lost)


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
    lost = 1.5 if _DOUBTS.search(text) else 0.0
    if Terms(seed.awareness.plain).find(text):
        lost += 2
    first = spans[0].text
    if wording.terms_in(first, olds) and len(wording.groups_in(seed, first)) >= min(2, len(seed.key_terms)):
        lost += 0.5 if find_numbers(first) else 1.5
    lost += 0.5 * max(0, sum(text.lower().count(old.lower()) for old in olds) - len(olds))
    if any(wording.terms_in(question, olds) for question in wording.questions(text)):
        lost += 0.5
    if not _FIRST_PERSON.search(text):
        lost += 2
    lost += min(2.0, 0.5 * (len(_EXAM.findall(text)) + len(_STILTED.findall(text))))
    if not _CONTRACTION.search(text):
        lost += 0.3
    share = min(hit.start for hit in Lexicon(olds).find(text)) / len(text)
    lost += max(0.0, IDEAL_PLACE - share) / IDEAL_PLACE
    return _clamped(BEST - lost)


def _numeric(seed: SalienceSeed, text: str) -> float:
    """1 without a number. Else the loss is: 1 per number fewer than 3; 0.5 per number above 7; 0.2 per number above 4
    in a hundred words; 0.5 per number above 3 in one sentence; 0.5 per bare number that the seed lacks; 1 for three
    decimals; 0.75 per "x = 4" or "Cost: 4", at most 2.5; 1 for exam words; 1 without a question."""
    numbers = find_numbers(text)
    words = len(_WORDS.findall(text))
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
    lost += min(2.5, 0.75 * len(_LISTED.findall(text)))
    if _EXAM.search(text):
        lost += 1
    if not wording.questions(text):
        lost += 1
    return _clamped(BEST - lost)


def _no_escape(text: str) -> float:
    """1 with an escape phrase; else 5, less 1.5 for the first exam word and 0.5 for each further one."""
    if wording.escapes_in(text):
        return WORST
    exam = len(_EXAM.findall(text))
    return _clamped(BEST - (1.5 + 0.5 * (exam - 1) if exam else 0.0))
