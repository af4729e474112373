"""The SQLite store of every model answer, addressed by content. It stores answers, never faults, and calls nobody."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from forge.llm.flights import Flights
from forge.llm.owners import Owners
from forge.model.calls import Answer, Fault, Usage
from forge.model.errors import LedgerError

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE answers (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            key TEXT NOT NULL,
            max_tokens INTEGER NOT NULL,
            length INTEGER NOT NULL,
            text TEXT NOT NULL,
            reasoning TEXT NOT NULL,
            finish TEXT NOT NULL,
            declared TEXT NOT NULL,
            model TEXT NOT NULL,
            prompt_tokens INTEGER NOT NULL,
            completion_tokens INTEGER NOT NULL,
            cached_tokens INTEGER NOT NULL,
            usd REAL,
            seconds REAL NOT NULL,
            role TEXT NOT NULL,
            request_json TEXT NOT NULL,
            created_at TEXT NOT NULL,
            UNIQUE (key, max_tokens)
        )""",
        """CREATE TABLE claims (
            key TEXT NOT NULL,
            max_tokens INTEGER NOT NULL,
            owner TEXT NOT NULL,
            PRIMARY KEY (key, max_tokens)
        ) WITHOUT ROWID""",
    ),
)
"""Numbered from 1; `PRAGMA user_version` is the number of the last one applied. Never edit one: add another."""

