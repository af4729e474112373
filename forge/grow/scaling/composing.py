"""The proposer `compose`: seeds from a table of ingredients, worded by a model where there is one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from forge.agents.rewriting import rewrite
from forge.agents.room import Room
from forge.agents.voicing import asked, voice
from forge.families.base import Composer, Draft, Option, Scalable
from forge.grow.scaling.niches import Cell
from forge.grow.scaling.proposals import Batch, Proposal, Quota, Snapshot, quota
from forge.grow.together import together
from forge.model.calls import Fault
from forge.model.ids import digest
from forge.model.profile import Scaling
from forge.model.words import Grade, Operator
from forge.text.fidelity import fidelity
from forge.text.normalise import numerals

VARIANTS = 4
"""Frames tried per option until the composed seed is graded A."""
LEAST_KEPT, MOST_ADDED = 0.8, 1
"""Of an opening's content words: the share that a rewording keeps, and how many it may add."""


@dataclass
class Composing:
    """Plans waves over a table's options, each used once.

    Args:
        room: None words nothing: the table's own wording stands.
        draw: another number draws other numbers, frames, controls and voices.
    """

    family: Any
    composer: Composer
    scaling: Scaling
    draw: int = 0
    room: Room | None = None
    _used: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        if not isinstance(self.family, Scalable):
            raise TypeError(f"{self.family!r} has no facets")

    def plan(self, snapshot: Snapshot) -> Sequence[Batch]:
        """Return a wave of full batches, or as many as the seeds still wanted fill."""
        size, most = self.scaling.batch, self.scaling.batch * self.scaling.wave
        bound = quota(
            snapshot.target, self.scaling.need_share, Counter(known.facets.need for known in snapshot.accepted)
        )
        used = self._used | {known.seed.id for known in snapshot.known}
        free = [option for option in self.composer.options if option.seed not in used]
        cells: dict[str, Cell] = {option.id: snapshot.grid.cell(option.niche) for option in free}
        chosen = self._chosen(snapshot, min(snapshot.wanted, most), free, cells, bound)
        self._used.update(option.seed for option in chosen)
        batches = [chosen[start : start + size] for start in range(0, len(chosen), size)]
        return [
            Batch(snapshot.wave, ordinal, cells[part[0].id], len(part), tuple(part))
            for ordinal, part in enumerate(batches)
        ]

    def _chosen(
        self, snapshot: Snapshot, count: int, free: list[Option], cells: dict[str, Cell], bound: Quota
    ) -> list[Option]:
        """Pick options one by one: the emptiest cell that has any, then the row, need and thing used least."""
        counts = snapshot.counts
        tasks, things = self._seen(snapshot)
        needs = Counter(known.facets.need for known in snapshot.known)
        rest = sorted(free, key=lambda option: digest([option.id, self.draw]))
        chosen: list[Option] = []
        while rest and len(chosen) < count:
            open_ = [option for option in rest if bound.free(option.need)]
            if not open_:
                break
            best = min(
                open_,
                key=lambda option: (
                    counts[cells[option.id]], tasks[option.task], needs[option.need], things[option.thing],
                ),
            )  # fmt: skip
            chosen.append(best)
            rest.remove(best)
            bound.take(best.need)
            counts[cells[best.id]] += 1
            needs[best.need] += 1
            tasks[best.task] += 1
            things[best.thing] += 1
        return chosen

    def _seen(self, snapshot: Snapshot) -> tuple[Counter[str], Counter[str]]:
        """Rows and things that accepted seeds were made of."""
        by_seed = {option.seed: option for option in self.composer.options}
        found = [by_seed[known.seed.id] for known in snapshot.accepted if known.seed.id in by_seed]
        return Counter(option.task for option in found), Counter(option.thing for option in found)

    async def propose(self, batch: Batch) -> Sequence[Proposal] | Fault:
        """Compose a batch's options and give each its voice."""
        found = await together(self._one(option) for option in batch.content)
        fault = next((one for one in found if isinstance(one, Fault)), None)
        return fault or [one for one in found if isinstance(one, Proposal)]

    async def _one(self, option: Option) -> Proposal | Fault:
        try:
            draft = self._composed(option)
        except ValueError as error:
            return Proposal(option.id, invalid=str(error))
        text, by, note = await self._worded(draft)
        if isinstance(text, Fault):
            return text
        seed = draft.seed
        if text is not None:
            seed, note = self._voiced(draft.seed, text)
        return Proposal(
            seed.name, seed, self.family.facets(seed), self.composer.template(draft.seed),
            by=by, voiced=seed is not draft.seed, note=note,
        )  # fmt: skip

    async def _worded(self, draft: Draft) -> tuple[str | Fault | None, str, str]:
        """The prompt in a model's words, who wrote them, and why there are none."""
        seed = draft.seed
        if self.room is None or self.scaling.voice == "none":
            return None, "", ""
        if self.scaling.voice == "message":
            wording = await rewrite(self.room, Operator.GENERATE, seed, seed.prompt, intensity=0, ordinal=0)
            return (wording, "", "") if isinstance(wording, Fault) else (wording.text, wording.by, wording.reason)
        text, by, why = None, "", ""
        for sample in range(self.scaling.voice_tries):
            wording = await voice(self.room, self.family.voice, draft.opening, draft.keep, label=seed.id, sample=sample)
            if isinstance(wording, Fault):
                return wording, "", ""
            by, why = wording.by, wording.reason
            if wording.text is not None:
                text, why = reopened(self.family.wording(seed), draft, wording.text, seed.lang)
            if text is not None:
                break
        return text, by, why

    def asked(self, option: Option) -> dict[str, Any]:
        """What a voice would be asked about an option.

        Raises:
            ValueError: nothing sound can be made of it.
        """
        draft = self._composed(option)
        assert self.room is not None
        return asked(self.room, self.family.voice, draft.opening, draft.keep)

    def _composed(self, option: Option) -> Draft:
        """The first variant that is graded A, else the first."""
        first = None
        for variant in range(VARIANTS):
            draft = self.composer.compose(option, self.draw, variant)
            if self.family.viability(draft.seed).grade == Grade.A:
                return draft
            first = first or draft
        assert first is not None
        return first

    def _voiced(self, seed: Any, text: str) -> tuple[Any, str]:
        """The seed in a model's words, or as it was with the reason: what guards or rules object to is not taken."""
        try:
            other = self.family.reworded(seed, text)
        except ValueError as error:
            return seed, str(error)
        before, after = self.family.viability(seed), self.family.viability(other)
        if _rank(after.grade) < _rank(before.grade):
            return seed, f"graded {after.grade}: {after.reason}"
        return other, ""

    def template(self, seed: Any) -> frozenset[str]:
        """See Proposer."""
        return self.composer.template(seed)


