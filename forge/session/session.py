"""The composition root: wires workspace, settings, family, prompts, ledger, gateway and registry together."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forge.agents.room import Room
from forge.config.settings import Settings, greedy, load, overlap
from forge.families.base import Family
from forge.families.loading import load as load_family
from forge.llm.budget import Budget
from forge.llm.gateway import Gateway
from forge.llm.ledger import Ledger
from forge.llm.prices import Prices, check_prices
from forge.llm.provider import require_keys
from forge.model.errors import BudgetReached, ConfigError, ForgeError, SeedError, listed
from forge.model.events import Event, EventKind
from forge.model.growth import SeedOutcome
from forge.model.profile import Profile
from forge.model.seeds import SeedSet
from forge.model.words import Role, State
from forge.prompts.collection import PromptLibrary
from forge.registry.asynchronous import AsyncRegistry
from forge.registry.rows import RunRow
from forge.registry.store import Registry
from forge.session.annealing import Growing
from forge.session.estimate import Estimate, estimate
from forge.session.locals import LocalModels
from forge.session.runfolder import RunFolder
from forge.session.summary import Summary, chance, duplicates, measured, selection
from forge.version import __version__
from forge.workspace import paths, seedfiles
from forge.workspace.seedfiles import Loaded

if TYPE_CHECKING:
    from forge.session.scaleplan import ScalePlan
    from forge.session.scalerun import ScaleSummary

Observer = Callable[[Event], None]


def _ignore(_: Event) -> None:
    pass


@dataclass(frozen=True)
class Plan:
    """A run that has been checked and not yet started.

    Attributes:
        estimate: what it will cost.
        overlap: models that both judge and solve; empty unless they were allowed to.
    """

    family: Family
    seeds: SeedSet
    profile: Profile
    draw: int
    estimate: Estimate
    overlap: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass
class Session:
    """One workspace with one resolved profile.

    Args:
        start: where to look for the workspace; default: the current folder.
        profile: the profile's name; default: $FORGE_PROFILE, forge.toml, `local`.
        overrides: nested settings that win over forge.toml.
        observer: told every event; must not raise.
    """

    start: Path | None = None
    profile_name: str | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)
    observer: Observer = _ignore

    @cached_property
    def workspace(self) -> paths.Workspace:
        """The workspace around `start`."""
        return paths.find(self.start)

    @cached_property
    def settings(self) -> Settings:
        """The resolved settings.

        Raises:
            ConfigError: forge.toml or a setting is wrong.
        """
        return load(self.workspace.config, self.profile_name, self.overrides)

    @property
    def profile(self) -> Profile:
        """The resolved profile."""
        return self.settings.profile

    @cached_property
    def registry(self) -> Registry:
        """The registry; nothing is opened before it is asked."""
        return Registry(self.workspace.registry)

    def family(self, name: str, extends: str | None = None) -> Family:
        """Return a family by name; `extends` names the code of one without code."""
        known = {ref.family for ref in seedfiles.available(self.workspace.roots("seeds"))}
        return load_family(name, extends, known)

    def prompts(self, family: Family, base: str | None = None) -> PromptLibrary:
        """Return the templates of a family; one without code falls back to those of the family it extends."""
        fallback = {family.name: base} if base and base != family.name else {}
        return PromptLibrary(self.workspace.roots("prompts"), fallback)

    def loaded(self, seed_set: str, *, lint: bool = True) -> tuple[Family, Loaded]:
        """Read a seed set by name, or by path when it ends in .yaml.

        Raises:
            ConfigError: no such set. SeedError: it cannot be read. FamilyError: its family cannot be loaded.
        """
        path = self._set_path(seed_set)
        name, extends = seedfiles.family_of(path)
        family = self.family(name, extends)
        return family, seedfiles.read(path, family, lint=lint, roots=self.workspace.roots("seeds"))

    def seeds(self, seed_set: str) -> tuple[Family, SeedSet, tuple[str, ...]]:
        """Return a seed set that passed lint, and lint's warnings.

        Raises:
            SeedError: lint found errors; the message holds all of them, with file and line.
        """
        family, loaded = self.loaded(seed_set)
        if loaded.seeds is None:
            lines = "\n".join(f"  {problem}" for problem in loaded.errors[:20])
            raise SeedError(
                f"the seed set {seed_set} has {len(loaded.errors)} error(s)\n{lines}",
                fix=f"mend them; `forge seeds lint {seed_set}` shows all, warnings included",
            )
        return family, loaded.seeds, tuple(str(problem) for problem in loaded.problems)

    def plan(
        self,
        seed_set: str,
        *,
        limit: int | None = None,
        draw: int = 0,
        allow_overlap: bool = False,
        max_usd: float | None = None,
        need_keys: bool = True,
    ) -> Plan:
        """Check everything that can be checked before money is spent, and say what a run will cost.

        Args:
            need_keys: False for a dry run, which shows what would be sent before anybody has a key.

        Raises:
            SeedError, ConfigError, FamilyError, PromptError: with where and how to mend it.
        """
        family, seeds, warnings = self.seeds(seed_set)
        if limit is not None:
            seeds = seeds.model_copy(update={"seeds": seeds.seeds[:limit]})
        profile = self.profile
        shared = _checked(profile, allow_overlap)
        if need_keys:
            require_keys(profile)
        if max_usd is not None:
            check_prices(profile)
        library = self.prompts(family, str(seeds.header.get("extends", "")) or None)
        for template in _templates(family, profile):
            library.get(template)
        prices = Prices(profile)
        first = seeds.seeds[0]
        told = estimate(
            profile,
            len(seeds.seeds),
            prices.usd,
            conditions=len(family.trials(first, family.wording(first))),
            diagnosed=len(family.diagnosis),
            probes=len(family.probe(first)),
        )
        return Plan(family, seeds, profile, draw, told, shared, warnings)

    async def anneal(
        self,
        plan: Plan,
        *,
        workers: int | None = None,
        all_grades: bool = False,
        max_usd: float | None = None,
        max_calls: int | None = None,
    ) -> Summary:
        """Grow a planned set and return the summary; every seed ends in one of the four states.

        Raises:
            StorageError, ModelError: before the first seed is grown.
        """
        self.workspace.ready()
        began, started = time.monotonic(), datetime.now(UTC)
        run = f"{started:%Y%m%d-%H%M%S}-{plan.seeds.name}-{secrets.token_hex(2)}"
        folder = RunFolder(self.workspace.run(run))
        library = self.prompts(plan.family, str(plan.seeds.header.get("extends", "")) or None)

        def emit(event: Event) -> None:
            folder.event(event)
            self.observer(event)

        about = {**_about(run, plan, started), "all_grades": all_grades}
        folder.freeze(about, plan.profile, plan.seeds, library, _templates(plan.family, plan.profile))
        emit(Event(EventKind.RUN_STARTED, data={"run": run, "seeds": [seed.id for seed in plan.seeds.seeds]}))
        budget = Budget(max_usd, max_calls)
        models = LocalModels(
            folder.path, paths.cache() / "models", self.settings.local_paths, emit, *_slots(plan.profile, workers)
        )
        ledger = Ledger(self.workspace.ledger)
        registry = AsyncRegistry(self.registry)
        try:
            await registry.record_run(_row(about, plan, started))
            gateway = Gateway(plan.profile, ledger, draw=plan.draw, budget=budget, local=models.address, emit=emit)
            room = Room(plan.family, library, plan.profile, gateway)

            async def commit(outcome: SeedOutcome) -> None:
                await registry.commit_seed(run, outcome)
                folder.flush()

            growing = Growing(room, plan.seeds.seeds, workers or plan.profile.workers, emit, commit, all_grades)
            outcomes = await growing.run()
            await gateway.aclose()
            summary = _summary(plan, run, outcomes, gateway, growing.stopped, budget, time.monotonic() - began)
            await self._finish(registry, folder, summary, outcomes)
            emit(Event(EventKind.RUN_ENDED, data={"run": run, "seeds": summary.states()}))
            return summary
        finally:
            await models.stop()
            ledger.close()
            folder.close()

    def plan_scale(self, seed_set: str, wanted: int, **options: Any) -> ScalePlan:
        """Check everything about growing `wanted` new seeds; the options are those of `scaleplan.plan`.

        Raises:
            SeedError, ConfigError, FamilyError, UsageError: with where and how to mend it.
        """
        from forge.session import scaleplan

        return scaleplan.plan(self, seed_set, wanted, **options)

    async def scale(
        self, plan: ScalePlan, *, max_usd: float | None = None, max_calls: int | None = None
    ) -> ScaleSummary:
        """Propose, filter and grade new seeds, and write those that are accepted beside the set's own.

        Raises:
            StorageError, ModelError: before the first proposal.
        """
        from forge.session import scalerun

        return await scalerun.scale(self, plan, max_usd=max_usd, max_calls=max_calls)

    async def _finish(
        self, registry: AsyncRegistry, folder: RunFolder, summary: Summary, outcomes: tuple[SeedOutcome, ...]
    ) -> None:
        for outcome in outcomes:
            if outcome.state is State.PENDING and not outcome.records:
                await registry.commit_seed(summary.run, outcome)
        await registry.mark_duplicates(summary.run, list(summary.duplicates))
        document = summary.document()
        await registry.finish_run(summary.run, document, datetime.now(UTC))
        folder.finish(summary.items, document)

    def _set_path(self, seed_set: str) -> Path:
        given = Path(seed_set)
        if given.suffix in (".yaml", ".yml"):
            if not given.is_file():
                raise ConfigError("no such seed file", value=seed_set, fix="`forge seeds list` shows the sets")
            return given
        return seedfiles.resolve(seed_set, self.workspace.roots("seeds")).path


def _checked(profile: Profile, allow_overlap: bool) -> tuple[str, ...]:
    if greedy(profile):
        raise ConfigError(
            "the solver's temperature is 0: five greedy copies of one answer certify nothing",
            where=f"profile {profile.name}: roles.solver.temperature",
            fix="set it above 0, such as 0.7",
        )
    shared = overlap(profile)
    if shared and not allow_overlap:
        raise ConfigError(
            f"the judge is the solver: {listed(shared)}",
            where=f"profile {profile.name}",
            fix="name another judge, or pass --allow-overlap, which marks every table",
        )
    return shared


def _templates(family: Family, profile: Profile) -> list[str]:
    """Return the ids of the templates that the profile's models will be asked with."""
    ids = {
        family.templates[role] for role, spec in profile.roles.items() if not spec.rules and role in family.templates
    }
    if not profile.roles[Role.JUDGE].rules:
        ids |= {family.judge_template(condition) for condition in family.conditions}
    return sorted(ids)


