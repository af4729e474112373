"""The hash table: against a dictionary of sets, while it grows, and in bounded pieces."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.text import buckets
from forge.text.buckets import Buckets, Column

KEYS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from([0, 7, 2**32 - 1])), max_size=30)


def array(rows: list[tuple[int, ...]]) -> np.ndarray:
    return np.array(rows, dtype=np.uint32).reshape(len(rows), 3)


def found(table: Buckets, keys: np.ndarray) -> set[tuple[int, int]]:
    return {
        pair
        for queries, rows in table.sharing(keys)
        for pair in zip(queries.tolist(), rows.tolist(), strict=True)
    }  # fmt: skip


@settings(deadline=None)
@given(KEYS, KEYS, KEYS)
def test_rows_that_share_a_key_are_found_and_no_others(
    first: list[tuple[int, ...]], second: list[tuple[int, ...]], asked: list[tuple[int, ...]]
) -> None:
    table = Buckets(3)
    table.add(array(first))
    table.add(array(second))
    rows = first + second
    expected = {(q, r) for q, want in enumerate(asked) for r, have in enumerate(rows) if set(want) & set(have)}
    assert found(table, array(asked)) == expected
    assert len(table) == len(rows)
    assert table.keys.tolist() == [list(row) for row in rows]


def test_it_grows_and_loses_nothing() -> None:
    rng = np.random.default_rng(5)
    table, by_key = Buckets(4), defaultdict(set)
    for batch in range(12):
        keys = rng.integers(0, 3000, size=(250, 4)).astype(np.uint32)
        table.add(keys)
        for row, values in enumerate(keys.tolist()):
            for value in values:
                by_key[value].add(250 * batch + row)
    asked = rng.integers(0, 4000, size=(100, 4)).astype(np.uint32)
    expected = {(q, r) for q, values in enumerate(asked.tolist()) for value in values for r in by_key[value]}
    assert found(table, asked) == expected


def test_a_full_bucket_is_handed_on_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buckets, "_PAIRS", 40)
    table = Buckets(1)
    table.add(np.full((100, 1), 9, dtype=np.uint32))
    pieces = list(table.sharing(np.full((7, 1), 9, dtype=np.uint32)))
    # each step along the chains gives 7 pairs, so a piece is full after six of them
    assert max(len(queries) for queries, _ in pieces) == 42
    assert sum(len(queries) for queries, _ in pieces) == 700
    assert found(table, np.full((7, 1), 9, dtype=np.uint32)) == {(q, r) for q in range(7) for r in range(100)}


def test_more_entries_than_can_be_numbered_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buckets, "_MOST", 10)
    table = Buckets(5)
    table.add(np.zeros((2, 5), dtype=np.uint32))
    with pytest.raises(ValueError, match="at most 2 texts"):
        table.add(np.zeros((1, 5), dtype=np.uint32))


def test_an_empty_table_and_empty_batches() -> None:
    table = Buckets(2)
    assert found(table, np.zeros((3, 2), dtype=np.uint32)) == set()
    table.add(np.zeros((0, 2), dtype=np.uint32))
    assert len(table) == 0
    assert found(table, np.zeros((0, 2), dtype=np.uint32)) == set()


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 9), max_size=900), max_size=6))
def test_a_column_holds_what_was_appended(parts: list[list[int]]) -> None:
    column = Column(np.int64)
    for part in parts:
        column.append(np.array(part, dtype=np.int64))
    assert column.values.tolist() == [value for part in parts for value in part]
    assert len(column) == sum(map(len, parts))
    assert column.nbytes >= 8 * len(column)
