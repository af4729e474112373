"""The gateway over a real ledger and a provider function that counts."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from forge.llm.budget import Budget
from forge.llm.gateway import Gateway
from forge.llm.ledger import Ledger
from forge.llm.provider import Never, RawReply, Trouble
from forge.model.calls import Answer, Fault, FaultKind, Message, Request
from forge.model.errors import ConfigError, LedgerError, ProviderRefused, ReplayMiss, VerificationError
from forge.model.events import Event, EventKind
from forge.model.profile import Endpoint, Price, Profile, RoleSpec
from forge.model.words import Role
from forge.testing.mockserver import MockServer


class Provider:
    """Counts calls, and plays a script of exceptions before it answers."""

    def __init__(self, *script: Exception | RawReply | None) -> None:
        self.script = list(script)
        self.calls: list[dict[str, Any]] = []
        self.entered = asyncio.Event()
        self.gate: asyncio.Event | None = None

    async def __call__(self, model: str, messages: Any, params: Any, schema: Any, **rest: Any) -> RawReply:
        self.calls.append({"model": model, "params": dict(params), "schema": schema, **rest})
        self.entered.set()
        await asyncio.sleep(0)
        if self.gate is not None:
            await self.gate.wait()
        entry = self.script.pop(0) if self.script else None
        if isinstance(entry, Exception):
            raise entry
        return entry or RawReply("hello", "hm", "stop", f"{model}-2026", 1000, 50, 400)


class Bench:
    """A gateway with its ledger, events and sleeps."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.events: list[Event] = []
        self.sleeps: list[float] = []
        self.open: list[Gateway] = []

    async def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        await asyncio.sleep(0)

    def gateway(
        self, provider: Provider, models: tuple[str, ...] = ("openai/a",), max_tokens: int = 100, **rest: Any
    ) -> Gateway:
        spec = RoleSpec(models=models, max_tokens=max_tokens)
        roles = dict.fromkeys(Role, spec) | {Role.SOLVER: RoleSpec(models=models[:1], max_tokens=max_tokens)}
        endpoints = rest.pop("endpoints", {"openai": Endpoint(api_base="http://127.0.0.1:9/v1", retries=3)})
        price = Price(input=2.0, output=8.0, cached_input=0.5)
        prices = {"openai/a": price, "openai/b": price}
        profile = Profile(name="p", roles=roles, endpoints=endpoints, prices=prices)
        ledger = Ledger(self.path, readonly=bool(rest.get("offline")), poll=0.001)
        made = Gateway(profile, ledger, emit=self.events.append, sleep=self.sleep, complete=provider, **rest)
        self.open.append(made)
        return made

    def claims(self) -> int:
        count: int = self.open[-1].ledger._connection.execute("SELECT count(*) FROM claims").fetchone()[0]
        return count

    def kinds(self) -> list[EventKind]:
        return [event.kind for event in self.events]


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    made = Bench(tmp_path / "ledger.sqlite")
    yield made
    for gateway in made.open:
        await gateway.aclose(grace=0)
        gateway.ledger.close()


def request(text: str = "why?", role: Role = Role.JUDGE, **rest: Any) -> Request:
    return Request(role, (Message("system", ""), Message("user", text)), seed="s1", **rest)


async def test_a_new_request_is_asked_and_an_old_one_replayed(bench: Bench) -> None:
    provider = Provider()
    gateway = bench.gateway(provider)
    first = await gateway.ask(request())
    second = await gateway.ask(request())
    assert isinstance(first, Answer)
    assert isinstance(second, Answer)
    assert (first.text, first.reasoning, first.model, first.replayed) == ("hello", "hm", "openai/a-2026", False)
    assert first.usage.usd == pytest.approx((600 * 2 + 400 * 0.5 + 50 * 8) / 1e6)
    assert second == dataclasses.replace(first, replayed=True)
    assert len(provider.calls) == 1
    assert provider.calls[0]["params"] == {"temperature": 0.0, "max_tokens": 100}
    assert [event.data["replayed"] for event in bench.events] == [False, True]
    assert (gateway.tally.made, gateway.tally.replayed, gateway.tally.completion) == (1, 1, 50)
    assert gateway.tally.usd == first.usage.usd  # a replay costs nothing
    assert (gateway.by_role[Role.JUDGE].made, gateway.by_role[Role.SOLVER].made) == (1, 0)
    assert bench.claims() == 0


