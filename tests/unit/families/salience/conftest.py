"""The tests' own seed, and what is made of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from forge.families.salience.family import SalienceFamily
from forge.families.salience.item import SalienceItem
from forge.families.salience.seed import SalienceSeed


@pytest.fixture
def raw() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "seed.yaml").read_text("utf-8"))
    return loaded


@pytest.fixture
def seed(raw: dict[str, Any]) -> SalienceSeed:
    return SalienceSeed(**raw)


@pytest.fixture
def family() -> SalienceFamily:
    return SalienceFamily()


@pytest.fixture
def item(family: SalienceFamily, seed: SalienceSeed) -> SalienceItem:
    return family.item(seed, seed.prompt)


@pytest.fixture(scope="module")
def shared_seed() -> SalienceSeed:
    """One seed for all examples of a property."""
    return SalienceSeed(**yaml.safe_load((Path(__file__).parent / "seed.yaml").read_text("utf-8")))


@pytest.fixture(scope="module")
def shared(shared_seed: SalienceSeed) -> tuple[SalienceFamily, SalienceItem]:
    """One family and item for all examples of a property."""
    family = SalienceFamily()
    return family, family.item(shared_seed, shared_seed.prompt)
