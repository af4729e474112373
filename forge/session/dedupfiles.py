"""The files of a deduplication: what is written, under temporary names until all is done, and texts kept on disk."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Self

from forge.model.errors import StorageError, UsageError
from forge.workspace.rowfiles import Format

_BITS = 8


class DiskTexts:
    """A text store in a nameless temporary file, with eight bytes a text in memory. The system takes it away with the
    process, however that ends; $TMPDIR says where it is."""

    def __init__(self) -> None:
        self._file: BinaryIO = tempfile.TemporaryFile(prefix="forge-")  # noqa: SIM115 closed by `close`
        self._ends = array("Q", [0])
        self._written = 0

    def append(self, texts: Sequence[bytes]) -> None:
        """Add texts after those that are there."""
        with _temporary():
            self._file.write(b"".join(texts))
        end = self._ends[-1]
        for text in texts:
            end += len(text)
            self._ends.append(end)

    def get(self, row: int) -> bytes:
        """Return one text."""
        begin, end = self._ends[row], self._ends[row + 1]
        if end > self._written:
            with _temporary():
                self._file.flush()
            self._written = self._ends[-1]
        return os.pread(self._file.fileno(), end - begin, begin)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def close(self) -> None:
        """Give the space back."""
        self._file.close()


@contextlib.contextmanager
def _temporary() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"a temporary file cannot be written: {error.strerror}",
            where=tempfile.gettempdir(),
            fix="free some space there, or set TMPDIR to a folder with more",
        ) from error


class Bits:
    """One bit a row, from row 1, the highest of a byte first."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def set(self, row: int) -> None:
        """Mark a row."""
        at, bit = divmod(row - 1, _BITS)
        if at >= len(self._bytes):
            self._bytes.extend(bytes(at + 1 - len(self._bytes)))
        self._bytes[at] |= 0x80 >> bit

    def padded(self, rows: int) -> bytes:
        """Return bits for at least so many rows."""
        return bytes(self._bytes).ljust(max((rows + _BITS - 1) // _BITS, 1), b"\0")


class Outputs:
    """The kept rows, the duplicates and the rejects of one file.

    Args:
        source: the file whose rows they are.
        out: where the kept rows go; default: beside it.
        force: replace what is there.
        dry: write nothing.

    Raises:
        UsageError: a file is in the way.
    """

    def __init__(self, source: Path, kind: Format, out: Path | None, *, force: bool, dry: bool) -> None:
        self.kept = out or source.with_name(f"{source.stem}.kept.{kind}")
        stem = out.stem if out else source.stem
        self.duplicates = self.kept.with_name(f"{stem}.duplicates.jsonl")
        self.rejects = self.kept.with_name(f"{stem}.rejects.jsonl")
        self.dry = dry
        self._files: dict[Path, BinaryIO] = {}
        for path in self.paths if not dry else ():
            if path.exists() and source.exists() and path.samefile(source):
                raise UsageError("an output would replace the file that is read", value=str(path), fix="give --out")
            if path.exists() and not force:
                raise UsageError(
                    "an output is there already", where=str(path), fix="pass --force to replace it, or give --out"
                )
        if len(set(self.paths)) < len(self.paths):
            raise UsageError("two outputs have one name", value=str(self.kept), fix="give --out another name")

    @property
    def paths(self) -> tuple[Path, Path, Path]:
        """All three, in the order they are put in place: the kept rows last."""
        return self.duplicates, self.rejects, self.kept

    def __enter__(self) -> Self:
        if not self.dry:
            try:
                for path in self.paths:
                    self._files[path] = self.part(path).open("wb")
            except OSError as error:
                self._drop()
                raise unwritable(error, path) from error
        return self

    def __exit__(self, *_: object) -> None:
        self._drop()

    def part(self, path: Path) -> Path:
        """The name under which a file is written."""
        return path.with_name(f".{path.name}.{os.getpid()}.part")

    def keep(self, raw: bytes) -> None:
        """Append kept rows as they stood."""
        self._write(self.kept, raw)

    def note(self, path: Path, values: Sequence[dict[str, Any]]) -> None:
        """Append lines to the duplicates or the rejects."""
        self._write(path, "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode("utf-8"))

    def _write(self, path: Path, data: bytes) -> None:
        if not self.dry and data:
            with writing(path):
                self._files[path].write(data)

    def commit(self) -> None:
        """Put all files in place.

        Raises:
            StorageError: the disk is full, or the folder cannot be written.
        """
        for path, file in self._files.items():
            with writing(path):
                file.flush()
                # DuckDB may have put another file under the name in the meantime.
                with self.part(path).open("rb") as written:
                    os.fsync(written.fileno())
                file.close()
        for path in self._files:
            with writing(path):
                self.part(path).replace(path)
        self._files = {}

    def _drop(self) -> None:
        for path, file in self._files.items():
            with contextlib.suppress(OSError):
                file.close()
            self.part(path).unlink(missing_ok=True)
        self._files = {}


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an error of the operating system into a StorageError that names the file."""
    try:
        yield
    except OSError as error:
        raise unwritable(error, path) from error


def unwritable(error: OSError, path: Path) -> StorageError:
    """Say that a file cannot be written."""
    return StorageError(
        f"the file cannot be written: {error.strerror}",
        where=str(path),
        fix="free some space, or give --out a folder that you may write to; nothing was kept half-written",
    )
