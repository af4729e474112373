"""The salience family at work in tests of scaling: its templates, a small table, a room whose model is a function."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from forge.agents.room import Room
from forge.families.base import Composer
from forge.families.salience import SalienceFamily
from forge.families.salience.seed import SalienceSeed
from forge.grow.scaling.proposals import Known
from forge.model.calls import Request
from forge.model.profile import Profile, RoleSpec
from forge.model.words import Role
from forge.prompts.collection import PromptLibrary
from forge.testing.scripted import Script, ScriptedGateway

ROOT = Path(__file__).resolve().parents[4]
HEADER = {
    "set": "D1.scaled",
    "family": "salience",
    "lang": "en",
    "licence": "CC-BY-4.0",
    "dimension": "missing_prerequisite",
    "scaled_from": "D1",
}
FAMILY = SalienceFamily()


@lru_cache(maxsize=1)
def shipped() -> tuple[Known, ...]:
    """The twelve seeds of D1."""
    data = yaml.safe_load((ROOT / "seeds" / "salience" / "D1.yaml").read_text(encoding="utf-8"))
    shared = {key: data[key] for key in ("set", "family", "lang", "licence", "dimension")}
    seeds = [SalienceSeed.model_validate({**shared, **row}) for row in data["seeds"]]
    return tuple(Known(seed, FAMILY.facets(seed)) for seed in seeds)


@lru_cache(maxsize=1)
def mini() -> Composer:
    """The small table that is written for tests."""
    text = (ROOT / "tests" / "fixtures" / "tables" / "mini.yaml").read_text(encoding="utf-8")
    return FAMILY.composer(yaml.safe_load(text), {**HEADER, "set": "D1"})


def room(script: Script, family: Any = FAMILY) -> tuple[Room, ScriptedGateway]:
    """A room whose generator is the script, with the templates that come with forge."""
    gateway = ScriptedGateway(script)
    writer = RoleSpec(models=("fake/scripted",), temperature=0.8)
    players = (Role.GENERATOR, Role.SOLVER, Role.ANNEALER, Role.ENHANCER)
    roles = {role: writer if role in players else RoleSpec() for role in Role}
    return Room(family, PromptLibrary([ROOT / "prompts"]), Profile(name="fake", roles=roles), gateway), gateway


def opening(request: Request) -> str:
    """The opening that a voice is asked to say."""
    found = re.search(r"Opening: (.*)\nVoice:", request.messages[-1].content)
    assert found is not None
    return found[1]
