"""JSON out of prose."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.text.jsontext import find_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
).filter(lambda value: isinstance(value, dict | list))


@given(VALUES, st.sampled_from(["{}", "```json\n{}\n```", "Here you are:\n{}\nI hope it helps.", "\n {} \n"]))
def test_any_value_comes_back_from_any_wrapping(value: object, wrapping: str) -> None:
    assert find_json(wrapping.replace("{}", json.dumps(value, ensure_ascii=False))) == value


@given(VALUES.filter(lambda value: len(json.dumps(value)) > 2), st.data())
def test_a_cut_value_is_never_half_read(value: object, data: st.DataObject) -> None:
    text = json.dumps(value)
    cut = data.draw(st.integers(1, len(text) - 1))
    with pytest.raises(ValueError):
        find_json(text[:cut])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('[1] says {"a": {"b": 2}} so', {"a": {"b": 2}}),
        ('{"a": 1} or {"b": 1}', {"a": 1}),
        ('{note} then {"a": "}"}', {"a": "}"}),
        ("[link](there) [1, 2, 3]", [1, 2, 3]),
        ("{}", {}),
        ('{"a": "```"}', {"a": "```"}),
    ],
)
def test_which_value_is_taken(text: str, value: object) -> None:
    assert find_json(text) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("no such thing", "no object"),
        ("42", "no object"),
        ("{'a': 1}", "no object"),
        ('{"a": {"b": 1}, "c": ', "cut"),
        ('{"a": "never closed}', "cut"),
        ('{"a": 1} {"a": 1, "b":', "cut"),
        ("[" * 100_000, "cut"),
        ('{"a": {"b": 1},}', "invalid"),
        ('{"a": NaN}', "invalid: NaN"),
        ('[1] {"verdict": "pass",}', "invalid"),
        ("[" * 100_000 + "]" * 100_000, "invalid"),
    ],
)
def test_reasons(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{reason}"):
        find_json(text)
