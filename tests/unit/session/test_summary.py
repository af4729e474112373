"""The chance line, duplicates between seeds, and the promised keys of the JSON document."""

from __future__ import annotations

import pytest

from forge.model.checks import Outcome
from forge.model.growth import Candidate, CandidateRecord, Certificate, Item, SeedOutcome
from forge.model.profile import Limits
from forge.model.words import Cause, Group, Knows, Operator, Route, State, Tier
from forge.session.summary import Summary, chance, duplicates

FAILS = Outcome("hard_fail", Group.STRONG, Tier.STRONG, 300, failure=True)
PASSES = Outcome("strict_pass", Group.NONE, None, 20, failure=False, passed=True)
CERTIFICATE = Certificate(
    "strong", 4, 5, 0.28, 0.99, True, Cause.SALIENCE, Knows.YES, 0.7, "m", "rules", ("m",), {"trap": {"hard_fail": 4}}
)


def record(name: str, outcome: Outcome | None, certificate: Certificate | None = None) -> CandidateRecord:
    candidate = Candidate(name, "s", f"text of {name}", None, Operator.SEED)
    return CandidateRecord(candidate, Route.CERTIFY, "", outcome, certificate=certificate)


def item(name: str, text: str) -> Item:
    return Item(
        name, "salience", "s", "s-1", "D1", "missing_prerequisite", "c", text, text + "!", "hard_fail", Tier.STRONG,
        Cause.SALIENCE, 440.0, 4.1, "rules", Operator.GENERATE, False, ("c",), CERTIFICATE, {},
    )  # fmt: skip


def test_the_chance_line_by_hand() -> None:
    # 3 of 4 solved wordings failed: p = 0.75. P(X >= 3 of 5) = 10 p^3 q^2 + 5 p^4 q + p^5 = 0.896484; 2 were tried.
    outcome = SeedOutcome(
        "s", "s-1", State.CERTIFIED, "", "A",
        (record("a", FAILS, CERTIFICATE), record("b", FAILS, CERTIFICATE), record("c", FAILS), record("d", PASSES)),
    )  # fmt: skip
    told = chance([outcome], Limits())
    assert (told.rate, told.trials, told.tried) == (0.75, 4, 2)
    assert told.expected == pytest.approx(2 * 0.896484375, abs=1e-3)


def test_nothing_solved_has_no_rate() -> None:
    assert chance([SeedOutcome("s", "s-1", State.FAILED, "", "C")], Limits()).rate is None


def test_duplicates_point_from_later_seeds_to_earlier_ones_in_file_order() -> None:
    text = "I have twelve boxes of apples to bring to the market on Saturday and my cart is made of snow. How long?"
    first = SeedOutcome("a", "s-a", State.CERTIFIED, "", "A", items=(item("i1", text),))
    second = SeedOutcome(
        "b", "s-b", State.CERTIFIED, "", "A", items=(item("i2", text + " Thanks."), item("i3", "Else"))
    )
    assert [(later, earlier) for later, earlier, _ in duplicates([first, second], 0.88)] == [("i2", "i1")]
    assert [(later, earlier) for later, earlier, _ in duplicates([second, first], 0.88)] == [("i1", "i2")]


def test_the_document_has_the_promised_keys() -> None:
    outcome = SeedOutcome("s", "s-1", State.CERTIFIED, "", "A", (record("a", FAILS, CERTIFICATE),), (item("i1", "x"),))
    made = Summary("r", "salience/D1", "local", 0, (outcome,), (), 30, 10, 0.0, 12.5, chance([outcome], Limits()))
    document = made.document()
    assert set(document) >= {
        "run", "seed_set", "profile", "draw", "seeds", "items", "causes", "calls", "usd", "seconds",
    }  # fmt: skip
    assert document["seeds"] == {"total": 1, "certified": 1, "exhausted": 0, "failed": 0, "pending": 0}
    assert set(document["items"][0]) >= {
        "id", "seed", "text", "control", "label", "tier", "cause", "score", "naturalness", "stable", "operator",
    }  # fmt: skip
    assert document["items"][0]["stable"] == "4/5"
    assert document["calls"] == {"made": 30, "replayed": 10}
    assert document["calls_per_item"] == 40.0
    assert document["not_c0"] == 1
