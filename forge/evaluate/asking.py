"""Asks every question of an evaluation, so many at once, and reads each answer as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from forge.evaluate.questions import FIRST_SAMPLE, Question
from forge.families.base import Family
from forge.model.calls import Answer, Fault, FaultKind, Message, Request
from forge.model.checks import Reading, Response
from forge.model.errors import ForgeError
from forge.model.words import Role


class Asker(Protocol):
    """The gateway, or a fake one."""

    async def ask(self, request: Request) -> Answer | Fault:
        """Return an answer, or a fault after all retries."""
        ...


@dataclass(frozen=True, slots=True)
class Asked:
    """One answer of one model with its reading.

    Attributes:
        sample: from 0.
    """

    question: Question
    sample: int
    answer: Answer
    reading: Reading


@dataclass(frozen=True, slots=True)
class Missing:
    """One answer that did not come: a fault decides nothing, and is asked again next time."""

    question: Question
    sample: int
    fault: Fault


Read = Callable[[Question, Response], Reading]


def reader(families: Mapping[str, tuple[Family, Any]], scope: str = "answer") -> Read:
    """Return what reads a response to a question by its family's rules.

    Args:
        families: item → its family, and the family's own item.
        scope: `answer`, or `reasoning+answer`.
    """

    def read(question: Question, response: Response) -> Reading:
        family, item = families[question.item]
        return family.read(item, question.like, response, scope)

    return read


async def ask_all(
    gateway: Asker,
    questions: Sequence[Question],
    samples: int,
    workers: int,
    system: str,
    read: Read,
    heard: Callable[[Asked | Missing], Awaitable[None]],
) -> None:
    """Ask each question `samples` times. Equal prompts follow each other, so that a local server reads them once.

    Args:
        system: the system message where a family leaves it open.
        heard: told of every answer, in the order they come.

    Raises:
        ForgeError: what stops the run, as the gateway says; what was answered is kept.
    """
    work = [(question, sample) for question in questions for sample in range(samples)]
    gate = asyncio.Semaphore(workers)
    stop = asyncio.Event()

    async def one(question: Question, sample: int) -> None:
        async with gate:
            if stop.is_set():
                return
            try:
                answer = await gateway.ask(request(question, sample, system))
            except ForgeError:
                stop.set()
                raise
        if isinstance(answer, Fault):
            if answer.kind is FaultKind.BUDGET:
                stop.set()
            await heard(Missing(question, sample, answer))
            return
        response = Response(text=answer.text, reasoning=answer.reasoning, cut=answer.cut)
        await heard(Asked(question, sample, answer, read(question, response)))

    tasks = [asyncio.ensure_future(one(*what)) for what in work]
    try:
        for task in asyncio.as_completed(tasks):
            await task
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def request(question: Question, sample: int, system: str) -> Request:
    """Return the request of one sample; its index lies beyond those that growing uses."""
    prompt = question.prompt
    said = prompt.system if prompt.fixed else prompt.system or system
    messages = (Message("system", said), Message("user", prompt.user))
    return Request(role=Role.SOLVER, messages=messages, sample=FIRST_SAMPLE + sample, seed=question.item)
