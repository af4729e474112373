"""The proposer `model`: micro-batches of new seeds from a capable model, each steered towards an empty niche."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from forge.agents.fence import fenced
from forge.agents.proposer import propose
from forge.agents.room import Room
from forge.grow.scaling.niches import Cell
from forge.grow.scaling.proposals import Batch, Known, Proposal, Snapshot
from forge.llm.structured import Malformed
from forge.model.calls import Fault
from forge.model.errors import shorten
from forge.model.profile import Scaling

CHARACTERS_PER_TOKEN = 4
"""A rough figure for English, and a safe one: the list of recent seeds may be a little shorter than it could be."""


@dataclass
class Inventing:
    """Plans waves of batches and reads the replies, entry by entry.

    Args:
        header: of the seed set that the new seeds go to.
        definition: of the dimension, as the seed set gives it.
    """

    family: Any
    room: Room
    scaling: Scaling
    header: Mapping[str, Any]
    definition: str
    _barren: int = 0
    _before: int = -1

    def plan(self, snapshot: Snapshot) -> Sequence[Batch]:
        """Return a full wave; none once `patience` waves running have accepted nothing."""
        self._barren = self._barren + 1 if snapshot.scaled == self._before else 0
        self._before = snapshot.scaled
        if self._barren >= self.scaling.patience:
            return []
        cells = snapshot.grid.emptiest(snapshot.counts)
        return [self._batch(snapshot, ordinal, cells[ordinal % len(cells)]) for ordinal in range(self.scaling.wave)]

    def _batch(self, snapshot: Snapshot, ordinal: int, cell: Cell) -> Batch:
        shown = exemplars(snapshot.known, self.scaling.exemplars, snapshot.wave * self.scaling.wave + ordinal)
        variables = {
            "count": self.scaling.batch,
            "definition": self.definition,
            "directive": snapshot.grid.directive(cell),
            "fenced_exemplars": fenced(_shown(self.family, shown), "EXAMPLES"),
            "fenced_recent": fenced("\n".join(recent(snapshot.known, self.scaling.recent_tokens)), "TAKEN"),
        }
        return Batch(snapshot.wave, ordinal, cell, self.scaling.batch, variables)

    async def propose(self, batch: Batch) -> Sequence[Proposal] | Fault:
        """Ask for a batch. An entry that is no seed is a proposal with its reason; it costs the others nothing."""
        number = batch.wave * self.scaling.wave + batch.ordinal
        reply = await propose(
            self.room, self.family.proposer, batch.content, label=f"batch {number + 1}", sample=number
        )
        if isinstance(reply, Fault):
            return reply
        if isinstance(reply, Malformed):
            return [Proposal(f"batch {number + 1}", invalid=f"malformed reply: {reply.reason}")]
        entries, by = reply
        return [self._read(entry, by, number * 100 + place) for place, entry in enumerate(entries)]

    def _read(self, entry: Mapping[str, Any], by: str, ordinal: int) -> Proposal:
        name = shorten(str(entry.get("name", "")), 80) or f"entry {ordinal}"
        try:
            seed = self.family.drafted(entry, self.header, ordinal)
        except ValueError as error:
            return Proposal(name, invalid=shorten(" ".join(str(error).split()), 300), by=by)
        return Proposal(name, seed, self.family.facets(seed), by=by, voiced=True)

    def template(self, seed: Any) -> frozenset[str]:
        """A model's seeds owe nothing to a template."""
        return frozenset()


def exemplars(known: Sequence[Known], count: int, turn: int) -> list[Known]:
    """Choose seeds that differ most from each other: farthest first by need and niche, beginning at another one each
    turn. Distance: how many of need and niche values differ; equal distances in order."""
    if not known or not count:
        return []
    chosen = [turn % len(known)]
    while len(chosen) < min(count, len(known)):
        rest = [index for index in range(len(known)) if index not in chosen]
        order = [(index - chosen[0]) % len(known) for index in range(len(known))]
        chosen.append(
            max(rest, key=lambda index: (min(_apart(known[index], known[one]) for one in chosen), -order[index]))
        )
    return [known[index] for index in chosen]


def _apart(one: Known, other: Known) -> int:
    a, b = one.facets, other.facets
    return int(a.need != b.need) + sum(a.niche.get(axis) != b.niche.get(axis) for axis in {*a.niche, *b.niche})


def recent(known: Sequence[Known], tokens: int) -> list[str]:
    """Names and triples that are taken, newest first, as far as the room reaches."""
    room, lines = tokens * CHARACTERS_PER_TOKEN, list[str]()
    for one in reversed(known):
        line = f"{one.facets.name}: {' / '.join(one.facets.triple)}"
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
    return lines


def _shown(family: Any, chosen: Sequence[Known]) -> str:
    return "\n".join(json.dumps(family.exemplar(one.seed), ensure_ascii=False) for one in chosen)
