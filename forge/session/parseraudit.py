"""Measures the reader of forced choices against labelled responses."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forge.model.errors import ConfigError
from forge.session.audits import Row, rows
from forge.stats.exact import clopper_pearson
from forge.text.choice import Choice, read_choice
from forge.text.choice.types import LETTERS

NONE = "none"
_NAMED = 20
_MOST = len(LETTERS)


@dataclass(frozen=True)
class Labelled:
    """One labelled response, with the line it stands on."""

    line: int
    question: str
    options: list[str]
    response: str
    choice: str | None


def audit_parser(path: Path) -> dict[str, Any]:
    """Return how `read_choice` reads labelled responses.

    Rows: question (may be left out), options (texts in order, null for one that is unknown), response, choice (a letter, or null for no
    commitment). A row agrees when both name the same letter or neither names one. The interval is
    Clopper and Pearson's, at 95 %.

    Raises:
        ConfigError: the file cannot be read, or rows are wrong: all of them are named, and nothing is measured.
    """
    every = _labelled(path)
    readings = [read_choice(row.response, row.options, row.question) for row in every]
    pairs = list(zip(every, readings, strict=True))
    agreed = sum(row.choice == reading.letter for row, reading in pairs)
    low, high = clopper_pearson(agreed, len(every))
    confusion: dict[str, dict[str, int]] = {}
    reasons: dict[str, int] = {}
    for row, reading in pairs:
        counts = confusion.setdefault(row.choice or NONE, {})
        counts[reading.letter or NONE] = counts.get(reading.letter or NONE, 0) + 1
        if reading.reason is not None:
            reasons[reading.reason.value] = reasons.get(reading.reason.value, 0) + 1
    return {
        "n": len(every),
        "agreed": agreed,
        "agreement": agreed / len(every),
        "interval": [low, high],
        "unreadable": sum(reading.letter is None for reading in readings),
        "reasons": dict(sorted(reasons.items())),
        "confusion": {label: dict(sorted(counts.items())) for label, counts in sorted(confusion.items())},
        "disagreements": [_disagreement(row, reading) for row, reading in pairs if row.choice != reading.letter],
    }


def _disagreement(row: Labelled, reading: Choice) -> dict[str, Any]:
    return {
        "line": row.line,
        "expected": row.choice,
        "read": reading.letter,
        "reason": None if reading.reason is None else reading.reason.value,
        "evidence": {"start": reading.evidence.start, "end": reading.evidence.end, "text": reading.evidence.text},
        "options": row.options,
        "response": row.response,
    }


def _labelled(path: Path) -> list[Labelled]:
    found: list[Labelled] = []
    wrong: list[tuple[int, str, str]] = []
    for row in rows(path):
        fault = _fault(row)
        if fault is not None:
            wrong.append((row.line, *fault))
            continue
        data = row.data
        found.append(
            Labelled(
                row.line,
                data.get("question", ""),
                [text or "" for text in data["options"]],
                data["response"],
                data["choice"],
            )
        )
    if wrong:
        raise _refusal(path, wrong)
    return found


def _refusal(path: Path, wrong: list[tuple[int, str, str]]) -> ConfigError:
    line, what, fix = wrong[0]
    if len(wrong) == 1:
        return ConfigError(what, where=f"{path}:{line}", fix=fix)
    told = [f"{path}:{line}: {what}; {fix}" for line, what, fix in wrong[:_NAMED]]
    if len(wrong) > _NAMED:
        told.append(f"and {len(wrong) - _NAMED} more")
    listed = "\n  ".join([f"{len(wrong)} rows cannot be measured", *told])
    return ConfigError(listed, fix="mend these rows, or take them out")


def _fault(row: Row) -> tuple[str, str] | None:
    """What is wrong with a row, and how to mend it."""
    data = row.data
    asked = {
        "question": 'give the text that was asked, or "" when it is unknown',
        "options": 'give the texts in order, such as ["Walk", "Drive"]; null for one that is unknown',
        "response": "give what the model wrote",
        "choice": "give a letter, or null for no commitment",
    }
    for key, fix in asked.items():
        if key not in data and key != "question":
            return f"the row lacks `{key}`", fix
    for key in ("question", "response"):
        if not isinstance(data.get(key, ""), str):
            return f"`{key}` is no text", asked[key]
    options = data["options"]
    if not isinstance(options, list) or not all(text is None or isinstance(text, str) for text in options):
        return "`options` is no list of texts", asked["options"]
    if not 2 <= len(options) <= _MOST:
        return f"`options` holds {len(options)}", f"give 2 to {_MOST} of them"
    letters = LETTERS[: len(options)]
    choice = data["choice"]
    if choice is not None and (not isinstance(choice, str) or len(choice) != 1 or choice not in letters):
        return f"`choice` is {choice!r}", f"give a capital letter from A to {letters[-1]}, or null for no commitment"
    return None
