"""Builds scenarios of seeds and of grown items, each checked before it is in. Pure: the same pieces give the same set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from forge.families.base import Paired
from forge.model.scenarios import Exclusion, Order, Scenario, Selection
from forge.model.words import Operator
from forge.pairs.audit import PAPER, Gate, failures, measure


@dataclass(frozen=True, slots=True)
class Piece:
    """What one scenario is built of.

    Attributes:
        id: the scenario's id.
        seed: the family's seed.
        text: the wording; without options.
        item: the id of the certified item it comes from; empty for a seed's own wording.
        pieces: who wrote what the seed left out.
        repaired: whether its one permitted repair was spent on it.
        wrong: why it is out before anything is built of it.
    """

    id: str
    seed: Any
    text: str
    item: str = ""
    operator: Operator = Operator.SEED
    pieces: Mapping[str, str] = field(default_factory=dict)
    repaired: bool = False
    wrong: tuple[str, ...] = ()


def build(
    family: Paired, pieces: Sequence[Piece], selection: Selection, order: Order, gate: Gate = PAPER
) -> tuple[tuple[Scenario, ...], tuple[Exclusion, ...]]:
    """Build a scenario of each piece that passes; what does not is excluded, with every reason (Core-100, appendix C).

    The order of options is decided over the scenarios that are in, so that a cell stays balanced whatever is out.

    Args:
        pieces: in the order of the set; ids are unique.

    Raises:
        ValueError: an id stands there twice.
    """
    names = [piece.id for piece in pieces]
    if len(set(names)) != len(names):
        raise ValueError(f"the id {next(name for name in names if names.count(name) > 1)} stands there twice")
    items: dict[str, Any] = {}
    out: list[Exclusion] = []
    for piece in pieces:
        stage: Any = "repair" if piece.repaired else "build"
        if piece.wrong:
            out.append(Exclusion(scenario=piece.id, stage=stage, reasons=piece.wrong))
            continue
        try:
            item = family.item(piece.seed, piece.text)
        except ValueError as error:
            out.append(Exclusion(scenario=piece.id, stage=stage, reasons=(f"no pair can be made of it: {error}",)))
            continue
        if reasons := tuple(dict.fromkeys(wrong(family, piece.seed, item, gate))):
            out.append(Exclusion(scenario=piece.id, stage="repair" if piece.repaired else "audit", reasons=reasons))
            continue
        items[piece.id] = item
    items = family.ordered(items, order)
    made = (_scenario(family, piece, items[piece.id], selection, order) for piece in pieces if piece.id in items)
    return tuple(made), tuple(out)


def wrong(family: Paired, seed: Any, item: Any, gate: Gate = PAPER) -> Iterator[str]:
    """Yield why an item is no scenario: its pair misses the gate, or its versions do not match."""
    first, second = family.audited(item)
    for failure in failures(measure(first, second), gate):
        yield f"{family.pair[1]}: {failure.reason}"
    yield from family.findings(seed, item)


def _scenario(family: Paired, piece: Piece, item: Any, selection: Selection, order: Order) -> Scenario:
    seed = piece.seed
    return Scenario(
        id=piece.id,
        family=family.name,
        set=seed.set,
        cell=family.cell(seed),
        dimension=str(seed.dimension),
        domain=seed.domain,
        lang=seed.lang,
        licence=seed.licence,
        seed=seed.id,
        seed_content=seed.content,
        author=seed.author.kind,
        source="item" if piece.item else "seed",
        item=piece.item,
        operator=piece.operator,
        pieces=dict(piece.pieces),
        selection=selection,
        versions=family.versions(item, order),
        gradients=family.gradients(seed, item),
        options=family.options(item),
        first="" if order is Order.BOTH else family.first(item),
        payload=item.model_dump(mode="json", by_alias=True),
    )


@dataclass(frozen=True, slots=True)
class Share:
    """How many scenarios of a cell show an option first.

    Attributes:
        first: label → scenarios that show it as option A; empty where none has options, or each has both orders.
    """

    cell: str
    n: int
    first: Mapping[str, int]


def shares(scenarios: Sequence[Scenario]) -> tuple[Share, ...]:
    """Return per cell, in alphabetical order, which option is shown first how often; last a row for all, `all`."""
    cells = sorted({scenario.cell for scenario in scenarios})
    groups = [(cell, [one for one in scenarios if one.cell == cell]) for cell in cells]
    return tuple(
        Share(name, len(group), {label: sum(one.first == label for one in group) for label in _labels(group)})
        for name, group in [*groups, ("all", list(scenarios))]
    )


def _labels(group: Sequence[Scenario]) -> list[str]:
    return list(dict.fromkeys(label for one in group for label in one.options if one.first))
