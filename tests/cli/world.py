"""A provider for whole runs of the command line: it rewords harmlessly, falls for every trap and knows every fact.

`python world.py PORT LATENCY` serves it; the tests run it in a thread. It knows the seeds, as a real model knows the
world: objects when the fact is spelled out, completes the control, answers the probe rightly.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import sys
import threading
from pathlib import Path
from typing import Any

import yaml

from forge.testing.mockserver import MockServer, Reply

SEEDS = Path(__file__).resolve().parents[2] / "seeds" / "salience" / "D1.yaml"
OPENERS = (
    "Quick question before the weekend.",
    "I promised my sister an answer tonight.",
    "Planning ahead here, so bear with me.",
    "My neighbour asked and I said I would work it out.",
    "Short on time today.",
)
TOML = """\
profile = "mock"

[profiles.mock]
extends = "local"
workers = {workers}

[profiles.mock.roles]
generator = {{ model = "openai/mock-writer", temperature = 0.8, max_tokens = 220 }}
annealer = {{ model = "openai/mock-writer", temperature = 0.8, max_tokens = 220 }}
enhancer = {{ model = "openai/mock-writer", temperature = 0.8, max_tokens = 220 }}
solver = {{ model = "openai/mock-solver", temperature = 0.7, max_tokens = 160 }}

[endpoints.openai]
api_base = "{base}"
concurrency = 4
"""


class World:
    """Answers as a function of the request.

    Args:
        fault_every: every so manieth request first gets a 429.
    """

    def __init__(self, fault_every: int = 0) -> None:
        data = yaml.safe_load(SEEDS.read_text(encoding="utf-8"))
        self.seeds: list[dict[str, Any]] = data["seeds"]
        self.fault_every = fault_every
        self.seen: set[str] = set()
        self.truth: dict[str, str] = {}
        for seed in self.seeds:
            for fact in seed["probe"].values():
                self.truth[fact["is_false"]], self.truth[fact["is_true"]] = "No.", "Yes."

    def __call__(self, body: dict[str, Any]) -> str | Reply:
        user = str(body["messages"][-1]["content"])
        if self.fault_every:
            key = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
            if key not in self.seen and int(key, 16) % self.fault_every == 0:
                self.seen.add(key)
                return Reply(429, body={"error": {"message": "slow down"}}, headers={"Retry-After": "2"})
        if body.get("response_format"):
            return self._reword(user)
        return self._solve(user)

    def _reword(self, user: str) -> str:
        text = user.partition("Message: ")[2].strip() or user
        digest = int(hashlib.sha256(user.encode()).hexdigest(), 16)
        first, rest = re.split(r"(?<=[.!?])\s+", text, maxsplit=1)
        opener = OPENERS[digest % len(OPENERS)]
        return json.dumps({"message": f"{opener} {first} {rest}"})

    def _solve(self, user: str) -> str:
        for question, answer in self.truth.items():
            if question in user:
                return answer
        for seed in self.seeds:
            if seed["question"] not in user:
                continue
            result = seed["control"]["expected"]["any_of"][0]
            if seed["explicit"]["text"].strip(" ,") in user:
                return f"That cannot work. {seed['trap_core']}"
            return f"Let me add it up. The answer is {result}."
        return "I would say 17."


class Served:
    """The world behind a real server, in a thread."""

    def __init__(self, world: World, latency: float = 0.0) -> None:
        self.server = MockServer(world, latency=latency, keep=0)
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Served:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self.server.stop(), self._loop).result(5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self.server.start())
        self._ready.set()
        self._loop.run_forever()


def workspace(folder: Path, base: str, workers: int = 4, more: str = "") -> Path:
    """Write a forge.toml whose models are the world's."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "forge.toml").write_text(TOML.format(base=base, workers=workers) + more)
    return folder


if __name__ == "__main__":
    asyncio.run(MockServer(World(7), port=int(sys.argv[1]), latency=float(sys.argv[2]), keep=0).serve())
