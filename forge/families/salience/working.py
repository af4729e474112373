"""Finds where an answer does the task: results, new numbers, plans, advice; and for which plan, its own or another.

Standard library only, because exported readers ship it. It is told where the objections are and judges none of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from forge.families.answers import Answer
from forge.families.salience import phrases_doubt_en as doubt
from forge.families.salience import phrases_en as en
from forge.families.salience.key import TrapKey
from forge.families.salience.objections import Objection, Objector
from forge.families.salience.results import Results
from forge.families.terms import Terms, stems
from forge.text.numbers import Number, NumberKind, new_numbers

_EQUATION = re.compile(
    r"(?<=[\d)a-z%°])\s*(?:(?:[x×*÷/+−]|\s-\s|times|\\times|\\div|divided by"
    r"|multiplied by)\s*[$£€(]?\d[^=\n]{0,40}?(?:=|≈|equals)"
    r"|(?:[×*÷]|times|divided by|multiplied by)\s*[$£€(]?\d[^=\n.]{0,24}?(?:is|gives|makes))"
)
_ORDERED = re.compile(r"^[ \t>*_#]*(?:\(?\d{1,2}[.)]|step \d|day \d|trip \d)", re.IGNORECASE | re.MULTILINE)
_SEQUENCE = re.compile(r"(?<![^\W_])(?:first|then|next|after that|finally|once (?:you|that))(?![^\W_])")
_ADOPT = re.compile(
    r"(?<![^\W_])(?:use|using|bring|bringing|line|lined|lining|switch|switching|swap|replace|replacing|grab|get"
    r"|buy|instead|transfer"
    r"|put|putting|place|placing|move|moving|take|with|have|hook|hooking|plug|plugging|run|rent|borrow|find"
    r"|carry|mean|meant)(?![^\W_])"
)
_DONE_WITH = re.compile(r"(?<![^\W_])(?:with|done with|done by|using|by) (?:a|an|the|some|your)(?![^\W_])")
_LABELLED = re.compile(r"[\w *-]{1,30}:\s|.*[=×→≈]", re.DOTALL)
_PARTS = ("cross", "hoist", "lift", "rais", "swap", "replac", "sell", "forget", "leave", "glue", "slip")
"""Instructions that part from the plan even where they name its tool."""
_SUM_WORDS = stems(
    "formula equation following calculate calculation number total step ratio rate distance volume method proportion"
    " unit information given result amount value steps look find let time answer sum maths math divide"
    " multiply subtract add"
    " numbers figures figure division minutes minute hours hour seconds account consideration breakdown break care look"
)
"""What small models "use", "get" and "take" when they work a sum."""
_NOT_ADOPTED = re.compile(r"(?<![^\W_])(?:not|n't|no|without|unless|avoid|isn't|aren't|don't|doesn't)(?: \w+){0,2} $")
_FEW = 12
"""Numbers up to it, spelled and without a unit, need a word of outcome beside them: "two things", "twelve"."""
_COUNTING = 2
"""How many new numbers, without a known result or a sum, make an answer that objects do the task."""
_BEFORE_WORDS = re.compile(rf"(?<![^\W_])(?:{en.NOT}|instead of|rather than)(?: \w+){{0,4}} [~≈$£€(]*$")
_REAL_LIMIT = re.compile(r"(?:more|less|longer|fewer|later|forget|exceed|worry|need)(?: \w+){0,2} [~≈$£€(]*$")


@dataclass(frozen=True, slots=True)
class Work:
    """One sign that the task is done.

    Attributes:
        start, end: offsets in the scope.
        kind: result; number, handed over as an outcome; figure, any other new number; sum; plan; advice.
        other: it is done for a mended or swapped tool, not for the seed's own.
    """

    start: int
    end: int
    kind: str
    other: bool = False


class Worker:
    """Finds work on one trap's task."""

    def __init__(self, key: TrapKey, objector: Objector) -> None:
        self._key = key
        self._objector = objector
        self._results = Results(key.work)
        told = Terms(key.swaps).find(key.prompt)
        self._told = stems(key.prompt)
        self._swaps = Terms(term for term in key.swaps if not any(hit.phrase == term for hit in told))

    def find(self, answer: Answer, objections: Sequence[Objection]) -> list[Work]:
        """All work, in order. Numbers that explain an objection, deny a result or price what must be paid anyway are
        left out; what an alternative would cost is marked `other`."""
        others = self._contexts(answer, objections)
        found = list(self._counted(answer, objections, others))
        found.extend(_plans(answer, objections, others, self._objector))
        if not found and not any(not objection.caution for objection in objections):
            found.extend(_advice(answer, self.swaps(answer)))
        return sorted(found, key=lambda work: (work.start, work.end))

    def swaps(self, answer: Answer) -> list[tuple[int, int]]:
        """Where a mended or swapped tool is named and not rejected."""
        return [
            (hit.start, hit.end)
            for hit in self._swaps.find(answer.soft)
            if not _NOT_ADOPTED.search(answer.soft[max(0, hit.start - 30) : hit.start])
        ]

    def mended(self, answer: Answer, low: int, high: int, loose: bool) -> bool:
        """Whether, between two offsets, the reader is told to use something that the prompt does not have.

        Args:
            answer: what is read.
            low, high: offsets; the work begins at `high`.
            loose: no known result stands in the answer, so that any instruction with something new in it will do.
        """
        end = max((stop for start, stop in answer.spans if start <= high), default=high)
        for start, _ in self.swaps(answer):
            index = _sentence(answer, start) if low <= start < high else None
            text = answer.soft[slice(*answer.spans[index])] if index is not None else ""
            if doubt.ADOPTS.search(text) or doubt.REPLACES.search(text) or _DONE_WITH.search(text):
                return True
        told = answer.soft[low : max(low, high)]
        for match in doubt.ARRANGES.finditer(told) if loose else ():
            if stems(match["rest"]) - self._told - _SUM_WORDS:
                return True
        for match in doubt.ADOPTS.finditer(told):
            rest = match["rest"]
            fresh = stems(rest) - self._told - _SUM_WORDS
            if fresh and (
                match["verb"].startswith(_PARTS)
                or doubt.REPLACES.search(match.group())
                or not self._objector.about(rest)
            ):
                return True
        return bool(doubt.REPLACES_SELF.search(answer.soft[low:end]))

    def _contexts(self, answer: Answer, objections: Sequence[Objection]) -> list[bool]:
        """For each sentence, whether it speaks of another plan: from an alternative on, until the answer returns."""
        swaps = self.swaps(answer)
        real = [objection for objection in objections if not objection.caution]
        other, contexts = False, []
        for start, end in answer.spans:
            text = answer.soft[start:end]
            named = any(start <= low < end for low, _ in swaps)
            objected = any(objection.start < end for objection in real)
            back = en.RETURNS.search(text)
            if (named and (objected or _ADOPT.search(text))) or (objected and en.ALTERNATIVE.search(text)):
                other = True
            if back:
                other = any(start + back.start() <= low < end for low, _ in swaps)
            contexts.append(other)
        return contexts

    def _counted(self, answer: Answer, objections: Sequence[Objection], others: Sequence[bool]) -> Iterator[Work]:
        real = [objection for objection in objections if not objection.caution]
        results = self._results.find(answer.kept)
        spans = [(hit.start, hit.end, "result") for hit in results]
        for number in new_numbers(answer.kept, self._key.prompt):
            if not any(hit.start <= number.start < hit.end for hit in results) and _telling(answer, number):
                spans.append((number.start, number.end, "number"))
        spans.extend((match.start(), match.end(), "sum") for match in _EQUATION.finditer(answer.kept))
        for start, end, kind in sorted(spans):
            index = _sentence(answer, start)
            if index is not None and not _explains(answer, start, end, kind, index, real):
                yield Work(
                    start, end, "figure" if kind == "number" and not _told(answer, index) else kind, others[index]
                )


