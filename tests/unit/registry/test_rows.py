from __future__ import annotations

import dataclasses
import hashlib
import json
from datetime import UTC, datetime, timedelta, timezone
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.model.checks import Verdict
from forge.model.errors import StorageError
from forge.model.growth import SeedOutcome
from forge.registry.rows import COLUMNS, item_from, item_row, outcome_rows, run_row, storable, to_json

_BODY = COLUMNS["items"].index("body")


def test_item_round_trips(made: SimpleNamespace) -> None:
    item = made.outcome().items[0]
    assert item_from(json.loads(item_row(item)[_BODY])) == item


# Python cannot tell an escaped pair of surrogates from the character they make, so pairs are left out.
_TEXT = st.text(st.characters(), max_size=30).filter(lambda t: t == json.loads(json.dumps(t)))
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(text=_TEXT, score=st.floats(allow_nan=False, allow_infinity=False), payload=st.dictionaries(_TEXT, _JSON))
def test_any_item_round_trips(made: SimpleNamespace, text: str, score: float, payload: dict[str, object]) -> None:
    item = dataclasses.replace(made.outcome().items[0], text=text, score=score, payload=payload)
    row = item_row(item)
    row[_BODY].encode("utf-8")
    assert item_from(json.loads(row[_BODY])) == item


def test_columns_of_an_item(made: SimpleNamespace) -> None:
    item = made.outcome().items[0]
    row = dict(zip(COLUMNS["items"], item_row(item), strict=True))
    assert row["text_sha256"] == hashlib.sha256(item.text.encode()).hexdigest()
    assert row["control_sha256"] == hashlib.sha256(item.control.encode()).hexdigest()
    assert (row["stable"], row["samples"], row["knows"], row["length"]) == (4, 5, "yes", len(item.text))
    # Exactly str: what DuckDB is given must not depend on how it treats subclasses.
    assert {type(row[name]) for name in ("tier", "cause", "operator", "knows")} == {str}


def test_row_widths(made: SimpleNamespace) -> None:
    for table, table_rows in outcome_rows("r1", made.outcome()).items():
        assert table_rows, table
        assert {len(row) for row in table_rows} == {len(COLUMNS[table])}


def test_lone_surrogates() -> None:
    assert storable("a\ud800b") == "a�b"
    assert to_json({"t": "a\ud800锅"}, "here") == '{"t":"a\\ud800锅"}'
    assert json.loads(to_json(["\udfff"], "here")) == ["\udfff"]


def test_nan_is_refused_with_its_place(made: SimpleNamespace) -> None:
    outcome: SeedOutcome = made.outcome()
    bad = dataclasses.replace(outcome.records[1], verdicts=(Verdict("truth", True, details={"x": float("nan")}),))
    with pytest.raises(StorageError) as caught:
        outcome_rows("r1", dataclasses.replace(outcome, records=(bad,)))
    assert f"seed D1-01, candidate {bad.candidate.id}, truth" in str(caught.value)


def test_times_become_utc(made: SimpleNamespace) -> None:
    tokyo = datetime(2026, 3, 1, 9, 0, tzinfo=timezone(timedelta(hours=9)))
    row = dict(zip(COLUMNS["runs"], run_row(made.run(ended=tokyo)), strict=True))
    assert row["ended"].tzinfo is UTC
    assert row["ended"].hour == 0


def test_naive_time_is_refused(made: SimpleNamespace) -> None:
    with pytest.raises(StorageError, match="without a zone"):
        run_row(made.run(ended=made.started.replace(tzinfo=None)))


@pytest.mark.parametrize(
    "broken", [{}, {"id": "i-1"}, {"tier": "huge"}, {"certificate": {}}, {"certificate": None}, {"lineage": None}]
)
def test_what_is_no_item_is_refused(made: SimpleNamespace, broken: dict[str, object]) -> None:
    body = json.loads(item_row(made.outcome().items[0])[_BODY]) if len(broken) == 1 and "id" not in broken else {}
    with pytest.raises(StorageError, match="not an item"):
        item_from(body | broken)
