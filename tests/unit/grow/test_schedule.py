"""Branches: what is rewritten next, at which intensity, and when a branch ends."""

from __future__ import annotations

import pytest

from forge.grow.schedule import Standing, Task, improved, intensity, opening, settle
from forge.model.profile import Limits
from forge.model.words import Operator, Route

LIMITS = Limits()


def at(route: Route, naturalness: float | None = 3.2, failure: bool = False, name: str = "child") -> Standing:
    return Standing(name, route, failure, naturalness)


PARENT = at(Route.ENHANCE, name="parent")


def test_a_seed_starts_with_two_generator_rounds() -> None:
    assert opening(LIMITS) == (Task(Operator.GENERATE, None, round=1), Task(Operator.GENERATE, None, round=2))
    assert opening(Limits(generator_rounds=0)) == ()


@pytest.mark.parametrize(
    ("operator", "round_", "expected"),
    [
        (Operator.ANNEAL, 1, 1),
        (Operator.ANNEAL, 3, 3),
        (Operator.PRE_SOLVER_ANNEAL, 1, 2),
        (Operator.PRE_SOLVER_ANNEAL, 3, 4),
        (Operator.ENHANCE, 2, 0),
        (Operator.GENERATE, 1, 0),
    ],
)
def test_intensities(operator: Operator, round_: int, expected: int) -> None:
    assert intensity(operator, round_) == expected


@pytest.mark.parametrize(
    ("route", "begun"),
    [
        (Route.ANNEAL, Task(Operator.ANNEAL, "child", 1)),
        (Route.PRE_SOLVER_ANNEAL, Task(Operator.PRE_SOLVER_ANNEAL, "child", 2)),
        (Route.ENHANCE, Task(Operator.ENHANCE, "child", 0)),
    ],
)
@pytest.mark.parametrize("task", [None, Task(Operator.GENERATE, None)])
def test_c0_and_generated_wordings_open_branches(route: Route, begun: Task, task: Task | None) -> None:
    assert settle(task, PARENT if task else None, at(route), LIMITS) == (begun,)


@pytest.mark.parametrize("route", [Route.ARCHIVE, Route.CERTIFY])
def test_archived_and_certified_wordings_open_none(route: Route) -> None:
    assert settle(None, None, at(route), LIMITS) == ()


def test_a_generator_round_without_a_wording_is_over() -> None:
    assert settle(Task(Operator.GENERATE, None), PARENT, None, LIMITS) == ()


def test_a_duplicate_is_drawn_again_twice_then_counts_as_a_miss() -> None:
    twin = Standing("twin", Route.ARCHIVE, duplicate=True)
    task = Task(Operator.ENHANCE, "parent")
    once = settle(task, PARENT, twin, LIMITS)
    assert once == (Task(Operator.ENHANCE, "parent", redraws=1),)
    twice = settle(once[0], PARENT, twin, LIMITS)
    assert twice == (Task(Operator.ENHANCE, "parent", redraws=2),)
    assert settle(twice[0], PARENT, twin, LIMITS) == (Task(Operator.ENHANCE, "parent", round=2, misses=1),)


def test_a_child_that_certifies_ends_its_branch() -> None:
    assert settle(Task(Operator.ENHANCE, "parent"), PARENT, at(Route.CERTIFY, failure=True), LIMITS) == ()


def test_two_children_in_a_row_that_bring_nothing_end_the_branch() -> None:
    first = settle(Task(Operator.ENHANCE, "parent"), PARENT, at(Route.ENHANCE), LIMITS)
    assert first == (Task(Operator.ENHANCE, "child", 0, round=2, misses=1),)
    assert settle(first[0], at(Route.ENHANCE), at(Route.ENHANCE, name="grandchild"), LIMITS) == ()


def test_a_gain_forgives_earlier_misses() -> None:
    task = Task(Operator.ANNEAL, "parent", 1, round=1, misses=1)
    parent = at(Route.ANNEAL, 3.0, failure=True, name="parent")
    better = at(Route.ANNEAL, 3.3, failure=True)
    assert settle(task, parent, better, LIMITS) == (Task(Operator.ANNEAL, "child", 2, round=2, misses=0),)


def test_an_archived_child_lets_the_same_parent_be_tried_at_the_next_round() -> None:
    task = Task(Operator.ANNEAL, "parent", 1)
    parent = at(Route.ANNEAL, 3.0, failure=True, name="parent")
    assert settle(task, parent, at(Route.ARCHIVE), LIMITS) == (Task(Operator.ANNEAL, "parent", 2, 2, misses=1),)
    assert settle(task, parent, None, LIMITS) == (Task(Operator.ANNEAL, "parent", 2, 2, misses=1),)


def test_rounds_end_a_branch_even_when_every_child_gains() -> None:
    task = Task(Operator.ANNEAL, "parent", 3, round=3)
    parent = at(Route.ANNEAL, 2.6, failure=True, name="parent")
    assert settle(task, parent, at(Route.ANNEAL, 3.2, failure=True), LIMITS) == ()


def test_another_route_changes_the_operator_and_starts_its_rounds_anew() -> None:
    task = Task(Operator.PRE_SOLVER_ANNEAL, "parent", 3, round=2)
    parent = at(Route.PRE_SOLVER_ANNEAL, 2.0, name="parent")
    assert settle(task, parent, at(Route.ENHANCE, 3.1), LIMITS) == (Task(Operator.ENHANCE, "child", 0, 1, 0),)


@pytest.mark.parametrize(
    ("parent", "child", "gain"),
    [
        (at(Route.ENHANCE, 3.0), at(Route.CERTIFY, 3.0), True),
        (at(Route.ENHANCE, 3.0), at(Route.ANNEAL, 3.0, failure=True), True),
        (at(Route.ANNEAL, 3.0, failure=True), at(Route.ANNEAL, 3.0, failure=True), False),
        (at(Route.ANNEAL, 3.0), at(Route.ANNEAL, 3.3), True),
        (at(Route.ANNEAL, 3.0), at(Route.ANNEAL, 3.29), False),
        (at(Route.ANNEAL, None), at(Route.ANNEAL, 4.0), False),
    ],
)
def test_what_counts_as_a_gain(parent: Standing, child: Standing, gain: bool) -> None:
    assert improved(parent, child, LIMITS) is gain
