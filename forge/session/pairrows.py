"""Where pairs come from: rows of a file, a seed set, items of the registry. It measures nothing.

Each source yields pairs and, in their place, what is no pair and why.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forge.families.base import Paired
from forge.model.errors import SeedError, UsageError, listed, shorten
from forge.model.scenarios import Order
from forge.session import lookup
from forge.workspace.rowfiles import Format, JsonLines, Record, Separated, format_of, not_utf8, opened

if TYPE_CHECKING:
    from forge.session.session import Session

TEXTS = ("active", "removed")
CLAUSES = ("explicit", "salience_control")
"""The trap's text with either clause: audited where a row has both."""
FIELDS = ("id", *TEXTS, *CLAUSES)
LONGEST = 100_000
"""Characters of a text; of two longer ones that share little, difflib's similarity would take minutes."""
_SUFFIXES = (".jsonl", ".ndjson", ".csv", ".tsv")
_DELIMITERS = {Format.CSV: ",", Format.TSV: "\t"}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts to compare. `where` is file and line, or whatever else leads to it.

    Attributes:
        explicit, salience_control: the trap's text with either clause, where there are both; else empty.
        findings: what its family finds wrong with its versions, each with its condition.
    """

    id: str
    active: str
    removed: str
    where: str
    explicit: str = ""
    salience_control: str = ""
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """Something that is no pair, and why."""

    where: str
    reason: str


Rows = Iterator[Pair | Rejected]


def names(given: Mapping[str, str]) -> dict[str, str]:
    """Return what each field is called in a file; what is not given keeps its name.

    Raises:
        UsageError: a field is none of FIELDS, or its name is empty.
    """
    for key, name in given.items():
        if key not in FIELDS:
            raise UsageError("no such field of a pair", value=key, fix=f"one of {', '.join(FIELDS)}")
        if not name:
            raise UsageError("a field's name in the file is empty", value=f"{key}=", fix=f"such as {key}=trap")
    return {field: given.get(field, field) for field in FIELDS}


def from_name(session: Session, what: str, given: Mapping[str, str]) -> Rows:
    """Yield the pairs of a file, of a set of pairs in the registry, or of a seed set by name or path.

    A name that is both a set of pairs in the registry and a seed set is the set of pairs.

    Args:
        given: what fields of a file are called there, for those that are not called id, active, removed.

    Raises:
        UsageError: the file's format is not known, a column is missing, or `given` makes no sense.
        ConfigError: there is no such seed set. StorageError, SeedError, FamilyError: it cannot be read.
    """
    path = Path(what)
    fields = names(given)
    if path.suffix.lower() in _SUFFIXES:
        return _file(path, fields)
    built = not path.suffix and is_built(session, what)
    if not built and not lookup.is_set(session, what) and os.path.exists(what):
        raise UsageError(
            "pairs are not read from such a file",
            where=what,
            value=path.suffix or "no suffix",
            fix=f"name it {', '.join(_SUFFIXES)}; or name a seed set, as `forge seeds list` does",
        )
    if given:
        raise UsageError("--map is for files of pairs", value=what, fix="leave it out: a set names its own texts")
    return _built(session, what) if built else _seeds(session, what)


def is_built(session: Session, name: str) -> bool:
    """Whether the registry holds a set of pairs of this name."""
    return any(one["name"] == name for one in session.registry.pairs.sets())


def _built(session: Session, name: str) -> Rows:
    made = session.registry.pairs.load_set(name)
    family = session.family(made.family)
    assert isinstance(family, Paired)
    for scenario in made.scenarios:
        item = family.Item.model_validate(scenario.payload)
        where = f"{name}: scenario {scenario.id}"
        texts = {condition: version.text for condition, version in scenario.versions.items()}
        yield pair(scenario.id, *family.audited(item), where, clauses=texts)


def from_items(session: Session, where: str) -> Rows:
    """Yield the registry's items that a filter keeps: text against control.

    Raises:
        UsageError: the filter is malformed. StorageError: the registry cannot be read.
    """
    for item in session.registry.items(where):
        yield pair(str(item["id"]), item.get("text"), item.get("control"), f"item {item['id']}")


def pair(
    name: str,
    active: object,
    removed: object,
    where: str,
    called: tuple[str, str] = TEXTS,
    clauses: Mapping[str, object] | None = None,
    findings: tuple[str, ...] = (),
) -> Pair | Rejected:
    """Return a pair, or why the two make none.

    Args:
        called: what the two are called where they stand.
        clauses: the trap's text with either clause, by CLAUSES; used where both are texts.
        findings: what the family finds wrong with the versions.
    """
    for field, text in zip(called, (active, removed), strict=True):
        if not isinstance(text, str):
            return Rejected(where, f"`{field}` is {_kind(text)}, not text")
        if not text.strip():
            return Rejected(where, f"`{field}` is empty")
        if len(text) > LONGEST:
            return Rejected(where, f"`{field}` has {len(text):,} characters; at most {LONGEST:,}")
    assert isinstance(active, str)
    assert isinstance(removed, str)
    told, idle = ((clauses or {}).get(one) for one in CLAUSES)
    if isinstance(told, str) and isinstance(idle, str) and told.strip() and idle.strip():
        return Pair(name, active, removed, where, told, idle, findings)
    return Pair(name, active, removed, where, findings=findings)


def _seeds(session: Session, name: str) -> Rows:
    family, loaded = session.loaded(name, lint=False)
    path = lookup.path_of(session, name)
    if loaded.seeds is None:
        lines = "\n".join(f"  {problem}" for problem in loaded.errors[:20])
        raise SeedError(f"the seed set {name} cannot be used\n{lines}", fix=f"`forge seeds lint {name}` shows all")
    for seed in loaded.seeds.seeds:
        where = f"{path}: seed {seed.id}"
        text = family.wording(seed)
        try:
            item = family.item(seed, text)
            control = family.control(item)
        except ValueError as error:
            yield Rejected(where, f"it has no control: {error}")
            continue
        if not isinstance(family, Paired):
            yield pair(seed.id, text, control, where)
            continue
        texts = {name: version.text for name, version in family.versions(item, Order.HASH).items()}
        yield pair(seed.id, text, control, where, clauses=texts, findings=tuple(family.findings(seed, item)))


def _file(path: Path, fields: Mapping[str, str]) -> Rows:
    kind = format_of(path)
    with opened(path) as file:
        if kind is Format.JSONL:
            for record in JsonLines(file).records():
                where = f"{path}:{record.line}"
                yield _rejected(record, where) or _made(_object(record.raw), fields, record, where)
            return
        table = Separated(file, kind, fields["active"])
        table.start()
        _require(path, table.columns, fields)
        for record in table.records():
            where = f"{path}:{record.line}"
            yield _rejected(record, where) or _made(_cells(record, table, kind), fields, record, where)


def _rejected(record: Record, where: str) -> Rejected | None:
    return None if record.fault is None else Rejected(where, record.fault.reason)


def _require(path: Path, columns: tuple[str, ...], fields: Mapping[str, str]) -> None:
    missing = [fields[text] for text in TEXTS if fields[text] not in columns]
    if columns and missing:
        raise UsageError(
            f"the file has no column {' and no column '.join(map(repr, missing))}",
            where=str(path),
            value=listed(map(repr, columns), 20),
            fix="say what they are called there, such as --map active=trap --map removed=control",
        )


def _object(raw: bytes) -> dict[str, Any] | str:
    """Return a line's JSON object, or why it is none."""
    try:
        data = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return not_utf8(raw, error.start).reason
    except json.JSONDecodeError as error:
        return f"not JSON: {error.msg} at character {error.pos + 1}"
    except (ValueError, RecursionError) as error:
        return f"not JSON that can be read: {error}"
    return data if isinstance(data, dict) else f"a row is a JSON object, not {_kind(data)}"


def _cells(record: Record, table: Separated, kind: Format) -> dict[str, Any]:
    lines = io.StringIO(record.raw.decode("utf-8-sig"), newline="")
    return dict(zip(table.columns, next(csv.reader(lines, delimiter=_DELIMITERS[kind], strict=True)), strict=True))


def _made(row: dict[str, Any] | str, fields: Mapping[str, str], record: Record, where: str) -> Pair | Rejected:
    if isinstance(row, str):
        return Rejected(where, row)
    for text in TEXTS:
        if fields[text] not in row:
            others = listed(map(shorten, row)) or "none"
            return Rejected(where, f"no field `{shorten(fields[text])}`; there are: {others}")
    name = row.get(fields["id"])
    known = isinstance(name, (str, int)) and not isinstance(name, bool) and str(name).strip()
    called = (fields["active"], fields["removed"])
    texts = {one: row.get(fields[one]) for one in CLAUSES}
    known_as = str(name) if known else f"line {record.line}"
    return pair(known_as, row[called[0]], row[called[1]], where, called, texts)


def _kind(value: object) -> str:
    kinds = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}
    return "null" if value is None else kinds.get(type(value), type(value).__name__)
