"""Every trouble a provider can make, over a real HTTP connection and litellm. No retry really sleeps."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict

from forge.llm.gateway import Gateway
from forge.llm.ledger import Ledger
from forge.llm.structured import Malformed, Parsed, ask_json
from forge.model.calls import Answer, Fault, FaultKind, Message, Request
from forge.model.errors import ProviderRefused
from forge.model.events import Event, EventKind
from forge.model.profile import Endpoint, Price, Profile, RoleSpec
from forge.model.words import Role
from forge.testing.faults import BAD_ANSWERS, FAULTS, FaultPlan, Scripted, Storm, Trouble
from forge.testing.mockserver import MockServer, Reply, ReplyFn, completion

KEY = "sk-very-secret-value-4711"
KINDS = {
    Trouble.RATE_LIMIT: FaultKind.RATE_LIMIT,
    Trouble.SERVER_500: FaultKind.SERVER,
    Trouble.SERVER_503: FaultKind.SERVER,
    Trouble.SLOW: FaultKind.TIMEOUT,
    Trouble.DROPPED: FaultKind.CONNECTION,
    Trouble.NO_CHOICES: FaultKind.NO_MESSAGE,
    Trouble.NOT_JSON: FaultKind.NO_MESSAGE,
}


class Bench:
    """A mock server, and gateways that ask it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.events: list[Event] = []
        self.sleeps: list[float] = []
        self.server = MockServer(api_key=KEY)
        self.open: list[Gateway] = []
        self.now = 0.0

    async def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)

    def gateway(self, reply: ReplyFn, **rest: Any) -> Gateway:
        self.server.reply = reply
        settings = {"retries": 2, "timeout": 30.0, "breaker_after": 1000} | rest
        endpoint = Endpoint(api_base=self.server.base_url, api_key_env="FORGE_TEST_KEY", **settings)
        profile = Profile(
            name="p",
            roles={role: RoleSpec(models=("openai/m",), max_tokens=100) for role in Role},
            endpoints={"openai": endpoint},
            prices={"openai/m": Price(input=1.0, output=1.0)},
        )
        ledger = Ledger(self.folder / "ledger.sqlite")
        made = Gateway(profile, ledger, emit=self.events.append, sleep=self.sleep, clock=lambda: self.now)
        self.open.append(made)
        return made


@pytest.fixture
async def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bench]:
    monkeypatch.setenv("FORGE_TEST_KEY", KEY)
    made = Bench(tmp_path)
    async with made.server:
        yield made
        for gateway in made.open:
            await gateway.aclose(grace=0)
            gateway.ledger.close()


def request(text: str = "why?") -> Request:
    return Request(Role.JUDGE, (Message("system", ""), Message("user", text)))


@pytest.mark.parametrize("trouble", FAULTS)
async def test_one_fault_is_mended_by_one_retry(bench: Bench, trouble: Trouble) -> None:
    timeout = 0.5 if trouble is Trouble.SLOW else 30.0
    gateway = bench.gateway(FaultPlan([Scripted(trouble)]), timeout=timeout)
    answer = await gateway.ask(request())
    assert isinstance(answer, Answer)
    assert bench.server.total == 2  # litellm and its client retry nothing by themselves
    (retry,) = (event for event in bench.events if event.kind is EventKind.RETRY)
    assert retry.data["kind"] == KINDS[trouble]


@pytest.mark.parametrize("trouble", FAULTS)
async def test_a_lasting_fault_keeps_its_kind_and_is_not_stored(bench: Bench, trouble: Trouble) -> None:
    timeout = 0.3 if trouble is Trouble.SLOW else 30.0
    gateway = bench.gateway(FaultPlan([Scripted(trouble)] * 9), timeout=timeout)
    fault = await gateway.ask(request())
    assert isinstance(fault, Fault)
    assert (fault.kind, fault.attempts, fault.endpoint, fault.final) == (KINDS[trouble], 3, "openai", False)
    assert bench.server.total == 3
    assert gateway.ledger.stats().answers == 0


@pytest.mark.parametrize("as_date", [False, True])
async def test_retry_after_is_honoured_in_both_forms(bench: Bench, as_date: bool) -> None:
    plan = FaultPlan([Scripted(Trouble.RATE_LIMIT, retry_after=40.0, as_date=as_date)])
    assert isinstance(await bench.gateway(plan).ask(request()), Answer)
    # A date has whole seconds, and time passes between writing and reading it: up to two seconds less.
    least = 37.0 if as_date else 40.0
    assert least <= bench.sleeps[0] <= 40.5


async def test_a_rate_limit_holds_back_everybody_at_that_endpoint(bench: Bench) -> None:
    plan = FaultPlan([Scripted(Trouble.RATE_LIMIT, retry_after=40.0)])
    gateway = bench.gateway(plan, concurrency=1)
    await asyncio.gather(*(gateway.ask(request(f"q{n}")) for n in range(3)))
    assert bench.now >= 40.0
    assert bench.server.total == 4  # three answers and one 429: nobody else ran into it


