"""Reads one column of a Parquet file row by row, and copies chosen rows to another, through DuckDB in bounded memory.

It holds no registry, and no name from a file becomes SQL.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import duckdb

from forge.model.errors import StorageError, shorten

_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "threads": 1,
    "memory_limit": "1GB",
    "temp_directory": "",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
_FETCHED = 512
_TEXTS = frozenset({"VARCHAR", "JSON", "UUID"})
_BYTES = "BLOB"
_COLUMNS = "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet(?))"
_ROWS = "SELECT coalesce(sum(num_rows), 0)::BIGINT FROM parquet_file_metadata(?)"
_COPY = """
    COPY (SELECT * EXCLUDE (file_row_number) FROM read_parquet(?, file_row_number = true)
        WHERE get_bit(?::BLOB::BIT, file_row_number::INTEGER) = 1)
    TO ? (FORMAT parquet, COMPRESSION zstd)
"""


class ParquetFile:
    """One Parquet file.

    Every method raises StorageError when the file is missing, damaged or no Parquet file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def _types(self) -> dict[str, str]:
        with self._connection() as con:
            return {str(name): str(kind) for name, kind in con.execute(_COLUMNS, [self._pattern]).fetchall()}

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns, in order."""
        return tuple(self._types)

    @cached_property
    def rows(self) -> int:
        """How many rows it has."""
        with self._connection() as con:
            row = con.execute(_ROWS, [self._pattern]).fetchone()
            return int(row[0]) if row else 0

    def foreign(self, column: str) -> str | None:
        """Return the type of a column that holds no text, or None."""
        kind = self._types[column]
        return None if kind in _TEXTS or kind == _BYTES or kind.startswith("ENUM") else kind

    def values(self, column: str) -> Iterator[object]:
        """Yield what stands in one column, row by row: text, bytes or None."""
        number = list(self._types).index(column) + 1
        with self._connection() as con:
            # Columns are named by their place, so that a name is never part of a query.
            cast = "" if self._types[column] == _BYTES else "::VARCHAR"
            cursor = con.execute(" ".join((f"SELECT #{number}{cast}", "FROM read_parquet(?)")), [self._pattern])
            while fetched := cursor.fetchmany(_FETCHED):
                for row in fetched:
                    yield row[0]

    def copy(self, out: Path, keep: bytes) -> None:
        """Write chosen rows, in order, with all their columns.

        Args:
            keep: one bit a row, the highest of a byte first; at least as many as there are rows.
        """
        with self._connection() as con:
            con.execute(_COPY, [self._pattern, keep, str(out)])

    @property
    def _pattern(self) -> str:
        """The path as DuckDB must be given it: what it takes for wildcards, in brackets."""
        return re.sub(r"[*?\[]", lambda match: f"[{match.group()}]", str(self.path.absolute()))

    @contextlib.contextmanager
    def _connection(self) -> Iterator[duckdb.DuckDBPyConnection]:
        if not self.path.is_file():
            raise StorageError("the file cannot be read: no such file", where=str(self.path), fix="check the path")
        try:
            with duckdb.connect(":memory:", config=_CONFIG) as con:
                yield con
        except duckdb.Error as error:
            raise StorageError(
                "the Parquet file cannot be read or written",
                where=str(self.path),
                value=shorten(str(error)),
                fix="check that it is a whole Parquet file, and that the disk has room",
            ) from error
