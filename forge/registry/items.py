"""Reads items and family trees: SQL that selects, and rows made into plain dicts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from forge.model.errors import UsageError, listed
from forge.registry.connection import Connection, rows
from forge.registry.filters import CHOICES, Field, Kind, compile_filter
from forge.registry.rows import plain, storable

_FIELDS = {
    Kind.TEXT: "id family seed seed_content set dimension candidate text control label tier cause naturalness_by "
    "operator knows solver judge run duplicate_of",
    Kind.NUMBER: "score naturalness stable samples length temperature duplicate_similarity",
    Kind.BOOLEAN: "near_duplicate duplicate",
}

ITEM_FIELDS: Mapping[str, Field] = {
    name: Field(kind, CHOICES.get(name, ())) for kind, names in _FIELDS.items() for name in names.split()
}
"""What --from and --where may name. `length` counts characters, `stable` is of `samples`; `duplicate` marks an item
that is a near-copy of an earlier seed's in its run."""

_LINKED = """
    SELECT * FROM (
        SELECT items.*, run_items.run, run_items.position, run_items.duplicate_of, run_items.duplicate_similarity,
            run_items.duplicate_of IS NOT NULL AS duplicate, runs.started
        FROM run_items JOIN items ON items.digest = run_items.digest JOIN runs ON runs.run = run_items.run
    )
"""
# Several runs may hold one item: the latest that does speaks for it.
_LATEST = "QUALIFY row_number() OVER (PARTITION BY id ORDER BY started DESC, run DESC, position) = 1"
_ORDER = 'ORDER BY "set", seed, position, id'


def select_items(
    con: Connection, columns: str, where: str | None, run: str | None, limit: int | None = None
) -> tuple[str, list[object]]:
    """Return the query, with its parameters, for the items that a filter keeps: those of a run (an id, or its unique
    beginning), else each item once, as the latest run that holds it has it.

    Args:
        columns: what to select, as SQL; never from outside this room.
    """
    parts = ["SELECT", columns, "FROM (", _LINKED]
    parameters: list[object] = []
    condition = None if where is None else compile_filter(where, ITEM_FIELDS)
    by_run = condition is not None and "run" in condition.fields
    if run is not None:
        parts.append("WHERE run = ?")
        parameters.append(resolve_run(con, run))
    elif not by_run:
        parts.append(_LATEST)
    parts.append(")")
    if condition is not None:
        parts += ["WHERE", condition.sql]
        parameters += condition.parameters
    if by_run and run is None:
        parts.append(_LATEST)
    parts.append(_ORDER)
    if limit is not None:
        parts.append("LIMIT ?")
        parameters.append(limit)
    return " ".join(parts), parameters


def read_items(con: Connection, where: str | None, run: str | None, limit: int | None) -> list[dict[str, Any]]:
    """Return items as dicts: every field of an item, and `run`, `duplicate_of`, `duplicate_similarity`, `length`."""
    columns = "body, run, duplicate_of, duplicate_similarity, length"
    sql, parameters = select_items(con, columns, where, run, limit)
    return [_item(row) for row in rows(con, sql, parameters)]


def read_item(con: Connection, name: str, run: str | None) -> dict[str, Any]:
    """Return the one item with this id, or whose id alone begins so.

    Raises:
        UsageError: there is none, or more than one.
    """
    ids = [str(row["item"]) for row in rows(con, _ITEM_IDS, [storable(name)])]
    chosen = _one(con, "item", name, ids, _NEAR_ITEMS)
    found = [item for item in read_items(con, None, run, None) if item["id"] == chosen] if run else []
    if run and not found:
        raise UsageError(f"run {run} holds no item {chosen}", value=name, fix="leave the run out")
    return found[0] if found else _item(rows(con, _ITEM_LATEST, [chosen])[0])


def resolve_run(con: Connection, name: str) -> str:
    """Return the id of the run with this id, or whose id alone begins so.

    Raises:
        UsageError: there is none, or more than one.
    """
    ids = [str(row["run"]) for row in rows(con, _RUN_IDS, [storable(name)])]
    return _one(con, "run", name, ids, _NEAR_RUNS)


def read_tree(con: Connection, name: str, run: str | None) -> dict[str, Any]:
    """Return all that is needed to draw the family tree of a seed.

    Args:
        name: a seed's id, or an item's or candidate's; also the unique beginning of one.
        run: the run to look in; None takes the latest that knows the name.

    Returns:
        `run`; `seed`: its row; `item` and `candidate`: the ids asked for, else None; `candidates`: in the order they
        were made, each with its `findings`, `verdicts`, `trials`, `certificate` and the id of its `item`, or None;
        `items`: as `read_items` gives them.

    Raises:
        UsageError: nothing has this name, or more than one thing.
    """
    chosen = None if run is None else resolve_run(con, run)
    hits = rows(con, _TREE_NAMES, [storable(name), *[chosen] * 6])
    exact = [hit for hit in hits if hit["id"] == name]
    ids = sorted({str(hit["id"]) for hit in exact or hits})
    wanted = _one(con, "item or seed", name, ids, _NEAR_NAMES)
    hit = max((h for h in hits if h["id"] == wanted), key=lambda h: (h["started"], h["run"]))
    return _tree(con, hit)


