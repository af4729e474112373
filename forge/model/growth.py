"""What growing a seed produces: candidates, certificates, items, and the outcome of a seed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from forge.model.checks import Finding, Outcome, Trial, Verdict
from forge.model.ids import content_id
from forge.model.words import Cause, Knows, Operator, Route, State, Tier


@dataclass(frozen=True, slots=True)
class Candidate:
    """One wording grown from a seed.

    Attributes:
        id: content id.
        parent: the candidate it was rewritten from; None for c0.
        intensity: how gently an annealer rewrote it, 1-4; 0 where it does not apply.
        ordinal: the ordinal of the request within (seed, role, parent, operator, intensity).
        keys: the ledger keys of the answers that worded it.
    """

    id: str
    seed: str
    text: str
    parent: str | None
    operator: Operator
    intensity: int = 0
    ordinal: int = 0
    by: str = "seed"
    keys: tuple[str, ...] = ()


def candidate_id(seed: str, text: str, parent: str | None, operator: str, intensity: int, ordinal: int) -> str:
    """Return the content id of a candidate: its seed's content id, wording and descent."""
    return content_id(
        "c",
        {
            "seed": seed,
            "text": text,
            "parent": parent,
            "operator": operator,
            "intensity": intensity,
            "ordinal": ordinal,
        },
    )


@dataclass(frozen=True, slots=True)
class Certificate:
    """How sure forge is of one item's failure.

    Attributes:
        stable: how many of `samples` fresh trap samples fell in the certified group.
        low, high: Clopper-Pearson 95 % interval of stable / samples.
        knows: the balanced probe's verdict.
        system: the solver's system message; empty as in the paper, unless the profile has one.
        counts: per condition, label → count; per probe question, yes, no and unreadable → count.
    """

    group: str
    stable: int
    samples: int
    low: float
    high: float
    passed: bool
    cause: Cause
    knows: Knows
    temperature: float
    solver: str
    judge: str
    answered_by: tuple[str, ...]
    counts: dict[str, dict[str, int]]
    system: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """A certified candidate with its control. It carries no run and no time."""

    id: str
    family: str
    seed: str
    seed_content: str
    set: str
    dimension: str
    candidate: str
    text: str
    control: str
    label: str
    tier: Tier
    cause: Cause
    score: float
    naturalness: float
    naturalness_by: str
    operator: Operator
    near_duplicate: bool
    lineage: tuple[str, ...]
    certificate: Certificate
    payload: dict[str, Any]
    """The family's own item, as JSON values: what `render` and `read` need."""


@dataclass(frozen=True, slots=True)
class CandidateRecord:
    """All that is known of one candidate at the end of a seed's run.

    Attributes:
        route: where the routing table sent it last.
        why: one line: which row of the table, or which guard.
        score: composite score, for candidates routed to certify.
        similarity: the highest similarity to an earlier candidate of the seed, and whose.
        certified: None when certification was not tried, else whether it passed.
    """

    candidate: Candidate
    route: Route
    why: str
    outcome: Outcome | None = None
    findings: tuple[Finding, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    trials: tuple[Trial, ...] = ()
    score: float | None = None
    similarity: float = 0.0
    similar_to: str | None = None
    duplicate: bool = False
    near_duplicate: bool = False
    certified: bool | None = None
    certificate: Certificate | None = None


@dataclass(frozen=True, slots=True)
class SeedOutcome:
    """How one seed ended, with everything that the registry stores of it in one transaction."""

    seed: str
    seed_content: str
    state: State
    reason: str
    grade: str
    records: tuple[CandidateRecord, ...] = ()
    items: tuple[Item, ...] = ()
    counters: dict[str, int] = field(default_factory=dict)