def _sentence(answer: Answer, offset: int) -> int | None:
    for index, (start, end) in enumerate(answer.spans):
        if start <= offset < end:
            return index
    return None


def _telling(answer: Answer, number: Number) -> bool:
    """Whether a new number can be the outcome of a sum: not zero, 100 %, a temperature, a year, or "two options"."""
    if number.value == 0 or (number.kind is NumberKind.PERCENT and number.value == 100):
        return False
    if number.unit in ("°C", "°F", "deg"):
        return False
    if number.unit is None and number.text.isdecimal() and 1900 <= number.value <= 2100:
        return False
    if number.unit is None and en.IDLE_NOUN.match(answer.soft, number.end):
        return False
    if number.unit is not None or not number.text.isalpha() or number.value > _FEW:
        return True
    index = _sentence(answer, number.start)
    return index is not None and bool(en.OUTCOME.search(answer.soft[slice(*answer.spans[index])]))


def _told(answer: Answer, index: int) -> bool:
    """Whether a sentence hands over what was worked out: "so that makes 12", "Total: 12"."""
    sentence = answer.soft[slice(*answer.spans[index])]
    return bool(en.OUTCOME.search(sentence) or _LABELLED.match(sentence.lstrip()))


def _explains(answer: Answer, start: int, end: int, kind: str, index: int, real: Sequence[Objection]) -> bool:
    """Whether a number belongs to an objection or is denied, so that nothing is worked out with it."""
    low, high = answer.spans[index]
    before, after = answer.soft[low:start], answer.soft[end:high]
    if _BEFORE_WORDS.search(before[-60:]) and not _REAL_LIMIT.search(before[-40:]):
        return True
    if en.STILL_PAYS.search(answer.soft[low:high]):
        return True
    clause = next((clause for clause in answer.clauses if clause.start <= start < clause.end), None)
    if clause is not None and en.MOOT.search(answer.soft[clause.start : clause.end]):
        return True
    if kind == "sum" or clause is None:
        return False
    if kind == "number" and real and not _told(answer, index):
        return True
    if kind == "number" and any(objection.start < end for objection in real):
        objects = any(low <= objection.start < high for objection in real)
        if objects or not en.OUTCOME.search(answer.soft[low:high]):
            return True
    in_clause = [objection for objection in real if objection.start < clause.end and clause.start < objection.end]
    denied = bool(en.NEGATION.search(answer.soft[clause.start : start]))
    if any((objection.at < start and denied) or kind == "number" for objection in in_clause):
        return not ("=" in before[-12:] or after.lstrip().startswith("="))
    return False


