"""Builds a set of pairs from a seed set, or from the items certified of it, and stores it in the registry."""

from __future__ import annotations

import secrets
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from forge.families.base import Paired
from forge.model.errors import FamilyError, UsageError, listed
from forge.model.scenarios import Exclusion, Order, PairSet, Selection, set_digest
from forge.model.seeds import SeedSet
from forge.model.words import Operator
from forge.pairs.audit import PAPER, Gate
from forge.pairs.build import Piece, Share, build, shares
from forge.registry.rows import RunRow
from forge.version import __version__
from forge.workspace.paths import safe

if TYPE_CHECKING:
    from forge.session.session import Session


@dataclass(frozen=True, slots=True)
class Built:
    """A set of pairs, and what is said of it.

    Attributes:
        stale: items left out because their seed has another text now.
        replaced: the digest of the set that stood under the name, if it was another one.
    """

    made: PairSet
    shares: tuple[Share, ...]
    warnings: tuple[str, ...]
    stale: int = 0
    replaced: str | None = None

    def document(self) -> dict[str, Any]:
        """Return it as the one document of `--json`."""
        made = self.made
        return {
            "set": made.name,
            "digest": made.digest,
            "family": made.family,
            "source": made.source,
            "selection": made.selection.value,
            "order": made.order.value,
            "run": made.run,
            "scenarios": [one.model_dump(mode="json", exclude={"payload"}) for one in made.scenarios],
            "excluded": [one.model_dump(mode="json") for one in made.exclusions],
            "cells": [{"cell": one.cell, "n": one.n, "first": dict(one.first)} for one in self.shares],
            "stale_items": self.stale,
            "replaced": self.replaced,
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be built.

    Attributes:
        name: the set's name in the registry; None takes the seed set's.
        where: a filter over items; only for an adversarial set.
        selection, order: None takes the profile's, and that the family's.
    """

    seed_set: str
    name: str | None = None
    where: str | None = None
    selection: Selection | None = None
    order: Order | None = None
    gate: Gate = PAPER


def paired(family: Any) -> Paired:
    """Return a family as one that sets of pairs can be built of.

    Raises:
        FamilyError: it has not what that takes.
    """
    if not isinstance(family, Paired):
        raise FamilyError(
            f"the family {family.name} has no pairs: its code lacks what forge.families.base.Paired asks for",
            value=family.name,
            fix="add those methods to the family",
        )
    return family


def run(session: Session, wanted: Wanted) -> Built:
    """Build a set and store it; one of the same name is replaced, and what was rated of unchanged scenarios stands.

    Raises:
        SeedError, ConfigError, FamilyError: the seed set cannot be used. UsageError: nothing can be built so.
        StorageError: the registry cannot be written.
    """
    family, seeds, warnings = session.seeds(wanted.seed_set)
    session.registry.upgrade()
    made_of = paired(family)
    name = safe(wanted.name or seeds.name, "a set of pairs")
    selection = wanted.selection or session.profile.selection or made_of.selection
    order = wanted.order or session.profile.order
    stale = 0
    if selection is Selection.COVERAGE:
        if wanted.where is not None:
            raise UsageError(
                "--where picks items that a solver certified, and selection is coverage",
                value=wanted.where,
                fix="add --selection adversarial, or leave --where out",
            )
        pieces = [Piece(seed.id, seed, made_of.wording(seed)) for seed in seeds.seeds]
    else:
        pieces, stale = _certified(session, seeds, wanted.where)
    return _stored(session, made_of, seeds, name, selection, order, wanted, pieces, warnings, stale)


def _certified(session: Session, seeds: SeedSet, where: str | None) -> tuple[list[Piece], int]:
    """Return the certified items of a set's seeds, in the order of the seeds, and how many have another seed text."""
    known = {seed.id: seed for seed in seeds.seeds}
    places = {name: place for place, name in enumerate(known)}
    items = [item for item in session.registry.items(where) if item["family"] == seeds.family and item["seed"] in known]
    fresh = [item for item in items if known[item["seed"]].content == item["seed_content"]]
    if not fresh:
        full = f"{seeds.family}/{seeds.name}"
        said = f"{len(items)} items belong to earlier texts of its seeds" if items else "no solver has failed on it yet"
        raise UsageError(
            f"no certified item of {full} can be used: {said}",
            value=where or full,
            fix=f"run `forge anneal --seed-set {full}` first, or build with --selection coverage",
        )
    fresh.sort(key=lambda item: places[item["seed"]])
    return [
        Piece(
            item["id"],
            known[item["seed"]],
            item["text"],
            item=item["id"],
            operator=Operator(item["operator"]),
            wrong=(f"a near-copy of {item['duplicate_of']}",) if item["duplicate_of"] else (),
        )
        for item in fresh
    ], len(items) - len(fresh)


def _stored(
    session: Session,
    family: Paired,
    seeds: SeedSet,
    name: str,
    selection: Selection,
    order: Order,
    wanted: Wanted,
    pieces: list[Piece],
    warnings: tuple[str, ...],
    stale: int,
) -> Built:
    scenarios, out = build(family, pieces, selection, order, wanted.gate)
    digest = set_digest(scenarios)
    started = datetime.now(UTC)
    run = f"{started:%Y%m%d-%H%M%S}-{name}-{secrets.token_hex(2)}"
    source = f"{seeds.family}/{seeds.name}" + (f" where {wanted.where}" if wanted.where else "")
    made = PairSet(
        name=name,
        family=family.name,
        source=source,
        selection=selection,
        order=order,
        run=run,
        digest=digest,
        scenarios=scenarios,
        exclusions=out,
    )
    before = {one["name"]: one["digest"] for one in session.registry.pairs.sets()}
    session.workspace.ready()
    row = RunRow(
        id=run,
        command="pairs build",
        started=started,
        family=family.name,
        seed_set=f"{seeds.family}/{seeds.name}",
        profile=session.profile.name,
        forge=__version__,
        settings={"selection": selection.value, "order": order.value, "where": wanted.where or ""},
    )
    session.registry.record_run(row)
    session.registry.pairs.save_set(made)
    stages = Counter(one.stage for one in out)
    summary = {"set": name, "digest": digest, "scenarios": len(scenarios), "excluded": dict(sorted(stages.items()))}
    session.registry.finish_run(run, summary, datetime.now(UTC))
    replaced = before.get(name) if before.get(name) not in (None, digest) else None
    return Built(made, shares(scenarios), warnings, stale, replaced)


def load(session: Session, name: str) -> PairSet:
    """Return a set of pairs by name.

    Raises:
        UsageError: there is none, with the nearest names.
    """
    return session.registry.pairs.load_set(name)


def ledger(session: Session, name: str) -> tuple[Exclusion, ...]:
    """Return the exclusion ledger of a set: what its build and its rounds of ratings left out.

    Raises:
        UsageError: there is no such set.
    """
    load(session, name)
    return tuple(session.registry.pairs.exclusions(name))


def named(made: PairSet, scenario: str) -> Any:
    """Return a scenario of a set by its id, or by the unique beginning of it.

    Raises:
        UsageError: there is none, or more than one; a scenario that was excluded is told as such.
    """
    found = [one for one in made.scenarios if one.id == scenario] or [
        one for one in made.scenarios if one.id.startswith(scenario)
    ]
    if len(found) == 1:
        return found[0]
    if found:
        names = listed([one.id for one in found])
        raise UsageError(f"several scenarios begin with {scenario!r}: {names}", fix="give more of the name")
    for one in made.exclusions:
        if one.scenario == scenario:
            raise UsageError(
                f"{scenario} is excluded from {made.name}: {'; '.join(one.reasons)}",
                fix="mend the seed, then build again",
            )
    raise UsageError(
        f"{made.name} has no scenario {scenario!r}", value=scenario, fix=f"`forge pairs show {made.name}` lists them"
    )
