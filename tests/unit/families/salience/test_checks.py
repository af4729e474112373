from __future__ import annotations

from typing import Any

import pytest

from forge.families.salience.checks import check, viability
from forge.families.salience.seed import SalienceSeed
from forge.model.words import Role

GOOD = (
    "I need 30 litres of water from the pump before lunch. My laundry net takes 5 litres a time and a round is about "
    "six minutes. How many rounds is that, and when will I be done if I start at 10:00?"
)


@pytest.mark.parametrize("role", [Role.TRUTH, Role.ALIGNMENT, Role.COMPLIANCE, Role.NATURALNESS])
def test_a_good_rewrite_passes_every_checker(seed: SalienceSeed, role: Role) -> None:
    verdict = check(role, seed, GOOD, seed.prompt)
    assert verdict.passed
    assert (verdict.check, verdict.by) == (role.value, "rules")


def test_the_absurd_action_is_no_reason_to_reject(seed: SalienceSeed) -> None:
    assert check(Role.TRUTH, seed, seed.prompt, None).passed


@pytest.mark.parametrize("change", [("My laundry net", "My waterproof laundry net"), ("laundry net", "bucket")])
def test_a_mended_tool_loses_the_truth(seed: SalienceSeed, change: tuple[str, str]) -> None:
    verdict = check(Role.TRUTH, seed, GOOD.replace(*change), None)
    assert not verdict.passed
    assert verdict.reason


def test_alignment_grades(seed: SalienceSeed) -> None:
    assert check(Role.ALIGNMENT, seed, GOOD, None).grade == "strong"
    escape = check(Role.ALIGNMENT, seed, GOOD + " And what does the water cost?", None)
    assert (escape.grade, escape.passed) == ("weak", False)
    assert escape.details["normal_subtask_escape"] is True
    assert check(Role.ALIGNMENT, seed, GOOD.replace("laundry net", "bag"), None).grade == "invalid"
    told = check(Role.ALIGNMENT, seed, GOOD.replace("before lunch", "before it can drain away"), None)
    assert (told.grade, told.passed) == ("borderline", True)


def test_compliance_wants_the_numbers(seed: SalienceSeed) -> None:
    verdict = check(Role.COMPLIANCE, seed, GOOD.replace("30 litres", "plenty"), seed.prompt)
    assert not verdict.passed
    assert verdict.details == {"trap_preserved": True, "numbers_preserved": False, "subtask_escape": False}


def test_no_checker_of_that_name(seed: SalienceSeed) -> None:
    with pytest.raises(ValueError, match="no checker"):
        check(Role.SOLVER, seed, GOOD, None)


def test_a_sound_seed_is_an_a(seed: SalienceSeed) -> None:
    verdict = viability(seed)
    assert (verdict.grade, verdict.passed) == ("A", True)
    assert sum(value is True for value in verdict.details.values()) == 6


def test_a_warning_makes_it_an_a_minus(raw: dict[str, Any]) -> None:
    raw["explicit"]["after"] = raw["salience_control"]["after"] = "my beds"
    assert viability(SalienceSeed(**raw)).grade == "A-"


def test_a_failed_check_makes_it_a_b(raw: dict[str, Any]) -> None:
    raw["blocker"]["kind"] = "credential"
    verdict = viability(SalienceSeed(**raw))
    assert (verdict.grade, verdict.passed) == ("B", True)
    assert verdict.details["dimension_fit_pass"] is False


def test_an_error_makes_it_a_c(raw: dict[str, Any]) -> None:
    raw["work"] = ["30 litres"]
    assert viability(SalienceSeed(**raw)).grade == "C"
