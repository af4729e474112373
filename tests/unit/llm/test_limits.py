"""Pace and breaker against a clock that only moves when somebody sleeps."""

from __future__ import annotations

import asyncio
import heapq

import pytest

from forge.llm.limits import Breaker, Gate, Pace, Resting, endpoint_for
from forge.model.profile import Endpoint, Profile, RoleSpec
from forge.model.words import Role


class FakeTime:
    """A clock that jumps to the next sleeper when every task waits."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = 0

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        future = asyncio.get_running_loop().create_future()
        self._count += 1
        heapq.heappush(self._sleepers, (self.now + seconds, self._count, future))
        await future

    async def run(self, *tasks: asyncio.Task[object]) -> None:
        while not all(task.done() for task in tasks):
            for _ in range(20):
                await asyncio.sleep(0)
            if all(task.done() for task in tasks):
                return
            when, _, future = heapq.heappop(self._sleepers)
            self.now = max(self.now, when)
            if not future.done():
                future.set_result(None)


@pytest.mark.parametrize(
    ("per_second", "per_minute", "interval"),
    [(2.0, None, 0.5), (None, 30.0, 2.0), (10.0, 60.0, 1.0), (0.5, 600.0, 2.0)],
)
async def test_the_nth_start_comes_after_n_intervals(
    per_second: float | None, per_minute: float | None, interval: float
) -> None:
    time = FakeTime()
    pace = Pace(per_second, per_minute, time.clock, time.sleep)
    starts: list[float] = []

    async def one() -> None:
        await pace.wait()
        starts.append(time.now)

    await time.run(*(asyncio.create_task(one()) for _ in range(10)))
    assert starts == pytest.approx([n * interval for n in range(10)])


async def test_without_rates_nothing_waits() -> None:
    time = FakeTime()
    pace = Pace(None, None, time.clock, time.sleep)
    for _ in range(100):
        await pace.wait()
    assert time.now == 0.0


async def test_an_idle_endpoint_saves_up_no_burst() -> None:
    time = FakeTime()
    pace = Pace(1.0, None, time.clock, time.sleep)
    await pace.wait()
    time.now = 100.0
    starts: list[float] = []

    async def one() -> None:
        await pace.wait()
        starts.append(time.now)

    await time.run(*(asyncio.create_task(one()) for _ in range(3)))
    assert starts == pytest.approx([100.0, 101.0, 102.0])


async def test_a_hold_stops_those_who_already_wait() -> None:
    time = FakeTime()
    pace = Pace(1.0, None, time.clock, time.sleep)
    starts: list[float] = []

    async def one() -> None:
        await pace.wait()
        starts.append(time.now)

    tasks = [asyncio.create_task(one()) for _ in range(2)]
    await asyncio.sleep(0)
    pace.hold(7.0)
    await time.run(*tasks)
    assert starts == pytest.approx([0.0, 7.0])


async def test_the_breaker_opens_after_n_faults_in_a_row_and_closes_after_a_good_probe() -> None:
    time = FakeTime()
    breaker = Breaker(3, 30.0, time.clock, time.sleep)
    breaker.failed(False)
    breaker.failed(False)
    breaker.succeeded()
    breaker.failed(False)
    breaker.failed(False)
    before = breaker.open
    breaker.failed(False)
    assert (before, breaker.open) == (False, True)
    entered: list[tuple[float, bool]] = []

    async def one() -> None:
        probe = await breaker.enter()
        entered.append((time.now, probe))
        if probe:
            await time.sleep(5.0)
            breaker.succeeded()
            breaker.end_probe()

    await time.run(*(asyncio.create_task(one()) for _ in range(4)))
    assert entered == [(30.0, True), (35.0, False), (35.0, False), (35.0, False)]
    assert not breaker.open


async def test_after_two_failed_probes_requests_are_turned_away_at_once_but_probes_go_on() -> None:
    time = FakeTime()
    breaker = Breaker(1, 30.0, time.clock, time.sleep)
    breaker.failed(False)
    for start in (30.0, 60.0):
        time.now = start
        assert await breaker.enter()
        breaker.failed(True)
        breaker.end_probe()
    with pytest.raises(Resting) as caught:
        await breaker.enter()
    assert caught.value.seconds == 30.0
    time.now = 90.0
    assert await breaker.enter()


async def test_a_long_rest_turns_requests_away() -> None:
    time = FakeTime()
    breaker = Breaker(1, 61.0, time.clock, time.sleep)
    breaker.failed(False)
    with pytest.raises(Resting):
        await breaker.enter()


async def test_the_provider_may_name_a_shorter_rest_and_short_rests_do_not_count_as_death() -> None:
    time = FakeTime()
    breaker = Breaker(1, 30.0, time.clock, time.sleep)
    breaker.failed(False, retry_after=2.0)
    for start in (2.0, 4.0, 6.0):
        time.now = start
        assert await breaker.enter()
        breaker.failed(True, retry_after=2.0)
        breaker.end_probe()
    waiting = asyncio.create_task(breaker.enter())
    await time.run(waiting)
    assert waiting.result()
    assert time.now == 8.0


async def test_a_cancelled_probe_leaves_the_probe_to_the_next() -> None:
    time = FakeTime()
    breaker = Breaker(1, 1.0, time.clock, time.sleep)
    breaker.failed(False)
    time.now = 1.0
    assert await breaker.enter()
    breaker.end_probe()
    assert await breaker.enter()


async def test_a_gate_lets_no_more_in_than_its_concurrency_and_gives_slots_back() -> None:
    time = FakeTime()
    gate = Gate("x", Endpoint(concurrency=3), time.clock, time.sleep)
    inside = most = 0

    async def one() -> None:
        nonlocal inside, most
        probe = await gate.enter()
        inside += 1
        most = max(most, inside)
        await time.sleep(1.0)
        inside -= 1
        gate.leave(probe)

    await time.run(*(asyncio.create_task(one()) for _ in range(10)))
    assert most == 3
    assert time.now == 4.0  # ceil(10 / 3) rounds of one second


async def test_a_request_cancelled_at_the_gate_gives_its_slot_back() -> None:
    time = FakeTime()
    gate = Gate("x", Endpoint(concurrency=1, per_second=0.1), time.clock, time.sleep)
    gate.leave(await gate.enter())
    waiting = asyncio.create_task(gate.enter())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    after = asyncio.create_task(gate.enter())
    await time.run(after)
    assert after.result() is False


def test_an_endpoint_is_found_by_model_then_prefix_then_default() -> None:
    whole, prefix = Endpoint(concurrency=1), Endpoint(concurrency=2)
    roles = {role: RoleSpec(models=("openai/a",)) for role in Role}
    profile = Profile(name="p", roles=roles, endpoints={"openai/a": whole, "openai": prefix})
    assert endpoint_for(profile, "openai/a") == ("openai/a", whole)
    assert endpoint_for(profile, "openai/b") == ("openai", prefix)
    assert endpoint_for(profile, "openai/a/b") == ("openai", prefix)
    assert endpoint_for(profile, "mistral/b") == ("mistral", Endpoint())
    name, local = endpoint_for(profile, "local/tiny")
    assert (name, local.concurrency) == ("local", 4)
