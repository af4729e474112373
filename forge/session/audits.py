"""Measures rules against labelled records: the reader of responses, and the guards of rewrites."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from forge.families.base import Family
from forge.model.checks import Response
from forge.model.errors import ConfigError
from forge.stats.agreement import kappa, per_label
from forge.stats.exact import clopper_pearson

UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Row:
    """One labelled record, with the line it stands on."""

    line: int
    data: dict[str, Any]


def rows(path: Path) -> list[Row]:
    """Read JSON Lines.

    Raises:
        ConfigError: the file is missing, empty, or a line is no JSON object.
    """
    return list(_rows(path))


def _rows(path: Path) -> Iterator[Row]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the labelled records cannot be read: {error}", where=str(path)) from error
    if not text.strip():
        raise ConfigError("the file holds no labelled records", where=str(path), fix="one JSON object a line")
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except ValueError as error:
            raise ConfigError(f"not JSON: {error}", where=f"{path}:{number}", value=line) from error
        if not isinstance(data, dict):
            raise ConfigError("a row is a JSON object", where=f"{path}:{number}", value=line)
        yield Row(number, data)


def audit_judge(family: Family, path: Path, seed: Callable[[Any, str], Any], scope: str) -> dict[str, Any]:
    """Return how the family's rules read labelled responses.

    Rows: seed (an object in the seed format, or an id), condition (default: the family's first, such as trap),
    response, label; `unreadable` is a label like any other here. Conditions are scored together and apart.

    Args:
        seed: finds the seed that a row names; gets the value and the place for its error.

    Raises:
        ConfigError: a row lacks a field, names an unknown seed or a label that the condition does not have.
    """
    truth: list[str] = []
    read: list[str] = []
    conditions: list[str] = []
    disagreements = []
    for row in rows(path):
        where = f"{path}:{row.line}"
        for key in ("seed", "response", "label"):
            if key not in row.data:
                raise ConfigError(f"the row lacks `{key}`", where=where)
        condition = str(row.data.get("condition", family.conditions[0]))
        if condition not in family.conditions:
            raise ConfigError("no such condition", where=where, value=condition, fix=f"one of {family.conditions}")
        label = str(row.data["label"])
        if label not in (*family.judge_labels(condition), UNREADABLE):
            raise ConfigError("no such label", where=where, value=label, fix=f"{family.judge_labels(condition)}")
        found = seed(row.data["seed"], where)
        item = family.item(found, family.wording(found))
        response = Response(
            str(row.data["response"]), str(row.data.get("reasoning") or ""), cut=bool(row.data.get("cut", False))
        )
        reading = family.read(item, condition, response, scope)
        got = reading.label if reading.label is not None else UNREADABLE
        truth.append(label)
        read.append(got)
        conditions.append(condition)
        if got != label:
            disagreements.append(
                {
                    "line": row.line,
                    "seed": found.id,
                    "condition": condition,
                    "label": label,
                    "read": got,
                    "why": reading.unreadable or reading.evidence,
                    "response": response.text,
                }
            )
    parts = {name: _scores(truth, read, conditions, name) for name in sorted(set(conditions))}
    return {**_scores(truth, read, conditions, None), "conditions": parts, "disagreements": disagreements}


def _scores(truth: list[str], read: list[str], conditions: list[str], only: str | None) -> dict[str, Any]:
    chosen = [n for n, condition in enumerate(conditions) if only in (None, condition)]
    left, right = [truth[n] for n in chosen], [read[n] for n in chosen]
    right_n = sum(a == b for a, b in zip(left, right, strict=True))
    low, high = clopper_pearson(right_n, len(chosen))
    return {
        "n": len(chosen),
        "kappa": kappa(left, right),
        "accuracy": right_n / len(chosen) if chosen else None,
        "interval": [low, high],
        "labels": {label: asdict(score) for label, score in per_label(left, right).items()},
        "unreadable": sum(label == UNREADABLE for label in right),
    }


def audit_guards(family: Family, path: Path, seed: Callable[[Any, str], Any]) -> dict[str, Any]:
    """Return precision and recall of every guard on labelled rewrites.

    Rows: seed, text, and `guards`: the names of the guards that should object (empty for a good rewrite).

    Raises:
        ConfigError: a row lacks a field or names an unknown seed.
    """
    hits: dict[str, list[int]] = {}
    disagreements = []
    good = rejected_good = bad = passed_bad = 0
    everything = rows(path)
    for row in everything:
        where = f"{path}:{row.line}"
        for key in ("seed", "text", "guards"):
            if key not in row.data:
                raise ConfigError(f"the row lacks `{key}`", where=where)
        found = seed(row.data["seed"], where)
        text, wanted = str(row.data["text"]), {str(name) for name in row.data["guards"]}
        raised = {finding.guard for finding in family.guards(found, text, family.wording(found))}
        for name in wanted | raised:
            counts = hits.setdefault(name, [0, 0, 0])
            counts[0 if name in wanted and name in raised else 1 if name in raised else 2] += 1
        good, bad = good + (not wanted), bad + bool(wanted)
        rejected_good += not wanted and bool(raised)
        passed_bad += bool(wanted) and not raised
        if wanted != raised:
            disagreements.append(
                {
                    "line": row.line,
                    "seed": found.id,
                    "missed": sorted(wanted - raised),
                    "extra": sorted(raised - wanted),
                    "text": text,
                }
            )
    return {
        "n": len(everything),
        "guards": {
            name: {
                "n": hit + missed,
                "precision": hit / (hit + extra) if hit + extra else None,
                "recall": hit / (hit + missed) if hit + missed else None,
            }
            for name, (hit, extra, missed) in sorted(hits.items())
        },
        "good": {"n": good, "rejected": rejected_good},
        "bad": {"n": bad, "passed": passed_bad},
        "disagreements": disagreements,
    }
