from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.families.hidden_constraint.order import SALT, counterbalance, heavy_first

IDS = st.lists(st.text("abcdefgh-0123456789", min_size=1, max_size=12), unique=True, max_size=40)
CODE = """
import json
from forge.families.hidden_constraint.order import counterbalance
print(json.dumps(counterbalance([f"A1-{n}" for n in range(9)])))
"""


@given(IDS)
def test_it_is_balanced_to_within_one(ids: list[str]) -> None:
    made = counterbalance(ids)
    assert list(made) == ids
    assert abs(2 * sum(made.values()) - len(ids)) <= 1


@given(IDS, st.randoms())
def test_the_sequence_given_makes_no_difference(ids: list[str], random: object) -> None:
    shuffled = sorted(ids, reverse=True)
    assert counterbalance(shuffled) == counterbalance(ids)


def test_another_salt_is_another_order() -> None:
    ids = [f"A1-{n}" for n in range(20)]
    assert counterbalance(ids, "one") != counterbalance(ids, "two")
    assert counterbalance(ids) == counterbalance(ids, SALT)


def test_many_odd_cells_lean_to_no_side() -> None:
    cells = [[f"{cell}-{n}" for n in range(5)] for cell in range(400)]
    first = sum(sum(counterbalance(ids).values()) for ids in cells)
    # each cell has 2 or 3 of 5 by a fair turn: 1000 expected, standard deviation 10
    assert abs(first - 1000) < 50


def test_it_is_the_same_in_every_process() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", CODE],
            env={**os.environ, "PYTHONHASHSEED": salt},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for salt in ("1", "2")
    ]
    assert said[0] == said[1]
    assert json.loads(said[0]) == counterbalance([f"A1-{n}" for n in range(9)])


def test_an_id_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        counterbalance(["a", "b", "a"])


def test_the_plain_order_is_the_parity_of_the_salted_hash() -> None:
    made = [heavy_first(f"seed-{n}") for n in range(400)]
    assert 150 < sum(made) < 250
    assert heavy_first("seed-1") == heavy_first("seed-1", SALT)
