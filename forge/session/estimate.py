"""What a run will cost, before it is started: calls, tokens, dollars and time, as a likely value and an upper bound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from forge.model.profile import Profile
from forge.model.words import CHECKERS, Role

# Prompt and reply tokens of one call by role, measured on the shipped templates and seeds; a reply never exceeds
# the role's max_tokens.
TOKENS = {
    Role.VIABILITY: (420, 130),
    Role.GENERATOR: (420, 120),
    Role.TRUTH: (330, 60),
    Role.ALIGNMENT: (460, 130),
    Role.NATURALNESS: (380, 90),
    Role.SOLVER: (105, 350),
    Role.JUDGE: (900, 110),
    Role.ANNEALER: (400, 110),
    Role.ENHANCER: (400, 120),
    Role.COMPLIANCE: (420, 60),
}
PROBE_TOKENS = (25, 8)
BRIEF_TOKENS = 25
"""Reply tokens of a solver whose profile asks it for brief answers, measured on the 1.5B model."""
LOCAL_TOKENS_PER_SECOND = 20.0
"""Two slow cores; newer ones make two to three times as many. A prompt token counts a quarter."""


@dataclass(frozen=True)
class Estimate:
    """What a run asks for.

    Attributes:
        calls, most_calls: likely, and at most, before any answer is replayed.
        tokens: likely prompt and reply tokens.
        usd, most_usd: None when a price is unknown.
        seconds: likely time of the local model's share; 0 when none is local.
    """

    seeds: int
    calls: int
    most_calls: int
    tokens: tuple[int, int]
    usd: float | None
    most_usd: float | None
    seconds: float


def calls_by_role(
    profile: Profile, seeds: int, conditions: int = 1, diagnosed: int = 2, probes: int = 4
) -> tuple[dict[Role, float], dict[Role, float], float, float]:
    """Return likely and most calls by role, and likely and most probe calls.

    Likely: the generator's rounds, one expansion on every second seed, seven of ten wordings solved, and half as many
    further certifications as the limits allow after the first. Most: everything that the limits allow, repairs of
    malformed replies aside. The probe is the same for all items of a seed and is asked once.

    Args:
        conditions: conditions of one solve.
        diagnosed: conditions that certification asks after stability.
        probes: questions of the probe.
    """
    limits = profile.limits
    likely_wordings = min(limits.max_candidates, 1 + limits.generator_rounds + 0.5)
    most_wordings = limits.max_candidates
    again = 1 + limits.rewrite_repairs
    wanted = limits.top_k if limits.certify_tries is None else min(limits.top_k, limits.certify_tries)
    tries = 1 + 0.5 * (min(wanted, likely_wordings) - 1)
    most_tries = limits.certify_tries or limits.max_candidates
    trials = limits.stability_samples * conditions
    diagnosis = limits.diagnosis_samples * diagnosed
    generated = seeds * limits.generator_rounds * (1 + 0.5 * limits.rewrite_repairs)
    likely: dict[Role, float] = {Role.VIABILITY: seeds, Role.GENERATOR: generated}
    most: dict[Role, float] = {Role.VIABILITY: seeds, Role.GENERATOR: seeds * limits.max_steps * again}
    likely[Role.COMPLIANCE] = seeds * (likely_wordings - 1)
    most[Role.COMPLIANCE] = seeds * limits.max_steps
    for role in CHECKERS:
        likely[role], most[role] = seeds * likely_wordings * 0.8, seeds * most_wordings
    likely[Role.ANNEALER] = seeds * 0.5
    solved, most_solved = seeds * likely_wordings * 0.7 * conditions, seeds * most_wordings * conditions
    likely[Role.SOLVER] = solved + seeds * tries * (trials + diagnosis) * 0.9
    most[Role.SOLVER] = most_solved + seeds * most_tries * (trials + diagnosis)
    likely[Role.JUDGE], most[Role.JUDGE] = likely[Role.SOLVER], most[Role.SOLVER]
    probed = limits.diagnosis_samples * probes * seeds
    return likely, most, probed * 0.9, probed


def estimate(profile: Profile, seeds: int, usd: Callable[[str, int, int], float | None], **shape: int) -> Estimate:
    """Return what growing `seeds` seeds will take.

    Args:
        usd: dollars for (model, prompt tokens, reply tokens); None when no price is known.
        shape: conditions, diagnosed and probes of the family.
    """
    likely, most, probes, most_probes = calls_by_role(profile, seeds, **shape)
    prompt = reply = local_tokens = 0.0
    money: list[float | None] = []
    most_money: list[float | None] = []
    calls = most_calls = 0.0
    for role, spec in profile.roles.items():
        if spec.rules:
            continue
        sizes = [(likely.get(role, 0.0), most.get(role, 0.0), TOKENS[role])]
        if role is Role.SOLVER:
            sizes.append((probes, most_probes, PROBE_TOKENS))
        for count, top, (tokens_in, tokens_out) in sizes:
            brief = role is Role.SOLVER and spec.system
            out = min(tokens_out, spec.max_tokens, BRIEF_TOKENS if brief else tokens_out)
            calls, most_calls = calls + count, most_calls + top
            prompt, reply = prompt + count * tokens_in, reply + count * out
            if spec.models[0].startswith("local/"):
                local_tokens += count * (out + tokens_in * 0.25)
            price = usd(spec.models[0], tokens_in, out)
            worst = usd(spec.models[0], tokens_in, spec.max_tokens)
            money.append(None if price is None else price * count)
            most_money.append(None if worst is None else worst * top)
    return Estimate(
        seeds=seeds,
        calls=round(calls),
        most_calls=round(most_calls),
        tokens=(round(prompt), round(reply)),
        usd=_total(money),
        most_usd=_total(most_money),
        seconds=local_tokens / LOCAL_TOKENS_PER_SECOND,
    )


def _total(parts: list[float | None]) -> float | None:
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None