@pytest.mark.parametrize(("trouble", "status"), [(Trouble.UNAUTHORIZED, "401"), (Trouble.NOT_FOUND, "404")])
async def test_a_refusal_stops_the_run_and_says_what_to_do(bench: Bench, trouble: Trouble, status: str) -> None:
    with pytest.raises(ProviderRefused, match=status) as caught:
        await bench.gateway(FaultPlan([Scripted(trouble)])).ask(request())
    assert "endpoint openai, model openai/m" in str(caught.value)
    assert caught.value.fix
    assert caught.value.exit_code == 3
    assert bench.server.total == 1


@pytest.mark.parametrize("status", [402, 403])
async def test_other_refusals_stop_the_run_too(bench: Bench, status: int) -> None:
    with pytest.raises(ProviderRefused, match=str(status)):
        await bench.gateway(lambda _: Reply(status, {"error": {"message": "no"}})).ask(request())


@pytest.mark.parametrize("status", [400, 413, 422])
async def test_a_request_that_is_never_taken_is_final_and_not_retried(bench: Bench, status: int) -> None:
    fault = await bench.gateway(lambda _: Reply(status, {"error": {"message": "no good"}})).ask(request())
    assert isinstance(fault, Fault)
    assert (fault.kind, fault.final, bench.server.total) == (FaultKind.NEVER, True, 1)


async def test_a_prompt_beyond_the_context_is_final(bench: Bench) -> None:
    fault = await bench.gateway(FaultPlan([Trouble.CONTEXT_LENGTH])).ask(request())
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.NEVER
    assert "maximum context length" in fault.message


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(502, b"bad gateway"), FaultKind.SERVER),
        (Reply(504, {"error": {"message": "x"}}), FaultKind.TIMEOUT),
        (Reply(529, {"error": {"message": "x"}}), FaultKind.SERVER),
        (Reply(409, {"error": {"message": "x"}}), FaultKind.SERVER),
        (Reply(200, b"{not json"), FaultKind.NO_MESSAGE),
        (Reply(200, b""), FaultKind.NO_MESSAGE),
        (Reply(200, b'"text"'), FaultKind.NO_MESSAGE),
        (Reply(200, {"error": {"message": "overloaded"}}), FaultKind.NO_MESSAGE),
        (Reply(200, {"id": "x", "object": "chat.completion"}), FaultKind.NO_MESSAGE),
        (Reply(200, {"id": "x", "choices": [{"index": 0, "finish_reason": "stop"}]}), FaultKind.NO_MESSAGE),
    ],
)
async def test_odd_replies_are_sorted(bench: Bench, reply: Reply, kind: FaultKind) -> None:
    fault = await bench.gateway(lambda _: reply, retries=0).ask(request())
    assert isinstance(fault, Fault)
    assert fault.kind is kind


async def test_nobody_listening_is_a_connection_fault(bench: Bench) -> None:
    gateway = bench.gateway(FaultPlan([]), retries=0)
    endpoint = gateway.profile.endpoints["openai"].model_copy(update={"api_base": "http://127.0.0.1:9/v1"})
    gateway.profile = gateway.profile.model_copy(update={"endpoints": {"openai": endpoint}})
    fault = await gateway.ask(request())
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.CONNECTION


@pytest.mark.parametrize(
    ("trouble", "text", "finish"),
    [
        (Trouble.EMPTY, "", "stop"),
        (Trouble.FILTERED, "", "content_filter"),
        (Trouble.REFUSAL, "I'm sorry, but I can't help with that.", "stop"),
        (Trouble.WRONG_JSON, '{"unexpected": true}', "stop"),
    ],
)
async def test_an_empty_filtered_or_refused_reply_is_an_answer_and_replays(
    bench: Bench, trouble: Trouble, text: str, finish: str
) -> None:
    gateway = bench.gateway(FaultPlan([trouble]))
    first = await gateway.ask(request())
    second = await gateway.ask(request())
    assert isinstance(first, Answer)
    assert isinstance(second, Answer)
    assert (first.text, first.finish) == (second.text, second.finish) == (text, finish)
    assert bench.server.total == 1


async def test_null_content_and_a_cut_reply_are_answers(bench: Bench) -> None:
    null = await bench.gateway(lambda body: completion(body, None, finish="length", reasoning="I think")).ask(request())
    assert isinstance(null, Answer)
    assert (null.text, null.reasoning, null.cut) == ("", "I think", True)


