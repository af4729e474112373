"""One seed from its first node to its outcome: runs the graph and gathers what it left in its state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from forge.agents.room import Room
from forge.grow import scoring, state
from forge.grow.nodes import Nodes
from forge.grow.state import GrowState
from forge.model.events import Event, EventKind
from forge.model.growth import CandidateRecord, Item, SeedOutcome
from forge.model.ids import content_id
from forge.model.words import Role, Route, State, Tier

_CHECKS = (Role.COMPLIANCE, Role.TRUTH, Role.ALIGNMENT, Role.NATURALNESS)


async def grow(room: Room, seed: Any, emit: Callable[[Event], None], *, all_grades: bool = False) -> SeedOutcome:
    """Grow one seed and return how it ended.

    Deterministic given the answers: nothing here reads a clock, a random source, or another seed.

    Raises:
        ProviderRefused: a provider refused us; the caller ends the run.
        PromptError: a template is missing or malformed.
        LedgerError, ReplayMiss: the ledger cannot be written, or lacks an answer that a replay needs.
    """
    from forge.grow.graph import run

    emit(Event(EventKind.SEED_STARTED, seed.id))
    nodes = Nodes(room, seed, emit, all_grades)
    end = await run(nodes, state.start())
    outcome = gather(nodes, end)
    told = {"state": outcome.state.value, "reason": outcome.reason, "items": len(outcome.items)}
    emit(Event(EventKind.SEED_ENDED, seed.id, told))
    return outcome


def gather(nodes: Nodes, end: GrowState) -> SeedOutcome:
    """Return the outcome that a final state amounts to."""
    stop = end["stop"]
    records = tuple(_record(nodes, end, key) for key in end["candidates"])
    items = () if stop else tuple(_item(nodes, end, key) for key in end["chosen"])
    ending, reason = (stop.state, stop.reason) if stop else _ending(nodes, records, len(items))
    return SeedOutcome(
        seed=nodes.seed.id,
        seed_content=nodes.seed.content,
        state=ending,
        reason=reason,
        grade=end["grade"],
        records=records,
        items=items,
        counters={key: value for key, value in sorted(end["counts"].items()) if "|" not in key},
    )


def _ending(nodes: Nodes, records: tuple[CandidateRecord, ...], items: int) -> tuple[State, str]:
    if items:
        return State.CERTIFIED, f"{items} stable item{'s' if items > 1 else ''} from {len(records)} wordings"
    tried = [record.certificate for record in records if record.certificate]
    if tried:
        best = max(certificate.stable for certificate in tried)
        needed, of = nodes.room.profile.limits.stability_needed, tried[0].samples
        return State.EXHAUSTED, f"{len(tried)} certifications tried, best {best} of {of} stable, {needed} needed"
    solved = sum(record.outcome is not None for record in records)
    failed = sum(record.outcome is not None and record.outcome.failure for record in records)
    if failed:
        return State.EXHAUSTED, f"{failed} of {solved} solved wordings failed, none natural enough to certify"
    shown = Counter(
        record.outcome.cause.value for record in records if record.outcome is not None and record.outcome.cause
    )
    told = "".join(f"; {count} of {solved} have the cause {cause}" for cause, count in sorted(shown.items()))
    return State.EXHAUSTED, f"no failure in {solved} solved of {len(records)} wordings{told}"


def _record(nodes: Nodes, end: GrowState, key: str) -> CandidateRecord:
    routed, twin, certificate = end["routed"].get(key), end["twins"].get(key), end["certificates"].get(key)
    to_certify = routed is not None and routed.route is Route.CERTIFY
    verdicts = (end["verdicts"].get((key, role.value)) for role in _CHECKS)
    return CandidateRecord(
        candidate=end["candidates"][key],
        route=routed.route if routed else Route.ARCHIVE,
        why=routed.why if routed else "not finished",
        outcome=end["outcomes"].get(key),
        findings=end["findings"].get(key, ()),
        verdicts=tuple(verdict for verdict in verdicts if verdict is not None),
        trials=tuple(trial for (owner, _, _), trial in end["trials"].items() if owner == key),
        score=scoring.score(nodes.merits(end, key), nodes.room.profile.limits) if to_certify else None,
        similarity=round(twin.similarity, 6) if twin else 0.0,
        similar_to=twin.id if twin else None,
        duplicate=bool(twin and twin.duplicate),
        near_duplicate=bool(twin and twin.near),
        certified=certificate.passed if certificate else None,
        certificate=certificate,
    )


def _item(nodes: Nodes, end: GrowState, key: str) -> Item:
    seed, family, limits = nodes.seed, nodes.room.family, nodes.room.profile.limits
    made, outcome, certificate = end["candidates"][key], end["outcomes"][key], end["certificates"][key]
    shown = family.item(seed, made.text)
    verdict = end["verdicts"][(key, Role.NATURALNESS.value)]
    control = family.control(shown)
    return Item(
        id=content_id("i", {"family": family.name, "seed": seed.content, "text": made.text, "control": control}),
        family=family.name,
        seed=seed.id,
        seed_content=seed.content,
        set=seed.set,
        dimension=str(getattr(seed, "dimension", "")),
        candidate=key,
        text=made.text,
        control=control,
        label=outcome.label,
        tier=outcome.tier or Tier.SOFT,
        cause=certificate.cause,
        score=scoring.score(nodes.merits(end, key), limits),
        naturalness=verdict.score or 0.0,
        naturalness_by=verdict.by,
        operator=made.operator,
        near_duplicate=end["twins"][key].near,
        lineage=_lineage(end, key),
        certificate=certificate,
        payload=shown.model_dump(mode="json", by_alias=True),
    )


def _lineage(end: GrowState, key: str) -> tuple[str, ...]:
    """Return the ids from c0 down to the candidate."""
    line, at = [key], end["candidates"][key].parent
    while at is not None:
        line.append(at)
        at = end["candidates"][at].parent
    return tuple(reversed(line))