def _slots(profile: Profile, workers: int | None) -> tuple[int, int]:
    """Return how many requests the local server takes at once, and the tokens each may use.

    Two cores gain nothing from more than four slots. The longest chat is a rewrite with both repairs.
    """
    longest = max((spec.max_tokens for spec in profile.roles.values() if not spec.rules), default=256)
    return min(4, workers or profile.workers), max(1536, 1280 + longest)


def _about(run: str, plan: Plan, started: datetime) -> dict[str, Any]:
    return {
        "run": run,
        "command": "anneal",
        "seed_set": f"{plan.family.name}/{plan.seeds.name}",
        "family": plan.family.name,
        "profile": plan.profile.name,
        "draw": plan.draw,
        "started": started.isoformat(),
        "forge": __version__,
        "overlap": list(plan.overlap),
    }


def _row(about: dict[str, Any], plan: Plan, started: datetime) -> RunRow:
    return RunRow(
        id=about["run"],
        command="anneal",
        started=started,
        family=plan.family.name,
        seed_set=about["seed_set"],
        profile=plan.profile.name,
        draw=plan.draw,
        forge=__version__,
        settings=plan.profile.model_dump(mode="json"),
    )


def _summary(
    plan: Plan,
    run: str,
    outcomes: tuple[SeedOutcome, ...],
    gateway: Gateway,
    stopped: BaseException | None,
    budget: Budget,
    seconds: float,
) -> Summary:
    tally, pending = gateway.tally, any(outcome.state is State.PENDING for outcome in outcomes)
    code = 0
    if stopped is not None and not isinstance(stopped, ForgeError):
        code = 130
    elif isinstance(stopped, ForgeError):
        code = stopped.exit_code
    elif pending:
        code = BudgetReached.exit_code if budget.reached else 3
    return Summary(
        run=run,
        seed_set=f"{plan.family.name}/{plan.seeds.name}",
        profile=plan.profile.name,
        draw=plan.draw,
        outcomes=outcomes,
        duplicates=duplicates(outcomes, plan.profile.limits.near_duplicate),
        made=tally.made,
        replayed=tally.replayed,
        usd=None if tally.unpriced else round(tally.usd, 6),
        seconds=seconds,
        chance=chance(outcomes, plan.profile.limits),
        overlap=plan.overlap,
        stopped=str(stopped) if isinstance(stopped, ForgeError) else "interrupted" if stopped is not None else None,
        exit_code=code,
        measures=measured(plan.family, outcomes),
        selection=selection(plan.family, plan.profile),
        reader=plan.profile.roles[Role.JUDGE].declared,
        scope=plan.profile.scope,
        tokens=(tally.prompt, tally.completion),
        by_role={
            role.value: {"made": one.made, "replayed": one.replayed, "prompt": one.prompt, "completion": one.completion}
            for role, one in gateway.by_role.items()
            if one.made or one.replayed
        },
    )
