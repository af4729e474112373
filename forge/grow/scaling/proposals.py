"""What a wave is told and what it gives back. No model is asked here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from forge.families.base import Facets
from forge.grow.scaling.niches import Cell, Grid
from forge.model.calls import Fault


@dataclass(frozen=True, slots=True)
class Known:
    """A seed that is there already or has been accepted, with what is compared of it."""

    seed: Any
    facets: Facets


@dataclass(frozen=True)
class Snapshot:
    """All that a wave's plan may depend on: acceptances of earlier waves.

    Attributes:
        known: the set's own seeds, then the accepted ones, in order.
        wanted: how many are still to be accepted.
        target: how many are to be accepted in all.
    """

    known: tuple[Known, ...]
    grid: Grid
    wave: int
    wanted: int
    target: int
    scaled: int

    @property
    def counts(self) -> Counter[Cell]:
        """Seeds by cell."""
        return self.grid.count(known.facets.niche for known in self.known)

    @property
    def accepted(self) -> tuple[Known, ...]:
        """The accepted ones alone."""
        return self.known[len(self.known) - self.scaled :]


@dataclass(frozen=True, slots=True)
class Batch:
    """One request for seeds. `content` is the proposer's own."""

    wave: int
    ordinal: int
    cell: Cell | None
    size: int
    content: Any = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """One proposed seed, or what was wrong with the entry.

    Attributes:
        seed: None when `invalid` says why there is none.
        template: normalised words that it owes to a template; the filters leave them out.
        voiced: a model worded its prompt; `note` says why not, where one was asked.
    """

    name: str
    seed: Any = None
    facets: Facets | None = None
    template: frozenset[str] = frozenset()
    invalid: str = ""
    by: str = ""
    voiced: bool = False
    note: str = ""


class Proposer(Protocol):
    """Where new seeds come from."""

    def plan(self, snapshot: Snapshot) -> Sequence[Batch]:
        """Return a wave's batches; none when there is nothing left to propose."""

    async def propose(self, batch: Batch) -> Sequence[Proposal] | Fault:
        """Return a batch's proposals, in order. Depends on the batch alone, so batches may run at once."""

    def template(self, seed: Any) -> frozenset[str]:
        """Return the template words of a seed that is already there."""


@dataclass
class Quota:
    """How many seeds may still rest on each need.

    Args:
        most: of each need; None sets no bound.
    """

    most: int | None
    used: Counter[str] = field(default_factory=Counter)

    def free(self, need: str) -> bool:
        """Whether one more seed may rest on a need."""
        return self.most is None or self.used[need] < self.most

    def take(self, need: str) -> None:
        """Count one."""
        self.used[need] += 1


def quota(target: int, share: float, accepted: Mapping[str, int]) -> Quota:
    """At most `share` of the target on one need, and never less than one."""
    return Quota(max(1, int(share * target)), Counter(accepted))
