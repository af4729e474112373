"""The loop of stage 1: plan a wave, gather its proposals, filter them in batch order, stop when enough are accepted."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from forge.families.base import Facets
from forge.grow.scaling.filters import Filters, Published, Rejection
from forge.grow.scaling.niches import Cell, Grid
from forge.grow.scaling.proposals import Batch, Known, Proposal, Proposer, Snapshot
from forge.grow.together import together
from forge.model.calls import Fault
from forge.model.checks import Verdict
from forge.model.errors import ForgeError
from forge.model.events import Event, EventKind
from forge.model.seeds import SCALED
from forge.model.words import Grade

VIRAL = "viral"
"""The tag of a seed that is close to an item published elsewhere."""
PROMOTED = (Grade.A, Grade.A_MINUS)

Viability = Callable[[Any], Coroutine[Any, Any, Verdict | Fault]]


@dataclass(frozen=True, slots=True)
class Accepted:
    """A seed that passed everything.

    Attributes:
        viral: the published item it is close to, and how close; None for most.
    """

    seed: Any
    facets: Facets
    proposal: Proposal
    cell: Cell
    grade: str
    viral: tuple[Published, float] | None


@dataclass(frozen=True, slots=True)
class Rejected:
    """A proposal that was not taken, and why."""

    proposal: Proposal
    rejection: Rejection
    wave: int
    batch: int


@dataclass
class Scaled:
    """What a run came to.

    Attributes:
        surplus: proposals of the last wave that were not needed any more.
        ended: enough, used up, or why it stopped early.
        stopped: the fault or error that stopped it; None when it ran to its end.
    """

    accepted: list[Accepted] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    surplus: int = 0
    waves: int = 0
    ended: str = ""
    stopped: Fault | BaseException | None = None

    @property
    def proposed(self) -> int:
        """All entries that were looked at."""
        return len(self.accepted) + len(self.rejected)

    @property
    def rejections(self) -> Counter[str]:
        """Rejections by filter."""
        return Counter(one.rejection.filter for one in self.rejected)


@dataclass
class Scaling:
    """One run of stage 1.

    A wave's batches depend on the acceptances of earlier waves alone, and proposals are filtered in batch order, so
    the number of batches under way at once changes nothing.

    Args:
        known: the set's own seeds, then those that were accepted in earlier runs.
        scaled: how many of `known` were.
        viability: grades a seed, by rules or by a model.
        grades: those that are promoted.
    """

    proposer: Proposer
    filters: Filters
    grid: Grid
    known: Sequence[Known]
    viability: Viability
    emit: Callable[[Event], None]
    scaled: int = 0
    grades: tuple[str, ...] = PROMOTED

    async def run(self, wanted: int) -> Scaled:
        """Accept `wanted` seeds, or as many as there are.

        A fault, a budget, an error or an interrupt stops the run between two waves: what is accepted stays, and the
        wave under way decides nothing.
        """
        result, known = Scaled(), list(self.known)
        for one in known:
            self.filters.accept(one.seed.id, one.facets, self.proposer.template(one.seed))
        try:
            while len(result.accepted) < wanted and not result.stopped:
                snapshot = Snapshot(
                    known=tuple(known),
                    grid=self.grid,
                    wave=result.waves,
                    wanted=wanted - len(result.accepted),
                    target=self.scaled + wanted,
                    scaled=self.scaled + len(result.accepted),
                )
                batches = self.proposer.plan(snapshot)
                if not batches:
                    result.ended = "used up"
                    return result
                await self._wave(batches, result, known, wanted)
        except asyncio.CancelledError as error:
            result.stopped = error
            if (task := asyncio.current_task()) is not None:
                task.uncancel()
        except ForgeError as error:
            result.stopped = error
        result.ended = _why(result.stopped)
        return result

    async def _wave(self, batches: Sequence[Batch], result: Scaled, known: list[Known], wanted: int) -> None:
        self._tell("wave", wave=result.waves + 1, batches=len(batches), seeds=sum(batch.size for batch in batches))
        replies = await together(self.proposer.propose(batch) for batch in batches)
        fault = next((reply for reply in replies if isinstance(reply, Fault)), None)
        if fault is not None:
            result.stopped = fault
            return
        proposals = [
            (batch, one)
            for batch, reply in zip(batches, replies, strict=True)
            if not isinstance(reply, Fault)
            for one in reply
        ]
        verdicts = await self._verdicts([one for _, one in proposals])
        if isinstance(verdicts, Fault):
            result.stopped = verdicts
            return
        for batch, proposal in proposals:
            if len(result.accepted) == wanted:
                result.surplus += 1
                continue
            decided = self._decide(proposal, verdicts.get(id(proposal)))
            if isinstance(decided, Rejection):
                result.rejected.append(Rejected(proposal, decided, batch.wave + 1, batch.ordinal + 1))
                self._tell("rejected", name=proposal.name, filter=decided.filter, detail=decided.detail)
            else:
                result.accepted.append(decided)
                known.append(Known(decided.seed, decided.facets))
                self._tell("accepted", name=proposal.name, voiced=proposal.voiced, cell=list(decided.cell))
        result.waves += 1

    async def _verdicts(self, proposals: Sequence[Proposal]) -> dict[int, Verdict] | Fault:
        """Grade what the filters let through as things stand before the wave; the rest is rejected anyway."""
        open_ = [
            one for one in proposals if one.facets is not None and self.filters.reject(one.facets, one.template) is None
        ]
        found = await together(self.viability(one.seed) for one in open_)
        verdicts: dict[int, Verdict] = {}
        for one, verdict in zip(open_, found, strict=True):
            if isinstance(verdict, Fault):
                return verdict
            verdicts[id(one)] = verdict
        return verdicts

    def _decide(self, proposal: Proposal, verdict: Verdict | None) -> Accepted | Rejection:
        if proposal.facets is None:
            return Rejection("invalid", None, "", proposal.invalid)
        rejection = self.filters.reject(proposal.facets, proposal.template)
        if rejection is not None:
            return rejection
        if proposal.seed.id in self.filters:
            return Rejection("f1", 1.0, proposal.seed.id, f"the id {proposal.seed.id}")
        assert verdict is not None  # the filters only grow stricter within a wave
        if verdict.grade not in self.grades:
            return Rejection("viability", None, "", f"graded {verdict.grade}: {verdict.reason}")
        viral, seed = self.filters.viral(proposal.facets), proposal.seed
        tags = dict.fromkeys((*seed.tags, SCALED, *([VIRAL] if viral else [])))
        seed = seed.model_copy(update={"tags": tuple(tags)})
        self.filters.accept(seed.id, proposal.facets, proposal.template)
        return Accepted(
            seed, proposal.facets, proposal, self.grid.cell(proposal.facets.niche), str(verdict.grade), viral
        )

    def _tell(self, what: str, **data: Any) -> None:
        self.emit(Event(EventKind.SCALE, data={"what": what, **data}))


def _why(stopped: Fault | BaseException | None) -> str:
    if stopped is None:
        return "enough"
    if isinstance(stopped, Fault):
        return str(stopped)
    return stopped.what if isinstance(stopped, ForgeError) else "interrupted"