def reopened(prompt: str, draft: Draft, opening: str, lang: str = "en") -> tuple[str | None, str]:
    """The prompt with another opening, or None and why not.

    It must keep what it was told to keep, have the same numbers, ask nothing, end its sentence, and say what the
    opening said and little else: small models like to leave out a fact or to make one up.
    """
    if opening == draft.opening:
        return None, "the same again"
    lost = [term for term in draft.keep if term not in opening]
    if lost:
        return None, f"opening lost {', '.join(lost)}"
    if Counter(numerals(opening)) != Counter(numerals(draft.opening)):
        return None, "opening has other numbers"
    if "?" in opening or not opening.endswith((".", "!")):
        return None, "opening asks, or does not end"
    if prompt.count(draft.opening) != 1:
        return None, "the prompt does not hold its opening once"
    found = fidelity(draft.opening, opening, lang)
    if found.kept < LEAST_KEPT:
        return None, f"opening keeps {found.kept:.0%} of what it said"
    if len(found.added) > MOST_ADDED:
        return None, f"opening adds {', '.join(found.added)}"
    if found.repeated:
        return None, f"opening says {', '.join(found.repeated)} again"
    return prompt.replace(draft.opening, opening), ""


def _rank(grade: str | None) -> int:
    return -list(Grade).index(Grade(grade)) if grade else -len(Grade)
