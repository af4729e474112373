"""Which quantity a rewrite asks for."""

from __future__ import annotations

import pytest

from forge.families.salience.wording import other_quantity


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("How many minutes will it take me?", None),
        ("How many more minutes do I need?", None),
        ("How long will it take me?", None),
        ("How many rounds will it take me?", "round"),
        ("When will it be full?", None),
    ],
)
def test_a_rewrite_counts_what_the_seed_counts(text: str, other: str | None) -> None:
    assert other_quantity("How many minutes will it take me to have it full?", [text]) == other


def test_a_seed_that_counts_nothing_allows_any_question() -> None:
    assert other_quantity("At what time will it be full?", ["How many rounds?"]) is None
