"""Turns what the registry gives for an item into the object that `anneal --json` and `items list --json` share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from forge.registry.rows import item_from
from forge.session.summary import item_row


def row_of(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item as `anneal --json` prints it, with the run that holds it."""
    row = item_row(item_from(found))
    row["run"] = found["run"]
    if found.get("duplicate_of"):
        row.update(duplicate_of=found["duplicate_of"], similarity=found["duplicate_similarity"])
    return row


def overlapping(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the models that solved an item and read it too."""
    return sorted({model for row in rows for model in _pool(row["solver"]) & _pool(row["reader"])})


def _pool(declared: str) -> set[str]:
    return set(declared.split(" | "))
