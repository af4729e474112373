from __future__ import annotations

import pytest

from forge.families.pairs import problem

ONE = "I have a slot tomorrow at the repair shop, and my car has been in my driveway since Friday. Walk or drive?"


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (ONE.replace("my driveway", "their yard"), None),
        (ONE.replace("my driveway", "the big yard that they have"), "differ by 4 words"),
        (ONE.replace("my driveway", "their yard").replace("tomorrow", "today"), "differ in 2 places"),
        ("Hm.", "differ by"),
        (ONE, "differ in 0 places"),
    ],
)
def test_the_criterion(other: str, said: str | None) -> None:
    found = problem(ONE, other, "active and removed")
    assert found is None if said is None else found is not None and f"active and removed {said}" in found


def test_similarity_and_token_edits_have_limits() -> None:
    assert "similar" in (problem("a b c d", "a b c longlonglong") or "")
    long = " ".join(f"word{n}" for n in range(60))
    other = long.replace(
        "word1 word2 word3 word4 word5 word6 word7 word8", "wort1 wort2 wort3 wort4 wort5 wort6 wort7 wort8"
    )
    assert "token edits" in (problem(long, other) or "")
