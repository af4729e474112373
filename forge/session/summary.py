"""What a run amounts to: states, items, causes, calls, money, and what a solver failing at random would have got."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from forge.families.base import Family, Measures, Paired
from forge.model.growth import Item, SeedOutcome
from forge.model.profile import Limits, Profile
from forge.model.words import Operator, State
from forge.stats.exact import at_least


@dataclass(frozen=True)
class Chance:
    """How many certificates chance would have given.

    Attributes:
        rate: the share of selection trials that failed; None when none was read.
        trials: how many selection trials that is.
        tried: candidates on which certification was tried.
        expected: certificates that a solver failing independently at `rate` would have got of them.
    """

    rate: float | None
    trials: int
    tried: int
    expected: float | None


@dataclass(frozen=True)
class Summary:
    """The result of `anneal`. Seeds are in file order."""

    run: str
    seed_set: str
    profile: str
    draw: int
    outcomes: tuple[SeedOutcome, ...]
    duplicates: tuple[tuple[str, str, float], ...]
    made: int
    replayed: int
    usd: float | None
    seconds: float
    chance: Chance
    overlap: tuple[str, ...] = ()
    stopped: str | None = None
    exit_code: int = 0
    reader: str = "rules"
    scope: str = "answer"
    tokens: tuple[int, int] = (0, 0)
    by_role: dict[str, dict[str, Any]] = field(default_factory=dict)
    measures: Measures | None = None
    selection: str = ""
    """How sets of pairs take scenarios of this family; empty for a family without pairs."""

    @property
    def items(self) -> list[Item]:
        """All certified items, in file order of their seeds."""
        return [item for outcome in self.outcomes for item in outcome.items]

    def states(self) -> dict[str, int]:
        """Return how many seeds ended in each state, and how many there are."""
        counts = Counter(outcome.state for outcome in self.outcomes)
        return {"total": len(self.outcomes), **{state.value: counts[state] for state in State}}

    def causes(self) -> dict[str, int]:
        """Return how many items have each cause, most first."""
        return dict(Counter(item.cause.value for item in self.items).most_common())

    def document(self) -> dict[str, Any]:
        """Return what --json prints; the keys of the design come first."""
        certified = len(self.items)
        total = self.made + self.replayed
        near = {item: (other, value) for item, other, value in self.duplicates}
        return {
            "run": self.run,
            "seed_set": self.seed_set,
            "profile": self.profile,
            "draw": self.draw,
            "seeds": self.states(),
            "items": [{**item_row(item), **_duplicate(near.get(item.id))} for item in self.items],
            "causes": self.causes(),
            "calls": {"made": self.made, "replayed": self.replayed},
            "usd": self.usd,
            "seconds": round(self.seconds, 3),
            "calls_per_item": round(total / certified, 2) if certified else None,
            "not_c0": sum(item.operator is not Operator.SEED for item in self.items),
            "chance": {
                "failure_rate": self.chance.rate,
                "trials": self.chance.trials,
                "tried": self.chance.tried,
                "expected_certificates": self.chance.expected,
                "probe_by_coin": "1 in 16",
            },
            "ends": [
                {"seed": one.seed, "state": one.state.value, "reason": one.reason, "grade": one.grade}
                for one in self.outcomes
            ],
            "selection": self.selection or None,
            "reader": self.reader,
            "scope": self.scope,
            "overlap": list(self.overlap),
            "stopped": self.stopped,
            "tokens": {"prompt": self.tokens[0], "completion": self.tokens[1]},
            "by_role": self.by_role,
            "measures": None if self.measures is None else _measured(self.measures),
        }


def item_row(item: Item) -> dict[str, Any]:
    """Return an item as `anneal --json` and `items list --json` print it."""
    certificate = item.certificate
    return {
        "id": item.id,
        "seed": item.seed,
        "text": item.text,
        "control": item.control,
        "label": item.label,
        "tier": item.tier.value,
        "cause": item.cause.value,
        "score": item.score,
        "naturalness": item.naturalness,
        "stable": f"{certificate.stable}/{certificate.samples}",
        "operator": item.operator.value,
        "interval": [certificate.low, certificate.high],
        "knows": certificate.knows.value,
        "family": item.family,
        "set": item.set,
        "dimension": item.dimension,
        "solver": certificate.solver,
        "reader": certificate.judge,
    }


def selection(family: Family, profile: Profile) -> str:
    """Return how sets of pairs take scenarios of a family; empty for one without pairs."""
    if not isinstance(family, Paired):
        return ""
    return (profile.selection or family.selection).value


def measured(family: Family, outcomes: Sequence[SeedOutcome]) -> Measures:
    """Return the family's measures over every reading of the run that is no probe's: selection, stability, diagnosis."""
    trials = [trial for outcome in outcomes for record in outcome.records for trial in record.trials]
    known = set(family.conditions)
    return family.measure([(trial.condition, trial.reading) for trial in trials if trial.condition in known])


def _measured(measures: Measures) -> dict[str, Any]:
    return {
        "n": measures.n,
        "rates": dict(measures.rates),
        "denominators": dict(measures.denominators),
        "differences": dict(measures.differences),
        "lines": list(measures.lines),
    }


def _duplicate(near: tuple[str, float] | None) -> dict[str, Any]:
    return {} if near is None else {"duplicate_of": near[0], "similarity": near[1]}


def chance(outcomes: Sequence[SeedOutcome], limits: Limits) -> Chance:
    """Return what random failure at the observed rate would have certified.

    The rate is the share of failures among selection trials (sample 0), which certification never uses; a candidate
    certifies by chance with P(X >= needed), X ~ Binomial(samples, rate).
    """
    records = [record for outcome in outcomes for record in outcome.records]
    solved = [record.outcome for record in records if record.outcome is not None]
    tried = sum(record.certificate is not None for record in records)
    if not solved:
        return Chance(None, 0, tried, None)
    rate = sum(outcome.failure for outcome in solved) / len(solved)
    expected = tried * at_least(limits.stability_needed, limits.stability_samples, rate)
    return Chance(round(rate, 6), len(solved), tried, round(expected, 3))


def duplicates(outcomes: Sequence[SeedOutcome], threshold: float) -> tuple[tuple[str, str, float], ...]:
    """Mark items that repeat an item of an earlier seed, in file order: (item, duplicate of, similarity)."""
    from forge.text.index import DedupIndex

    index = DedupIndex(threshold)
    found = []
    for outcome in outcomes:
        for item in outcome.items:
            if matches := index.query(item.text):
                found.append((item.id, matches[0].key, round(matches[0].similarity, 6)))
        for item in outcome.items:
            if item.id not in index:
                index.add(item.id, item.text)
    return tuple(found)
