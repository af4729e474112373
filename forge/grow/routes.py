"""The routing policy: a table, first match wins (design section 4; SaliTrap 3.3.2). Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from forge.model.checks import Outcome
from forge.model.profile import Limits
from forge.model.words import Route


@dataclass(frozen=True, slots=True)
class Facts:
    """What routing looks at; None means that the check has not run."""

    duplicate: bool = False
    guards: bool | None = None
    truth: bool | None = None
    alignment: bool | None = None
    scored: bool | None = None
    naturalness: float | None = None
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Routed:
    """A route, and the row of the table that chose it."""

    route: Route
    why: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table."""

    why: str
    route: Route
    matches: Callable[[Facts, Limits], bool]


def _natural(facts: Facts, least: float) -> bool:
    return facts.naturalness is not None and facts.naturalness >= least


TABLE: tuple[Row, ...] = (
    Row("duplicate", Route.ARCHIVE, lambda f, _: f.duplicate),
    Row("a guard failed", Route.ARCHIVE, lambda f, _: f.guards is False),
    Row("truth failed", Route.ARCHIVE, lambda f, _: f.truth is False),
    Row("alignment failed", Route.ARCHIVE, lambda f, _: f.alignment is False),
    Row("no naturalness score", Route.ARCHIVE, lambda f, _: f.scored is False),
    Row("too unnatural to solve", Route.PRE_SOLVER_ANNEAL, lambda f, lim: not _natural(f, lim.to_solve)),
    Row("ready to solve", Route.SOLVE, lambda f, _: f.outcome is None),
    Row(
        "failure, natural",
        Route.CERTIFY,
        lambda f, lim: f.outcome is not None and f.outcome.failure and _natural(f, lim.to_certify),
    ),
    Row(
        "failure, not natural enough",
        Route.ANNEAL,
        lambda f, _: f.outcome is not None and f.outcome.failure,
    ),
    Row(
        "seen through, natural",
        Route.ENHANCE,
        lambda f, lim: f.outcome is not None and f.outcome.passed and _natural(f, lim.to_enhance),
    ),
    Row("nothing to gain", Route.ARCHIVE, lambda _f, _lim: True),
)


def route(facts: Facts, limits: Limits) -> Routed:
    """Return the first row that matches; the last row always does."""
    for row in TABLE:
        if row.matches(facts, limits):
            return Routed(row.route, row.why)
    raise AssertionError("the last row of the table matches everything")
