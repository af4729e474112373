"""Stores what models answered to releases, and reads it back. SQL and rows only.

A response is known by the release's root hash, item, condition, arm, model, decoding and sample: asked again, it is
replaced by the same answer from the ledger, never doubled."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from forge.model.ids import text_digest
from forge.registry.connection import Connection, RegistryFile, rows
from forge.registry.rows import storable, to_json

_KEY = ("root", "item", "condition", "arm", "model", "decoding", "sample")


@dataclass(frozen=True, slots=True)
class ResponseRow:
    """One response with its reading, and how it came about.

    Attributes:
        root: the root hash of the release.
        decoding: canonical JSON of the decoding settings and the system message.
        gold: the label of the right answer.
        label: the reading's label; None when unreadable.
        answered_by: who really answered, as the provider names it.
        finish: the provider's finish reason.
        overlap: the model answered in a role of the release.
        reader: who read it: `rules`, with the scope.
    """

    root: str
    item: str
    condition: str
    arm: str
    model: str
    decoding: str
    sample: int
    run: str
    gold: str
    label: str | None
    unreadable: str | None
    evidence: str
    reader: str
    text: str
    reasoning: str
    cut: bool
    finish: str
    answered_by: str
    key: str
    seconds: float
    prompt_tokens: int
    completion_tokens: int
    usd: float | None
    overlap: bool = False
    text_sha256: str = field(default="")


RESPONSE_COLUMNS = tuple(one.name for one in fields(ResponseRow))
_INSERT = " ".join(("INSERT INTO responses VALUES (", ", ".join("?" * len(RESPONSE_COLUMNS)), ")"))
_FORGET = " ".join(("DELETE FROM responses WHERE", " AND ".join(f"{name} = ?" for name in _KEY)))
_SELECT = "SELECT * FROM responses WHERE root = ? ORDER BY model, arm, item, condition, decoding, sample"
_RUNS = "SELECT run, count(*) AS n FROM responses WHERE root = ? GROUP BY run ORDER BY run"


class EvaluationStore:
    """The part of the registry that knows responses to releases. Every method opens the file, does one transaction and
    closes it; each raises what `Registry` says."""

    def __init__(self, file: RegistryFile) -> None:
        self._file = file

    def add(self, responses: Sequence[ResponseRow]) -> None:
        """Store responses, all or none; one that is there already is replaced."""
        with self._file.writing() as con:
            for one in responses:
                _put(con, one)

    def responses(self, root: str) -> list[ResponseRow]:
        """Return every response to a release, by model, arm, item, condition, decoding and sample."""
        with self._file.reading() as con:
            return [ResponseRow(**row) for row in rows(con, _SELECT, [root])]

    def runs(self, root: str) -> dict[str, int]:
        """Return the runs that asked about a release → how many responses they brought."""
        with self._file.reading() as con:
            return {str(row["run"]): int(row["n"]) for row in rows(con, _RUNS, [root])}


def decoding_text(settings: dict[str, Any]) -> str:
    """Return decoding settings as the canonical JSON that tells responses apart."""
    return to_json(settings, "decoding settings")


def decoding_of(text: str) -> dict[str, Any]:
    """Return the settings of a row's `decoding`."""
    found: dict[str, Any] = json.loads(text)
    return found


def _put(con: Connection, one: ResponseRow) -> None:
    values = [getattr(one, name) for name in RESPONSE_COLUMNS[:-1]]
    row = [storable(value) if isinstance(value, str) else value for value in values]
    con.execute(_FORGET, [row[RESPONSE_COLUMNS.index(name)] for name in _KEY])
    con.execute(_INSERT, [*row, text_digest(one.text)])
