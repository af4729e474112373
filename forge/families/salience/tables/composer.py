"""The Composer of a salience table: its options, their seeds, and the words that those owe to their template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from forge.families.base import Draft, LintFinding, Option
from forge.families.salience.seed import SalienceSeed
from forge.families.salience.tables.compose import compose, named, seed_id, source, template
from forge.families.salience.tables.ingredients import Table
from forge.families.salience.tables.lint import lint
from forge.families.salience.tables.pairing import combinations


class SalienceComposer:
    """A table that has the right form, with the header of the seed set it belongs to.

    Attributes:
        options: in table order.
    """

    def __init__(self, table: Table, header: Mapping[str, Any]) -> None:
        self._table = table
        self._header = header
        self._combinations = {combination.id: combination for combination in combinations(table)}
        self._tasks = {source(table, task): task for task in table.tasks}
        self._templates: dict[str, frozenset[str]] = {}
        self.options = tuple(
            Option(
                id=one.id,
                seed=seed_id(table, one),
                need=named(one.need),
                task=one.task.id,
                thing=one.trap.name,
                niche={"setting": one.task.setting, "class": one.class_, "quantity": one.task.quantity},
            )
            for one in self._combinations.values()
        )

    def compose(self, option: Option, draw: int, variant: int) -> Draft:
        """Return the seed of an option.

        Raises:
            ValueError: nothing sound can be made of it.
        """
        return compose(self._table, self._combinations[option.id], self._header, draw, variant)

    def template(self, seed: SalienceSeed) -> frozenset[str]:
        """Return the normalised words that a seed owes to the rows it was made of."""
        task = self._tasks.get(seed.source)
        if task is None:
            return frozenset()
        if seed.id not in self._templates:
            self._templates[seed.id] = template(self._table, task, seed)
        return self._templates[seed.id]

    def lint(self, step: int = 1) -> list[LintFinding]:
        """Everything a machine can check of the table beyond its schema; every `step`-th combination is composed."""
        return lint(self._table, self._header, step)
