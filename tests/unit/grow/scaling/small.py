"""Small hand-written things for scaling: facets, seeds, a grid, and a proposer that plays a script."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from forge_tiny import TinyFamily, TinySeed

from forge.families.base import Facets
from forge.grow.scaling.filters import Filters, Thresholds
from forge.grow.scaling.niches import Grid, grid
from forge.grow.scaling.proposals import Batch, Known, Proposal, Snapshot
from forge.grow.scaling.waves import Scaling
from forge.model.calls import Fault, FaultKind
from forge.model.checks import Verdict
from forge.model.events import Event
from forge.model.seeds import Author, Probe, ProbePair

FAULT = Fault(FaultKind.SERVER, "the server had an error", "openai", 3)
NICHES = {
    "setting": {"home": ["kitchen"], "outdoors": ["garden", "country road"]},
    "quantity": {"time": ["minutes", "hours"], "money": ["price"]},
}
PROBE = Probe(
    trap=ProbePair(is_false="Can such a box open?", is_true="Does such a box stay shut?"),
    control=ProbePair(is_false="Does another box stay shut?", is_true="Can another box open?"),
)
# A few words each, so different from one another that no filter can mistake one for another.
TEXTS = (
    "Seven boxes by the harbour wall want counting before lunch.",
    "My uncle mends clocks on Tuesdays, and nobody ever pays.",
    "Frozen peas travel badly when the van stops at every farm.",
    "Which ladder reaches up to the gutter behind our old chapel?",
    "Knitting twelve scarves for the choir took the whole of June.",
    "The quarry whistle blows, then everyone runs for the last bus.",
    "Eight lanterns hang over a bridge that smells of warm tar.",
    "Please divide this jug of lemonade among the visiting goats.",
)


def facets(name: str, text: str = "", **changes: Any) -> Facets:
    """Facets that differ from all others in every part, but for `changes`."""
    fields: dict[str, Any] = {
        "prompt": text or f"{name} " * 9,
        "core": f"{name} " * 8,
        "triple": (f"{name} tool", f"{name} object", f"{name} action"),
        "niche": {"setting": "kitchen", "quantity": "price"},
        "need": f"{name} need",
    }
    return Facets(name, **{**fields, **changes})


def seed(name: str, prompt: str = "I have 7 boxes that never open. How long?") -> TinySeed:
    """A seed of the tiny family, which grades `hopeless` prompts C and `doubtful` ones B."""
    return TinySeed(
        id=f"T1-{name}", set="T1", family="tiny", licence="CC0", name=f"seed {name}", author=Author(kind="human"),
        source="original", domain="home", probe=PROBE, prompt=prompt, number="7",
    )  # fmt: skip


def proposal(name: str, text: int | str, *, like: Mapping[str, Any] | None = None, note: str = "") -> Proposal:
    """A proposal with a text of TEXTS, or with one of its own."""
    prompt = TEXTS[text] if isinstance(text, int) else text
    return Proposal(name, seed(name, f"{prompt} {note}"), facets(name, prompt, **dict(like or {})))


def known(name: str, text: int, **changes: Any) -> Known:
    """A seed that is there already."""
    return Known(seed(name, TEXTS[text]), facets(name, TEXTS[text], **changes))


@dataclass
class Script:
    """A proposer that plays waves of batches of proposals, and remembers what it was told.

    Attributes:
        order: for each batch of a wave, how many turns of the event loop its reply takes.
    """

    waves: Sequence[Sequence[Sequence[Proposal] | Fault | BaseException]]
    order: Callable[[int], int] = lambda ordinal: 0
    told: list[Snapshot] = field(default_factory=list)
    replied: list[int] = field(default_factory=list)

    def plan(self, snapshot: Snapshot) -> Sequence[Batch]:
        self.told.append(snapshot)
        if snapshot.wave >= len(self.waves):
            return []
        return [Batch(snapshot.wave, n, None, 1, reply) for n, reply in enumerate(self.waves[snapshot.wave])]

    async def propose(self, batch: Batch) -> Sequence[Proposal] | Fault:
        for _ in range(self.order(batch.ordinal)):
            await asyncio.sleep(0)
        self.replied.append(batch.ordinal)
        if isinstance(batch.content, BaseException):
            raise batch.content
        reply: Sequence[Proposal] | Fault = batch.content
        return reply

    def template(self, seed: Any) -> frozenset[str]:
        return frozenset()


@dataclass
class Run:
    """One run of the loop over a script, with what it told and what it graded."""

    script: Script
    filters: Filters = field(default_factory=lambda: Filters(Thresholds()))
    events: list[Event] = field(default_factory=list)
    graded: list[str] = field(default_factory=list)

    def scaling(self, **options: Any) -> Scaling:
        async def viability(one: TinySeed) -> Verdict | Fault:
            self.graded.append(one.id)
            return TinyFamily().viability(one)

        given: dict[str, Any] = {"grid": small_grid(), "known": (), "viability": viability, **options}
        return Scaling(self.script, self.filters, emit=self.events.append, **given)


def small_grid() -> Grid:
    """Two rows by two columns."""
    return grid({"niches": NICHES}, "T1.yaml")
