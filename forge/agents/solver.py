"""The solver: the model whose failures are searched for. It sees a rendered condition and nothing else."""

from __future__ import annotations

from forge.agents.room import Room
from forge.model.calls import Answer, Fault, Message, Request
from forge.model.checks import Prompt, Response
from forge.model.words import Role


async def solve(room: Room, prompt: Prompt, *, seed: str, sample: int) -> Answer | Fault:
    """Ask the solver once. Sample 0 selects; 1 and up test stability and were never used to select."""
    messages = (Message("system", system(room, prompt)), Message("user", prompt.user))
    return await room.gateway.ask(Request(role=Role.SOLVER, messages=messages, sample=sample, seed=seed))


def system(room: Room, prompt: Prompt) -> str:
    """Return the system message that goes with a prompt: its own, or the profile's where the family leaves it open."""
    return prompt.system if prompt.fixed else prompt.system or room.spec(Role.SOLVER).system


def response(answer: Answer) -> Response:
    """Return what a reader gets of an answer."""
    return Response(text=answer.text, reasoning=answer.reasoning, cut=answer.cut)
