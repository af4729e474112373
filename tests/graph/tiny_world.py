"""A scripted world for the tiny family: templates, a profile, and a model that is a function of its request."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from forge_tiny import TinyFamily, TinySeed

from forge.agents.room import Room
from forge.grow.run import grow
from forge.model.calls import Answer, Fault, Request
from forge.model.events import Event
from forge.model.growth import SeedOutcome
from forge.model.profile import Limits, Profile, RoleSpec
from forge.model.seeds import Author, Probe, ProbePair
from forge.model.words import Role
from forge.prompts.collection import PromptLibrary
from forge.testing.scripted import ScriptedGateway

REWRITE = """---
id: tiny/{role}
version: 1
role: {role}
reply:
  type: object
  properties:
    message: {{type: string}}
---
# user
{{{{ text }}}} / {{{{ voice }}}} / {{{{ intensity }}}} / {{{{ number }}}}
"""

Script = Callable[[Request], str | Answer | Fault]


def seed(prompt: str = "I have 7 boxes that never open. How long?", **changes: Any) -> TinySeed:
    fields: dict[str, Any] = {
        "id": "tiny-1",
        "set": "T1",
        "family": "tiny",
        "licence": "CC0",
        "name": "boxes",
        "author": Author(kind="human"),
        "source": "original",
        "domain": "home",
        "probe": Probe(
            trap=ProbePair(is_false="Can such a box open?", is_true="Does such a box stay shut?"),
            control=ProbePair(is_false="Does another box stay shut?", is_true="Can another box open?"),
        ),
        "prompt": prompt,
        "number": "7",
    }
    return TinySeed(**{**fields, **changes})


def profile(limits: Limits | None = None) -> Profile:
    rules = RoleSpec()
    model = RoleSpec(models=("fake/scripted",), temperature=0.7)
    players = (Role.GENERATOR, Role.SOLVER, Role.ANNEALER, Role.ENHANCER)
    roles = {role: model if role in players else rules for role in Role}
    return Profile(name="tiny", roles=roles, limits=limits or Limits())


def library(tmp_path: Path) -> PromptLibrary:
    folder = tmp_path / "prompts" / "tiny"
    folder.mkdir(parents=True, exist_ok=True)
    for role in ("generator", "annealer", "enhancer"):
        (folder / f"{role}.md").write_text(REWRITE.format(role=role))
    return PromptLibrary([tmp_path / "prompts"])


def message(text: str) -> str:
    return json.dumps({"message": text})


def user(request: Request) -> str:
    return request.messages[-1].content


def truthful(request: Request) -> str | None:
    """Answer the probe as somebody who knows; None for anything else."""
    return {
        "Can such a box open?": "no",
        "Does such a box stay shut?": "yes",
        "Does another box stay shut?": "no",
        "Can another box open?": "yes",
    }.get(user(request))


async def run(
    tmp_path: Path, script: Script, *, limits: Limits | None = None, prompt: str | None = None, **options: Any
) -> tuple[SeedOutcome, ScriptedGateway, list[Event]]:
    gateway, events = ScriptedGateway(script), list[Event]()
    room = Room(TinyFamily(), library(tmp_path), profile(limits), gateway)
    planted = seed(prompt) if prompt else seed()
    changes = options.pop("changes", {})
    outcome = await grow(room, planted.model_copy(update=changes), events.append, **options)
    return outcome, gateway, events
