"""Runs `forge scale`: proposes, filters and grades, then writes the seed file, the run's folder and the index."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from forge.agents import viability as by_model
from forge.agents.room import Room
from forge.grow.scaling.composing import Composing
from forge.grow.scaling.filters import FILTERS, Filters
from forge.grow.scaling.inventing import Inventing
from forge.grow.scaling.niches import OTHER
from forge.grow.scaling.proposals import Known, Proposer
from forge.grow.scaling.waves import PROMOTED, Accepted, Rejected, Scaled, Scaling
from forge.llm.budget import Budget
from forge.llm.gateway import Gateway
from forge.llm.ledger import Ledger
from forge.model.calls import Fault
from forge.model.checks import Verdict
from forge.model.errors import BudgetReached, ForgeError
from forge.model.events import Event, EventKind
from forge.model.words import Grade, Role
from forge.registry.asynchronous import AsyncRegistry
from forge.registry.rows import RunRow
from forge.session.files import write, write_json
from forge.session.locals import LocalModels
from forge.session.runfolder import RunFolder
from forge.session.scaleplan import MODEL, ScalePlan
from forge.version import __version__
from forge.workspace import paths, seedwriter

if TYPE_CHECKING:
    from forge.session.session import Session

ALL_GRADES = tuple(grade.value for grade in Grade)
_PARALLEL = 4


@dataclass(frozen=True)
class ScaleSummary:
    """What a run came to, for tables and --json.

    Attributes:
        written: the seed file, or "" when nothing was accepted.
    """

    plan: ScalePlan
    run: str
    scaled: Scaled
    written: str
    made: int
    replayed: int
    usd: float | None
    seconds: float
    exit_code: int
    needs: dict[str, int] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """Return JSON values."""
        plan, scaled = self.plan, self.scaled
        rejections = scaled.rejections
        return {
            "run": self.run,
            "seed_set": plan.name,
            "profile": plan.profile.name if plan.profile else None,
            "proposer": plan.proposer,
            "draw": plan.draw,
            "wanted": plan.wanted,
            "proposed": scaled.proposed,
            "accepted": len(scaled.accepted),
            "rejected": {name: rejections.get(name, 0) for name in (*FILTERS, "viability", "invalid")},
            "viral": [_viral(one) for one in scaled.accepted if one.viral],
            "surplus": scaled.surplus,
            "waves": scaled.waves,
            "wave": {"width": plan.scaling.wave, "batch": plan.scaling.batch},
            "ended": scaled.ended,
            "coverage": coverage(plan, scaled),
            "needs": self.needs,
            "voiced": sum(one.proposal.voiced for one in scaled.accepted),
            "seeds": [_seed(one) for one in scaled.accepted],
            "rejections": [rejected(one) for one in scaled.rejected],
            "file": self.written,
            "calls": {"made": self.made, "replayed": self.replayed},
            "usd": self.usd,
            "seconds": round(self.seconds, 1),
        }


async def scale(
    session: Session, plan: ScalePlan, *, max_usd: float | None = None, max_calls: int | None = None
) -> ScaleSummary:
    """Grow the set and write what was accepted; what stopped the run early is in the summary.

    Raises:
        StorageError, ModelError: before the first proposal.
    """
    session.workspace.ready()
    began, started = time.monotonic(), datetime.now(UTC)
    run = f"{started:%Y%m%d-%H%M%S}-scale-{plan.seeds.name}-{secrets.token_hex(2)}"
    folder = RunFolder(session.workspace.run(run))
    registry = AsyncRegistry(session.registry)
    budget = Budget(max_usd, max_calls)

    def emit(event: Event) -> None:
        folder.event(event)
        session.observer(event)

    emit(Event(EventKind.RUN_STARTED, data={"run": run, "seeds": []}))
    models = LocalModels(
        folder.path, paths.cache() / "models", session.settings.local_paths, emit, _PARALLEL, _context(plan)
    )
    ledger = Ledger(session.workspace.ledger)
    try:
        await registry.record_run(_row(plan, run, started))
        gateway, room = None, None
        if plan.profile is not None:
            gateway = Gateway(plan.profile, ledger, draw=plan.draw, budget=budget, local=models.address, emit=emit)
            library = session.prompts(plan.family, str(plan.seeds.header.get("extends", "")) or None)
            room = Room(plan.family, library, plan.profile, gateway)
        filters = Filters(plan.limits, plan.published, str(plan.header.get("lang", "en")))
        scaled = await _scaling(session, plan, room, filters, emit).run(plan.wanted)
        if gateway is not None:
            await gateway.aclose()
        summary = _summary(plan, run, scaled, gateway, budget, time.monotonic() - began)
        await _keep(registry, folder, summary, filters)
        emit(Event(EventKind.RUN_ENDED, data={"run": run, "seeds": {}}))
        return summary
    finally:
        await models.stop()
        ledger.close()
        folder.close()


def _scaling(
    session: Session, plan: ScalePlan, room: Room | None, filters: Filters, emit: Callable[[Event], None]
) -> Scaling:
    family, scaling = plan.family, plan.scaling
    proposer: Proposer
    if plan.composer is not None:
        proposer = Composing(family, plan.composer, scaling, plan.draw, room)
    else:
        assert room is not None  # --no-model goes with `compose` alone
        proposer = Inventing(family, room, scaling, plan.header, plan.definition)

    async def viability(seed: Any) -> Verdict | Fault:
        """Rules first; a model is asked only about what they promote, and the lower grade counts."""
        rules: Verdict = family.viability(seed)
        if room is None or room.spec(Role.VIABILITY).rules or rules.grade not in PROMOTED:
            return rules
        asked = await by_model.viability(room, seed)
        order = list(Grade)
        if isinstance(asked, Fault) or order.index(Grade(asked.grade or Grade.C)) >= order.index(
            Grade(rules.grade or Grade.C)
        ):
            return asked
        return rules

    known = [Known(seed, family.facets(seed)) for seed in (*plan.seeds.seeds, *plan.before)]
    grades = ALL_GRADES if plan.all_grades else PROMOTED
    return Scaling(proposer, filters, plan.grid, known, viability, emit, len(plan.before), grades)


def _context(plan: ScalePlan) -> int:
    """Tokens that one request to a local server may use."""
    if plan.profile is None:
        return 1024
    longest = plan.profile.roles[Role.GENERATOR].max_tokens
    return 1280 + longest if plan.proposer != MODEL else 6144 + longest


def _summary(
    plan: ScalePlan, run: str, scaled: Scaled, gateway: Gateway | None, budget: Budget, seconds: float
) -> ScaleSummary:
    stopped, code = scaled.stopped, 0
    if isinstance(stopped, Fault):
        code = BudgetReached.exit_code if budget.reached else 3
    elif isinstance(stopped, ForgeError):
        code = stopped.exit_code
    elif stopped is not None:
        code = 130
    every = (*plan.before, *(one.seed for one in scaled.accepted))
    needs: dict[str, int] = {}
    for seed in every:
        need = plan.family.facets(seed).need
        needs[need] = needs.get(need, 0) + 1
    written = _write(plan, scaled) if scaled.accepted else ""
    tally = gateway.tally if gateway else None
    return ScaleSummary(
        plan=plan,
        run=run,
        scaled=scaled,
        written=written,
        made=tally.made if tally else 0,
        replayed=tally.replayed if tally else 0,
        usd=0.0 if tally is None else None if tally.unpriced else round(tally.usd, 6),
        seconds=seconds,
        exit_code=code,
        needs=dict(sorted(needs.items(), key=lambda pair: (-pair[1], pair[0]))),
    )


def _write(plan: ScalePlan, scaled: Scaled) -> str:
    """Write the seed file at once, and return its path."""
    seeds = [_plain(plan, seed) for seed in (*plan.before, *(one.seed for one in scaled.accepted))]
    comment = [
        f"Grown from {plan.name} by `forge scale`; nobody has read it yet. Read every seed before you use it.",
        f"Proposed by {'a model' if plan.proposer == MODEL else 'a table of ingredients'}, draw {plan.draw}.",
    ]
    write(plan.target, seedwriter.seed_file(comment, plan.header, seeds).encode("utf-8"))
    return str(plan.target)


def _plain(plan: ScalePlan, seed: Any) -> dict[str, Any]:
    """A seed as it stands in a file: without what the header says and what is empty."""
    fields = seed.model_dump(mode="json", by_alias=True)
    shared = ("set", "family", "lang", "licence", "dimension")
    return {name: value for name, value in fields.items() if name not in shared and value not in ([], None)}


async def _keep(registry: AsyncRegistry, folder: RunFolder, summary: ScaleSummary, filters: Filters) -> None:
    document = summary.document()
    folder.keep("accepted.jsonl", [one.seed.model_dump(mode="json", by_alias=True) for one in summary.scaled.accepted])
    folder.keep("rejected.jsonl", [_kept(one) for one in summary.scaled.rejected])
    write_json(folder.path / "summary.json", document)
    await registry.save_index(f"scale/{summary.plan.name}", filters.prompts.to_bytes())
    await registry.finish_run(summary.run, document, datetime.now(UTC))


def _row(plan: ScalePlan, run: str, started: datetime) -> RunRow:
    settings = plan.profile.model_dump(mode="json") if plan.profile else {}
    return RunRow(
        id=run,
        command="scale",
        started=started,
        family=plan.seeds.family,
        seed_set=plan.name,
        profile=plan.profile.name if plan.profile else "none",
        draw=plan.draw,
        forge=__version__,
        settings={
            **settings,
            "scaling": plan.scaling.model_dump(mode="json"),
            "thresholds": asdict(plan.limits),
            "proposer": plan.proposer,
        },
    )


def coverage(plan: ScalePlan, scaled: Scaled) -> dict[str, Any]:
    """Seeds by cell, the set's own and the new ones: axes, groups, and a count for every cell."""
    facets = plan.family.facets
    counts = plan.grid.count(facets(seed).niche for seed in (*plan.seeds.seeds, *plan.before))
    new = plan.grid.count(one.facets.niche for one in scaled.accepted)
    total = counts + new
    rows, columns = [*plan.grid.rows.groups], [*plan.grid.columns.groups]
    rows += [OTHER] * any(row == OTHER for row, _ in total)
    columns += [OTHER] * any(column == OTHER for _, column in total)
    return {
        "rows": {"axis": plan.grid.rows.name, "groups": rows},
        "columns": {"axis": plan.grid.columns.name, "groups": columns},
        "before": [[counts.get((row, column), 0) for column in columns] for row in rows],
        "after": [[total.get((row, column), 0) for column in columns] for row in rows],
    }


