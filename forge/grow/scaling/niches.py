"""The coverage grid of a seed set: two axes of niches, how many seeds stand in each cell, which cell is emptiest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from forge.model.errors import SeedError

OTHER, ANY = "other", "any"
Cell = tuple[str, str]


@dataclass(frozen=True)
class Axis:
    """One side of the grid: group → the niche values that fall in it. A group's own name falls in it too."""

    name: str
    groups: Mapping[str, frozenset[str]]

    def group(self, value: str) -> str:
        """Return the group of a niche value, or `other`."""
        wanted = value.casefold()
        return next((name for name, values in self.groups.items() if wanted in values), OTHER)


@dataclass(frozen=True)
class Grid:
    """Rows by columns. Without `niches` in the seed set there is one cell, and nothing is steered."""

    rows: Axis
    columns: Axis

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells that can be aimed at, row by row."""
        return tuple((row, column) for row in self.rows.groups for column in self.columns.groups)

    def cell(self, niche: Mapping[str, str]) -> Cell:
        """Return where a seed's niche stands; `other` on an axis that does not list its value."""
        row = self.rows.group(niche.get(self.rows.name, ""))
        return row, self.columns.group(niche.get(self.columns.name, ""))

    def count(self, niches: Iterable[Mapping[str, str]]) -> Counter[Cell]:
        """Count seeds by cell."""
        return Counter(self.cell(niche) for niche in niches)

    def emptiest(self, counts: Mapping[Cell, int]) -> list[Cell]:
        """Return the cells, emptiest first; equal ones in the grid's order."""
        return sorted(self.cells, key=lambda cell: counts.get(cell, 0))

    def directive(self, cell: Cell) -> str:
        """Return the words that steer a batch towards a cell; without a grid, a niche that nobody is in yet."""
        if self.rows.name == ANY:
            return "one that none of the seeds above is in"
        parts = []
        for axis, group in ((self.rows, cell[0]), (self.columns, cell[1])):
            others = sorted(axis.groups.get(group, frozenset()) - {group})
            parts.append(f"{axis.name}: {group}" + (f" (such as {', '.join(others[:6])})" if others else ""))
        return "; ".join(parts)


def grid(header: Mapping[str, Any], where: str) -> Grid:
    """Read `niches` from a seed set's header: two axes, each with its groups.

    Raises:
        SeedError: it is there and has another form.
    """
    given = header.get("niches")
    if given is None:
        whole = Axis(ANY, {ANY: frozenset({""})})
        return Grid(whole, whole)
    if not isinstance(given, Mapping) or len(given) != 2:
        raise SeedError(
            "`niches` is a grid of two axes",
            where=where,
            value=given,
            fix="write two keys, such as `setting: {home: [kitchen, flat]}` and `quantity: {time: [minutes, hours]}`",
        )
    return Grid(*(_axis(str(name), groups, where) for name, groups in given.items()))


def _axis(name: str, groups: Any, where: str) -> Axis:
    if not isinstance(groups, Mapping) or not groups:
        raise SeedError(f"the axis {name} is no mapping of groups", where=where, value=groups, fix="home: [kitchen]")
    made, taken = {}, dict[str, str]()
    for group, values in groups.items():
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise SeedError(f"{name}: {group} is no list of words", where=where, value=values, fix="[kitchen, flat]")
        made[str(group)] = frozenset(value.casefold() for value in (*values, str(group)))
        for value in made[str(group)]:
            if value in taken:
                raise SeedError(
                    f"{value!r} stands in two groups of {name}", where=where, value=f"{taken[value]}, {group}"
                )
            taken[value] = str(group)
    return Axis(name, made)
