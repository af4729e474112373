"""Sharing one task among askers, and what cancelling does."""

from __future__ import annotations

import asyncio

import pytest

from forge.llm.flights import Flight, Flights


async def test_equal_keys_share_one_task() -> None:
    flights: Flights[int] = Flights()
    started = 0
    gate = asyncio.Event()

    async def fly(flight: Flight[int]) -> int:
        nonlocal started
        started += 1
        await gate.wait()
        return 7

    askers = [asyncio.create_task(flights.join("k", fly)) for _ in range(100)]
    await asyncio.sleep(0)
    gate.set()
    results = await asyncio.gather(*askers)
    assert started == 1
    assert [value for value, _ in results] == [7] * 100
    assert sorted(joined for _, joined in results) == [False] + [True] * 99


async def test_a_landed_flight_is_not_reused() -> None:
    flights: Flights[int] = Flights()

    async def fly(flight: Flight[int]) -> int:
        return 1

    assert await flights.join("k", fly) == (1, False)
    assert await flights.join("k", fly) == (1, False)


async def test_a_cancelled_asker_leaves_the_others_their_flight() -> None:
    flights: Flights[int] = Flights()
    gate = asyncio.Event()

    async def fly(flight: Flight[int]) -> int:
        await gate.wait()
        return 7

    first, second = (asyncio.create_task(flights.join("k", fly)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)
    gate.set()
    assert (await second)[0] == 7
    assert first.cancelled()


async def test_an_abandoned_flight_is_cancelled_and_the_next_asker_starts_another() -> None:
    flights: Flights[int] = Flights()
    ended: list[str] = []

    async def slow(flight: Flight[int]) -> int:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)  # Clean-up that takes a turn.
            ended.append("slow")
        return 0

    async def quick(flight: Flight[int]) -> int:
        ended.append("quick")
        return 5

    asker = asyncio.create_task(flights.join("k", slow))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    asker.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asker
    assert await flights.join("k", quick) == (5, False)
    assert ended == ["slow", "quick"]


async def test_a_flight_that_is_paid_for_is_let_finish() -> None:
    flights: Flights[int] = Flights()
    gate = asyncio.Event()
    kept: list[int] = []

    async def fly(flight: Flight[int]) -> int:
        flight.paying = True
        await gate.wait()
        kept.append(1)
        return 1

    asker = asyncio.create_task(flights.join("k", fly))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    asker.cancel()
    await asyncio.sleep(0)
    gate.set()
    await flights.drain(grace=5)
    assert kept == [1]


async def test_drain_cancels_what_does_not_land() -> None:
    flights: Flights[int] = Flights()

    async def fly(flight: Flight[int]) -> int:
        flight.paying = True
        await asyncio.Event().wait()
        return 1

    asker = asyncio.create_task(flights.join("k", fly))
    await asyncio.sleep(0)
    await flights.drain(grace=0)
    with pytest.raises(asyncio.CancelledError):
        await asker


async def test_an_error_reaches_every_asker() -> None:
    flights: Flights[int] = Flights()

    async def fly(flight: Flight[int]) -> int:
        await asyncio.sleep(0)
        raise KeyError("x")

    results = await asyncio.gather(*(flights.join("k", fly) for _ in range(3)), return_exceptions=True)
    assert [type(result) for result in results] == [KeyError] * 3
