from __future__ import annotations

from collections.abc import Callable

import pytest

from forge.families.hidden_constraint.checks import check, viability
from forge.families.hidden_constraint.naturalness import naturalness
from forge.families.hidden_constraint.rendering import active
from forge.families.hidden_constraint.seed import HiddenConstraintSeed
from forge.model.words import Role


def test_a_sound_scenario_is_graded_a(seed: HiddenConstraintSeed) -> None:
    verdict = viability(seed)
    assert (verdict.grade, verdict.passed, verdict.reason) == ("A", True, "")
    assert all(value for name, value in verdict.details.items() if name.endswith("_pass"))


def test_an_error_is_c_and_a_warning_a_minus(change: Callable[..., HiddenConstraintSeed]) -> None:
    wrong = viability(change(("gold", "active"), "heuristic"))
    assert (wrong.grade, wrong.passed) == ("C", False)
    assert wrong.details["unique_answers_pass"] is False
    assert "swapped" in wrong.reason
    assert viability(change(("fact", "removed"), "my own bedside drawer", 1)).grade == "A-"


def test_a_stiff_scenario_is_b(change: Callable[..., HiddenConstraintSeed]) -> None:
    stiff = (
        "It is required, pursuant to the aforementioned regulations and in accordance with the mandated procedure, that "
        "the test centre shall have the van inspected{clause}. The designated centre is {cue} and the said van, as "
        "specified in the requirements, has been in {fact} since Sunday. Calculate the optimal procedure, evaluate the logistical "
        "parameters, and determine the compliance objective as the section specified. {question}"
    )
    assert viability(change(("template",), stiff)).grade in ("B", "C")
    assert (naturalness(change(("template",), stiff), active(change(("template",), stiff))).score or 5) < 3.0


def test_the_four_checkers_agree_on_the_own_wording(seed: HiddenConstraintSeed) -> None:
    text = active(seed)
    for role in (Role.TRUTH, Role.ALIGNMENT, Role.COMPLIANCE):
        verdict = check(role, seed, text, text)
        assert (verdict.check, verdict.passed, verdict.reason) == (role.value, True, "")
    assert check(Role.ALIGNMENT, seed, text, text).grade == "strong"
    score = check(Role.NATURALNESS, seed, text, None).score
    assert score is not None
    assert 3.5 <= score <= 5


@pytest.mark.parametrize(
    ("old", "new", "truth", "grade"),
    [
        ("in my carport", "in their yard", False, "invalid"),
        ("Should I walk there or drive there?", "How long will it take?", True, "weak"),
        ("just 200 metres from my gate", "quite near", True, "invalid"),
        ("the weather should be fine", "as an AI I am sure", True, "borderline"),
    ],
)
def test_what_is_lost_decides_the_grade(
    seed: HiddenConstraintSeed, old: str, new: str, truth: bool, grade: str
) -> None:
    text = active(seed).replace(old, new)
    assert check(Role.TRUTH, seed, text, None).passed is truth
    aligned = check(Role.ALIGNMENT, seed, text, None)
    assert aligned.grade == grade
    assert aligned.passed is (grade in ("strong", "borderline"))
    assert check(Role.COMPLIANCE, seed, text, active(seed)).passed is (grade == "borderline")


def test_a_role_that_checks_nothing_is_refused(seed: HiddenConstraintSeed) -> None:
    with pytest.raises(ValueError, match="no checker"):
        check(Role.SOLVER, seed, "text", None)


def test_naturalness_is_a_surface_score(seed: HiddenConstraintSeed) -> None:
    verdict = naturalness(seed, active(seed))
    assert verdict.details["name"] == "surface"
    assert verdict.details["life_naturalness"] is None
    assert naturalness(seed, "").score == pytest.approx(7 / 3, abs=1e-6)
    doubtful = active(seed).replace("Should I", "I know it sounds odd, so is it possible? Should I")
    assert (naturalness(seed, doubtful).score or 0) < (verdict.score or 0)
