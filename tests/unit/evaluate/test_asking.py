"""Asking: every sample once, faults counted and never read, a budget that ends it, answers read by the family's rules."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest
from unit.evaluate.releasecases import release, scenarios

from forge.evaluate.asking import Asked, Missing, ask_all, reader, request
from forge.evaluate.questions import FIRST_SAMPLE, Question, Wanted, questions
from forge.families.loading import load
from forge.model.calls import Answer, Fault, FaultKind, Request
from forge.model.checks import Prompt
from forge.model.errors import LedgerError


@dataclass
class FakeGateway:
    """Answers `A` to everything, or what `replies` says of a request's sample."""

    replies: dict[int, Answer | Fault | Exception] = field(default_factory=dict)
    asked: list[Request] = field(default_factory=list)
    busy: int = 0
    most: int = 0

    async def ask(self, request: Request) -> Answer | Fault:
        self.asked.append(request)
        self.busy += 1
        self.most = max(self.most, self.busy)
        await asyncio.sleep(0)
        self.busy -= 1
        reply = self.replies.get(request.sample - FIRST_SAMPLE)
        if isinstance(reply, Exception):
            raise reply
        return reply or Answer("k", "A\nBecause.", "", "stop", "fake")


def work() -> tuple[tuple[Question, ...], object]:
    made = scenarios("hidden_constraint", "A1", 2)
    family = load("hidden_constraint", None, {"hidden_constraint"})
    frozen = release(made)
    families = {one.id: (family, family.Item.model_validate(one.payload)) for one in made}  # type: ignore[attr-defined]
    return questions(frozen, lambda _: family, [None], Wanted(("active", "removed"))), reader(families)


async def go(gateway: FakeGateway, samples: int = 2, workers: int = 3) -> list[Asked | Missing]:
    asked, read = work()
    heard: list[Asked | Missing] = []

    async def hear(one: Asked | Missing) -> None:
        heard.append(one)

    await ask_all(gateway, asked, samples, workers, "", read, hear)  # type: ignore[arg-type]
    return heard


async def test_every_sample_of_every_question_once_and_read() -> None:
    gateway = FakeGateway()
    heard = await go(gateway)
    assert len(heard) == 2 * 2 * 2
    assert {(one.question.item, one.question.condition, one.sample) for one in heard} == {
        (item, condition, sample)
        for item in {one.question.item for one in heard}
        for condition in ("active", "removed")
        for sample in (0, 1)
    }
    for one in heard:
        assert isinstance(one, Asked)
        first = next(label for label in ("constraint_heavy", "heuristic") if f"A. {_words(one, label)}" in _shown(one))
        assert one.reading.label == first
    assert gateway.most <= 3


def _words(one: Asked, label: str) -> str:
    made = {scenario.id: scenario for scenario in scenarios("hidden_constraint", "A1", 2)}
    return made[one.question.item].options[label]


def _shown(one: Asked) -> str:
    return one.question.prompt.user


async def test_a_fault_is_missing_and_the_rest_goes_on() -> None:
    heard = await go(FakeGateway({0: Fault(FaultKind.TIMEOUT, "slow")}))
    assert sum(isinstance(one, Missing) for one in heard) == 4
    assert sum(isinstance(one, Asked) for one in heard) == 4


async def test_a_reached_budget_asks_nothing_more() -> None:
    gateway = FakeGateway({0: Fault(FaultKind.BUDGET, "the limit is reached")})
    await go(gateway, samples=1, workers=1)
    assert len(gateway.asked) == 1


async def test_what_stops_a_run_stops_it() -> None:
    gateway = FakeGateway({1: LedgerError("broken")})
    with pytest.raises(LedgerError):
        await go(gateway, workers=1)
    assert len(gateway.asked) == 2


async def test_an_unreadable_answer_is_counted_as_such() -> None:
    heard = await go(FakeGateway({0: Answer("k", "", "", "length", "fake")}), samples=1)
    assert all(isinstance(one, Asked) and one.reading.label is None and one.reading.unreadable for one in heard)


@pytest.mark.parametrize(
    ("prompt", "said"),
    [(Prompt("u", "own"), "own"), (Prompt("u"), "asked"), (Prompt("u", "", fixed=True), "")],
)
def test_the_system_message_is_the_family_s_where_it_is_fixed(prompt: Prompt, said: str) -> None:
    made = request(Question("i", "trap", "trap", "none", prompt, "g"), 3, "asked")
    assert [(one.role, one.content) for one in made.messages] == [("system", said), ("user", "u")]
    assert made.sample == FIRST_SAMPLE + 3
