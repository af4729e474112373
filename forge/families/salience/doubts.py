"""Weighs how far a sentence speaks against the plan, for objections that no known phrase catches. Decides no label.

Standard library only, because exported readers ship it. The points were set on development rows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from forge.families.salience import phrases_doubt_en as doubt
from forge.families.salience import phrases_en as en
from forge.families.salience.answers import Answer
from forge.families.salience.key import TrapKey
from forge.families.salience.terms import STOP_WORDS, content_words, stem
from forge.text.numbers import new_numbers

DOUBT = 1.2
"""Points from which a sentence objects, in an answer that does the task."""
IDLE_DOUBT = 0.0
"""The same where nothing is worked out: an answer that neither works nor declines mostly says why."""
FIRM = 2.2
_POINTS = {
    "denial": 0.5, "denied tool": 0.2, "tool": 0.3, "fresh": 1.6, "core": 0.9, "turn": 1.4, "aside": 1.2, "limiter": 1.0,
    "past": 1.0, "past time": 0.9, "stasis": 0.8, "void": 0.6, "rejection": 1.0, "counter": 1.8, "rhetorical": 1.2,
    "echo": 0.8, "imperative": -1.9, "tip": -1.0, "care": -0.7, "praise": -0.9, "sum": -0.7, "new number": -0.9,
    "digits": -2.2, "other reason": -0.7, "first": 0.4, "last": -1.1, "short": -1.0, "copy": -0.7, "declines": -1.5,
}  # fmt: skip
_ECHO = 5
"""Most words of a question that throws a piece of the plan back: "ninety on foot?"."""
_VERB = re.compile(r"(?<![^\W_])(?:is|are|was|were|do|does|did|can|will|would|should|have|has|could|may)(?![^\W_])")
_LINE_LABEL = re.compile(r"[\w -]{1,24}:\s")


def stems(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning."""
    return frozenset(stem(word) for word in content_words(text))


class Doubter:
    """Weighs sentences of answers to one trap."""

    def __init__(self, key: TrapKey) -> None:
        self._key = key
        told = stems(key.prompt)
        self._fresh = stems(" ".join((*key.core, key.needs))) - told - _GENERIC
        self._core = stems(" ".join(key.core)) & told
        self._tool = stems(" ".join((key.tool, *key.edited, *key.anchors))) - _GENERIC
        self._aim = stems(f"{key.object} {key.action}") - _GENERIC
        self._told = told
        self._time = key.kind == "time"

    def cues(self, answer: Answer, index: int) -> dict[str, float]:
        """What of a sentence speaks for or against the plan; each cue 0..2."""
        start, end = answer.spans[index]
        text = answer.soft[start:end]
        words = re.findall(r"[a-z']+", text)
        found = stems(text)
        idle = [match.span() for match in (*en.EXCUSE.finditer(text), *en.IDLE_NOT.finditer(text))]
        denials = [
            match
            for match in en.NEGATION.finditer(text)
            if not any(low < match.end() and match.start() < high for low, high in idle)
            and not en.LIMIT.search(text, match.end(), min(len(text), match.end() + 40))
        ]
        asks = "?" in text
        digits = len(re.findall(r"\d", text))
        tool = bool(found & self._tool)
        aim = bool(found & self._aim)
        imperative = bool(doubt.IMPERATIVE.match(text))
        return {  # a cue without points in the table is there for who sets them
            "denial": float(bool(denials)),
            "denied tool": float(bool(denials) and (tool or aim)),
            "tool": float(tool),
            "aim": float(aim),
            "fresh": float(min(2, len(found & self._fresh))),
            "core": float(min(2, len(found & self._core))),
            "turn": float(bool(doubt.TURN.search(text))),
            "aside": float(bool(doubt.ASIDE.search(text))),
            "limiter": float(bool(doubt.LIMITER.search(text))),
            "past": float(bool(doubt.PAST.search(text))),
            "past time": float(self._time and bool(doubt.PAST.search(text))),
            "stasis": float(bool(doubt.STASIS.search(text))),
            "void": float(bool(doubt.VOID.search(text)) and bool(denials)),
            "rejection": float(bool(doubt.REJECTION.search(text))),
            "counter": float(bool(doubt.COUNTER.search(text))),
            "rhetorical": float(asks and bool(doubt.RHETORICAL.search(text))),
            "echo": float(asks and len(words) <= _ECHO and not _VERB.search(text)),
            "imperative": float(imperative),
            "tip": float(bool(doubt.TIP.search(text))),
            "care": float(bool(en.CARE.search(text))),
            "praise": float(bool(doubt.PRAISE.search(text))),
            "sum": float(any(char in text for char in "=×÷→≈") or bool(_LINE_LABEL.match(text) and digits)),
            "new number": float(bool(new_numbers(text, self._key.prompt))),
            "digits": float(digits > 0),
            "declines": float(bool(doubt.DECLINES.search(text))),
            "refers": float(bool(doubt.REFERS.search(text))),
            "other reason": float(bool(doubt.OTHER_REASON.search(text))),
            "first": float(index == 0),
            "last": float(index == len(answer.spans) - 1),
            "short": float(len(words) < 4),
            "copy": float(bool(found) and len(found & self._told) >= 0.75 * len(found)),
        }

    def points(self, answer: Answer, index: int) -> float:
        """How far a sentence speaks against the plan; above DOUBT it objects."""
        return sum(_POINTS.get(name, 0.0) * value for name, value in self.cues(answer, index).items())


_GENERIC = stems("thing way one time day use make get give take last next number plan work need") | STOP_WORDS
