"""The parts that every family's seeds share. A family adds its own fields in a subclass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from forge.model.ids import content_id


class Frozen(BaseModel):
    """Base of everything parsed or stored: immutable, unknown fields refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


SCALED = "scaled"
"""The tag of a seed that `forge scale` accepted: it grows with viability grade A or A- only."""


class Author(Frozen):
    """Who wrote a seed, and who read it."""

    kind: Literal["human", "model", "table"]
    reviewed_by: tuple[str, ...] = ()


class ProbePair(Frozen):
    """Two yes/no questions on one fact: the right answers are no and yes."""

    is_false: str = Field(min_length=8)
    is_true: str = Field(min_length=8)


class Probe(Frozen):
    """The balanced probe: trap fact and control fact, each once with yes and once with no as the right answer."""

    trap: ProbePair
    control: ProbePair


class Hints(Frozen):
    """What a rewrite should preserve and avoid (SaliTrap 3.3.1)."""

    preserve: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()


class Seed(Frozen):
    """The prototype of a family's items. `set`, `family`, `lang` and `licence` come from the seed set's header."""

    inherits: ClassVar[Mapping[str, str]] = {key: key for key in ("dimension", "heuristic", "constraint")}
    """Key of the header → the field that it fills in every seed that has it, beside set, family, lang and licence."""

    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{1,79}$")
    set: str
    family: str
    lang: str = "en"
    licence: str
    name: str = Field(min_length=3, max_length=120)
    author: Author
    source: str
    domain: str
    tags: tuple[str, ...] = ()
    hints: Hints = Hints()
    probe: Probe

    @property
    def content(self) -> str:
        """The content id: another text under the same id is another seed. Tags say something about it and are no part
        of it."""
        return content_id("s", self.model_dump(mode="json", by_alias=True, exclude={"tags"}))


class SeedSet(Frozen):
    """One seed file: the header and its seeds, in file order."""

    name: str
    family: str
    path: str
    header: dict[str, Any]
    seeds: tuple[Any, ...]
