"""Reads rows of JSON Lines, CSV and TSV files in order, byte for byte, in bounded memory. It judges no text."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, NamedTuple

from forge.model.errors import StorageError, UsageError

# A longer line or record is no row: it would not fit a bounded batch.
LONGEST = 64 << 20
_BOM = b"\xef\xbb\xbf"


class Format(StrEnum):
    """A kind of file with rows."""

    JSONL = "jsonl"
    CSV = "csv"
    TSV = "tsv"
    PARQUET = "parquet"


_SUFFIXES = {
    ".jsonl": Format.JSONL, ".ndjson": Format.JSONL, ".csv": Format.CSV, ".tsv": Format.TSV, ".parquet": Format.PARQUET,
}  # fmt: skip
_DELIMITERS = {Format.CSV: ",", Format.TSV: "\t"}


class FaultKind(StrEnum):
    """Why a row is no text."""

    MISSING = "missing"
    EMPTY = "empty"
    WORDLESS = "wordless"
    TYPE = "type"
    ENCODING = "encoding"
    SYNTAX = "syntax"
    LONG = "long"


class Fault(NamedTuple):
    """What is wrong with a row, in words, and the beginning of what stands there."""

    kind: FaultKind
    reason: str
    excerpt: str = ""


class Record(NamedTuple):
    """One row of a file.

    Attributes:
        row: its number, from 1; blank lines are no rows.
        line: the line it begins on, from 1.
        raw: its bytes as they stand, line end included; of one too long, the beginning.
        value: what stands in the column asked for, where the reader knows it.
        fault: why it is no row, or None.
    """

    row: int
    line: int
    raw: bytes
    value: object = None
    fault: Fault | None = None


_OPEN = Fault(FaultKind.SYNTAX, "a quotation mark is opened and not closed")


def format_of(path: Path, given: str | None = None) -> Format:
    """Return the format of a file: the one given, else by its suffix.

    Raises:
        UsageError: the suffix is none of those known.
    """
    if given is not None:
        return Format(given)
    known = _SUFFIXES.get(path.suffix.lower())
    if known is None:
        raise UsageError(
            "the file's format is not known from its name",
            where=str(path),
            value=path.suffix or "no suffix",
            fix=f"name it {', '.join(_SUFFIXES)}, or pass --format",
        )
    return known


def opened(path: Path) -> BinaryIO:
    """Open a file for reading.

    Raises:
        StorageError: it is missing, a folder, or may not be read.
    """
    try:
        return path.open("rb")
    except OSError as error:
        raise StorageError(
            f"the file cannot be read: {error.strerror}", where=str(path), fix="check the path and its permissions"
        ) from error


@dataclass
class JsonLines:
    """Rows of a JSON Lines file; what stands in them is left to who reads them.

    Attributes:
        done: bytes read.
    """

    file: BinaryIO
    done: int = 0

    def records(self) -> Iterator[Record]:
        """Yield the lines that are not blank."""
        row = 0
        for line, (raw, fault) in enumerate(_lines(self.file, self), 1):
            if raw.isspace():
                continue
            row += 1
            yield Record(row, line, raw, None, fault)


@dataclass
class Separated:
    """Records of a CSV or TSV file with a header.

    Attributes:
        done: bytes read.
        header: the header's bytes.
        columns: its names.
    """

    file: BinaryIO
    format: Format
    column: str
    done: int = 0
    header: bytes = b""
    columns: tuple[str, ...] = ()
    _line: int = 0
    _taken: list[bytes] = field(default_factory=list)
    _cut: Fault | None = None
    _second: int = 0

    def start(self) -> None:
        """Read the header.

        Raises:
            StorageError: it is not UTF-8 or no record.
        """
        for _, raw, cells, fault in self._parsed():
            if fault:
                raise StorageError(
                    f"the header cannot be read: {fault.reason}",
                    where=f"{self.file.name}:1",
                    fix="save the file as UTF-8",
                )
            self.header, self.columns = raw, tuple(cells)
            return

    def records(self) -> Iterator[Record]:
        """Yield the records behind the header; a blank line is none."""
        at = self.columns.index(self.column) if self.column in self.columns else None
        for row, (line, raw, cells, fault) in enumerate(self._parsed(), 1):
            if fault is None and len(cells) != len(self.columns):
                cut = "" if raw.endswith((b"\n", b"\r")) else "; the file ends in the middle of this line"
                said = f"{len(cells)} columns where the header has {len(self.columns)}{cut}"
                fault = Fault(FaultKind.SYNTAX, said)
            yield Record(row, line, raw, None if fault or at is None else cells[at], fault)

    def _parsed(self) -> Iterator[tuple[int, bytes, list[str], Fault | None]]:
        """Yield first line, bytes, cells and fault of each record from the file's position on.

        Of a record with a quotation mark that is not closed only the first line is given up: what follows may be
        good rows.
        """
        before = csv.field_size_limit(LONGEST)
        try:
            reader = self._reader()
            while True:
                self._taken, self._cut, first = [], None, self._line + 1
                try:
                    cells = next(reader, [])
                except csv.Error as error:
                    cells, self._cut = [], self._cut or Fault(FaultKind.SYNTAX, str(error))
                if not self._taken:
                    return
                if len(self._taken) > 1 and self.columns and len(cells) != len(self.columns):
                    self._cut = _OPEN
                if self._cut is not None:
                    yield first, self._taken[0], cells, self._cut
                    self.file.seek(self._second)
                    self.done, self._line = self._second, first
                    reader = self._reader()
                elif cells:
                    raw = b"".join(self._taken)
                    yield first, raw, cells, _undecodable(raw)
        finally:
            csv.field_size_limit(before)

    def _reader(self) -> Iterator[list[str]]:
        # Strict: what stands behind a closing quotation mark shows that it opened somewhere else.
        return csv.reader(self._feed(), delimiter=_DELIMITERS[self.format], strict=True)

    def _feed(self) -> Iterator[str]:
        """Give the reader line after line. It asks for one more inside a record only when a quotation mark is open."""
        size = 0
        for raw, fault in _lines(self.file, self):
            if not self._taken:
                self._second, size = self.done, 0
            self._taken.append(raw)
            self._line += 1
            size += len(raw)
            if fault or size > LONGEST:
                self._cut = fault or _OPEN
                return
            yield (raw.removeprefix(_BOM) if self._line == 1 else raw).decode("utf-8", "surrogateescape")
        if self._taken:
            self._cut = _OPEN


def _lines(file: BinaryIO, reader: JsonLines | Separated) -> Iterator[tuple[bytes, Fault | None]]:
    """Yield lines with their ends. Of one longer than LONGEST, its beginning and a fault."""
    while raw := file.readline(LONGEST):
        reader.done += len(raw)
        if len(raw) < LONGEST or raw.endswith(b"\n"):
            yield raw, None
            continue
        while more := file.readline(LONGEST):
            reader.done += len(more)
            if more.endswith(b"\n"):
                break
        yield raw[:1000], Fault(FaultKind.LONG, f"a line longer than {LONGEST >> 20} MiB")


def _undecodable(raw: bytes) -> Fault | None:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return not_utf8(raw, error.start)
    return None


def not_utf8(raw: bytes, at: int) -> Fault:
    """Say where bytes stop to be UTF-8."""
    return Fault(FaultKind.ENCODING, f"not UTF-8: byte 0x{raw[at]:02x} at byte {at + 1}")
