"""What to rewrite next: the queue, the branches, and when a branch has had enough. Pure functions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from forge.model.profile import Limits
from forge.model.words import Operator, Route


@dataclass(frozen=True, slots=True)
class Task:
    """One expansion: rewrite a parent by an operator.

    Attributes:
        parent: a candidate's id; None for a generator round, whose parent is the last generated wording, else c0.
        intensity: 1-3 for anneal rounds, 2-4 for pre_solver_anneal, 0 elsewhere.
        round: which round of its operator on this branch.
        misses: children in a row on this branch that brought nothing.
        redraws: how often this very task was drawn again for giving a duplicate.
    """

    operator: Operator
    parent: str | None
    intensity: int = 0
    round: int = 1
    misses: int = 0
    redraws: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """What the schedule needs to know of a candidate."""

    id: str
    route: Route
    failure: bool = False
    naturalness: float | None = None
    duplicate: bool = False


_BRANCHES = {
    Route.ANNEAL: Operator.ANNEAL,
    Route.PRE_SOLVER_ANNEAL: Operator.PRE_SOLVER_ANNEAL,
    Route.ENHANCE: Operator.ENHANCE,
}


def opening(limits: Limits) -> tuple[Task, ...]:
    """Return the queue a seed starts with: its generator rounds."""
    return tuple(Task(Operator.GENERATE, None, round=n) for n in range(1, limits.generator_rounds + 1))


def intensity(operator: Operator, round_: int) -> int:
    """Return the annealer's intensity: round n of anneal is n, of pre_solver_anneal n + 1 (papers/README.md)."""
    return {Operator.ANNEAL: round_, Operator.PRE_SOLVER_ANNEAL: round_ + 1}.get(operator, 0)


def rounds(operator: Operator, limits: Limits) -> int:
    """Return how many rounds an operator has on one branch."""
    return {
        Operator.GENERATE: limits.generator_rounds,
        Operator.ANNEAL: limits.anneal_rounds,
        Operator.PRE_SOLVER_ANNEAL: limits.pre_solver_rounds,
        Operator.ENHANCE: limits.enhance_rounds,
    }.get(operator, 0)


def improved(parent: Standing, child: Standing, limits: Limits) -> bool:
    """Whether a child certifies, gains a failure, or gains `limits.gain` naturalness."""
    if child.route is Route.CERTIFY or (child.failure and not parent.failure):
        return True
    if child.naturalness is None or parent.naturalness is None:
        return False
    return child.naturalness - parent.naturalness >= limits.gain - 1e-9


def settle(task: Task | None, parent: Standing | None, child: Standing | None, limits: Limits) -> tuple[Task, ...]:
    """Return the tasks that follow from a finished expansion, the queue's new last ones.

    Args:
        task: what was carried out; None for c0, which nobody rewrote.
        child: where the new wording ended; None when there was none or it was discarded.

    A duplicate is drawn again at most `limits.redraws` times; the caller puts that task first. After that it counts
    as a child that brought nothing.
    """
    if task is not None and child is not None and child.duplicate and task.redraws < limits.redraws:
        return (replace(task, redraws=task.redraws + 1),)
    if task is None or task.operator is Operator.GENERATE or parent is None:
        return () if child is None else _begin(child, limits)
    return _carry_on(task, parent, child, limits)


def _begin(child: Standing, limits: Limits) -> tuple[Task, ...]:
    operator = None if child.duplicate else _BRANCHES.get(child.route)
    if operator is None or rounds(operator, limits) == 0:
        return ()
    return (Task(operator, child.id, intensity(operator, 1)),)


def _carry_on(task: Task, parent: Standing, child: Standing | None, limits: Limits) -> tuple[Task, ...]:
    if child is not None and child.route is Route.CERTIFY:
        return ()
    misses = 0 if child is not None and improved(parent, child, limits) else task.misses + 1
    if misses >= limits.patience:
        return ()
    usable = child is not None and not child.duplicate and child.route in _BRANCHES
    operator = _BRANCHES[child.route] if usable and child is not None else task.operator
    source = child.id if usable and child is not None else task.parent
    round_ = task.round + 1 if operator is task.operator else 1
    if round_ > rounds(operator, limits):
        return ()
    return (Task(operator, source, intensity(operator, round_), round_, misses),)
