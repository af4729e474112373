"""The graph's state. Everything that several nodes write is reduced by key, never appended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypedDict, TypeVar

from forge.grow.routes import Facts, Routed
from forge.grow.schedule import Standing, Task
from forge.model.calls import Answer
from forge.model.checks import Finding, Outcome, Trial, Verdict
from forge.model.growth import Candidate, Certificate
from forge.model.words import Role, Route, State

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a seed's run ends before its search does."""

    state: State
    reason: str


@dataclass(frozen=True, slots=True)
class Twin:
    """The earlier candidate that a wording is most similar to."""

    similarity: float
    id: str | None
    duplicate: bool
    near: bool


def merged(old: dict[K, V], new: dict[K, V]) -> dict[K, V]:
    """Reduce by key: later writes win, insertion order is kept."""
    return {**old, **new} if new else old


def first_stop(old: Stop | None, new: Stop | None) -> Stop | None:
    """The first reason to stop stands."""
    return old or new


class GrowState(TypedDict, total=False):
    """What the graph carries from node to node."""

    queue: tuple[Task, ...]
    task: Task | None
    current: str | None
    fresh: bool
    grade: str
    candidates: Annotated[dict[str, Candidate], merged]
    findings: Annotated[dict[str, tuple[Finding, ...]], merged]
    verdicts: Annotated[dict[tuple[str, str], Verdict], merged]
    answers: Annotated[dict[tuple[str, str], Answer], merged]
    trials: Annotated[dict[tuple[str, str, int], Trial], merged]
    outcomes: Annotated[dict[str, Outcome], merged]
    twins: Annotated[dict[str, Twin], merged]
    routed: Annotated[dict[str, Routed], merged]
    certificates: Annotated[dict[str, Certificate], merged]
    counts: Annotated[dict[str, int], merged]
    ranking: tuple[str, ...]
    chosen: tuple[str, ...]
    stop: Annotated[Stop | None, first_stop]


def start() -> GrowState:
    """Return the state before the first node."""
    return GrowState(
        queue=(),
        task=None,
        current=None,
        fresh=False,
        grade="",
        candidates={},
        findings={},
        verdicts={},
        answers={},
        trials={},
        outcomes={},
        twins={},
        routed={},
        certificates={},
        counts={},
        ranking=(),
        chosen=(),
        stop=None,
    )


def current(state: GrowState) -> Candidate:
    """Return the candidate that the nodes are at work on."""
    key = state["current"]
    if key is None:
        raise AssertionError("no candidate is being worked on")
    return state["candidates"][key]


def naturalness(state: GrowState, candidate: str) -> float | None:
    """Return a candidate's naturalness, or None when it was not scored."""
    verdict = state["verdicts"].get((candidate, Role.NATURALNESS.value))
    return verdict.score if verdict else None


def facts(state: GrowState, candidate: str) -> Facts:
    """Return what routing looks at, by what has run so far."""
    verdicts = state["verdicts"]

    def passed(check: str) -> bool | None:
        verdict = verdicts.get((candidate, check))
        return verdict.passed if verdict else None

    twin = state["twins"].get(candidate)
    scored = verdicts.get((candidate, Role.NATURALNESS.value))
    return Facts(
        duplicate=bool(twin and twin.duplicate),
        guards=not state["findings"][candidate] if candidate in state["findings"] else None,
        truth=passed(Role.TRUTH.value),
        alignment=passed(Role.ALIGNMENT.value),
        scored=None if scored is None else scored.score is not None,
        naturalness=naturalness(state, candidate),
        outcome=state["outcomes"].get(candidate),
    )


def standing(state: GrowState, candidate: str) -> Standing:
    """Return what the schedule needs to know of a candidate that has been routed."""
    outcome, routed = state["outcomes"].get(candidate), state["routed"].get(candidate)
    twin = state["twins"].get(candidate)
    return Standing(
        id=candidate,
        route=routed.route if routed else Route.ARCHIVE,
        failure=bool(outcome and outcome.failure),
        naturalness=naturalness(state, candidate),
        duplicate=bool(twin and twin.duplicate),
    )


def counted(state: GrowState) -> int:
    """Return how many candidates count towards the limit: duplicates do not."""
    return sum(not (key in state["twins"] and state["twins"][key].duplicate) for key in state["candidates"])
