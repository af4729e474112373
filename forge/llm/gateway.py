"""The one door to the models: key → ledger → single flight → budget → limits → provider with retries → ledger.

It owns retries, pools and counters. It must not read prompts' meaning, nor store a fault.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from forge.llm import provider
from forge.llm.budget import Budget, most_tokens
from forge.llm.catalogue import find as listed_model
from forge.llm.flights import Flight
from forge.llm.keys import LOCAL, decoding, ledger_key
from forge.llm.ledger import Ledger
from forge.llm.limits import Clock, Gate, Resting, Sleep, endpoint_for
from forge.llm.prices import Prices
from forge.model.calls import Answer, Fault, FaultKind, Request, Usage
from forge.model.errors import ConfigError, LedgerError, ReplayMiss, VerificationError
from forge.model.events import Event, EventKind
from forge.model.profile import Profile, RoleSpec
from forge.model.words import Role

BACKOFF = 0.5
LONGEST_BACKOFF = 30.0
LONGEST_WAIT = 300.0
"""A provider that asks for a longer wait than this, in seconds, has given a fault: the seed is taken up next time."""

LocalAddress = tuple[str, str, str, str]
"""api_base, api_key, the file's SHA-256, the alias to ask for."""
Local = Callable[[str], Awaitable[LocalAddress]]
Complete = Callable[..., Awaitable[provider.RawReply]]


@dataclass(slots=True)
class Tally:
    """What was asked, for one role or in all. Tokens, dollars and seconds are those of calls made, not replayed."""

    made: int = 0
    replayed: int = 0
    faults: int = 0
    retries: int = 0
    prompt: int = 0
    completion: int = 0
    cached: int = 0
    usd: float = 0.0
    unpriced: int = 0
    seconds: float = 0.0

    def add(self, answer: Answer) -> None:
        """Count an answer."""
        if answer.replayed:
            self.replayed += 1
            return
        usage = answer.usage
        self.made += 1
        self.prompt += usage.prompt
        self.completion += usage.completion
        self.cached += usage.cached
        self.seconds += answer.seconds
        if usage.usd is None:
            self.unpriced += 1
        else:
            self.usd += usage.usd