def _tree(con: Connection, hit: Mapping[str, Any]) -> dict[str, Any]:
    place = [hit["run"], hit["seed"]]
    seed = plain(rows(con, "SELECT * FROM seeds WHERE run = ? AND seed = ?", place)[0])
    candidates = {row["candidate"]: row for row in rows(con, _CANDIDATES, place)}
    for candidate in candidates.values():
        candidate |= {"findings": [], "verdicts": [], "trials": [], "certificate": None, "item": None}
    for part, sql in _PARTS.items():
        for row in rows(con, sql, place):
            candidates[row["candidate"]][part].append(_without(plain(row), "run", "seed", "candidate", "position"))
    for row in rows(con, "SELECT * FROM certificates WHERE run = ? AND seed = ?", place):
        candidates[row["candidate"]]["certificate"] = _without(plain(row), "run", "seed", "candidate")
    items = [_item(row) for row in rows(con, _SEED_ITEMS, place)]
    for item in items:
        if storable(item["candidate"]) in candidates:
            candidates[storable(item["candidate"])]["item"] = item["id"]
    return {
        "run": hit["run"],
        "seed": _without(seed, "run"),
        "item": hit["item"],
        "candidate": hit["candidate"],
        "candidates": [
            {"id": row["candidate"], **_without(row, "run", "seed", "candidate")} for row in candidates.values()
        ],
        "items": items,
    }


def _item(row: Mapping[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(row["body"])
    return body | _without(row, "body")


def _without(row: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def _one(con: Connection, noun: str, name: str, ids: list[str], near: str) -> str:
    """Return the only id among those that begin with `name`, or `name` itself when it is one of them.

    Raises:
        UsageError: with the nearest names, or the several that begin so.
    """
    if name in ids:
        return name
    if len(ids) == 1 and name:
        return ids[0]
    if ids and name:
        raise UsageError(f"several names begin with {name!r}", value=listed(ids), fix="give more of the name")
    close = [str(row["id"]) for row in rows(con, near, [storable(name[:64])])]
    fix = f"did you mean {' or '.join(close)}?" if close else "the registry holds none yet: run `forge anneal`"
    raise UsageError(f"there is no {noun} {name!r} in the registry", value=name, fix=fix)


_ITEM_IDS = "SELECT DISTINCT item FROM run_items WHERE starts_with(item, ?) ORDER BY item LIMIT 20"
_RUN_IDS = "SELECT run FROM runs WHERE starts_with(run, ?) ORDER BY run LIMIT 20"
_NEAR = "ORDER BY levenshtein(id, ?), id LIMIT 3"
_NEAR_ITEMS = " ".join(("SELECT id FROM (SELECT DISTINCT item AS id FROM run_items)", _NEAR))
_NEAR_RUNS = " ".join(("SELECT id FROM (SELECT run AS id FROM runs)", _NEAR))
_NEAR_NAMES = " ".join(
    ("SELECT id FROM (SELECT item AS id FROM run_items UNION SELECT seed AS id FROM seeds)", _NEAR),
)
_COLUMNS = "SELECT body, run, duplicate_of, duplicate_similarity, length FROM ("
_ITEM_LATEST = " ".join((_COLUMNS, _LINKED, "WHERE id = ?", _LATEST, ")"))
_SEED_ITEMS = " ".join((_COLUMNS, _LINKED, "WHERE run = ? AND seed = ?) ORDER BY position"))
# The last six parameters are one run, or null for any; asked for twice in each part.
_TREE_NAMES = """
    WITH wanted AS (SELECT ? AS name)
    SELECT named.*, runs.started FROM (
        SELECT item AS id, run, run_items.seed, item, items.candidate
        FROM run_items JOIN items ON items.digest = run_items.digest, wanted
        WHERE starts_with(item, name) AND (?::VARCHAR IS NULL OR run = ?)
        UNION ALL
        SELECT seed, run, seed, NULL, NULL FROM seeds, wanted
        WHERE starts_with(seed, name) AND (?::VARCHAR IS NULL OR run = ?)
        UNION ALL
        SELECT candidate, run, seed, NULL, candidate FROM candidates, wanted
        WHERE starts_with(candidate, name) AND (?::VARCHAR IS NULL OR run = ?)
    ) AS named JOIN runs ON runs.run = named.run
"""
_CANDIDATES = "SELECT * FROM candidates WHERE run = ? AND seed = ? ORDER BY position"
_PARTS = {
    "findings": "SELECT * FROM findings WHERE run = ? AND seed = ? ORDER BY position",
    "verdicts": "SELECT * FROM verdicts WHERE run = ? AND seed = ? ORDER BY position",
    "trials": "SELECT * FROM trials WHERE run = ? AND seed = ? ORDER BY position",
}
