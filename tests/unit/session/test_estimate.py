"""The estimate, by hand, for a profile small enough to count."""

from __future__ import annotations

import pytest

from forge.model.profile import Limits, Profile, RoleSpec
from forge.model.words import Role
from forge.session.estimate import TOKENS, calls_by_role, estimate


def profile(**limits: int) -> Profile:
    rules, model = RoleSpec(), RoleSpec(models=("openai/m",), temperature=0.7, max_tokens=1000)
    players = {Role.GENERATOR, Role.SOLVER, Role.ANNEALER, Role.ENHANCER}
    roles = {role: model if role in players else rules for role in Role}
    small = {"max_candidates": 3, "max_steps": 2, "generator_rounds": 2, "rewrite_repairs": 0, "certify_tries": 1}
    return Profile(name="p", roles=roles, limits=Limits(**{**small, "top_k": 1, **limits}))


def test_the_most_calls_by_hand() -> None:
    _, most, _, probes = calls_by_role(profile(), 10)
    # 2 expansions a seed; 3 solves and one certification of 5 trap, 3 control and 3 explicit samples; 4 x 3 probes
    assert most[Role.GENERATOR] == 20
    assert most[Role.SOLVER] == 10 * (3 + 5 + 6)
    assert probes == 10 * 12


def test_repairs_and_tries_raise_the_bound() -> None:
    _, most, _, _ = calls_by_role(profile(rewrite_repairs=1, certify_tries=2), 10)
    assert most[Role.GENERATOR] == 40
    assert most[Role.SOLVER] == 10 * (3 + 2 * 11)


def test_money_is_the_sum_over_roles_or_unknown() -> None:
    plain = profile()
    told = estimate(plain, 1, lambda model, tokens_in, tokens_out: (tokens_in + tokens_out) / 1000)
    assert told.usd is not None
    assert told.most_usd is not None
    assert told.most_usd > told.usd > 0
    assert estimate(plain, 1, lambda *_: None).usd is None
    assert told.seconds == 0


def test_a_likely_run_costs_less_than_the_most() -> None:
    told = estimate(profile(), 12, lambda *_: 0.0)
    assert 0 < told.calls <= told.most_calls


@pytest.mark.parametrize("role", list(Role))
def test_every_role_has_a_size(role: Role) -> None:
    assert min(TOKENS[role]) > 0