def rejected(one: Rejected) -> dict[str, Any]:
    """A rejection as JSON values."""
    seed = one.proposal.seed
    return {
        "name": one.proposal.name,
        "seed": getattr(seed, "id", None),
        "filter": one.rejection.filter,
        "score": None if one.rejection.score is None else round(one.rejection.score, 4),
        "other": one.rejection.other,
        "detail": one.rejection.detail,
        "wave": one.wave,
        "batch": one.batch,
    }


def _kept(one: Rejected) -> dict[str, Any]:
    """A rejection with the whole proposal: what was thrown away can be read, and taken back by hand."""
    seed = one.proposal.seed
    return {**rejected(one), "proposal": None if seed is None else seed.model_dump(mode="json", by_alias=True)}


def _seed(one: Accepted) -> dict[str, Any]:
    return {
        "id": one.seed.id,
        "name": one.seed.name,
        "need": one.facets.need,
        "cell": list(one.cell),
        "grade": one.grade,
        "voiced": one.proposal.voiced,
        "note": one.proposal.note,
        "prompt": one.facets.prompt,
    }


def _viral(one: Accepted) -> dict[str, Any]:
    assert one.viral is not None
    published, similarity = one.viral
    return {
        "seed": one.seed.id,
        "published": published.key,
        "source": published.source,
        "similarity": round(similarity, 4),
    }
