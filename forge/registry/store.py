"""The registry: what runs did, seed by seed, and the items they certified. It stores and reads; it decides nothing.

Every method opens the file, does one transaction and closes it, so that other processes can read while a run goes on.
The methods block: coroutines use `forge.registry.asynchronous.AsyncRegistry`."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forge.model.errors import StorageError, UsageError, VerificationError
from forge.model.growth import SeedOutcome
from forge.registry.connection import Connection, RegistryFile, rows
from forge.registry.evaluations import EvaluationStore
from forge.registry.frames import append, read_frame, write_frame
from forge.registry.items import read_item, read_items, read_tree, resolve_run
from forge.registry.migrations import MIGRATIONS, Migration
from forge.registry.pairing import PairStore
from forge.registry.rows import COLUMNS, RunRow, in_utc, outcome_rows, plain, run_from, run_row, storable, to_json

if TYPE_CHECKING:
    import pandas

_SEED_TABLES = ("seeds", "candidates", "findings", "verdicts", "trials", "certificates", "run_items")
_FORGET = {table: " ".join(("DELETE FROM", table, "WHERE run = ? AND seed = ?")) for table in _SEED_TABLES}
_OLD_ITEMS = "SELECT DISTINCT digest FROM run_items WHERE run = ? AND seed = ?"
_DROP_UNLINKED = """
    DELETE FROM items WHERE digest IN (SELECT unnest(?::VARCHAR[])) AND digest NOT IN (SELECT digest FROM run_items)
"""
_STORED = "SELECT digest FROM items WHERE digest IN (SELECT unnest(?::VARCHAR[]))"
_UNMARK = "UPDATE run_items SET duplicate_of = NULL, duplicate_similarity = NULL WHERE run = ?"
_MARK = "UPDATE run_items SET duplicate_of = ?, duplicate_similarity = ? WHERE run = ? AND item = ?"
_SEEDS = """
    SELECT seeds.*, (SELECT count(*) FROM run_items WHERE run_items.run = seeds.run AND run_items.seed = seeds.seed)
        AS items
    FROM seeds WHERE run = ? ORDER BY seed
