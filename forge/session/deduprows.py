"""The rows of a file in batches, whatever its format, and what a missing column means."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Self

from forge.model.errors import listed
from forge.session.dedupwork import Batch
from forge.workspace.rowfiles import Fault, FaultKind, Format, JsonLines, Record, Separated, opened

if TYPE_CHECKING:
    from forge.registry.parquet import ParquetFile


class Source:
    """One file of rows, open for reading.

    Attributes:
        total: how much there is to read, in the measure of `Batch.done`: bytes, or rows of a Parquet file.
        header: bytes that stand before the rows.
        missing: what to say when the column is not there, or None; a JSON Lines file has no columns to ask for.

    Raises:
        StorageError: it cannot be read.
    """

    def __init__(self, path: Path, kind: Format, column: str) -> None:
        self.path, self.format, self.column = path, kind, column
        self.header = b""
        self.missing: str | None = None
        self._stack = ExitStack()
        self._parquet: ParquetFile | None = None
        if kind is Format.PARQUET:
            # Loaded only here: other formats need no database.
            from forge.registry.parquet import ParquetFile

            self._parquet = ParquetFile(path)
            self.total = self._parquet.rows
            self._require(self._parquet.columns)
            return
        file = self._stack.enter_context(opened(path))
        self.total = path.stat().st_size
        if kind is Format.JSONL:
            self._reader: JsonLines | Separated = JsonLines(file)
            return
        table = self._reader = Separated(file, kind, column)
        table.start()
        self.header = table.header
        if self.header:
            self._require(table.columns)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def lines(self) -> bool:
        """Whether rows are lines of JSON."""
        return self.format is Format.JSONL

    def batches(self) -> Iterator[Batch]:
        """Yield the rows in order, in batches of bounded size."""
        batch = Batch()
        for record in self._records():
            batch.add(record, lines=self.lines)
            if batch.full:
                batch.done = self._done(record)
                yield batch
                batch = Batch()
        if batch.records:
            batch.done = self.total
            yield batch

    def copy(self, out: Path, keep: bytes) -> None:
        """Write chosen rows of a Parquet file; see `ParquetFile.copy`."""
        assert self._parquet is not None
        self._parquet.copy(out, keep)

    def _require(self, columns: tuple[str, ...]) -> None:
        if self.column not in columns:
            self.missing = f"no column {self.column!r}; there are: {listed(map(repr, columns), 20) or 'none'}"

    def _missing(self) -> Fault | None:
        return None if self.missing is None else Fault(FaultKind.MISSING, self.missing)

    def _done(self, record: Record) -> int:
        return record.row if self._parquet is not None else self._reader.done

    def _records(self) -> Iterator[Record]:
        if self._parquet is not None:
            yield from self._cells(self._parquet)
            return
        missing = self._missing()
        for record in self._reader.records():
            yield record if missing is None or record.fault else record._replace(fault=missing)

    def _cells(self, file: ParquetFile) -> Iterator[Record]:
        fault = self._missing()
        if fault is None and (foreign := file.foreign(self.column)):
            fault = Fault(FaultKind.TYPE, f"the column is {foreign}, not text")
        if fault is not None:
            for row in range(1, file.rows + 1):
                yield Record(row, row, b"", None, fault)
            return
        for row, value in enumerate(file.values(self.column), 1):
            yield Record(row, row, b"", value)
