"""Small releases made of shipped seeds, for what is asked of them and what follows from the answers."""

from __future__ import annotations

from pathlib import Path

from forge.families.loading import load
from forge.model.releases import ItemHash, Manifest, Release, ReleaseItem, Wave
from forge.model.scenarios import Order, Scenario, Selection
from forge.pairs.build import Piece, build
from forge.workspace import seedfiles

SEEDS = Path(__file__).parents[3] / "seeds"
ROOT = "0" * 64


def scenarios(family: str, name: str, count: int, order: Order = Order.BALANCED) -> tuple[Scenario, ...]:
    """Return the first scenarios of a shipped seed set."""
    code = load(family, None, {family})
    loaded = seedfiles.read(SEEDS / family / f"{name}.yaml", code, lint=False)
    assert loaded.seeds is not None
    pieces = [Piece(seed.id, seed, code.wording(seed)) for seed in loaded.seeds.seeds[:count]]
    made, out = build(code, pieces, Selection.COVERAGE, order)  # type: ignore[arg-type]
    assert not out
    return made


def release(made: tuple[Scenario, ...], models: dict[str, tuple[str, ...]] | None = None) -> Release:
    """Return a release of scenarios that nobody rated."""
    items = tuple(ReleaseItem(id=one.id, wave=1, scenario=one, origin="seed", certified=False) for one in made)
    manifest = Manifest(
        name="small-v1",
        root=ROOT,
        families=tuple(sorted({one.family for one in made})),
        selection=Selection.COVERAGE,
        order=Order.BALANCED,
        certified=False,
        canary="forge canary",
        licence="CC-BY-4.0",
        waves=(Wave(wave=1, items=len(items), root=ROOT, frozen="2026-03-01T12:00:00Z", source="by hand"),),
        items=tuple(ItemHash(id=one.id, sha256=ROOT, wave=1) for one in items),
        counts={},
        models=models or {},
    )
    return Release(manifest=manifest, items=items)