# An answer that ended by itself serves any limit not below its length; a cut one only the limit that cut it. The
# earliest answer that serves is the answer, so that a later row never changes what an older request replays.
_SERVES = "key = :key AND (max_tokens = :max OR (finish <> 'length' AND length <= :max))"
_FIND = (
    "SELECT text, reasoning, finish, model, prompt_tokens, completion_tokens, cached_tokens, usd, seconds "  # noqa: S608
    f"FROM answers WHERE {_SERVES} ORDER BY seq LIMIT 1"
)
_CLAIM = (
    "INSERT INTO claims (key, max_tokens, owner) SELECT :key, :max, :owner "  # noqa: S608
    f"WHERE NOT EXISTS (SELECT 1 FROM answers WHERE {_SERVES}) ON CONFLICT DO NOTHING"
)
_TAKE_OVER = "UPDATE claims SET owner = ? WHERE key = ? AND max_tokens = ? AND owner = ?"
_OWNER = "SELECT owner FROM claims WHERE key = ? AND max_tokens = ?"
_RELEASE = "DELETE FROM claims WHERE key = ? AND max_tokens = ? AND owner = ?"
_COMMIT = (
    "INSERT INTO answers (key, max_tokens, length, text, reasoning, finish, declared, model, prompt_tokens, "
    "completion_tokens, cached_tokens, usd, seconds, role, request_json, created_at) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)
_STATS = (
    "SELECT role, declared, model, count(*), sum(prompt_tokens), sum(completion_tokens), sum(cached_tokens), "
    "coalesce(sum(usd), 0.0), sum(usd IS NULL), sum(finish = 'length') FROM answers GROUP BY role, declared, model "
    "ORDER BY role, declared, model"
)


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """What the ledger holds for one role and model. `usd` sums the priced answers; `unpriced` counts the others."""

    role: str
    declared: str
    model: str
    answers: int
    prompt: int
    completion: int
    cached: int
    usd: float
    unpriced: int
    cut: int


@dataclass(frozen=True, slots=True)
class LedgerStats:
    """What the ledger holds in all."""

    rows: tuple[LedgerRow, ...]
    bytes: int

    @property
    def answers(self) -> int:
        """How many answers it holds."""
        return sum(row.answers for row in self.rows)

    @property
    def usd(self) -> float:
        """What the priced answers cost."""
        return sum(row.usd for row in self.rows)


def _now() -> datetime:
    return datetime.now(UTC)


def _json(request: Mapping[str, Any]) -> str:
    text = json.dumps(request, ensure_ascii=False)
    # SQLite stores UTF-8, which has no lone surrogates; in this column, for audits only, they become question marks.
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


class Ledger:
    """One open ledger. Used from the thread that opened it; SQLite's calls are short, so the event loop makes them.

    Args:
        path: the SQLite file; it is made when missing.
        clock: the time written beside an answer; it decides nothing.
        readonly: for replays and statistics: nothing is created, migrated or written.
        busy: seconds to wait for another process's transaction.
        poll: seconds between looks at a claim that another process holds.

    Raises:
        LedgerError: it cannot be opened, or a newer forge wrote it.
    """

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], datetime] = _now,
        readonly: bool = False,
        busy: float = 30.0,
        poll: float = 0.03,
    ) -> None:
        self.path = path
        self.readonly = readonly
        self.flights: Flights[Answer | Fault] = Flights()
        self._clock = clock
        self._poll = poll
        self._owners = Owners(path.with_name(path.name + ".owners"))
        self._connection: sqlite3.Connection
        with self._reported("open"):
            if readonly:
                self._connection = self._connect_readonly(busy)
                self._check_version()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                with self._owners.opening():
                    self._connection = sqlite3.connect(path, timeout=busy, isolation_level=None)
                    self._prepare()

    def _connect_readonly(self, busy: float) -> sqlite3.Connection:
        if not self.path.exists():
            raise LedgerError(
                "there is no ledger here", where=str(self.path), fix="run in the workspace that made the answers"
            )
        uri = self.path.absolute().as_uri()
        connection = sqlite3.connect(f"{uri}?mode=ro", uri=True, timeout=busy, isolation_level=None)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:
            connection.close()
            wal = self.path.with_name(self.path.name + "-wal")
            if wal.exists() and wal.stat().st_size > 0:
                raise
            # A read-only folder: SQLite cannot make its shared memory there, and nothing is waiting in a log.
            connection = sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True, isolation_level=None)
        return connection

    def _prepare(self) -> None:
        run = self._connection.execute
        self._check_version()
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = NORMAL")
        run("PRAGMA wal_autocheckpoint = 4000")  # 16 MB: a checkpoint waits for the disk, a commit does not.
        version = self._version()
        for number, statements in enumerate(MIGRATIONS[version:], start=version + 1):
            run("BEGIN IMMEDIATE")
            for statement in statements:
                run(statement)
            run(f"PRAGMA user_version = {number}")
            run("COMMIT")
        with self._owners.dead() as names:
            for name in names:
                run("DELETE FROM claims WHERE owner = ?", (name,))

    def _version(self) -> int:
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])

    def _check_version(self) -> None:
        version = self._version()
        if version > len(MIGRATIONS):
            raise LedgerError(
                "the ledger was written by a newer forge",
                where=str(self.path),
                value=f"version {version}; this forge knows {len(MIGRATIONS)}",
                fix="update forge, or use another workspace",
            )

    def find(self, key: str, max_tokens: int) -> Answer | None:
        """Return the stored answer that serves a request, marked as replayed, or None.

        Raises:
            LedgerError: the store cannot be read.
        """
        try:
            row = self._connection.execute(_FIND, {"key": key, "max": max_tokens}).fetchone()
        except sqlite3.Error as error:
            raise self._error("read", error) from error
        if row is None:
            return None
        text, reasoning, finish, model, prompt, completion, cached, usd, seconds = row
        usage = Usage(prompt, completion, cached, usd)
        return Answer(key, text, reasoning, finish, model, usage, True, seconds)

    def claim(self, key: str, max_tokens: int) -> bool:
        """Try to become the one who asks. False: an answer exists, or another living process asks.

        Raises:
            LedgerError: the store cannot be written.
        """
        with self._reported("claim in"):
            run = self._connection.execute
            mine = self._owners.name
            if run(_CLAIM, {"key": key, "max": max_tokens, "owner": mine}).rowcount == 1:
                return True
            row = run(_OWNER, (key, max_tokens)).fetchone()
            if row is None:
                return False
            owner = row[0]
            if owner != mine and not self._owners.alive(owner):
                taken: int = run(_TAKE_OVER, (mine, key, max_tokens, owner)).rowcount
                return taken == 1
            return bool(owner == mine)

    async def acquire(
        self, key: str, max_tokens: int, sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep
    ) -> Answer | None:
        """Wait until the answer is there or this process may ask for it.

        Returns:
            the answer, or None when the claim is ours: commit or release must follow.
        """
        while not self.claim(key, max_tokens):
            found = self.find(key, max_tokens)
            if found is not None:
                return found
            await sleep(self._poll)
        return None

    def release(self, key: str, max_tokens: int) -> None:
        """Give a claim back without an answer.

        Raises:
            LedgerError: the store cannot be written.
        """
        with self._reported("release a claim in"):
            self._connection.execute(_RELEASE, (key, max_tokens, self._owners.name))

    def commit(
        self, answer: Answer, *, max_tokens: int, role: str, declared: str, request: Mapping[str, Any]
    ) -> Answer:
        """Store an answer and drop its claim in one transaction.

        Args:
            answer: the answer, under its key.
            max_tokens: the limit it was asked with.
            role: who asked.
            declared: the declared models, for statistics.
            request: messages and parameters as sent, for audits; never keys or addresses.

        Returns:
            the answer; the stored one, should another process have been first.

        Raises:
            LedgerError: it could not be stored.
        """
        usage = answer.usage
        # A provider that counts no tokens gives no length: then only limits from this one upwards are served.
        length = usage.completion or (max_tokens if answer.text or answer.reasoning else 0)
        row = (answer.key, max_tokens, length, answer.text, answer.reasoning, answer.finish, declared, answer.model,
               usage.prompt, usage.completion, usage.cached, usage.usd, answer.seconds, role,
               _json(request), self._clock().isoformat())  # fmt: skip
        run = self._connection.execute
        try:
            run("BEGIN IMMEDIATE")
            stored = run(_COMMIT, row).rowcount
            run(_RELEASE, (answer.key, max_tokens, self._owners.name))
            run("COMMIT")
        except (sqlite3.Error, UnicodeEncodeError) as error:
            with contextlib.suppress(sqlite3.Error):
                run("ROLLBACK")
            raise self._error("write to", error) from error
        if stored == 0:
            return self.find(answer.key, max_tokens) or answer
        return answer

    def stats(self) -> LedgerStats:
        """Return counts, tokens and money by role and model."""
        with self._reported("read"):
            rows = tuple(LedgerRow(*row) for row in self._connection.execute(_STATS))
            return LedgerStats(rows, self.path.stat().st_size)

    def close(self) -> None:
        """Drop what claims are left and close the file."""
        if not self.readonly and self._owners.held:
            with contextlib.suppress(sqlite3.Error):  # A full disk: the lock falls with the process.
                self._connection.execute("DELETE FROM claims WHERE owner = ?", (self._owners.name,))
        self._connection.close()
        self._owners.close()

    @contextlib.contextmanager
    def _reported(self, doing: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise self._error(doing, error) from error

    def _error(self, doing: str, error: Exception) -> LedgerError:
        text = str(error).lower()
        if "full" in text or "no space" in text or "disk i/o" in text or "too large" in text:
            fix = "make room on the disk; every answer stored so far is safe, run again to go on"
        elif "locked" in text or "busy" in text:
            fix = "another process is writing to it for too long; end it, or run again"
        elif "readonly" in text or "read-only" in text or "permission" in text or "unable to open" in text:
            fix = "make the file and its folder writable, or choose another workspace"
        elif "not a database" in text or "malformed" in text:
            fix = "the file is damaged: move it aside (its answers are then asked again), or restore a copy"
        else:
            fix = "look at the file and its folder; answers stored so far are kept"
        return LedgerError(f"cannot {doing} the ledger: {error}", where=str(self.path), fix=fix)