def _plans(
    answer: Answer, objections: Sequence[Objection], others: Sequence[bool], objector: Objector
) -> Iterator[Work]:
    """Ordered plans: two or more numbered or dated items, or a chain of "first, then". After an objection only those
    that name the tool, and no alternative, carry the task out."""
    real = [objection for objection in objections if not objection.caution]
    items: list[tuple[int, int, int]] = []
    for match in _ORDERED.finditer(answer.kept):
        index = next(
            (i for i, (start, end) in enumerate(answer.spans) if match.start() <= start and start - match.end() < 8),
            None,
        )
        if index is not None:
            items.append((index, *answer.spans[index]))
    if len(items) < 2:
        items = []
        for index, (start, end) in enumerate(answer.spans):
            if len(set(_SEQUENCE.findall(answer.soft, start, end))) >= 2:
                items = [(index, start, end)]
                break
    for index, start, end in items:
        text = answer.soft[start:end]
        objected = any(objection.start < end for objection in real)
        carries = not objected or (objector.about(text) and not others[index] and not en.NEGATION.search(text))
        if carries and not any(objection.start <= start < objection.end for objection in real):
            yield Work(start, end, "plan", others[index])


def _advice(answer: Answer, swaps: Sequence[tuple[int, int]]) -> Iterator[Work]:
    """The first sentence that tells the user what to do, in an answer that neither objects nor declines."""
    if answer.spans and en.NO.match(answer.soft, answer.spans[0][0]):
        return
    for start, end in answer.spans:
        text = answer.soft[start:end]
        if en.REFUSES.search(text) or text.rstrip().endswith("?") or any(start <= low < end for low, _ in swaps):
            continue
        if en.NEGATION.search(text) and not en.IDLE_NOT.search(text):
            continue
        if en.ADVISES.search(text) and len(text.split()) >= 3:
            yield Work(start, end, "advice")
            return


def enough(works: Sequence[Work], objected: bool) -> bool:
    """Whether work does the task. An answer that objects may name one number in passing; a known result, a written
    sum, two items of a plan or two new numbers are no accident."""
    if not objected:
        return bool(works)
    kinds = [work.kind for work in works]
    return "result" in kinds or "sum" in kinds or kinds.count("plan") >= 1 or kinds.count("number") >= _COUNTING