"""


class Registry:
    """The registry in one file.

    Args:
        path: the DuckDB file. The first write makes it, with its folder; until then it reads as empty.
        patience: how long to wait in all, in seconds, while another process holds the file.
        sleep: waits for so many seconds; tests pass their own.
        migrations: the schema, step by step.

    Every method raises RegistryBusy when another process keeps the file for longer than `patience`, RegistryTooNew
    when a newer forge wrote it, and StorageError when it cannot be read or written. A write that raises has stored
    nothing.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        patience: float = 5.0,
        sleep: Callable[[float], None] = time.sleep,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> None:
        self._file = RegistryFile(Path(path), patience=patience, sleep=sleep, migrations=migrations)
        self.pairs = PairStore(self._file)
        self.evaluations = EvaluationStore(self._file)

    @property
    def path(self) -> Path:
        """The registry's file."""
        return self._file.path

    def upgrade(self) -> None:
        """Bring an older registry up to date before a command that writes reads it; a missing one stays missing."""
        if self.path.exists():
            with self._file.writing():
                pass

    def record_run(self, run: RunRow) -> None:
        """Store a run at its start. Taken up again under its id, it keeps its first `started` and its seeds."""
        row = run_row(run)
        with self._file.writing() as con:
            before = rows(con, "SELECT started FROM runs WHERE run = ?", row[:1])
            if before:
                at = COLUMNS["runs"].index("started")
                row = (*row[:at], before[0]["started"], *row[at + 1 :])
                con.execute("DELETE FROM runs WHERE run = ?", list(row[:1]))
            append(con, "runs", [row])

    def finish_run(self, run_id: str, summary: dict[str, Any], ended: datetime | None = None) -> None:
        """Store what a run came to, and when it ended (aware).

        Raises:
            StorageError: the run was never recorded, or a value is no JSON.
        """
        where = f"run {run_id}"
        values = [to_json(summary, where), in_utc(ended, where), storable(run_id)]
        with self._file.writing() as con:
            _require_run(con, run_id)
            con.execute("UPDATE runs SET summary = ?, ended = ? WHERE run = ?", values)

    def commit_seed(self, run_id: str, outcome: SeedOutcome) -> None:
        """Store all that is known of one seed, in one transaction. What the run stored of this seed before is
        replaced, marks of duplicates included; an item that no run holds any more goes.

        Raises:
            StorageError: the run was never recorded, or a value is no JSON.
        """
        made = outcome_rows(storable(run_id), outcome)
        place = [storable(run_id), storable(outcome.seed)]
        with self._file.writing() as con:
            _require_run(con, run_id)
            old = [row["digest"] for row in rows(con, _OLD_ITEMS, place)]
            for table in _SEED_TABLES:
                con.execute(_FORGET[table], place)
                append(con, table, made[table])
            stored = {row["digest"] for row in rows(con, _STORED, [[row[0] for row in made["items"]]])}
            append(con, "items", [row for row in made["items"] if row[0] not in stored])
            con.execute(_DROP_UNLINKED, [old])

    def mark_duplicates(self, run_id: str, duplicates: Sequence[tuple[str, str, float]]) -> None:
        """Store which items of a run are near-copies of an earlier seed's; earlier marks of the run are taken off.

        Args:
            run_id: the run.
            duplicates: (item, the item it repeats, their similarity in 0-1).

        Raises:
            StorageError: the run was never recorded, or holds no such item.
        """
        run = storable(run_id)
        with self._file.writing() as con:
            _require_run(con, run_id)
            held = {row["item"] for row in rows(con, "SELECT item FROM run_items WHERE run = ?", [run])}
            con.execute(_UNMARK, [run])
            for item, original, similarity in duplicates:
                if item not in held or original not in held:
                    lost = original if item in held else item
                    raise StorageError(
                        "the run holds no such item", where=f"run {run_id}", value=lost, fix="commit its seed first"
                    )
                con.execute(_MARK, [original, similarity, run, item])

    def save_index(self, name: str, data: bytes) -> None:
        """Store a serialised index, such as the dedup index, under a name; an earlier one is replaced."""
        row = [storable(name), hashlib.sha256(data).hexdigest(), data]
        with self._file.writing() as con:
            con.execute("INSERT OR REPLACE INTO indexes (name, sha256, bytes) VALUES (?, ?, ?)", row)

    def load_index(self, name: str) -> bytes | None:
        """Return what `save_index` stored, or None.

        Raises:
            VerificationError: the bytes are not those that were stored.
        """
        with self._file.reading() as con:
            found = rows(con, "SELECT sha256, bytes FROM indexes WHERE name = ?", [storable(name)])
        if not found:
            return None
        data = bytes(found[0]["bytes"])
        if hashlib.sha256(data).hexdigest() != found[0]["sha256"]:
            raise VerificationError(
                "a stored index differs from its SHA-256", where=str(self.path), value=name, fix="build it again"
            )
        return data

    def runs(self) -> list[RunRow]:
        """Return all runs, in the order they started."""
        with self._file.reading() as con:
            return [run_from(row) for row in rows(con, "SELECT * FROM runs ORDER BY started, run")]

    def run(self, run_id: str) -> RunRow:
        """Return the run with this id, or whose id alone begins so.

        Raises:
            UsageError: there is none, or more than one; with the nearest names.
        """
        with self._file.reading() as con:
            chosen = resolve_run(con, run_id)
            return run_from(rows(con, "SELECT * FROM runs WHERE run = ?", [chosen])[0])

    def items(self, where: str | None = None, run: str | None = None, limit: int | None = None) -> list[dict[str, Any]]:
        """Return items, ordered by set, seed and rank: all fields of an item as JSON values, from which
        `rows.item_from` makes the item again, with `run`, `duplicate_of`, `duplicate_similarity` and `length`.

        Args:
            where: a filter (`filters`, over `items.ITEM_FIELDS`); None keeps all.
            run: a run's id or its unique beginning; None gives each item once, as the latest run that holds it has it.
            limit: at most so many.

        Raises:
            UsageError: the filter is wrong, the limit below 1, or there is no such run.
        """
        if limit is not None and limit < 1:
            raise UsageError("a limit below 1", value=limit, fix="give at least 1, or no limit")
        with self._file.reading() as con:
            return read_items(con, where, run, limit)

    def item(self, item_id: str, run: str | None = None) -> dict[str, Any]:
        """Return one item, by its id or the unique beginning of it, as `items` does.

        Raises:
            UsageError: there is none, or more than one; with the nearest names.
        """
        with self._file.reading() as con:
            return read_item(con, item_id, None if run is None else resolve_run(con, run))

    def tree(self, name: str, run: str | None = None) -> dict[str, Any]:
        """Return the family tree of a seed, by the id (or its unique beginning) of the seed, an item or a candidate;
        see `items.read_tree` for what it holds.

        Raises:
            UsageError: nothing has this name, or more than one thing; with the nearest names.
        """
        with self._file.reading() as con:
            return read_tree(con, name, run)

    def seeds(self, run: str) -> list[dict[str, Any]]:
        """Return how each seed of a run ended, by seed: `run`, `seed`, `seed_content`, `state`, `reason`, `grade`,
        `counters`, and `items`, how many it gave.

        Raises:
            UsageError: there is no such run.
        """
        with self._file.reading() as con:
            return [plain(row) for row in rows(con, _SEEDS, [resolve_run(con, run)])]

    def frame(self, name: str, where: str | None = None) -> pandas.DataFrame:
        """Return a table, or a query of `frames.QUERIES`, as a data frame; see `frames.read_frame`.

        Raises:
            UsageError: there is no such table or query, or the filter is wrong.
        """
        with self._file.reading() as con:
            return read_frame(con, name, where)

    def add_frame(self, table: str, frame: pandas.DataFrame) -> int:
        """Add the rows of a data frame to a table and return how many were new; see `frames.write_frame`.

        Raises:
            UsageError: an unknown table, or columns that are not the table's.
            StorageError: an unknown run, or a value that does not fit.
        """
        with self._file.writing() as con:
            return write_frame(con, table, frame)


def _require_run(con: Connection, run_id: str) -> None:
    """Raise when a run was never recorded: every row knows its run."""
    if not rows(con, "SELECT run FROM runs WHERE run = ?", [storable(run_id)]):
        raise StorageError("the run is not in the registry", value=run_id, fix="call record_run first")
