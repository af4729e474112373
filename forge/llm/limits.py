"""How hard an endpoint is pressed: concurrency, pace and circuit breaker. It calls nobody and reads no clock itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from forge.model.profile import Endpoint, Profile

Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[Any]]

LOCAL_ENDPOINT = Endpoint(concurrency=4, timeout=600.0, retries=2)
"""Defaults for `local/`: llama.cpp serves four at once, and two cores need minutes for a long answer."""


def endpoint_for(profile: Profile, model: str) -> tuple[str, Endpoint]:
    """Return the name and settings of the endpoint that a model is asked at.

    The whole model string is looked up first, then its prefix before the first slash; else defaults hold, by prefix.
    """
    prefix = model.partition("/")[0]
    for name in (model, prefix):
        if name in profile.endpoints:
            return name, profile.endpoints[name]
    return prefix, LOCAL_ENDPOINT if prefix == "local" else Endpoint()


class Pace:
    """Spaces starts evenly: at most `per_second` in any second and `per_minute` in any minute, without bursts.

    The n-th of many waiting requests starts n × interval after the first, the interval being the larger of
    1/per_second and 60/per_minute (a generic cell rate algorithm without tolerance).
    """

    def __init__(self, per_second: float | None, per_minute: float | None, clock: Clock, sleep: Sleep) -> None:
        self.interval = max(1.0 / per_second if per_second else 0.0, 60.0 / per_minute if per_minute else 0.0)
        self._next = float("-inf")
        self._held = float("-inf")
        self._clock = clock
        self._sleep = sleep

    def hold(self, seconds: float) -> None:
        """Let nothing start for `seconds`: the provider said so to one request, and means all."""
        self._held = max(self._held, self._clock() + seconds)

    async def wait(self) -> None:
        """Wait for the next free start."""
        now = self._clock()
        start = max(now, self._next, self._held)
        if self.interval:
            self._next = start + self.interval
        while start > now:
            await self._sleep(start - now)
            now = self._clock()
            start = max(start, self._held)


class Resting(Exception):
    """The breaker is open and will be for longer than a request should wait."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the endpoint rests for {seconds:.0f} s more")
        self.seconds = seconds


class Breaker:
    """Opens after `after` consecutive faults, rests, then lets one probe through.

    While it rests, requests wait, if the rest is at most PATIENCE. Once DEAD probes have failed over DEAD rests,
    requests are turned away at once, so that a run on a dead provider ends; each further rest still allows a probe.
    """

    PATIENCE = 60.0
    DEAD = 2

    def __init__(self, after: int, rest: float, clock: Clock, sleep: Sleep) -> None:
        self._after = after
        self._rest = rest
        self._clock = clock
        self._sleep = sleep
        self._faults = 0
        self._failed_probes = 0
        self._opened: float | None = None
        self._until = 0.0
        self._probe: asyncio.Future[None] | None = None

    @property
    def open(self) -> bool:
        """Whether requests are held back."""
        return self._opened is not None

    def _dead(self) -> bool:
        return (
            self._opened is not None
            and self._failed_probes >= self.DEAD
            and self._clock() - self._opened >= self.DEAD * self._rest
        )

    async def enter(self) -> bool:
        """Wait until a request may go.

        Returns:
            whether it is the probe: then `end_probe` must follow.

        Raises:
            Resting: it may not go soon.
        """
        while self._opened is not None:
            left = self._until - self._clock()
            if self._probe is not None:
                if self._dead():
                    raise Resting(max(left, 0.0))
                await asyncio.shield(self._probe)
            elif left <= 0:
                self._probe = asyncio.get_running_loop().create_future()
                return True
            elif left > self.PATIENCE or self._dead():
                raise Resting(left)
            else:
                await self._sleep(left)
        return False

    def succeeded(self) -> None:
        """The endpoint answered, whatever it said: it works."""
        self._faults = self._failed_probes = 0
        self._opened = None

    def failed(self, probe: bool, retry_after: float | None = None) -> None:
        """A fault. One that names a shorter rest than ours (Retry-After) is believed."""
        self._faults += 1
        rest = self._rest if retry_after is None else min(self._rest, retry_after)
        if probe:
            self._failed_probes += 1
            self._until = self._clock() + rest
        elif self._opened is None and self._faults >= self._after:
            self._opened = self._clock()
            self._until = self._opened + rest

    def end_probe(self) -> None:
        """The probe is over, whatever came of it; those who wait for it look again."""
        if self._probe is not None:
            self._probe.set_result(None)
            self._probe = None


class Gate:
    """The one way to an endpoint: a slot, then the breaker, then the pace."""

    def __init__(self, name: str, endpoint: Endpoint, clock: Clock, sleep: Sleep) -> None:
        self.name = name
        self.endpoint = endpoint
        self.pace = Pace(endpoint.per_second, endpoint.per_minute, clock, sleep)
        self.breaker = Breaker(endpoint.breaker_after, endpoint.breaker_rest, clock, sleep)
        self._slots = asyncio.Semaphore(endpoint.concurrency)

    async def enter(self) -> bool:
        """Wait for leave to send one request; `leave` must follow.

        Returns:
            whether it is the breaker's probe.

        Raises:
            Resting: the breaker turns it away; `leave` must not follow.
        """
        await self._slots.acquire()
        probe = False
        try:
            probe = await self.breaker.enter()
            await self.pace.wait()
        except BaseException:  # Cancelled or turned away: what was taken goes back.
            self.leave(probe)
            raise
        return probe

    def leave(self, probe: bool) -> None:
        """Give the slot back, and end the probe if it was one."""
        if probe:
            self.breaker.end_probe()
        self._slots.release()
