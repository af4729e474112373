"""Replays a run from its own folder with the network forbidden, and compares the items byte for byte."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forge.agents.room import Room
from forge.families.base import Family
from forge.llm.gateway import Gateway
from forge.llm.ledger import Ledger
from forge.model.errors import ReplayMiss, StorageError
from forge.model.events import Event
from forge.model.ids import canonical
from forge.model.profile import Profile
from forge.model.seeds import SeedSet
from forge.model.words import State
from forge.prompts.collection import PromptLibrary
from forge.session.annealing import Growing
from forge.session.runfolder import RunFolder, item_document


@dataclass(frozen=True)
class Replay:
    """What a replay found.

    Attributes:
        same: the replayed items are the stored ones, byte for byte.
        difference: the first line that differs, when one does.
    """

    run: str
    items: int
    replayed: int
    same: bool
    difference: str | None


async def replay(
    run: str, path: Path, ledger_path: Path, family: Callable[[str, str | None], Family], emit: Callable[[Event], None]
) -> Replay:
    """Grow a run's seeds again from its frozen profile, seeds and templates and the ledger alone.

    Seeds that the run left pending are left out: it has no items of theirs.

    Raises:
        ReplayMiss: the ledger lacks an answer.
        StorageError: the run's folder is missing, or it never ended.
    """
    folder = RunFolder(path)
    if not path.is_dir():
        raise StorageError("no such run", value=run, where=str(path), fix="`forge runs list` shows the runs")
    about, summary, stored = folder.read("run.json"), folder.read("summary.json"), _stored(path / "items.jsonl")
    profile = Profile.model_validate(folder.read("profile.json"))
    extends = folder.read("seeds.json")["header"].get("extends")
    grown = family(about["family"], extends)
    seeds = _seeds(folder.read("seeds.json"), grown)
    ended = {one["seed"] for one in summary["ends"] if one["state"] != State.PENDING.value}
    ledger = Ledger(ledger_path, readonly=True)
    try:
        gateway = Gateway(profile, ledger, draw=int(about["draw"]), emit=emit, offline=True)
        room = Room(
            grown, PromptLibrary([path / "prompts"], {about["family"]: extends} if extends else {}), profile, gateway
        )
        mine = [seed for seed in seeds.seeds if seed.id in ended]
        growing = Growing(room, mine, profile.workers, emit, _keep, bool(about.get("all_grades")))
        outcomes = await growing.run()
        if isinstance(growing.stopped, ReplayMiss):
            raise growing.stopped
        if growing.stopped is not None:
            raise growing.stopped
    finally:
        ledger.close()
    again = [canonical(item_document(item)) for outcome in outcomes for item in outcome.items]
    return Replay(run, len(again), gateway.tally.replayed, again == stored, _difference(stored, again))


async def _keep(_: Any) -> None:
    """A replay stores nothing."""


def _seeds(document: dict[str, Any], family: Family) -> SeedSet:
    seeds = tuple(family.Seed.model_validate(seed) for seed in document["seeds"])
    return SeedSet(
        name=document["name"], family=document["family"], path=document["path"], header=document["header"], seeds=seeds
    )


def _stored(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().splitlines()
    except OSError as error:
        raise StorageError(
            "the run has no items.jsonl: it was cut off before its end",
            where=str(path),
            fix="run `forge anneal` again: what was paid for replays free, and the new run ends",
        ) from error


def _difference(stored: list[bytes], again: list[bytes]) -> str | None:
    for number, (old, new) in enumerate(zip(stored, again, strict=False), 1):
        if old != new:
            at = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
            return f"items.jsonl:{number}, byte {at}: stored {old[at : at + 40]!r}, replayed {new[at : at + 40]!r}"
    if len(stored) != len(again):
        return f"items.jsonl has {len(stored)} items, the replay {len(again)}"
    return None