async def test_the_draw_and_the_sample_are_other_calls_but_limits_and_addresses_are_not(bench: Bench) -> None:
    provider = Provider()
    await bench.gateway(provider).ask(request())
    await bench.gateway(provider).ask(request(sample=1))
    await bench.gateway(provider, draw=1).ask(request())
    assert len(provider.calls) == 3
    elsewhere = {"openai": Endpoint(api_base="http://127.0.0.2:1/v1", timeout=1.0, concurrency=1, retries=0)}
    answer = await bench.gateway(provider, max_tokens=5000, endpoints=elsewhere).ask(request(role=Role.TRUTH))
    assert isinstance(answer, Answer)
    assert answer.replayed
    assert len(provider.calls) == 3


async def test_a_cut_answer_is_asked_again_with_a_higher_limit_and_both_replay(bench: Bench) -> None:
    provider = Provider(RawReply("hel", "", "length", "m", 1, 100, 0))
    cut = await bench.gateway(provider).ask(request())
    whole = await bench.gateway(provider, max_tokens=500).ask(request())
    again = await bench.gateway(provider).ask(request())
    assert [getattr(answer, "text", None) for answer in (cut, whole, again)] == ["hel", "hello", "hel"]
    assert len(provider.calls) == 2


async def test_a_hundred_equal_asks_are_one_call(bench: Bench) -> None:
    provider = Provider()
    gateway = bench.gateway(provider)
    answers = await asyncio.gather(*(gateway.ask(request()) for _ in range(100)))
    assert len(provider.calls) == 1
    assert sum(isinstance(answer, Answer) and not answer.replayed for answer in answers) == 1
    assert (gateway.tally.made, gateway.tally.replayed) == (1, 99)


async def test_a_cancelled_asker_does_not_take_the_shared_call_along(bench: Bench) -> None:
    provider = Provider()
    provider.gate = asyncio.Event()
    gateway = bench.gateway(provider)
    first, second = (asyncio.create_task(gateway.ask(request())) for _ in range(2))
    await provider.entered.wait()
    first.cancel()
    await asyncio.sleep(0)
    provider.gate.set()
    answer = await second
    assert isinstance(answer, Answer)
    assert (answer.text, len(provider.calls), bench.claims()) == ("hello", 1, 0)


async def test_an_answer_that_was_paid_for_is_kept_though_its_asker_is_gone(bench: Bench) -> None:
    provider = Provider()
    provider.gate = asyncio.Event()
    gateway = bench.gateway(provider)
    asker = asyncio.create_task(gateway.ask(request()))
    await provider.entered.wait()
    asker.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asker
    provider.gate.set()
    await gateway.aclose(grace=5)
    assert gateway.ledger.stats().answers == 1
    assert bench.claims() == 0


async def test_closing_without_grace_leaves_no_claim(bench: Bench) -> None:
    provider = Provider()
    provider.gate = asyncio.Event()
    gateway = bench.gateway(provider)
    asker = asyncio.create_task(gateway.ask(request()))
    await provider.entered.wait()
    assert bench.claims() == 1
    asker.cancel()
    await gateway.aclose(grace=0)
    assert (bench.claims(), gateway.ledger.stats().answers) == (0, 0)


async def test_an_abandoned_request_is_not_retried(bench: Bench) -> None:
    provider = Provider(*[Trouble(FaultKind.SERVER, "503")] * 9)
    provider.gate = asyncio.Event()
    gateway = bench.gateway(provider)
    asker = asyncio.create_task(gateway.ask(request()))
    await provider.entered.wait()
    asker.cancel()
    provider.gate.set()
    await gateway.aclose(grace=5)
    assert (len(provider.calls), bench.claims()) == (1, 0)


