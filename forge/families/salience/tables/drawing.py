"""Draws a task's numbers so that its sum comes out, and writes numbers and results as the prompt and an answer would."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from forge.families.salience.tables.ingredients import Task
from forge.families.salience.tables.operations import Unfit, Value, apply, number, shown, spellings, written
from forge.model.ids import digest

PLACE = re.compile(r"\{(\w+)\}")
_MOST_DRAWS = 4096
_LEAST = 2


def chooser(key: Sequence[Any]) -> Callable[[str], int]:
    """A source of numbers that depends on a key and a label alone: the same ones in every process."""
    return lambda label: int(digest([*key, label])[:12], 16)


@dataclass(frozen=True, slots=True)
class Sum:
    """Numbers that fit, and what the steps make of them.

    Attributes:
        values: by number name.
        results: by step name, in order; the last is the answer.
    """

    values: Mapping[str, Value]
    results: Mapping[str, Value]


def solved(task: Task, values: Mapping[str, Value]) -> Sum:
    """Work out the steps.

    Raises:
        Unfit: they do not come out, a result is below 2, or it equals a number that the prompt already holds.
    """
    results: dict[str, Value] = {}
    for step in task.steps:
        results[step.name] = apply(step.op, _operands(step.of, values, results))
    taken = set(values.values())
    for name, result in results.items():
        if isinstance(result, Decimal) and (result < _LEAST or result != round(result, 2)):
            raise Unfit(f"{name} is {result}")
        if result in taken:
            raise Unfit(f"{name} is {result}, which the prompt already says")
    if len(set(results.values())) != len(results):
        raise Unfit("two steps have one result")
    return Sum(values, results)


def _operands(names: Sequence[int | float | str], *known: Mapping[str, Value]) -> list[Value]:
    found = []
    for name in names:
        value = next((values[name] for values in known if isinstance(name, str) and name in values), None)
        found.append(number(name) if value is None else value)
    return found


def drawn(task: Task, pick: Callable[[str], int]) -> Sum:
    """The first of the drawn combinations that fits; where to begin is picked.

    Raises:
        Unfit: none does; the message is the first combination's.
    """
    names = list(task.numbers)
    choices = [[number(value) for value in task.numbers[name].draw] for name in names]
    total = 1
    for choice in choices:
        total *= len(choice)
    start, reason = pick("numbers") % total, ""
    # A step that shares no factor with the total visits every combination, and neighbours differ in all numbers.
    step = next(candidate for candidate in itertools.count(total * 5 // 8 + 1) if _coprime(candidate, total))
    for ordinal in range(min(total, _MOST_DRAWS)):
        position, values = (start + ordinal * step) % total, {}
        for name, choice in zip(names, choices, strict=True):
            position, index = divmod(position, len(choice))
            values[name] = choice[index]
        try:
            return solved(task, values)
        except Unfit as error:
            reason = reason or str(error)
    raise Unfit(f"none of {min(total, _MOST_DRAWS)} combinations of the drawn numbers fits: {reason}")


def _coprime(a: int, b: int) -> bool:
    while b:
        a, b = b, a % b
    return a == 1


def filled(text: str, task: Task, found: Sum, name: str) -> str:
    """A piece with its numbers and its {x} put in.

    Raises:
        Unfit: it names a number that the row does not have.
    """

    def put(match: re.Match[str]) -> str:
        if match[1] == "x":
            return name
        if match[1] not in found.values:
            raise Unfit(f"{match[0]} is no number of the row")
        before = text[max(0, match.start() - 2) : match.start()]
        return written(before + match[0], match[1], found.values[match[1]])[len(before) :]

    return PLACE.sub(put, text)


def listed(task: Task, found: Sum) -> list[dict[str, Any]]:
    """The seed's `numbers`: those that the sum uses are kept by every rewrite."""
    used = {name for step in task.steps for name in step.of if isinstance(name, str)}
    return [
        {
            "text": filled(spec.text, task, found, ""),
            "unit": spec.unit,
            "role": spec.role,
            "keep": spec.role == "distractor" and name in used,
        }
        for name, spec in task.numbers.items()
    ]


def answers(task: Task, found: Sum) -> tuple[list[str], list[str], str]:
    """(`work`, `expected`, the arithmetic): spellings of every step's result, of the last one's, and the sum shown."""
    spelt = [spellings(step.text, step.name, found.results[step.name]) for step in task.steps]
    shows = [
        shown(step.op, _operands(step.of, found.values, found.results), texts[0])
        for step, texts in zip(task.steps, spelt, strict=True)
    ]
    work = list(dict.fromkeys(text for texts in reversed(spelt) for text in texts))
    return work, spelt[-1], "; ".join(shows) + "."
