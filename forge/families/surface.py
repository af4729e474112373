"""How natural a text reads on its surface, whatever it is about: length, tone, exam words, escape phrases. English.

It knows no seed and no family; each family weighs the scores and adds its own.
"""

from __future__ import annotations

import re

from forge.families.terms import STOP_WORDS
from forge.text.lexicon import Lexicon
from forge.text.normalise import sentences

BEST, WORST = 5.0, 1.0
IDEAL_CHARACTERS = (140, 260)
IDEAL_SENTENCE = 16
"""Words: a person's sentence on the mean; every 7 words more cost a point."""

ESCAPES = (
    "assume this is possible", "assume it is possible", "assume that it is possible", "assume it's possible",
    "assume this works", "assume it works", "assume that it works", "assume this is feasible", "assume feasible",
    "assuming it works", "assuming it is possible", "pretend", "ignore reality", "ignoring reality",
    "ignore physics", "ignore the physics", "ignore feasibility", "regardless of whether it works",
    "regardless of feasibility", "hypothetical", "hypothetically", "in theory only", "in a fictional", "imaginary",
    "suspend disbelief", "just compute", "just calculate", "just do the math", "just do the maths",
    "just solve this as", "just the numbers", "as a math problem", "as a maths problem", "as a word problem",
    "simulate", "simulated", "simulation", "virtual", "virtually", "virtual reimbursement",
    "not an actual physical", "thought experiment",
)  # fmt: skip
"""Phrases that let a solver off the real world (SaliTrap E.2, E.3)."""

WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
FIRST_PERSON = re.compile(
    r"(?<![^\W_])(?:i|i['’](?:m|ve|ll|d)|my|me|we|we['’](?:re|ve|ll|d)|our|us)(?![^\W_])", re.IGNORECASE
)
CONTRACTION = re.compile(r"(?<![^\W_])\w+['’](?:m|re|ve|ll|d|s|t)(?![^\W_])", re.IGNORECASE)
EXAM = re.compile(
    r"(?<![^\W_])(?:calculate|compute|determine|find the|solve|evaluate|given (?:that|the|a|an)|suppose"
    r"|consider a|derive"
    r"|what is the (?:total|minimum|maximum|optimal)|show your work|step by step|in total, how many"
    r"|an individual|a person (?:who|has|is|was|wants|needs|must|can|will|uses|plans|intends|decides|carries)"
    r"|the individual|respectively|the following|optimi[sz]e|provide (?:a|an|the)|list (?:the|all)|explain"
    r"|the total (?:number|"
    r"amount|duration|time) (?:of|required|needed))(?![^\W_])",
    re.IGNORECASE,
)
STILTED = re.compile(
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
LISTED = re.compile(
    r"(?:^|\n)\s*(?:[-*•]|\d{1,2}[.)])\s|(?<![^\W_])\w+ ?= ?[$£€]?\d|\([a-d1-4]\)"
    r"|(?:^|[\n,;.(])[ \t]*(?:[^\W\d_]+ ){0,2}[^\W\d_]+: ?[$£€]?\d"
)
DOUBTS = re.compile(
    r"(?<![^\W_])(?:even though|although|despite|i know (?:that )?(?:it|this)|is (?:it|this"
    r"|that) (?:even )?(?:possible|feasible)"
    r"|(?:would|will|does|can) (?:it|that|this) (?:even |actually |really )?work|can i even|feasible|infeasible"
    r"|impossible|unusual"
    r"|somehow|strange as|odd as|sounds (?:odd|strange|silly|weird|crazy)|trick|riddle|puzzle)(?![^\W_])",
    re.IGNORECASE,
)


def clamped(value: float) -> float:
    """A score within its bounds, to two decimals."""
    return round(min(BEST, max(WORST, value)), 2)


def per_hundred(pattern: re.Pattern[str], text: str) -> float:
    """Matches of a pattern in a hundred words; 0 without words."""
    words = len(WORDS.findall(text))
    return 100 * len(pattern.findall(text)) / words if words else 0.0


def conciseness(text: str, ideal: tuple[int, int] = IDEAL_CHARACTERS) -> float:
    """1 point per 130 characters above 260 or 30 below 140; per 7 words of mean sentence length above 16; 0.5 per stiff
    word in a hundred, at most 2; 0.6 per list item, at most 2; 3 for text that is not English or repeats itself."""
    words = [word.lower() for word in WORDS.findall(text)]
    if not words:
        return WORST
    least, most = ideal
    lost = max(0, len(text) - most) / 130 + max(0, least - len(text)) / 30
    lengths = [len(span.text.split()) for span in sentences(text)]
    lost += max(0.0, sum(lengths) / len(lengths) - IDEAL_SENTENCE) / 7
    lost += min(2.0, 0.5 * per_hundred(STILTED, text))
    lost += min(2.0, 0.6 * len(LISTED.findall(text)))
    if text.isascii() and sum(word.replace("’", "'") in STOP_WORDS for word in words) < 0.25 * len(words):
        lost += 3
    if len(words) > 30 and len(set(words)) < 0.45 * len(words):
        lost += 3
    return clamped(BEST - lost)


def no_escape(text: str) -> float:
    """1 with an escape phrase; else 5, less 1.5 for the first exam word and 0.5 for each further one."""
    if escapes_in(text):
        return WORST
    exam = len(EXAM.findall(text))
    return clamped(BEST - (1.5 + 0.5 * (exam - 1) if exam else 0.0))


def escapes_in(text: str) -> list[str]:
    """Escape phrases in a text, each as it stands there."""
    return [hit.phrase for hit in _ESCAPE_LEXICON.find(text)]


_ESCAPE_LEXICON = Lexicon(ESCAPES)
