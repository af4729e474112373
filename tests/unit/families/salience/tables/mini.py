"""The small tables of tests/fixtures/tables, fresh for every test that changes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from forge.families.base import Draft
from forge.families.salience.tables.compose import compose
from forge.families.salience.tables.ingredients import Table
from forge.families.salience.tables.pairing import Combination, combinations

FOLDER = Path(__file__).resolve().parents[4] / "fixtures" / "tables"
HEADER = {
    "set": "D1",
    "family": "salience",
    "lang": "en",
    "licence": "CC-BY-4.0",
    "dimension": "missing_prerequisite",
}
PAIRS_HEADER = {**HEADER, "set": "D3", "dimension": "temporal_or_physiological"}


def text(name: str = "mini") -> str:
    """The file as it is written."""
    return (FOLDER / f"{name}.yaml").read_text("utf-8")


def document(name: str = "mini") -> dict[str, Any]:
    """The file's content, for the test to change."""
    loaded: dict[str, Any] = yaml.safe_load(text(name))
    return loaded


def table(name: str = "mini") -> Table:
    """The file as a table."""
    return Table.model_validate(document(name))


def header(name: str = "mini") -> dict[str, str]:
    """The header of the set that the table belongs to."""
    return PAIRS_HEADER if name == "pairs" else HEADER


def cases(name: str = "mini") -> list[tuple[Table, Combination]]:
    """Every combination of a file, with its table."""
    loaded = table(name)
    return [(loaded, one) for one in combinations(loaded)]


def draft(raw: dict[str, Any], which: int = 0, draw: int = 0, variant: int = 0) -> Draft:
    """The seed of one combination of a changed document."""
    changed = Table.model_validate(raw)
    kind = "pairs" if raw["kind"] == "pairs" else "mini"
    return compose(changed, combinations(changed)[which], header(kind), draw, variant)