async def test_faults_are_retried_with_growing_waits_and_told_to_the_observer(bench: Bench) -> None:
    provider = Provider(Trouble(FaultKind.SERVER, "503"), Trouble(FaultKind.CONNECTION, "reset"))
    answer = await bench.gateway(provider).ask(request())
    assert isinstance(answer, Answer)
    assert bench.kinds() == [EventKind.RETRY, EventKind.RETRY, EventKind.CALL, EventKind.RETRY_OVER]
    first, second = (event.data for event in bench.events[:2])
    assert first == {
        "id": answer.key[:16],
        "endpoint": "openai",
        "kind": "server",
        "delay": bench.sleeps[0],
        "attempt": 1,
    }
    assert (second["kind"], second["attempt"]) == ("connection", 2)
    assert 0.25 <= bench.sleeps[0] <= 0.5 <= bench.sleeps[1] <= 1.0
    assert bench.events[-1].data == {"id": answer.key[:16]}


async def test_waits_are_the_same_in_every_run(bench: Bench, tmp_path: Path) -> None:
    other = Bench(tmp_path / "other.sqlite")
    for each in (bench, other):
        await each.gateway(Provider(*[Trouble(FaultKind.SERVER, "503")] * 3)).ask(request())
    assert bench.sleeps == other.sleeps
    other.open[0].ledger.close()


async def test_a_fault_that_outlives_its_retries_is_returned_and_never_stored(bench: Bench) -> None:
    provider = Provider(*[Trouble(FaultKind.SERVER, "503")] * 4)
    gateway = bench.gateway(provider)
    fault = await gateway.ask(request())
    assert fault == Fault(FaultKind.SERVER, "503", "openai", 4)
    assert (gateway.ledger.stats().answers, bench.claims(), gateway.tally.faults) == (0, 0, 1)
    answer = await gateway.ask(request())  # next time it is asked again
    assert isinstance(answer, Answer)


async def test_a_request_the_provider_never_takes_is_not_retried(bench: Bench) -> None:
    provider = Provider(Never("context length"))
    fault = await bench.gateway(provider).ask(request())
    assert fault == Fault(FaultKind.NEVER, "context length", "openai", 1)
    assert fault.final
    assert len(provider.calls) == 1


async def test_a_refusing_provider_stops_the_run_and_leaves_no_claim(bench: Bench) -> None:
    provider = Provider(ProviderRefused("401"))
    with pytest.raises(ProviderRefused):
        await bench.gateway(provider).ask(request())
    assert bench.claims() == 0


async def test_a_wait_of_an_hour_is_a_fault_now(bench: Bench) -> None:
    provider = Provider(Trouble(FaultKind.RATE_LIMIT, "later", retry_after=3600.0))
    fault = await bench.gateway(provider).ask(request())
    assert isinstance(fault, Fault)
    assert (fault.kind, fault.attempts, bench.sleeps) == (FaultKind.RATE_LIMIT, 1, [])


async def test_a_pool_goes_on_to_its_next_model(bench: Bench) -> None:
    provider = Provider(*[Trouble(FaultKind.SERVER, "503")] * 4)
    gateway = bench.gateway(provider, ("openai/a", "openai/b"))
    answer = await gateway.ask(request())
    assert isinstance(answer, Answer)
    assert answer.model == "openai/b-2026"
    assert [call["model"] for call in provider.calls] == ["openai/a"] * 4 + ["openai/b"]
    (row,) = gateway.ledger.stats().rows
    assert (row.declared, row.model) == ("openai/a | openai/b", "openai/b-2026")


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        ([Never("long"), Never("long")], FaultKind.NEVER),
        ([Never("long"), *[Trouble(FaultKind.SERVER, "x")] * 4], FaultKind.SERVER),  # may work next time
        ([*[Trouble(FaultKind.SERVER, "x")] * 4, Never("long")], FaultKind.SERVER),
    ],
)
async def test_a_pool_is_final_only_when_all_its_models_are(
    bench: Bench, script: list[Exception], kind: FaultKind
) -> None:
    fault = await bench.gateway(Provider(*script), ("openai/a", "openai/b")).ask(request())
    assert isinstance(fault, Fault)
    assert fault.kind is kind


