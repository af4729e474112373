from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.families.hidden_constraint.labels import CONDITIONS, TRIALS
from forge.families.hidden_constraint.measures import measure
from forge.families.hidden_constraint.references import chooser, references
from forge.model.checks import Reading

C, H = "constraint_heavy", "heuristic"


def one(label: str | None, first: bool | None = None) -> Reading:
    details = {} if first is None else {"first": first}
    return Reading(label, None if label else "empty", details=details)


def solve(*labels: str | None) -> list[tuple[str, Reading]]:
    return [(name, one(label)) for name, label in zip(TRIALS, labels, strict=True)]


def test_nothing_gives_none_everywhere() -> None:
    made = measure([])
    assert made.n == 0
    assert set(made.rates.values()) == {None}
    assert made.differences == {"consistency_excess": None}
    assert made.lines == ()


def test_a_selective_solver() -> None:
    made = measure([*solve(C, C, H, H), *solve(C, C, H, H)])
    assert (made.rates["p_active"], made.rates["p_removed"]) == (1.0, 0.0)
    assert (made.rates["consistency"], made.rates["consistency_null"]) == (1.0, 0.5)
    assert made.differences["consistency_excess"] == 0.5
    assert made.rates["both_right"] == 1.0
    assert made.rates["first"] is None


def test_one_that_always_takes_one_option_is_consistent_and_has_no_excess() -> None:
    made = measure(solve(C, C, C, C))
    assert made.rates["consistency"] == made.rates["consistency_null"] == 1.0
    assert made.differences["consistency_excess"] == 0.0
    assert made.rates["over_activation"] == 1.0


def test_one_that_follows_the_letter() -> None:
    readings = [(name, one(label, True)) for name, label in zip(TRIALS, (C, H, C, H), strict=True)]
    made = measure(readings)
    assert (made.rates["first"], made.rates["consistency"], made.rates["position"]) == (1.0, 0.0, 1.0)
    assert made.differences["consistency_excess"] == -0.5
    assert made.lines == (
        "order: option A in 100% of 4 readable answers",
        "swapping: 0% of 2 pairs keep their choice, -50 points against the 50% of their marginal null",
        "position: 100% of 1 solves follow the letter and certify nothing; of an always-first solver's solves 0% "
        "could be certified",
    )


def test_unreadable_answers_are_counted_and_left_out_of_pairs() -> None:
    made = measure(solve(C, None, H, H))
    assert made.counts["active_swapped/unreadable"] == 1
    assert (made.rates["unreadable"], made.denominators["consistency"]) == (0.25, 1)
    assert made.rates["unreadable_solves"] == 1.0


@given(st.lists(st.tuples(st.sampled_from(CONDITIONS), st.sampled_from((C, H, None))), max_size=60))
def test_rates_stay_within_their_bounds(rows: list[tuple[str, str | None]]) -> None:
    made = measure([(name, one(label)) for name, label in rows])
    assert all(rate is None or 0 <= rate <= 1 for rate in made.rates.values())
    assert all((made.rates[name] is None) == (made.denominators[name] == 0) for name in made.rates)
    gap = made.differences["consistency_excess"]
    assert gap is None or -0.5 - 1e-9 <= gap <= 0.5 + 1e-9


@pytest.mark.parametrize("name", list(references()))
def test_closed_forms_are_what_enumeration_gives(name: str) -> None:
    heavy = {"uniform": (0.5, 0.5), "always_constraint_heavy": (1, 1), "always_heuristic": (0, 0),
             "always_first": (1, 0), "always_second": (0, 1)}[name]  # fmt: skip
    found: dict[str, float] = dict.fromkeys(
        ("both_right", "under_activation", "over_activation", "both_wrong", "position"), 0.0
    )
    for labels in itertools.product((C, H), repeat=4):
        weight = 1.0
        for place, label in enumerate(labels):
            share = heavy[place % 2]
            weight *= share if label == C else 1 - share
        rates = measure(solve(*labels)).rates
        for key in found:
            found[key] += weight * (rates[key] or 0.0)
    scores = references()[name]
    assert {key: scores[key] for key in found} == pytest.approx(found)
    assert scores["failure"] == pytest.approx(
        found["under_activation"] + found["over_activation"] + found["both_wrong"]
    )
    assert sum(found.values()) == pytest.approx(1.0)


def test_only_content_can_be_certified() -> None:
    scores = references()
    assert scores["always_first"]["failure"] == scores["always_second"]["failure"] == 0
    assert scores["always_heuristic"]["failure"] == scores["always_constraint_heavy"]["failure"] == 1
    assert scores["uniform"]["failure"] == 3 / 16
    with pytest.raises(ValueError, match="probability"):
        chooser({True: 2.0, False: 0.0})
