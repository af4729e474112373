"""Certification: five fresh trap samples, then control, explicit version and probe, which give the cause."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from forge.agents.judge import judge
from forge.agents.room import Room
from forge.agents.solver import response, solve, system
from forge.families.base import ProbeQuestion, knows
from forge.model.calls import Fault
from forge.model.checks import Outcome, Prompt, Reading, Trial
from forge.model.growth import Certificate
from forge.model.words import Cause, Group, Knows, Role
from forge.stats.exact import clopper_pearson

UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Certified:
    """A certificate, passed or not, with the trials behind it."""

    certificate: Certificate
    trials: tuple[Trial, ...]


async def certify(room: Room, seed: Any, text: str, selected: Outcome) -> Certified | Fault:
    """Test one candidate's failure on samples that never selected it, and find its cause.

    Kept when at least `stability_needed` of `stability_samples` fall in the selected outcome's group (SaliTrap E.4).
    Only then are the family's diagnosis conditions and the probe asked, `diagnosis_samples` each.
    """
    limits, item = room.profile.limits, room.family.item(seed, text)
    conditions = room.family.trials(seed, text)
    wanted = [(condition, n) for n in range(1, limits.stability_samples + 1) for condition in conditions]
    fresh = await _all(room, (_trial(room, item, condition, n, seed.id) for condition, n in wanted))
    if isinstance(fresh, Fault):
        return fresh
    outcomes = [
        room.family.outcome({trial.condition: trial.reading for trial in fresh if trial.sample == n})
        for n in range(1, limits.stability_samples + 1)
    ]
    stable = sum(outcome.group is selected.group for outcome in outcomes)
    passed = selected.group is not Group.NONE and stable >= limits.stability_needed
    unsure = replace(
        _certificate(room, selected.group, stable, passed, _counts(fresh), fresh),
        cause=_shown(outcomes),
        system=system(room, room.family.render(item, conditions[0])),
    )
    if not passed:
        return Certified(unsure, fresh)
    return await _diagnosed(room, seed, item, unsure, fresh)


async def _diagnosed(
    room: Room, seed: Any, item: Any, certificate: Certificate, fresh: tuple[Trial, ...]
) -> Certified | Fault:
    samples, questions = range(room.profile.limits.diagnosis_samples), room.family.probe(seed)
    asked = [_trial(room, item, condition, n, seed.id) for condition in room.family.diagnosis for n in samples]
    probed = [_probe(room, question, n, seed.id) for question in questions for n in samples]
    told = await _all(room, [*asked, *probed])
    if isinstance(told, Fault):
        return told
    counts = _counts((*fresh, *told))
    known = _known(questions, counts, len(samples))
    cause = room.family.cause(known, {name: counts.get(name, {}) for name in (*counts, *room.family.diagnosis)})
    answered = tuple(sorted({trial.model for trial in (*fresh, *told)}))
    final = replace(certificate, knows=known, cause=cause, counts=counts, answered_by=answered)
    return Certified(final, (*fresh, *told))


def _certificate(
    room: Room, group: Group, stable: int, passed: bool, counts: dict[str, dict[str, int]], trials: Sequence[Trial]
) -> Certificate:
    samples = room.profile.limits.stability_samples
    low, high = clopper_pearson(stable, samples)
    return Certificate(
        group=group.value,
        stable=stable,
        samples=samples,
        low=round(low, 6),
        high=round(high, 6),
        passed=passed,
        cause=Cause.UNCLEAR,
        knows=Knows.UNCLEAR,
        temperature=room.spec(Role.SOLVER).temperature,
        solver=room.spec(Role.SOLVER).declared,
        judge=room.spec(Role.JUDGE).declared,
        answered_by=tuple(sorted({trial.model for trial in trials})),
        counts=counts,
    )


async def _trial(room: Room, item: Any, condition: str, sample: int, seed: str) -> Trial | Fault:
    answer = await solve(room, room.family.render(item, condition), seed=seed, sample=sample)
    if isinstance(answer, Fault):
        return answer
    reading = await judge(room, item, condition, response(answer), seed=seed)
    if isinstance(reading, Fault):
        return reading
    return Trial(condition, sample, response(answer), reading, answer.key, answer.model)


async def _probe(room: Room, question: ProbeQuestion, sample: int, seed: str) -> Trial | Fault:
    answer = await solve(room, Prompt(user=question.text), seed=seed, sample=sample)
    if isinstance(answer, Fault):
        return answer
    reading = room.family.read_probe(question, response(answer))
    return Trial(question.name, sample, response(answer), reading, answer.key, answer.model)


async def _all(room: Room, asked: Iterable[Coroutine[Any, Any, Trial | Fault]]) -> tuple[Trial, ...] | Fault:
    """Run trials, `trials_at_once` in parallel, and read them in index order.

    All are awaited even when one is a fault: an answer that is under way is paid for and must reach the ledger.
    """
    turns = asyncio.Semaphore(room.profile.trials_at_once)

    async def one(trial: Coroutine[Any, Any, Trial | Fault]) -> Trial | Fault:
        async with turns:
            return await trial

    done = await asyncio.gather(*(one(trial) for trial in asked))
    faults = [trial for trial in done if isinstance(trial, Fault)]
    return faults[0] if faults else tuple(trial for trial in done if isinstance(trial, Trial))


def _shown(outcomes: Sequence[Outcome]) -> Cause:
    """The cause that most fresh samples show by themselves, such as position; else unclear."""
    shown = Counter(outcome.cause for outcome in outcomes if outcome.cause is not None)
    return next((cause for cause, count in shown.items() if 2 * count > len(outcomes)), Cause.UNCLEAR)


def _counts(trials: Iterable[Trial]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for trial in trials:
        counts.setdefault(trial.condition, Counter())[label(trial.reading)] += 1
    return {name: dict(sorted(counter.items())) for name, counter in counts.items()}


def label(reading: Reading) -> str:
    """Return a reading's label, or `unreadable: ` and its reason: a cut control says nothing of a solver's capacity,
    a wrong result does."""
    return reading.label if reading.label is not None else f"{UNREADABLE}: {reading.unreadable}"


def _known(questions: Sequence[ProbeQuestion], counts: dict[str, dict[str, int]], samples: int) -> Knows:
    majorities: dict[str, bool | None] = {}
    for question in questions:
        said = counts.get(question.name, {})
        yes, no = said.get("yes", 0), said.get("no", 0)
        majorities[question.name] = True if 2 * yes > samples else False if 2 * no > samples else None
    return knows(majorities, questions)