async def test_a_reached_budget_is_a_fault_and_replays_stay_free(bench: Bench) -> None:
    provider = Provider()
    gateway = bench.gateway(provider, budget=Budget(max_calls=2))
    results = await asyncio.gather(*(gateway.ask(request(f"q{n}")) for n in range(5)))
    faults = [result for result in results if isinstance(result, Fault)]
    assert [fault.kind for fault in faults] == [FaultKind.BUDGET] * 3
    assert len(provider.calls) == 2
    assert isinstance(await gateway.ask(request("q0")), Answer)
    assert bench.claims() == 0


async def test_dollars_never_pass_the_limit(bench: Bench) -> None:
    # Each call: prompt at most (0 // 3 + 9) + (2 // 3 + 9) = 18 tokens, so at most 18 × 2 + 100 × 8 = 836 millionths.
    provider = Provider(*[RawReply("x", "", "stop", "m", 18, 100, 0)] * 9)
    budget = Budget(max_usd=2600e-6)
    gateway = bench.gateway(provider, budget=budget)
    results = await asyncio.gather(*(gateway.ask(request(f"q{n}")) for n in range(9)))
    assert sum(isinstance(result, Answer) for result in results) == 3
    assert budget.spent == pytest.approx(3 * 836e-6)


async def test_an_open_breaker_turns_requests_away_when_it_stays_open_long(bench: Bench) -> None:
    provider = Provider(*[Trouble(FaultKind.SERVER, "503")] * 99)
    endpoints = {"openai": Endpoint(api_base="x", retries=0, breaker_after=3, breaker_rest=100.0)}
    gateway = bench.gateway(provider, endpoints=endpoints)
    faults = [await gateway.ask(request(f"q{n}")) for n in range(6)]
    assert [getattr(fault, "kind", None) for fault in faults] == [FaultKind.SERVER] * 3 + [FaultKind.BREAKER] * 3
    assert len(provider.calls) == 3
    assert bench.claims() == 0


async def test_offline_nothing_is_asked(bench: Bench) -> None:
    provider = Provider()
    await bench.gateway(provider).ask(request())
    offline = bench.gateway(provider, offline=True)
    assert isinstance(await offline.ask(request()), Answer)
    with pytest.raises(ReplayMiss) as caught:
        await offline.ask(request("another"))
    assert "seed s1, role judge" in str(caught.value)
    assert len(provider.calls) == 1


async def test_a_role_played_by_rules_cannot_be_asked(bench: Bench) -> None:
    gateway = bench.gateway(Provider())
    roles = {**gateway.profile.roles, Role.JUDGE: RoleSpec()}
    gateway.profile = gateway.profile.model_copy(update={"roles": roles})
    with pytest.raises(ConfigError, match="played by rules"):
        await gateway.ask(request())


async def test_a_local_model_is_started_when_it_is_needed_and_called_by_its_alias(bench: Bench) -> None:
    started: list[str] = []

    async def local(name: str) -> tuple[str, str, str, str]:
        started.append(name)
        return "http://127.0.0.1:5/v1", "random", "ab12", "tiny-alias"

    provider = Provider()
    gateway = bench.gateway(provider, ("local/tiny",), files={"tiny": "ab12"}, local=local)
    answer = await gateway.ask(request())
    assert isinstance(answer, Answer)
    (call,) = provider.calls
    assert (call["model"], call["api_base"], call["api_key"]) == (
        "openai/tiny-alias",
        "http://127.0.0.1:5/v1",
        "random",
    )
    assert answer.usage.usd == 0.0
    assert isinstance(await gateway.ask(request()), Answer)
    assert started == ["tiny"]  # a replay starts nothing


async def test_a_local_model_with_another_file_is_refused(bench: Bench) -> None:
    async def local(name: str) -> tuple[str, str, str, str]:
        return "http://127.0.0.1:5/v1", "random", "cd34", "tiny"

    provider = Provider()
    with pytest.raises(VerificationError):
        await bench.gateway(provider, ("local/tiny",), files={"tiny": "ab12"}, local=local).ask(request())
    assert (provider.calls, bench.claims()) == ([], 0)


