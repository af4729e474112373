"""Two scenarios of the tests' own, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from forge.families.hidden_constraint.family import HiddenConstraintFamily
from forge.families.hidden_constraint.item import HiddenConstraintItem
from forge.families.hidden_constraint.seed import HiddenConstraintSeed

FILE = Path(__file__).resolve().parents[3] / "fixtures" / "hidden_constraint" / "A1.yaml"


def raw_seed(index: int = 0) -> dict[str, Any]:
    """A scenario as it is read: with what the header gives, `constraint` under the name of its field."""
    document = yaml.safe_load(FILE.read_text("utf-8"))
    shared = {key: document[key] for key in ("set", "family", "lang", "licence", "heuristic")}
    return {**shared, "constraint_kind": document["constraint"], **document["seeds"][index]}


def changed(path: tuple[str, ...], value: Any, index: int = 0) -> HiddenConstraintSeed:
    """The scenario with one value changed."""
    raw = raw_seed(index)
    at: dict[str, Any] = raw
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return HiddenConstraintSeed(**raw)


@pytest.fixture
def raw() -> dict[str, Any]:
    return raw_seed()


@pytest.fixture
def seed() -> HiddenConstraintSeed:
    return HiddenConstraintSeed(**raw_seed())


@pytest.fixture
def glasses() -> HiddenConstraintSeed:
    return HiddenConstraintSeed(**raw_seed(1))


@pytest.fixture
def change() -> Callable[..., HiddenConstraintSeed]:
    return changed


@pytest.fixture
def family() -> HiddenConstraintFamily:
    return HiddenConstraintFamily()


@pytest.fixture
def item(family: HiddenConstraintFamily, seed: HiddenConstraintSeed) -> HiddenConstraintItem:
    return family.item(seed, family.wording(seed))


@pytest.fixture(scope="module")
def shared() -> HiddenConstraintSeed:
    """One scenario for all examples of a property."""
    return HiddenConstraintSeed(**raw_seed())
