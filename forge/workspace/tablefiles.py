"""Finds and reads tables of ingredients: seeds/FAMILY/tables/NAME.yaml. Every complaint names file and line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from forge.families.base import Composer, Scalable
from forge.model.errors import ConfigError, SeedError, shorten
from forge.workspace.lines import parse
from forge.workspace.paths import safe
from forge.workspace.seedfiles import Problem, SetRef, available


@dataclass(frozen=True)
class LoadedTable:
    """A table as read: `composer` is None when it has not the right form."""

    path: Path
    composer: Composer | None
    problems: tuple[Problem, ...]


def find(ref: SetRef, roots: Sequence[Path]) -> Path | None:
    """Return the table of a seed set, or None; the first root that has one wins."""
    safe(ref.bare, "a seed set")
    places = [root / ref.family / "tables" / f"{ref.bare}.yaml" for root in roots]
    return next((path for path in places if path.is_file()), None)


def of_sets(roots: Sequence[Path]) -> list[tuple[SetRef, Path]]:
    """Return every seed set that has a table, with it."""
    found = [(ref, find(ref, roots)) for ref in available(roots)]
    return [(ref, path) for ref, path in found if path is not None]


def read(path: Path, family: Scalable, header: Mapping[str, Any], *, lint: bool = True, step: int = 1) -> LoadedTable:
    """Read one table.

    Raises:
        SeedError: the file cannot be read or is not YAML.
    """
    try:
        document = parse(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise SeedError(f"the table cannot be read: {error}", where=str(path)) from error
    try:
        composer = family.composer(document.data, header)
    except ValidationError as error:
        return LoadedTable(path, None, tuple(_invalid(error, document, path)))
    if not lint:
        return LoadedTable(path, composer, ())
    rows = document.data.get("tasks") or document.data.get("pairs") or []
    renamed = "pairs" if "tasks" not in document.data else "tasks"
    problems = []
    for found in composer.lint(step):
        at = tuple(renamed if place == "tasks" and n == 0 else place for n, place in enumerate(found.path))
        row = rows[at[1]] if len(at) > 1 and at[0] == renamed and isinstance(at[1], int) else {}
        problems.append(Problem(str(path), document.line(at), str(row.get("id", "")), found.message, found.severity))
    return LoadedTable(path, composer, tuple(sorted(problems, key=lambda one: (one.line, one.message))))


def composer(ref: SetRef, roots: Sequence[Path], family: Scalable, header: Mapping[str, Any]) -> Composer:
    """Return the composer of a seed set's table.

    Raises:
        ConfigError: there is none.
        SeedError: it has errors; the message holds the first ones, with file and line.
    """
    path = find(ref, roots)
    if path is None:
        having = ", ".join(one.name for one, _ in of_sets(roots)) or "none"
        raise ConfigError(
            f"the seed set {ref.name} has no table of ingredients",
            where=f"seeds/{ref.family}/tables/{ref.bare}.yaml",
            fix=f"write one (sets with a table: {having}), or let a capable model propose: --proposer model",
        )
    loaded = read(path, family, header, lint=False)
    if loaded.composer is None:
        lines = "\n".join(f"  {problem}" for problem in loaded.problems[:12])
        raise SeedError(
            f"the table of {ref.name} has {len(loaded.problems)} error(s)\n{lines}",
            fix=f"mend them; `forge seeds lint {ref.name}` shows all",
        )
    return loaded.composer


def _invalid(error: ValidationError, document: Any, path: Path) -> list[Problem]:
    problems = []
    every = error.errors(include_url=False)
    for part in every:
        if part["type"] == "too_short" and any(_inside(other["loc"], part["loc"]) for other in every):
            continue  # pydantic counts no row that has a fault, so a list of faulty ones is too short
        loc = tuple(
            "pairs" if place == "tasks" and n == 0 and "tasks" not in document.data else place
            for n, place in enumerate(part["loc"])
        )
        row = _row(document.data, loc)
        who = str(row.get("id") or row.get("name") or "") if isinstance(row, dict) else ""
        given = (
            f" (got {shorten(repr(part.get('input')), 60)})" if part["type"] not in ("missing", "value_error") else ""
        )
        field = ".".join(str(place) for place in loc)
        problems.append(Problem(str(path), document.line(loc), who, f"{field}: {part['msg']}{given}"))
    return problems


def _inside(loc: Sequence[str | int], outer: Sequence[str | int]) -> bool:
    return len(loc) > len(outer) and tuple(loc[: len(outer)]) == tuple(outer)


def _row(data: Any, loc: Sequence[str | int]) -> Any:
    """The row of a list that a place lies in."""
    if len(loc) < 2 or not isinstance(data, dict) or not isinstance(loc[1], int):
        return {}
    rows = data.get(str(loc[0]))
    return rows[loc[1]] if isinstance(rows, list) and loc[1] < len(rows) else {}