class Gateway:
    """Asks models on behalf of roles.

    Args:
        profile: who plays which role, endpoints, prices.
        ledger: where answers are looked up and stored.
        draw: which search this is; it enters every key.
        files: SHA-256 of local models' files by name; by default the pins of the listed ones.
        budget: limits on calls and dollars; none by default.
        local: starts a local model and returns its address; needed only when one is called.
        emit: told of every call and retry.
        offline: a replay: only the ledger answers.
        clock, sleep: monotonic seconds; injected by tests.
        complete: asks a provider once; injected by tests.
    """

    def __init__(
        self,
        profile: Profile,
        ledger: Ledger,
        *,
        draw: int = 0,
        files: Mapping[str, str] | None = None,
        budget: Budget | None = None,
        local: Local | None = None,
        emit: Callable[[Event], None] | None = None,
        offline: bool = False,
        clock: Clock = time.monotonic,
        sleep: Sleep = asyncio.sleep,
        complete: Complete = provider.complete,
    ) -> None:
        self.profile = profile
        self.ledger = ledger
        self.draw = draw
        self.budget = budget or Budget()
        self.tally = Tally()
        self.by_role: dict[Role, Tally] = {role: Tally() for role in Role}
        self.prices = Prices(profile)
        self._files = _pins(profile) if files is None else files
        self._local = local
        self._emit = emit
        self._offline = offline
        self._clock = clock
        self._sleep = sleep
        self._complete = complete
        self._gates: dict[str, Gate] = {}

    async def ask(self, request: Request) -> Answer | Fault:
        """Return the answer to a request: from the ledger if it is there, else from a model.

        Raises:
            ProviderRefused: the run must stop.
            LedgerError: the ledger cannot be read or written.
            ReplayMiss: offline, and the ledger lacks the answer.
            ConfigError: the role is played by rules, or a local model cannot be had.
        """
        spec = self.profile.roles[request.role]
        if spec.rules:
            raise ConfigError(f"the role {request.role} is played by rules: there is no model to ask")
        key = ledger_key(spec, request, self.draw, self._files)
        found = self.ledger.find(key, spec.max_tokens)
        if found is not None:
            return self._counted(request, found)
        if self._offline:
            raise ReplayMiss(
                "the ledger lacks an answer that the replay needs",
                where=f"seed {request.seed or '-'}, role {request.role}, sample {request.sample}, draw {self.draw}",
                value=key,
                fix="replay in the workspace that made the run, with its ledger",
            )
        result, joined = await self.ledger.flights.join(
            (key, spec.max_tokens), lambda flight: self._fly(flight, request, spec, key)
        )
        if isinstance(result, Fault):
            self.tally.faults += 1
            self.by_role[request.role].faults += 1
            return result
        return self._counted(request, replace(result, replayed=True)) if joined else result

    async def aclose(self, grace: float = 5.0) -> None:
        """Let calls that are being paid for finish within `grace` seconds, store their answers, close connections."""
        await self.ledger.flights.drain(grace)
        await provider.aclose()

    async def _fly(self, flight: Flight[Answer | Fault], request: Request, spec: RoleSpec, key: str) -> Answer | Fault:
        """One flight: wait for the claim, ask, and leave no claim behind whatever happens."""
        found = await self.ledger.acquire(key, spec.max_tokens, self._sleep)
        if found is not None:
            return self._counted(request, found)
        result: Answer | Fault | None = None
        try:
            result = await self._ask_pool(flight, request, spec, key)
        finally:
            if not isinstance(result, Answer):
                with contextlib.suppress(LedgerError):  # The lock frees it when the process ends.
                    self.ledger.release(key, spec.max_tokens)
        return result

    async def _ask_pool(
        self, flight: Flight[Answer | Fault], request: Request, spec: RoleSpec, key: str
    ) -> Answer | Fault:
        """Ask the pool's models in order until one answers. What is final for one model need not be for the next."""
        first: Fault | None = None
        for model in spec.models:
            result = await self._ask_within_budget(flight, request, spec, key, model)
            if isinstance(result, Answer) or result.kind is FaultKind.BUDGET or flight.abandoned:
                return result
            if first is None or first.final:
                first = result
        assert first is not None
        return first

    async def _ask_within_budget(
        self, flight: Flight[Answer | Fault], request: Request, spec: RoleSpec, key: str, model: str
    ) -> Answer | Fault:
        most = 0.0
        if self.budget.max_usd is not None:
            most = self.prices.usd(model, most_tokens(request.messages), spec.max_tokens) or 0.0
        if not await self.budget.reserve(most):
            return Fault(FaultKind.BUDGET, self.budget.reached or "the budget is reached", model)
        answer: Answer | None = None
        try:
            result = await self._ask_model(flight, request, spec, key, model)
            answer = result if isinstance(result, Answer) else None
        finally:
            if answer is None:
                self.budget.release(most)
            else:
                self.budget.settle(most, answer.usage.usd)
        return result

    async def _ask_model(
        self, flight: Flight[Answer | Fault], request: Request, spec: RoleSpec, key: str, model: str
    ) -> Answer | Fault:
        """Ask one model, with its endpoint's retries."""
        gate = self._gate(model)
        attempt = 0
        try:
            while True:
                attempt += 1
                try:
                    return await self._attempt(flight, gate, request, spec, key, model)
                except Resting as resting:
                    return Fault(FaultKind.BREAKER, str(resting), gate.name, attempt)
                except provider.Never as never:
                    return Fault(FaultKind.NEVER, never.message, gate.name, attempt)
                except provider.Trouble as trouble:
                    delay = self._delay(key, attempt, trouble)
                    if attempt > gate.endpoint.retries or delay > LONGEST_WAIT or flight.abandoned:
                        return Fault(trouble.kind, trouble.message, gate.name, attempt)
                    if trouble.kind is FaultKind.RATE_LIMIT and trouble.retry_after is not None:
                        gate.pace.hold(trouble.retry_after)
                    self._retrying(request, gate, key, trouble.kind, delay, attempt)
                await self._sleep(delay)
        finally:
            if attempt > 1:
                self._tell(EventKind.RETRY_OVER, request, {"id": key[:16]})

    async def _attempt(
        self, flight: Flight[Answer | Fault], gate: Gate, request: Request, spec: RoleSpec, key: str, model: str
    ) -> Answer:
        """One request to a provider. Between its reply and the commit nothing is awaited, so nothing can part them."""
        probe = await gate.enter()
        try:
            endpoint = gate.endpoint
            name, api_base, api_key = model, endpoint.api_base, None
            if model.startswith(LOCAL):
                name, api_base, api_key = await self._local_address(model)
            else:
                api_key = provider.api_key_for(model, endpoint)
            params: dict[str, Any] = {**decoding(spec), "max_tokens": spec.max_tokens}
            started = self._clock()
            flight.paying = True
            raw = await self._complete(
                name, request.messages, params, request.schema,
                api_base=api_base, api_key=api_key, timeout=endpoint.timeout, endpoint=gate.name,
            )  # fmt: skip
        except provider.Trouble as trouble:
            gate.breaker.failed(probe, trouble.retry_after)
            raise
        except provider.Never:
            gate.breaker.succeeded()
            raise
        finally:
            flight.paying = False
            gate.leave(probe)
        gate.breaker.succeeded()
        usage = Usage(
            raw.prompt, raw.completion, raw.cached, self.prices.usd(model, raw.prompt, raw.completion, raw.cached)
        )
        answer = Answer(
            key, raw.text, raw.reasoning, raw.finish, raw.model, usage, False, max(0.0, self._clock() - started)
        )
        messages = [[message.role, message.content] for message in request.messages]
        sent = {"messages": messages, "params": params, "schema": request.schema, "draw": self.draw,
                "sample": request.sample, "called": model}  # fmt: skip
        stored = self.ledger.commit(
            answer, max_tokens=spec.max_tokens, role=request.role, declared=spec.declared, request=sent
        )
        return self._counted(request, stored)

    async def _local_address(self, model: str) -> tuple[str, str, str]:
        name = model.removeprefix(LOCAL)
        if self._local is None:
            raise ConfigError(
                "no local models can be started here", value=model, fix="run through a session, or name a hosted model"
            )
        api_base, api_key, sha256, alias = await self._local(name)
        if sha256 != self._files.get(name):
            raise VerificationError(
                "the local model that runs is not the one the ledger's keys name",
                where=model,
                value=sha256,
                fix="end the other server, or fetch the listed file: forge models pull",
            )
        return f"openai/{alias}", api_base, api_key

    def _gate(self, model: str) -> Gate:
        name, endpoint = endpoint_for(self.profile, model)
        gate = self._gates.get(name)
        if gate is None:
            gate = self._gates[name] = Gate(name, endpoint, self._clock, self._sleep)
        return gate

    def _delay(self, key: str, attempt: int, trouble: provider.Trouble) -> float:
        """Return seconds to wait before the next attempt: exponential with jitter drawn from the key, so that equal
        runs wait equally; never less than the provider asked for."""
        share = random.Random(f"{key}:{attempt}").random()
        if trouble.retry_after is not None:
            return trouble.retry_after + 0.5 * share
        delay: float = min(LONGEST_BACKOFF, BACKOFF * 2 ** (attempt - 1)) * (0.5 + 0.5 * share)
        return delay

    def _retrying(self, request: Request, gate: Gate, key: str, kind: FaultKind, delay: float, attempt: int) -> None:
        self.tally.retries += 1
        self.by_role[request.role].retries += 1
        data = {"id": key[:16], "endpoint": gate.name, "kind": kind.value, "delay": delay, "attempt": attempt}
        self._tell(EventKind.RETRY, request, data)

    def _counted(self, request: Request, answer: Answer) -> Answer:
        self.tally.add(answer)
        self.by_role[request.role].add(answer)
        if self._emit is not None:
            usage = answer.usage
            data = {"role": request.role.value, "model": answer.model, "replayed": answer.replayed,
                    "prompt": usage.prompt, "completion": usage.completion, "usd": usage.usd,
                    "seconds": answer.seconds}  # fmt: skip
            self._emit(Event(EventKind.CALL, request.seed, data))
        return answer

    def _tell(self, kind: EventKind, request: Request, data: dict[str, Any]) -> None:
        if self._emit is not None:
            self._emit(Event(kind, request.seed, data))


def _pins(profile: Profile) -> dict[str, str]:
    """The pinned SHA-256 of every local model that the profile names."""
    names = (model.removeprefix(LOCAL) for model in profile.models if model.startswith(LOCAL))
    return {name: listed_model(name).sha256 for name in names}
