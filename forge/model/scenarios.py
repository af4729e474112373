"""Scenarios: one item in all its conditions, as a set of pairs holds it, people rate it, and a release freezes it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

from pydantic import Field, field_validator

from forge.model.ids import digest
from forge.model.seeds import Frozen
from forge.model.words import Operator


class Selection(StrEnum):
    """How the scenarios of a set were chosen (Core-100, section 5; SaliTrap 3.3.3)."""

    COVERAGE = "coverage"
    """No solver's answer chose anything: every scenario that passes the rules is in."""
    ADVERSARIAL = "adversarial"
    """A solver failed on every one of them, again and again."""


class Order(StrEnum):
    """How it is decided which of two options is shown first; the same in all conditions of a scenario."""

    BALANCED = "balanced"
    """By the rank of a salted hash within each cell: half and half, to within one."""
    HASH = "hash"
    """By the salted hash of the scenario alone."""
    BOTH = "both"
    """Each condition in both orders."""


CONDITIONS = ("trap", "active", "control", "removed", "explicit", "salience_control", "no_conflict")
"""The order in which a scenario's versions stand, whatever order they are given in; others follow by name."""
_SWAPPED = "_swapped"


def _place(condition: str) -> tuple[int, str, bool]:
    plain = condition.removesuffix(_SWAPPED)
    known = CONDITIONS.index(plain) if plain in CONDITIONS else len(CONDITIONS)
    return known, plain, condition.endswith(_SWAPPED)


class Version(Frozen):
    """One condition of a scenario.

    Attributes:
        text: as written, without options.
        prompt: as a solver is shown it: with options in their order and the instruction, where the family has them.
        gold: the family's label of the right answer.
        why: one sentence on why that is right.
        like: the condition by whose rules its responses are read; empty for its own.
    """

    text: str
    prompt: str
    gold: str
    why: str = ""
    like: str = ""


class Scenario(Frozen):
    """One item in all its conditions. It carries no run and no time: equal content has the equal digest.

    Attributes:
        id: unique within a set of pairs: the seed's id, or the item's for one grown from it.
        set: the seed set that it comes from.
        cell: the cell of the taxonomy, such as A1; for salience the dimension.
        source: `seed` for the seed's own wording, `item` for a grown one.
        item: the id of the certified item, if a solver certified it.
        pieces: who wrote what a seed left out: piece → `seed` or a model's name.
        versions: condition → version, in the order of CONDITIONS: the pair's two first.
        gradients: name → version by one edit of the trap's, such as `strength/weak`; empty where there are none.
        options: label → words; empty where the answer is free.
        first: the label of the option shown first; empty without options, and with `Order.BOTH`.
        payload: the family's own item, as JSON values: what `render` and `read` need.
    """

    id: str = Field(min_length=1)
    family: str
    set: str
    cell: str
    dimension: str
    domain: str
    lang: str
    licence: str
    seed: str
    seed_content: str
    author: Literal["human", "model", "table"]
    source: Literal["seed", "item"] = "seed"
    item: str = ""
    operator: Operator = Operator.SEED
    pieces: Mapping[str, str] = {}
    selection: Selection
    versions: dict[str, Version]
    gradients: dict[str, Version] = {}
    options: dict[str, str] = {}
    first: str = ""
    payload: dict[str, Any]

    @field_validator("versions")
    @classmethod
    def _in_order(cls, given: dict[str, Version]) -> dict[str, Version]:
        if len(given) < 2:
            raise ValueError("a scenario has at least two conditions: no trap without its control")
        return {name: given[name] for name in sorted(given, key=_place)}

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON of everything in it, 64 hex digits."""
        return digest(self.model_dump(mode="json"))


class Exclusion(Frozen):
    """A scenario that is not in, and every reason why: a row of the exclusion ledger.

    Attributes:
        stage: what found it: `build`, `repair` (after the one permitted repair), `audit`, `ratings`.
        round: the round of ratings; 0 before any.
        reasons: in words, each with condition, value and limit.
    """

    scenario: str
    stage: Literal["build", "repair", "audit", "ratings"]
    round: int = 0
    reasons: tuple[str, ...]


class PairSet(Frozen):
    """A set of scenarios as `forge pairs build` made it.

    Attributes:
        name: its name in the registry.
        digest: SHA-256 over the digests of its scenarios in order: other scenarios are another set.
        source: what it was built from: a seed set, or a filter over items.
    """

    name: str
    family: str
    source: str
    selection: Selection
    order: Order
    run: str
    digest: str
    scenarios: tuple[Scenario, ...]
    exclusions: tuple[Exclusion, ...] = ()


def set_digest(scenarios: tuple[Scenario, ...]) -> str:
    """Return the digest of a set: SHA-256 over its scenarios' ids and digests, in order."""
    return digest([[scenario.id, scenario.digest] for scenario in scenarios])
