"""One column of a Parquet file in order, chosen rows to another file, and files that are none."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from forge.model.errors import StorageError
from forge.registry.parquet import ParquetFile


def made(path: Path, query: str) -> Path:
    with duckdb.connect(":memory:") as con:
        con.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)")
    return path


def all_rows(path: Path) -> list[tuple[object, ...]]:
    with duckdb.connect(":memory:") as con:
        return con.execute("SELECT * FROM read_parquet(?)", [str(path)]).fetchall()


def test_values_come_in_order_whatever_the_columns_are_called(tmp_path: Path) -> None:
    name = """we"ird'; --"""
    path = made(tmp_path / "a.parquet", 'SELECT i AS id, \'text \' || i AS "we""ird\'; --" FROM range(7000) t(i)')
    file = ParquetFile(path)
    assert file.columns == ("id", name)
    assert file.rows == 7000
    assert list(file.values(name)) == [f"text {i}" for i in range(7000)]
    assert file.foreign(name) is None
    assert file.foreign("id") == "BIGINT"


def test_missing_values_bytes_and_enumerations(tmp_path: Path) -> None:
    query = "SELECT * FROM (VALUES ('a', 'x'::BLOB, 'u'::ENUM('u', 'v')), (NULL, '\\xFF'::BLOB, 'v')) t(a, b, c)"
    file = ParquetFile(made(tmp_path / "a.parquet", query))
    assert list(file.values("a")) == ["a", None]
    assert list(file.values("b")) == [b"x", b"\xff"]
    assert list(file.values("c")) == ["u", "v"]
    assert [file.foreign(name) for name in "abc"] == [None, None, None]


@pytest.mark.parametrize("step", [1, 3, 5000])
def test_chosen_rows_are_copied_in_order_with_all_their_columns(step: int, tmp_path: Path) -> None:
    path = made(tmp_path / "a[1]*?.parquet", "SELECT i AS id, [i, i + 1] AS l, {'x': i} AS s FROM range(5000) t(i)")
    keep = bytearray(625)
    for row in range(0, 5000, step):
        keep[row // 8] |= 0x80 >> row % 8
    out = tmp_path / "out's.parquet"
    ParquetFile(path).copy(out, bytes(keep))
    assert all_rows(out) == [(i, [i, i + 1], {"x": i}) for i in range(0, 5000, step)]


def test_no_rows(tmp_path: Path) -> None:
    file = ParquetFile(made(tmp_path / "a.parquet", "SELECT 'x' AS a LIMIT 0"))
    assert (file.rows, list(file.values("a"))) == (0, [])
    file.copy(tmp_path / "out.parquet", b"\0")
    assert ParquetFile(tmp_path / "out.parquet").columns == ("a",)


@pytest.mark.parametrize("data", [None, b"", b"not parquet at all", b"PAR1" + b"\0" * 40])
def test_a_file_that_is_missing_or_damaged(data: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(StorageError, match=r"a\.parquet"):
        _ = ParquetFile(path).columns
