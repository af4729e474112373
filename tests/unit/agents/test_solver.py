"""What a solver is sent: an explicit system message, empty unless the profile has one, and the item alone."""

from __future__ import annotations

import pytest

from forge.agents.room import Room
from forge.agents.solver import response, solve
from forge.families.salience import SalienceFamily
from forge.model.calls import Answer
from forge.model.checks import Prompt
from forge.model.profile import Profile, RoleSpec
from forge.model.words import Role
from forge.prompts.collection import PromptLibrary
from forge.testing.scripted import ScriptedGateway, in_turn


@pytest.mark.parametrize(("own", "shown"), [("", ""), ("Be brief.", "Be brief.")])
async def test_the_system_message_is_explicit(own: str, shown: str) -> None:
    spec = RoleSpec(models=("fake/scripted",), temperature=0.7, system=own)
    gateway = ScriptedGateway(in_turn(["Three trips."]))
    room = Room(SalienceFamily(), PromptLibrary([]), Profile(name="p", roles=dict.fromkeys(Role, spec)), gateway)
    answer = await solve(room, Prompt("How many trips?"), seed="s", sample=4)
    assert isinstance(answer, Answer)
    assert [(m.role, m.content) for m in gateway.requests[0].messages] == [
        ("system", shown),
        ("user", "How many trips?"),
    ]
    assert gateway.requests[0].sample == 4
    assert response(answer).text == "Three trips."
