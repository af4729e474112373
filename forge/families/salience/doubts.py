"""Weighs how far a sentence speaks against the plan, for objections that no known phrase catches. Decides no label.

Standard library only, because exported readers ship it. The points were set on development rows.
"""

from __future__ import annotations

import re

from forge.families.answers import Answer
from forge.families.salience import phrases_doubt_en as doubt
from forge.families.salience import phrases_en as en
from forge.families.salience.idle import idle_spans
from forge.families.salience.key import TrapKey
from forge.families.terms import STOP_WORDS, stems
from forge.text.numbers import new_numbers

DOUBT = 3.0
"""Points from which a sentence objects, in an answer that does the task."""
IDLE_DOUBT = 0.8
"""The same where nothing is worked out: an answer that neither works nor declines mostly says why."""
FIRM = 3.4
"""Points from which a sentence tells the reason, whatever else declines."""
_POINTS = {
    "first": 1.7, "turn": 1.8, "opening": 1.7, "fresh": 1.5, "rhetorical": 1.1, "past": 1.0, "core": 1.0, "tail": 0.9,
    "hedge": 0.9, "echo": 0.9, "words": 0.8, "resumed": 0.8, "aside": 0.8, "past time": 0.7, "counter": 0.5,
    "denied opening": 0.5, "denied core": 0.5, "on tool": 0.4, "rejection": 0.5, "stasis": 0.5, "void": 0.3,
    "limiter": 0.2, "care": -0.2, "mild": -0.2, "other reason": -0.5, "denied tool": -0.4, "denial": -0.3,
    "imperative": -0.6, "last": -0.5, "aim": -0.5, "copy": -0.8, "denied tail": -0.4, "new number": -1.0, "tip": -1.0,
    "praise": -1.0, "digits": -2.2,
}  # fmt: skip
_POLAR = ("denial", "fresh", "turn", "aside", "limiter", "past", "stasis", "rejection", "counter", "rhetorical", "echo")
"""Cues of which a sentence needs one: naming the tool and the task alone is what every answer does."""
_ECHO = 5
"""Most words of a question that throws a piece of the plan back: "ninety on foot?"."""
_VERB = re.compile(r"(?<![^\W_])(?:is|are|was|were|do|does|did|can|will|would|should|have|has|could|may)(?![^\W_])")
_COPIED = 0.75
"""Share of the prompt's own words, from which a sentence says little of its own."""
_ADVISORY = re.compile(r"(?<![^\W_])(?:no \w+|nobody|you|they|one) should(?:n't| not)?(?![^\W_])")
_COUNTS = re.compile(
    r"(?<![^\W_])(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred|quarter|half|dozen)"
    r"(?![^\W_])(?! of)"
)
_MILD = re.compile(
    r"(?<![^\W_])(?:too|of course|a little|a bit|as well|some|usually|longer|slower|less|later|more|enough|always|still"
    r"|also|nice|quite|much|exactly|exact)(?![^\W_])"
)
"""Words of side matters."""
_PLAIN_CUES = {
    "turn": doubt.TURN, "hedge": doubt.HEDGE, "aside": doubt.ASIDE, "limiter": doubt.LIMITER, "stasis": doubt.STASIS,
    "rejection": doubt.REJECTION, "counter": doubt.COUNTER, "care": en.CARE, "praise": doubt.PRAISE,
    "other reason": doubt.OTHER_REASON, "mild": _MILD,
}  # fmt: skip


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
        self._thing = stems(" ".join((key.tool, *key.edited))) - _GENERIC
        self._time = key.kind == "time"

    def cues(self, answer: Answer, index: int) -> dict[str, float]:
        """What of a sentence speaks for or against the plan; each cue 0..2."""
        start, end = answer.spans[index]
        text = answer.soft[start:end]
        words = re.findall(r"[a-z']+", text)
        found = stems(text)
        idle = idle_spans(text)
        denials = [
            match
            for match in en.NEGATION.finditer(text)
            if not any(low < match.end() and match.start() < high for low, high in idle)
            and not en.LIMIT.search(text, match.end(), min(len(text), match.end() + 40))
        ]
        asks = "?" in text
        digits = bool(re.search(r"\d", text))
        tool = bool(found & self._tool)
        aim = bool(found & self._aim)
        plain = (
            not digits
            and not _COUNTS.search(text)
            and not doubt.PRAISE.search(text)
            and not asks
            and "!" not in text
            and len(words) >= 4
        )
        meta, tip = bool(doubt.META.search(text)), bool(doubt.TIP.search(text))
        imperative = bool(doubt.IMPERATIVE.match(text))
        opening = index == 0 and plain and not meta and not imperative
        tail = index > 0 and plain and not imperative and not tip
        after = answer.soft[slice(*answer.spans[index + 1])] if index + 1 < len(answer.spans) else ""
        past = bool(doubt.PAST.search(text))
        denied = bool(denials)
        flags = {
            "denial": denied,
            "denied tool": denied and (tool or aim),
            "denied core": denied and len(found & (self._core | self._fresh)) >= 2,
            "denied opening": denied and opening,
            "denied tail": denied and tail,
            "void": denied and bool(doubt.VOID.search(text)),
            "aim": aim,
            "on tool": bool(found & self._thing) and not imperative,
            "opening": opening,
            "tail": tail,
            "resumed": index == 0 and not meta and bool(doubt.RESUMES.search(after)),
            "past": past,
            "past time": past and self._time,
            "rhetorical": asks and bool(doubt.RHETORICAL.search(text)),
            "echo": asks and len(words) <= _ECHO and not _VERB.search(text),
            "imperative": imperative,
            "new number": bool(new_numbers(text, self._key.prompt)),
            "digits": digits,
            "first": index == 0 and not meta,
            "last": index == len(answer.spans) - 1,
            "copy": bool(found) and len(found & self._told) >= _COPIED * len(found),
            **{name: bool(pattern.search(text)) for name, pattern in _PLAIN_CUES.items()},
        }
        return {
            **{name: float(flag) for name, flag in flags.items()},
            "fresh": float(min(2, len(found & self._fresh))),
            "core": float(min(2, len(found & self._core))),
            "words": min(2.0, len(words) / 15),
            "tip": float(tip) + float(bool(_ADVISORY.search(text))),
        }

    def points(self, answer: Answer, index: int) -> float:
        """How far a sentence speaks against the plan; above DOUBT it objects."""
        cues = self.cues(answer, index)
        total = sum(_POINTS.get(name, 0.0) * value for name, value in cues.items())
        return total if any(cues[name] for name in _POLAR) else min(total, 0.0)


_GENERIC = stems("thing way one time day use make get give take last next number plan work need") | STOP_WORDS
