"""Who holds a claim in the ledger: one file per process, locked while the process lives, so that kill -9 frees it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import uuid
from collections.abc import Iterator
from pathlib import Path

SUFFIX = ".owner"


class Owners:
    """The folder of owner files beside a ledger.

    The lock is flock's, which the kernel drops when the last descriptor closes, however the process ends. A file
    that can be locked therefore belongs to a dead process; so does one that is missing, for a living owner
    creates and locks its file before it writes a claim, and removes its claims before the file.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._fd: int | None = None
        self._name = ""

    @property
    def name(self) -> str:
        """This process's owner name; the file is made when first asked for.

        Raises:
            OSError: the folder or file cannot be made.
        """
        while self._fd is None:
            self._take()
        return self._name

    @property
    def held(self) -> bool:
        """Whether this process has an owner file."""
        return self._fd is not None

    def _take(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        name = f"{os.getpid()}-{uuid.uuid4().hex[:12]}"
        path = self._path(name)
        fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o644)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # A sweeper may have found the file before it was locked, and removed it: then take another.
            taken = path.exists() and os.fstat(fd).st_ino == path.stat().st_ino
        except (BlockingIOError, FileNotFoundError):
            taken = False
        if taken:
            self._fd, self._name = fd, name
        else:
            os.close(fd)

    def _path(self, name: str) -> Path:
        return self.folder / (name + SUFFIX)

    def alive(self, name: str) -> bool:
        """Whether the process behind an owner name still runs."""
        try:
            fd = os.open(self._path(name), os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(fd)
        return False

    @contextlib.contextmanager
    def dead(self) -> Iterator[list[str]]:
        """Yield the names of dead owners, locked meanwhile; their files are removed at the end."""
        found: list[tuple[str, int]] = []
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            with contextlib.suppress(FileNotFoundError):
                fd = os.open(path, os.O_RDWR)
                try:
                    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    os.close(fd)
                else:
                    found.append((path.name.removesuffix(SUFFIX), fd))
        try:
            yield [name for name, _ in found]
            for name, _ in found:
                self._path(name).unlink(missing_ok=True)
        finally:
            for _, fd in found:
                os.close(fd)

    @contextlib.contextmanager
    def opening(self) -> Iterator[None]:
        """Let one process at a time create or migrate the store."""
        self.folder.mkdir(parents=True, exist_ok=True)
        fd = os.open(self.folder / "opening.lock", os.O_CREAT | os.O_RDWR, 0o644)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            yield
        finally:
            os.close(fd)

    def close(self) -> None:
        """Remove this process's file and drop its lock. Its claims must be gone before."""
        if self._fd is not None:
            self._path(self._name).unlink(missing_ok=True)
            os.close(self._fd)
            self._fd = None
