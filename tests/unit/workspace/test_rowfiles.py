"""Rows of JSON Lines, CSV and TSV: their bytes, their numbers, and what is wrong with them."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.model.errors import StorageError, UsageError
from forge.workspace import rowfiles
from forge.workspace.rowfiles import FaultKind, Format, JsonLines, Record, Separated, format_of, opened

CELLS = st.text(alphabet='ab,"\n\r;é \t', max_size=6)


def lines(data: bytes) -> list[Record]:
    return list(JsonLines(io.BytesIO(data)).records())


def separated(data: bytes, column: str = "b", kind: Format = Format.CSV) -> tuple[Separated, list[Record]]:
    reader = Separated(io.BytesIO(data), kind, column)
    reader.start()
    return reader, list(reader.records())


def told(records: list[Record]) -> list[tuple[int, int, object]]:
    return [(one.row, one.line, one.fault.kind if one.fault else one.value) for one in records]


def test_lines_are_rows_and_blank_ones_are_not() -> None:
    records = lines(b'{"a": 1}\n\n  \r\n{"a": 2}\r\n{"a": 3}')
    assert [(one.row, one.line, one.raw) for one in records] == [
        (1, 1, b'{"a": 1}\n'), (2, 4, b'{"a": 2}\r\n'), (3, 5, b'{"a": 3}'),
    ]  # fmt: skip


def test_a_line_that_is_too_long_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rowfiles, "LONGEST", 16)
    reader = JsonLines(io.BytesIO(b"short\n" + b"x" * 50 + b"\nlast\n"))
    records = list(reader.records())
    assert [one.raw for one in records if one.fault is None] == [b"short\n", b"last\n"]
    assert [one.fault.kind for one in records if one.fault] == [FaultKind.LONG]
    assert [one.line for one in records] == [1, 2, 3]
    assert reader.done == 62


@settings(deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_what_the_csv_module_writes_is_read_back_byte_for_byte(rows: list[tuple[str, ...]], end: str) -> None:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerows([("a", "b", "c"), *rows])
    data = out.getvalue().encode()
    reader, records = separated(data)
    assert [one.value for one in records] == [row[1] for row in rows]
    assert reader.columns == ("a", "b", "c")
    assert reader.header + b"".join(one.raw for one in records) == data
    assert reader.done == len(data)


def test_a_record_on_several_lines_keeps_its_first_line_as_its_place() -> None:
    _, records = separated(b'a,b\n1,"two\nlines"\n\n2,one\n')
    assert told(records) == [(1, 2, "two\nlines"), (2, 5, "one")]
    assert records[0].raw == b'1,"two\nlines"\n'


def test_a_quotation_mark_that_is_not_closed_costs_one_line() -> None:
    _, records = separated(b'a,b\n1,x\n2,"open\n3,y\n4,z\n')
    assert told(records) == [(1, 2, "x"), (2, 3, FaultKind.SYNTAX), (3, 4, "y"), (4, 5, "z")]
    assert records[1].raw == b'2,"open\n'
    # closed by a later one, in a record that has too many columns then
    _, records = separated(b'a,b\n1,"open\n2,y\n3,"z"\n4,w\n')
    assert told(records) == [(1, 2, FaultKind.SYNTAX), (2, 3, "y"), (3, 4, "z"), (4, 5, "w")]


def test_an_open_quotation_mark_is_given_up_after_so_many_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rowfiles, "LONGEST", 40)
    _, records = separated(b'a,b\n1,"open\n' + b"2,y\n" * 20)
    assert told(records)[0] == (1, 2, FaultKind.SYNTAX)
    assert [value for _, _, value in told(records)[1:]] == ["y"] * 20


def test_rows_that_are_no_rows_of_the_table() -> None:
    _, records = separated(b"a,b\n1\n1,2,3\n\xff,x\n4,y\n5")
    assert told(records) == [
        (1, 2, FaultKind.SYNTAX), (2, 3, FaultKind.SYNTAX), (3, 4, FaultKind.ENCODING), (4, 5, "y"),
        (5, 6, FaultKind.SYNTAX),
    ]  # fmt: skip
    faults = [one.fault.reason for one in records if one.fault]
    assert faults == [
        "1 columns where the header has 2",
        "3 columns where the header has 2",
        "not UTF-8: byte 0xff at byte 1",
        "1 columns where the header has 2; the file ends in the middle of this line",
    ]


def test_a_byte_order_mark_tabs_and_a_column_that_is_not_there() -> None:
    reader, records = separated(b"\xef\xbb\xbfb\ta\nx, y\tz\n", kind=Format.TSV)
    assert reader.columns == ("b", "a")
    assert told(records) == [(1, 2, "x, y")]
    reader, records = separated(b"a,c\n1,2\n")
    assert told(records) == [(1, 2, None)]
    reader, records = separated(b"")
    assert (reader.columns, reader.header, records) == ((), b"", [])


def test_a_header_that_is_not_utf8_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_bytes(b"a,\xff\n1,2\n")
    with opened(path) as file, pytest.raises(StorageError, match=r"f\.csv:1"):
        Separated(file, Format.CSV, "a").start()


def test_the_csv_modules_own_limit_is_as_it_was() -> None:
    before = csv.field_size_limit()
    _, records = separated(b'a,b\n1,"' + b"x" * 300_000 + b'"\n')
    assert len(str(records[0].value)) == 300_000
    assert csv.field_size_limit() == before


@pytest.mark.parametrize(
    ("name", "given_format", "expected"),
    [
        ("a.jsonl", None, Format.JSONL),
        ("a.NDJSON", None, Format.JSONL),
        ("a.b.csv", None, Format.CSV),
        ("a.tsv", None, Format.TSV),
        ("a.parquet", None, Format.PARQUET),
        ("a.txt", "csv", Format.CSV),
        ("a.csv", "jsonl", Format.JSONL),
    ],
)
def test_formats(name: str, given_format: str | None, expected: Format) -> None:
    assert format_of(Path(name), given_format) is expected


@pytest.mark.parametrize("name", ["a.json", "a", "jsonl"])
def test_an_unknown_suffix_is_wrong_use(name: str) -> None:
    with pytest.raises(UsageError, match="--format"):
        format_of(Path(name))


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_opened(name: str, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be read"):
        opened(tmp_path / name)
