"""Data frames in and out of the registry's tables. The only part that loads pandas."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from forge.model.errors import StorageError, UsageError, listed
from forge.registry.connection import Connection, rows
from forge.registry.filters import CHOICES, Field, Kind, compile_filter, nearest
from forge.registry.items import ITEM_FIELDS, select_items
from forge.registry.rows import COLUMNS, in_utc, item_from, item_row, storable

if TYPE_CHECKING:
    import pandas

QUERIES: Mapping[str, str] = MappingProxyType(
    {
        # Every candidate that passed the checkers, chosen or not: it was solved, so it has a label.
        "population": """
            SELECT candidates.*, run_items.item FROM candidates
            LEFT JOIN (SELECT run_items.*, items.candidate FROM run_items JOIN items
                ON items.digest = run_items.digest) AS run_items
            ON run_items.run = candidates.run AND run_items.seed = candidates.seed
                AND run_items.candidate = candidates.candidate
            WHERE candidates.label IS NOT NULL""",
        "causes": """
            SELECT run_items.run, items.cause, count(*) AS n FROM run_items JOIN items
            ON items.digest = run_items.digest GROUP BY ALL""",
        "routes": "SELECT run, operator, route, label, count(*) AS n FROM candidates GROUP BY ALL",
        "checks": """
            SELECT run, "check", "by", count(*) AS n, count(*) FILTER (WHERE passed) AS passed, avg(score) AS score
            FROM verdicts GROUP BY ALL""",
        "states": "SELECT run, state, count(*) AS n FROM seeds GROUP BY ALL",
    }
)
"""Named queries that `frame` knows beside the tables."""

# The columns that tell one row of a table from another.
_ROW_KEYS: Mapping[str, tuple[str, ...]] = {
    "runs": ("run",),
    "seeds": ("run", "seed"),
    "candidates": ("run", "seed", "candidate"),
    "findings": ("run", "seed", "candidate", "position"),
    "verdicts": ("run", "seed", "candidate", "position"),
    "trials": ("run", "seed", "candidate", "position"),
    "certificates": ("run", "seed", "candidate"),
    "items": ("digest",),
    "run_items": ("run", "seed", "item"),
}
_LISTS = frozenset({"keys", "answered_by"})


def read_frame(con: Connection, name: str, where: str | None) -> pandas.DataFrame:
    """Return a table or a named query as a data frame, its rows in a fixed order. `items` is as `items()` gives them:
    each once, as the latest run has it, without `digest` and `body`; ask `run_items` and a `run` in `where` for more.

    Raises:
        UsageError: there is no such table or query, or the filter is wrong.
    """
    if name == "items":
        columns = ", ".join(f'"{field}"' for field in ITEM_FIELDS)
        sql, parameters = select_items(con, columns, where, None)
        return _utc(con.execute(sql, parameters).df())
    if name not in COLUMNS and name not in QUERIES:
        raise UsageError(f"there is no table or query {name!r}", value=name, fix=nearest(name, [*COLUMNS, *QUERIES]))
    source = QUERIES[name] if name in QUERIES else " ".join(("SELECT * FROM", name))
    parts, parameters = ["SELECT * FROM (", source, ")"], []
    if where is not None:
        condition = compile_filter(where, _fields(con, source))
        parts += ["WHERE", condition.sql]
        parameters += condition.parameters
    parts.append("ORDER BY ALL")
    return _utc(con.execute(" ".join(parts), parameters).df())


def write_frame(con: Connection, table: str, frame: pandas.DataFrame) -> int:
    """Add the rows of a data frame to a table. A row that the table already has, by its key, is left as it is.

    The columns are those of the table, in any order. Rows of other tables than `runs` and `items` must name a run that
    the registry knows. Of `items` only `body` is read; all else is computed from it.

    Returns:
        How many rows were added.

    Raises:
        UsageError: an unknown table, or columns that are not the table's.
        StorageError: an unknown run, or a value that does not fit.
    """
    if table not in COLUMNS:
        raise UsageError(f"there is no table {table!r}", value=table, fix=nearest(table, list(COLUMNS)))
    columns = ("body",) if table == "items" else COLUMNS[table]
    unlike = set(columns) - set(frame.columns) if table == "items" else set(columns) ^ set(frame.columns)
    if unlike:
        raise UsageError(
            f"the frame's columns are not those of {table}",
            value=listed(sorted(map(str, unlike))),
            fix=f"give exactly {listed(columns, 40)}",
        )
    known = {row["run"] for row in rows(con, "SELECT run FROM runs")}
    added: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for record in frame.loc[:, list(columns)].to_dict("records"):
        row = {str(name): _cell(str(name), value) for name, value in record.items()}
        if table == "items":
            row = dict(zip(COLUMNS["items"], item_row(item_from(_parsed(row["body"]))), strict=True))
        elif table != "runs" and row["run"] not in known:
            raise StorageError(
                "a row names a run that the registry does not know", value=row["run"], fix="add its run first"
            )
        added.setdefault(tuple(row[name] for name in _ROW_KEYS[table]), tuple(row[c] for c in COLUMNS[table]))
    keys = ", ".join(f'"{name}"' for name in _ROW_KEYS[table])
    there = {tuple(row.values()) for row in rows(con, " ".join(("SELECT", keys, "FROM", table)))}
    fresh = [row for key, row in added.items() if key not in there]
    append(con, table, fresh)
    return len(fresh)


def append(con: Connection, table: str, made: list[tuple[Any, ...]]) -> None:
    """Append rows, in the order of the table's COLUMNS, inside the connection's transaction."""
    if made:
        with con.appender(table, columns=list(COLUMNS[table])) as appender:
            appender.append_rows(made)


def _fields(con: Connection, source: str) -> dict[str, Field]:
    """Return what a filter over a query may name: its columns that hold one text, number or truth value."""
    described = con.execute(" ".join(("DESCRIBE", source))).fetchall()
    kinds = {"VARCHAR": Kind.TEXT, "BIGINT": Kind.NUMBER, "DOUBLE": Kind.NUMBER, "BOOLEAN": Kind.BOOLEAN}
    return {
        str(column[0]): Field(kinds[str(column[1])], CHOICES.get(str(column[0]), ()))
        for column in described
        if str(column[1]) in kinds
    }


def _cell(column: str, value: Any) -> Any:
    """Return a data frame's value as DuckDB takes it: lists as lists, what is missing as None, times aware."""
    if column in _LISTS:
        return [storable(str(key)) for key in value]
    if value is None or value != value or str(value) == "NaT":
        return None
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, datetime):
        return in_utc(value, f"column {column}")
    return value.item() if hasattr(value, "item") else value


def _parsed(body: object) -> dict[str, Any]:
    try:
        value = json.loads(str(body))
    except ValueError as error:
        raise StorageError(
            "an item's body is not JSON", value=body, fix="take items from the registry as they are"
        ) from error
    if not isinstance(value, dict):
        raise StorageError(
            "an item's body is not an object", value=body, fix="take items from the registry as they are"
        )
    return value


def _utc(frame: pandas.DataFrame) -> pandas.DataFrame:
    """Give times in UTC, whatever the zone of the machine."""
    for column in ("started", "ended"):
        if column in frame.columns:
            frame[column] = frame[column].dt.tz_convert("UTC")
    return frame
