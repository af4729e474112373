"""The whole graph against a bare litellm loop: calls per second in one process, and where the rest of the time goes.

The client runs on one core, a zero-latency mock server on another; 16 requests are in flight; the ledger is empty; every
role is a model. The bare loop sends exactly the requests that the graph sent, through `litellm.acompletion` alone. The
rounds alternate, so that a noisy machine hurts both alike. Printed: the ratio (median of the rounds), and the shares of
graph, gateway and ledger in the graph's time, by difference of four loops over the same requests.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forge.agents.room import Room
from forge.families.salience import SalienceFamily, guards, wording
from forge.grow.run import grow
from forge.llm import provider
from forge.llm.gateway import Gateway
from forge.llm.ledger import Ledger
from forge.model.calls import Answer, Fault, Request
from forge.model.profile import Endpoint, Limits, Price, Profile, RoleSpec
from forge.model.words import Role
from forge.prompts.collection import PromptLibrary
from forge.workspace.paths import find
from forge.workspace.seedfiles import read

IN_FLIGHT = 16
LEAST_CALLS = 2000


@dataclass
class Recorder:
    """Passes requests on to a gateway and remembers them."""

    gateway: Gateway
    requests: list[Request]

    async def ask(self, request: Request) -> Answer | Fault:
        self.requests.append(request)
        return await self.gateway.ask(request)


def profile(base: str) -> Profile:
    model = RoleSpec(models=("openai/mock",), temperature=0.7, max_tokens=400)
    return Profile(
        name="bench",
        roles=dict.fromkeys(Role, model),
        limits=Limits(),
        endpoints={"openai": Endpoint(api_base=base, concurrency=IN_FLIGHT)},
        prices={"openai/mock": Price(input=1, output=1)},
        workers=IN_FLIGHT,
    )


def seeds(family: SalienceFamily) -> list[Any]:
    """All shipped seeds of D1 to D4."""
    loaded = []
    for root in find().roots("seeds"):
        for path in sorted((root / "salience").glob("D?.yaml")):
            done = read(path, family, lint=False).seeds
            loaded.extend(done.seeds if done else ())
        break
    return loaded


async def timed(work: Callable[[], Awaitable[int]]) -> tuple[float, int]:
    gc.collect()
    began = time.perf_counter()
    calls = await work()
    return time.perf_counter() - began, calls


async def pooled(requests: Sequence[Request], ask: Callable[[Request], Awaitable[Any]]) -> int:
    """Ask all requests, 16 in flight."""
    waiting = iter(requests)

    async def worker() -> None:
        for request in waiting:
            await ask(request)

    await asyncio.gather(*(worker() for _ in range(IN_FLIGHT)))
    return len(requests)


class Bench:
    """One round of each loop over the same requests."""

    def __init__(self, base: str, folder: Path) -> None:
        self.profile, self.base, self.folder = profile(base), base, folder
        self.family = SalienceFamily()
        self.prompts = PromptLibrary(find().roots("prompts"))
        self.seeds = seeds(self.family)
        self.requests: list[Request] = []
        self.round = 0

    def gateway(self) -> tuple[Gateway, Ledger]:
        self.round += 1
        ledger = Ledger(self.folder / f"{self.round}.sqlite")
        return Gateway(self.profile, ledger, emit=lambda event: None), ledger

    async def graph(self) -> int:
        # Every round meets wordings as new ones: nothing that an earlier round worked out is kept.
        guards._guarded.cache_clear()
        wording._pair.cache_clear()
        gateway, ledger = self.gateway()
        recorder = Recorder(gateway, [])
        room = Room(self.family, self.prompts, self.profile, recorder)
        turns = asyncio.Semaphore(IN_FLIGHT)

        async def one(seed: Any) -> None:
            async with turns:
                await grow(room, seed, lambda event: None)

        await asyncio.gather(*(one(seed) for seed in self.seeds))
        self.requests = recorder.requests
        made = gateway.tally.made
        ledger.close()
        return made

    async def alone(self, *, stored: bool = True) -> int:
        """The gateway without a graph; with `stored` False its ledger keeps nothing."""
        gateway, ledger = self.gateway()
        if not stored:
            ledger.find = lambda key, max_tokens: None  # type: ignore[method-assign]
            ledger.acquire = _nothing  # type: ignore[method-assign]
            ledger.release = lambda key, max_tokens: None  # type: ignore[method-assign]
            ledger.commit = lambda answer, **_: answer  # type: ignore[method-assign]
        await pooled(self.requests, gateway.ask)
        made = gateway.tally.made
        ledger.close()
        return made

    async def bare(self, calls: int) -> int:
        """litellm alone, on the first `calls` requests that the graph paid for."""
        litellm = provider._litellm()
        spec = self.profile.roles[Role.SOLVER]

        async def ask(request: Request) -> None:
            call: dict[str, Any] = {
                "model": "openai/mock",
                "messages": [{"role": m.role, "content": m.content} for m in request.messages],
                "api_base": self.base,
                "api_key": "none",
                "timeout": 120.0,
                "max_retries": 0,
                "num_retries": 0,
                "temperature": spec.temperature,
                "max_tokens": spec.max_tokens,
            }
            if request.schema is not None:
                call["response_format"] = {
                    "type": "json_schema",
                    "json_schema": {"name": "reply", "schema": request.schema},
                }
            response = await litellm.acompletion(**call)
            if not response.choices:
                raise RuntimeError("the mock server gave no message")

        return await pooled(self.requests[:calls], ask)


async def _nothing(*_: Any) -> None:
    return None


async def measure(base: str, rounds: int, folder: Path) -> dict[str, Any]:
    bench = Bench(base, folder)
    await bench.graph()
    await bench.bare(200)
    rates: dict[str, list[float]] = {"graph": [], "bare": [], "gateway": [], "unstored": []}
    made = 0
    for _ in range(rounds):
        seconds, made = await timed(bench.graph)
        rates["graph"].append(made / seconds)
        seconds, calls = await timed(functools.partial(bench.bare, made))
        rates["bare"].append(calls / seconds)
        seconds, calls = await timed(bench.alone)
        rates["gateway"].append(calls / seconds)
        seconds, calls = await timed(functools.partial(bench.alone, stored=False))
        rates["unstored"].append(calls / seconds)
    each = {name: 1000 / statistics.median(values) for name, values in rates.items()}
    whole = each["graph"]
    await provider.aclose()
    return {
        "calls": made,
        "rounds": rounds,
        "ratio": statistics.median(g / b for g, b in zip(rates["graph"], rates["bare"], strict=True)),
        "ratios": [round(g / b, 3) for g, b in zip(rates["graph"], rates["bare"], strict=True)],
        "milliseconds per call": {name: round(value, 3) for name, value in each.items()},
        "shares": {
            "litellm": round(each["bare"] / whole, 3),
            "gateway": round((each["unstored"] - each["bare"]) / whole, 3),
            "ledger": round((each["gateway"] - each["unstored"]) / whole, 3),
            "graph": round((whole - each["gateway"]) / whole, 3),
        },
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    os.environ["OPENAI_API_KEY"] = "none"
    child = subprocess.Popen(
        [sys.executable, "-m", "forge.testing.mockserver", "--world"], stdout=subprocess.PIPE, text=True
    )
    try:
        if len(cores) > 1:
            os.sched_setaffinity(child.pid, {cores[-1]})
            os.sched_setaffinity(0, {cores[0]})
        assert child.stdout is not None
        base = json.loads(child.stdout.readline())["base_url"]
        with tempfile.TemporaryDirectory() as folder:
            result = asyncio.run(measure(base, args.rounds, Path(folder)))
    finally:
        child.kill()
        child.wait()
    if args.json:
        sys.stdout.write(json.dumps(result) + "\n")
        return 0
    print(f"{result['calls']} calls a round, {result['rounds']} rounds, 16 in flight, {len(cores)} cores")
    print(f"graph / bare litellm loop: {result['ratio']:.3f} (rounds: {result['ratios']})")
    for name, value in result["milliseconds per call"].items():
        print(f"  {name:9} {value:7.3f} ms a call")
    print("shares of the graph's time: " + ", ".join(f"{k} {v:.0%}" for k, v in result["shares"].items()))
    if result["calls"] < LEAST_CALLS:
        print(f"fewer than {LEAST_CALLS} calls: the figure does not count")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
