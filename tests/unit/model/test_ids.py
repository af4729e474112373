"""Content ids: the same in every process, blind to key order, and closed to what JSON has no word for."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.model.errors import ForgeError, SeedError, UsageError, shorten
from forge.model.ids import canonical, content_id, digest, text_digest

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


def test_canonical_by_hand() -> None:
    assert canonical({"b": [1, "é"], "a": None}) == '{"a":null,"b":[1,"é"]}'.encode()
    assert digest({"a": 1}) == hashlib.sha256(b'{"a":1}').hexdigest()
    assert text_digest("é") == hashlib.sha256("é".encode()).hexdigest()
    assert content_id("c", {"a": 1}) == "c-" + hashlib.sha256(b'{"a":1}').hexdigest()[:12]


@given(st.dictionaries(st.text(), JSON, max_size=6))
def test_key_order_does_not_matter(value: dict[str, object]) -> None:
    assert digest(value) == digest(dict(reversed(list(value.items()))))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, b"x"])
def test_what_json_cannot_say_is_refused(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        canonical(value)


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_ids_do_not_depend_on_the_hash_seed(hash_seed: str) -> None:
    code = "from forge.model.growth import candidate_id; print(candidate_id('s', 'text', None, 'seed', 0, 0))"
    printed = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": "."},
        capture_output=True,
        check=True,
    ).stdout
    plain = b'{"intensity":0,"operator":"seed","ordinal":0,"parent":null,"seed":"s","text":"text"}'
    assert printed.decode().strip() == "c-" + hashlib.sha256(plain).hexdigest()[:12]


def test_errors_say_what_where_value_and_how_to_mend_it() -> None:
    error = SeedError("the field is missing", where="D1.yaml:3", value="x" * 500, fix="write it")
    lines = str(error).splitlines()
    assert lines[0] == "the field is missing"
    assert lines[1] == "  where: D1.yaml:3"
    assert lines[2].endswith("…")
    assert lines[3] == "  fix:   write it"
    assert (ForgeError.exit_code, UsageError.exit_code) == (3, 2)
    assert shorten("a\n b") == "a b"
