"""Responses to releases: stored all or none, replaced and never doubled, read back as they were."""

from __future__ import annotations

from dataclasses import replace

import pytest

from forge.model.ids import text_digest
from forge.registry.evaluations import ResponseRow, decoding_of, decoding_text
from forge.registry.store import Registry

DECODING = decoding_text({"temperature": 0.7, "max_tokens": 64})


def row(**changed: object) -> ResponseRow:
    made = ResponseRow(
        root="f" * 64, item="A1-x", condition="active", arm="none", model="local/a", decoding=DECODING, sample=0,
        run="r1", gold="heuristic", label="heuristic", unreadable=None, evidence="B", reader="rules, scope answer",
        text="B\nBecause.", reasoning="", cut=False, finish="stop", answered_by="a", key="k" * 64, seconds=0.5,
        prompt_tokens=100, completion_tokens=8, usd=0.0,
    )  # fmt: skip
    return replace(made, **changed)  # type: ignore[arg-type]


def test_rows_come_back_in_order_with_their_digest(registry: Registry) -> None:
    rows = [row(sample=1), row(), row(condition="removed", label=None, unreadable="empty", text="", usd=None)]
    registry.evaluations.add(rows)
    found = registry.evaluations.responses("f" * 64)
    assert [(one.condition, one.sample) for one in found] == [("active", 0), ("active", 1), ("removed", 0)]
    assert found[0] == replace(row(), text_sha256=text_digest("B\nBecause."))
    assert (found[2].label, found[2].unreadable, found[2].usd) == (None, "empty", None)


def test_the_same_response_is_replaced_and_others_stay(registry: Registry) -> None:
    registry.evaluations.add([row(), row(model="local/b"), row(arm="cot"), row(decoding=decoding_text({"a": 1}))])
    registry.evaluations.add([row(run="r2", label="constraint_heavy")])
    found = registry.evaluations.responses("f" * 64)
    assert len(found) == 4
    assert [one.run for one in found if one == replace(one, model="local/a", arm="none", decoding=DECODING)] == ["r2"]
    assert registry.evaluations.runs("f" * 64) == {"r1": 3, "r2": 1}


def test_another_release_is_another_release(registry: Registry) -> None:
    registry.evaluations.add([row(), row(root="0" * 64)])
    assert len(registry.evaluations.responses("0" * 64)) == 1
    assert registry.evaluations.responses("a" * 64) == []


def test_a_batch_that_fails_stores_nothing(registry: Registry) -> None:
    registry.evaluations.add([row()])
    with pytest.raises(Exception, match=r"NOT NULL|Constraint|null"):
        registry.evaluations.add([row(sample=1), row(sample=2, gold=None)])
    assert len(registry.evaluations.responses("f" * 64)) == 1


def test_text_that_is_sql_or_no_unicode_is_data(registry: Registry) -> None:
    text = "'); DROP TABLE responses; -- \ud800 {{7*7}}"
    registry.evaluations.add([row(text=text, item="x'; --")])
    found = registry.evaluations.responses("f" * 64)[0]
    assert found.item == "x'; --"
    assert found.text == text.replace("\ud800", "�")
    assert found.text_sha256 == text_digest(text)


def test_decoding_is_canonical() -> None:
    assert decoding_text({"b": 1, "a": 0.5}) == '{"a":0.5,"b":1}'
    assert decoding_of(DECODING) == {"temperature": 0.7, "max_tokens": 64}