async def test_listed_local_models_have_their_pins(bench: Bench) -> None:
    gateway = bench.gateway(Provider(), ("local/qwen2.5-coder-0.5b",))
    assert gateway._files["qwen2.5-coder-0.5b"].startswith("1d9614638d18")


async def test_a_ledger_that_cannot_be_written_stops_the_run(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    gateway = bench.gateway(Provider())

    def full(*args: Any, **rest: Any) -> Answer:
        raise LedgerError("cannot write to the ledger: database or disk is full")

    monkeypatch.setattr(gateway.ledger, "commit", full)
    with pytest.raises(LedgerError, match="full"):
        await gateway.ask(request())
    assert bench.claims() == 0


async def test_the_audit_copy_holds_what_was_sent_and_no_address(bench: Bench) -> None:
    gateway = bench.gateway(Provider())
    await gateway.ask(request(schema={"type": "object"}))
    (text,) = gateway.ledger._connection.execute("SELECT request_json FROM answers").fetchone()
    assert json.loads(text) == {
        "messages": [["system", ""], ["user", "why?"]],
        "params": {"temperature": 0.0, "max_tokens": 100},
        "schema": {"type": "object"},
        "draw": 0,
        "sample": 0,
        "called": "openai/a",
    }


ASK_ALL = """
import asyncio, json, random, sys
from pathlib import Path
from forge.llm.gateway import Gateway
from forge.llm.ledger import Ledger
from forge.llm.provider import RawReply
from forge.model.calls import Answer, Message, Request
from forge.model.profile import Endpoint, Price, Profile, RoleSpec
from forge.model.words import Role

path, port, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])

async def complete(model, messages, params, schema, **rest):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    body = json.dumps({"model": model, "messages": [{"role": m.role, "content": m.content} for m in messages]}).encode()
    writer.write(b"POST /v1/chat/completions HTTP/1.1\\r\\ncontent-length: %d\\r\\n\\r\\n" % len(body) + body)
    head = await reader.readuntil(b"\\r\\n\\r\\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\\r\\n")[0])
    reply = json.loads(await reader.readexactly(length))
    writer.close()
    return RawReply(reply["choices"][0]["message"]["content"], "", "stop", "m", 1, 1, 0)

async def main():
    roles = {role: RoleSpec(models=("openai/a",)) for role in Role}
    endpoints = {"openai": Endpoint(api_base="x", concurrency=16)}
    prices = {"openai/a": Price(input=0, output=0)}
    profile = Profile(name="p", roles=roles, endpoints=endpoints, prices=prices)
    gateway = Gateway(profile, Ledger(path), complete=complete)
    texts = [f"question {n}" for n in range(300)]
    random.Random(seed).shuffle(texts)
    slots = asyncio.Semaphore(16)
    async def one(text):
        async with slots:
            answer = await gateway.ask(Request(Role.JUDGE, (Message("user", text),)))
            assert isinstance(answer, Answer), answer
            return text, answer.text
    answers = dict(await asyncio.gather(*(one(text) for text in texts)))
    gateway.ledger.close()
    print(json.dumps([gateway.tally.made, answers], sort_keys=True))

asyncio.run(main())
"""


async def test_four_processes_and_300_keys_are_300_calls(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}
    async with MockServer(latency=0.005) as server:
        port = server.base_url.split(":")[2].removesuffix("/v1")
        processes = [
            await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                ASK_ALL,
                str(tmp_path / "ledger.sqlite"),
                port,
                str(seed),
                stdout=asyncio.subprocess.PIPE,
                env=env,
            )
            for seed in range(4)
        ]
        outputs = [json.loads((await process.communicate())[0]) for process in processes]
    assert server.stats()["total"] == server.stats()["distinct"] == 300
    assert sum(made for made, _ in outputs) == 300
    assert all(answers == outputs[0][1] for _, answers in outputs)
    assert len(outputs[0][1]) == 300
