"""Which option is shown first: by a salted hash, or exactly balanced over a cell. No random source."""

from __future__ import annotations

from collections.abc import Iterable

from forge.model.ids import digest

SALT = "forge/hidden_constraint/order"


def _number(seed: str, salt: str) -> int:
    return int(digest([salt, seed]), 16)


def heavy_first(seed: str, salt: str = SALT) -> bool:
    """Whether the constraint-heavy option is A in the unswapped order: the salted hash of the id is even.

    As in Core-100, where a hash put it first in 43 of 100 scenarios (appendix C, rule 6).
    """
    return _number(seed, salt) % 2 == 0


def counterbalance(ids: Iterable[str], salt: str = SALT) -> dict[str, bool]:
    """Return for each seed of one cell whether its constraint-heavy option comes first, balanced to within one.

    Ids are ranked by their salted hash and take turns. Which turn is first hangs on the hash of all ids, so that many
    cells of an odd size lean to no side. The same ids give the same order in any sequence and in every process; all
    conditions of a seed share it.

    Args:
        ids: the ids of the seeds of one cell.
        salt: another salt is another order.

    Returns:
        id → the constraint-heavy option is A, in the sequence given.

    Raises:
        ValueError: an id stands there twice.
    """
    given = list(ids)
    if len(set(given)) != len(given):
        raise ValueError("an id stands twice among the ids to be counterbalanced")
    ranked = sorted(given, key=lambda seed: (_number(seed, salt), seed))
    first = int(digest([salt, ranked]), 16) % 2
    turns = {seed: rank % 2 == first for rank, seed in enumerate(ranked)}
    return {seed: turns[seed] for seed in given}