async def test_reasoning_is_kept_apart_and_tokens_are_counted(bench: Bench) -> None:
    gateway = bench.gateway(lambda body: completion(body, "12345678", reasoning="abcd", cached=1, model="m-2026-01"))
    answer = await gateway.ask(request("x" * 40))
    assert isinstance(answer, Answer)
    assert (answer.text, answer.reasoning, answer.model) == ("12345678", "abcd", "m-2026-01")
    usage = answer.usage
    assert (usage.prompt, usage.completion, usage.cached) == (10, 3, 1)  # 40 / 4; 8 / 4 + 4 / 4
    assert usage.usd == pytest.approx(13e-6)


async def test_what_is_sent_is_what_was_asked(bench: Bench) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    gateway = bench.gateway(FaultPlan([]))
    await gateway.ask(Request(Role.JUDGE, (Message("system", ""), Message("user", "q")), schema))
    assert bench.server.bodies == [
        {
            "model": "m",
            "messages": [{"role": "system", "content": ""}, {"role": "user", "content": "q"}],
            "temperature": 0.0,
            "max_tokens": 100,
            "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}},
        }
    ]


class Verdict(BaseModel):
    model_config = ConfigDict(extra="forbid")
    label: Literal["good", "bad"]
    why: str


@pytest.mark.parametrize("trouble", BAD_ANSWERS)
async def test_bad_json_is_repaired_by_the_next_reply(bench: Bench, trouble: Trouble) -> None:
    result = await ask_json(bench.gateway(FaultPlan([trouble])), request(), Verdict)
    assert isinstance(result, Parsed)
    assert len(result.answers) == (1 if trouble is Trouble.FENCED else 2)


async def test_bad_json_twice_is_malformed_and_replays_as_malformed(bench: Bench) -> None:
    gateway = bench.gateway(FaultPlan([Trouble.REFUSAL, Trouble.WRONG_JSON]))
    first = await ask_json(gateway, request(), Verdict)
    second = await ask_json(gateway, request(), Verdict)
    assert isinstance(first, Malformed)
    assert isinstance(second, Malformed)
    assert first.reason == second.reason
    assert bench.server.total == 2


async def test_a_storm_of_faults_leaves_every_request_answered_or_faulted(bench: Bench) -> None:
    gateway = bench.gateway(Storm(0.4, seed=3), retries=1, concurrency=8)
    results = await asyncio.gather(*(gateway.ask(request(f"q{n}")) for n in range(60)))
    answers = [result for result in results if isinstance(result, Answer)]
    faults = [result for result in results if isinstance(result, Fault)]
    assert len(answers) + len(faults) == 60
    assert answers
    assert faults
    assert gateway.ledger.stats().answers == len(answers)
    bench.server.reply = FaultPlan([])
    asked = bench.server.total
    again = await asyncio.gather(*(gateway.ask(request(f"q{n}")) for n in range(60)))
    assert all(isinstance(result, Answer) for result in again)
    assert bench.server.total - asked == len(faults)  # what was answered is not asked again


async def test_a_dead_provider_is_given_up_soon(bench: Bench) -> None:
    gateway = bench.gateway(FaultPlan([Trouble.SERVER_503] * 999), retries=6, breaker_after=4, breaker_rest=30.0)
    results = await asyncio.gather(*(gateway.ask(request(f"q{n}")) for n in range(40)))
    assert all(isinstance(result, Fault) for result in results)
    assert bench.server.total < 40  # far from 40 × 7
    assert {result.kind for result in results if isinstance(result, Fault)} == {FaultKind.BREAKER}


async def test_the_key_is_nowhere_but_on_the_wire(
    bench: Bench, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    texts: list[str] = []
    leaky: dict[str, Callable[[dict[str, Any]], Any]] = {
        "good": lambda body: completion(body, "fine"),
        "500": lambda _: Reply(500, {"error": {"message": f"failed for {KEY} and Bearer {KEY}"}}),
        "400": lambda _: Reply(400, {"error": {"message": f"bad request by {KEY}"}}),
        "html": lambda _: Reply(200, f"<html>{KEY}</html>".encode(), content_type="text/html"),
    }
    for name, reply in leaky.items():
        result = await bench.gateway(reply, retries=1).ask(request(name))
        texts.append(repr(result))
    with pytest.raises(ProviderRefused) as caught:
        await bench.gateway(lambda _: Reply(401, {"error": {"message": f"Incorrect API key: {KEY}"}})).ask(request("x"))
    texts += [str(caught.value), repr(caught.value.__dict__), repr(caught.value.__cause__)]
    assert caught.value.__suppress_context__
    texts += [repr(event) for event in bench.events]
    texts += [caplog.text, *capfd.readouterr()]
    for path in bench.folder.rglob("*"):
        if path.is_file():
            texts.append(path.read_bytes().decode("latin-1"))
    assert any("fine" in text for text in texts)
    assert [text for text in texts if KEY in text] == []


async def test_the_wrong_key_is_refused(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORGE_TEST_KEY", "sk-another-value-entirely")
    with pytest.raises(ProviderRefused, match="401"):
        await bench.gateway(FaultPlan([])).ask(request())
