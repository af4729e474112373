"""Limits on calls and dollars, also with calls in parallel."""

from __future__ import annotations

import asyncio

from forge.llm.budget import Budget, most_tokens
from forge.model.calls import Message


async def test_without_limits_everything_goes() -> None:
    budget = Budget()
    assert all([await budget.reserve(1e9) for _ in range(100)])


async def test_the_last_call_goes_and_the_next_does_not() -> None:
    budget = Budget(max_calls=2)
    for _ in range(2):
        assert await budget.reserve(0.0)
        budget.settle(0.0, None)
    assert not await budget.reserve(0.0)
    assert "2 calls" in (budget.reached or "")


async def test_dollars_are_held_before_they_are_spent() -> None:
    budget = Budget(max_usd=1.0)
    assert await budget.reserve(0.6)
    budget.settle(0.6, 0.5)
    assert await budget.reserve(0.5)
    budget.settle(0.5, 0.1)
    assert not await budget.reserve(0.5)
    assert budget.spent == 0.6


async def test_a_call_waits_for_holds_that_may_turn_out_cheaper() -> None:
    budget = Budget(max_usd=1.0)
    assert await budget.reserve(0.9)
    waiting = asyncio.create_task(budget.reserve(0.9))
    await asyncio.sleep(0)
    assert not waiting.done()
    budget.settle(0.9, 0.05)
    assert await waiting


async def test_a_fault_gives_its_hold_back() -> None:
    budget = Budget(max_calls=1)
    assert await budget.reserve(0.0)
    waiting = asyncio.create_task(budget.reserve(0.0))
    await asyncio.sleep(0)
    budget.release(0.0)
    assert await waiting
    assert budget.calls == 0


async def test_parallel_calls_never_pass_the_limit() -> None:
    budget = Budget(max_calls=10)

    async def one() -> bool:
        if not await budget.reserve(0.0):
            return False
        await asyncio.sleep(0)
        budget.settle(0.0, 0.0)
        return True

    went = await asyncio.gather(*(one() for _ in range(50)))
    assert sum(went) == 10


def test_the_estimate_of_tokens_is_an_upper_one() -> None:
    assert most_tokens((Message("user", "a" * 300),)) == 109
    assert most_tokens((Message("user", "水" * 10),)) == 19  # one token a character at least
