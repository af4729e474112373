"""The fake gateway answers by script and remembers who asked."""

from __future__ import annotations

import pytest

from forge.model.calls import Answer, Fault, FaultKind, Message, Request
from forge.model.words import Role
from forge.testing.scripted import ScriptedGateway, answer, by_role, in_turn


def request(role: Role = Role.JUDGE, sample: int = 0) -> Request:
    return Request(role, (Message("user", "x"),), sample=sample)


async def test_texts_answers_and_faults_come_in_turn() -> None:
    fault = Fault(FaultKind.SERVER, "503")
    gateway = ScriptedGateway(in_turn(["one", answer("two", finish="length"), fault]))
    first, second, third = [await gateway.ask(request()) for _ in range(3)]
    assert isinstance(first, Answer)
    assert (first.text, first.usage.completion) == ("one", 1)
    assert isinstance(second, Answer)
    assert second.cut
    assert third is fault
    with pytest.raises(IndexError, match="role judge"):
        await gateway.ask(request())


async def test_equal_requests_have_equal_keys_and_others_do_not() -> None:
    gateway = ScriptedGateway(lambda _: "x")
    keys = [getattr(await gateway.ask(request(sample=n)), "key", "") for n in (0, 0, 1)]
    assert keys[0] == keys[1] != keys[2]


async def test_roles_may_have_their_own_scripts_and_are_counted() -> None:
    gateway = ScriptedGateway(by_role({Role.JUDGE: in_turn(["j", "k"]), Role.SOLVER: in_turn(["s"])}))
    texts = [getattr(await gateway.ask(request(role)), "text", "") for role in (Role.JUDGE, Role.SOLVER, Role.JUDGE)]
    assert texts == ["j", "s", "k"]
    assert (gateway.count(Role.JUDGE), gateway.count(Role.SOLVER), gateway.count(Role.TRUTH)) == (2, 1, 0)
