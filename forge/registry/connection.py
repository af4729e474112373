"""Opens the registry's file for one transaction at a time and closes it again. It holds the file no longer than that,
and turns what DuckDB says into errors that a person can act on. It knows no table but the schema's version."""

from __future__ import annotations

import contextlib
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb

from forge.model.errors import RegistryBusy, StorageError, shorten
from forge.registry.migrations import MIGRATIONS, Migration, migrate, refuse_newer, schema_version

Connection = duckdb.DuckDBPyConnection

# One configuration for every opening in the process. No SQL may reach another file, and nothing is ever downloaded.
# One thread: transactions are small, and the cores belong to a local model.
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "threads": 1,
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "lock_configuration": True,
}

# One lock for the whole process: DuckDB refuses a second opening of a file in another access mode, and its file locks
# belong to the process, so that closing any other handle to the file would free them. Hence also: nothing in this
# room opens the file by itself; what must be known of it comes from stat.
_PROCESS_LOCK = threading.Lock()

_HOLDER = re.compile(r"held in (?P<program>.+?) \(PID (?P<pid>\d+)\)")
_FULL = ("No space left", "File too large", "Disk quota", "disk full")


def rows(con: Connection, sql: str, parameters: Sequence[object] = ()) -> list[dict[str, Any]]:
    """Run a query and copy its rows out as dicts, in the query's order."""
    cursor = con.execute(sql, list(parameters))
    names = [str(column[0]) for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


class RegistryFile:
    """The file of one registry.

    Args:
        path: the DuckDB file; it need not exist.
        patience: how long to wait in all, in seconds, while another process holds the file.
        sleep: waits for so many seconds; tests pass their own.
        migrations: the schema, step by step.
    """

    def __init__(
        self,
        path: Path,
        *,
        patience: float = 5.0,
        sleep: Callable[[float], None] = time.sleep,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> None:
        self.path = path.absolute()
        self._patience = patience
        self._sleep = sleep
        self._migrations = tuple(migrations)

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection that cannot write. A missing file reads as an empty registry; no schema is migrated.

        Raises:
            RegistryBusy: another process is writing, and went on for longer than `patience`.
            RegistryTooNew: a newer forge wrote the registry.
            StorageError: an older one did, or the file cannot be read.
        """
        with _PROCESS_LOCK, self._explained():
            con = self._open(read_only=True) if self.path.exists() else self._empty()
            try:
                self._check(con)
                yield con
            finally:
                con.close()

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection inside one transaction: committed at the end of the block, or nothing of it is kept.

        Raises:
            RegistryBusy: another process holds the registry, and did so for longer than `patience`.
            RegistryTooNew: a newer forge wrote the registry.
            StorageError: the file cannot be written.
        """
        with _PROCESS_LOCK, self._explained():
            if not self.path.exists():
                self._create()
            con = self._open(read_only=False)
            try:
                migrate(con, str(self.path), self._migrations)
                con.begin()
                yield con
                con.commit()
            finally:
                # Closing rolls an uncommitted transaction back.
                con.close()

    def _open(self, *, read_only: bool) -> Connection:
        held: duckdb.Error
        for delay in (*_delays(self._patience), None):
            try:
                return duckdb.connect(str(self.path), read_only=read_only, config=_CONFIG)
            except duckdb.IOException as error:
                if "Could not set lock" not in str(error):
                    raise
                held = error
            except duckdb.ConnectionException as error:
                # Something else in this process has the file open in another way.
                held = error
            if delay is not None:
                self._sleep(delay)
        raise RegistryBusy(
            f"the registry is held by {_holder(held, self.path)}",
            where=str(self.path),
            value=f"waited {self._patience:g} s",
            fix="wait until it has ended, or close the notebook or shell that keeps the file open",
        ) from held

    def _create(self) -> None:
        """Make the file with its whole schema under another name, then link it into place: a process killed half-way
        leaves no file that cannot be opened."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_name(f".{self.path.name}.{os.getpid()}.new")
        log = fresh.with_name(f"{fresh.name}.wal")
        fresh.unlink(missing_ok=True)
        log.unlink(missing_ok=True)
        try:
            con = duckdb.connect(str(fresh), config=_CONFIG)
            try:
                migrate(con, str(fresh), self._migrations)
            finally:
                con.close()
            _put(fresh, self.path)
        finally:
            fresh.unlink(missing_ok=True)
            log.unlink(missing_ok=True)

    def _empty(self) -> Connection:
        con = duckdb.connect(":memory:", config=_CONFIG)
        migrate(con, str(self.path), self._migrations)
        return con

    def _check(self, con: Connection) -> None:
        known = len(self._migrations)
        found = schema_version(con, str(self.path))
        refuse_newer(found, known, str(self.path))
        if found < known:
            raise StorageError(
                f"the registry has schema version {found}, older than this forge's {known}; reading never changes it",
                where=str(self.path),
                fix="run a command that writes, such as `forge anneal`: it brings the registry up to date",
            )

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn the errors of DuckDB and of the operating system into a StorageError."""
        try:
            yield
        except (duckdb.Error, OSError) as error:
            said = shorten(str(error))
            where = str(self.path)
            if any(words in said for words in _FULL):
                raise StorageError(
                    "the disk is full: nothing of this transaction was kept",
                    where=where,
                    value=said,
                    fix="free some space and run the command again; finished work replays from the ledger",
                ) from error
            if "not a valid DuckDB" in said:
                raise StorageError(
                    "the registry is not a DuckDB file",
                    where=where,
                    value=said,
                    fix="move the file away; `forge replay` fills a new registry from the ledger",
                ) from error
            raise StorageError(
                "the registry cannot be read or written",
                where=where,
                value=said,
                fix="check the path, its permissions and the disk",
            ) from error


def _put(fresh: Path, path: Path) -> None:
    """Move a new file into place, never over one that another process put there first."""
    try:
        os.link(fresh, path)
    except FileExistsError:
        return
    except OSError:
        # A file system without hard links. Renaming could replace a registry made in this very instant, so look.
        if not path.exists():
            fresh.rename(path)


def _delays(patience: float) -> list[float]:
    """Return the waits between attempts: growing, `patience` seconds in all, spread by index and process id, so that
    two processes which collide once do not go on in step."""
    delays: list[float] = []
    left = patience
    while left > 0:
        index = len(delays)
        spread = ((index + 1) * (os.getpid() * 37 + 11) % 16) / 16
        delay = min(min(0.01 * 1.5**index, 0.25) * (1 + spread), left)
        delays.append(delay)
        left -= delay
    return delays


def _holder(error: duckdb.Error, path: Path) -> str:
    """Name the process that holds the file: from DuckDB's message, else from the kernel's table of locks."""
    if isinstance(error, duckdb.ConnectionException):
        return f"another connection of this process (PID {os.getpid()})"
    told = _HOLDER.search(str(error))
    if told:
        return f"process {told['pid']} ({told['program']})"
    pids = _lock_owners(path)
    return f"process {', '.join(map(str, pids))}" if pids else "another process"


def _lock_owners(path: Path, table: Path = Path("/proc/locks")) -> list[int]:
    """Return the ids of the processes with a lock on `path`, as Linux lists them; empty where it does not."""
    try:
        inode = str(path.stat().st_ino)
        lines = table.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return []
    # 1: POSIX  ADVISORY  WRITE 5855 fd:01:1234567 0 EOF
    fields = [line.split() for line in lines]
    return sorted({int(f[4]) for f in fields if len(f) > 5 and f[5].rsplit(":", 1)[-1] == inode and f[4].isdigit()})
