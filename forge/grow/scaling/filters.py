"""The deduplication filters f1 to f5, in order (SaliTrap 3.3.1). They know accepted seeds, never why one is proposed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from forge.families.base import Facets
from forge.model.errors import SeedError
from forge.text.index import DedupIndex, Match
from forge.text.lemmas import lemmas
from forge.text.normalise import normalise

FILTERS = ("f1", "f2", "f3", "f4", "f5")
TITLES = {
    "f1": "same name",
    "f2": "prompt too similar",
    "f3": "trap core too similar",
    "f4": "same tool, object and action",
    "f5": "published elsewhere (kept, tagged viral)",
}
LEAST_THRESHOLD = 0.3
_PERMUTATIONS = 512
"""Enough for a recall of 0.9995 down to that threshold."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Jaccard similarities from which on two seeds count as the same, 0..1; f1 and f4 are exact.

    The defaults call none of the labelled far pairs of tests/data/dedup the same, and miss the fewest near ones; its
    README has the table.

    Attributes:
        slots: for f2 and f3 between two composed seeds, whose templates' words are left out. What remains is a few
            words, so that one more in common weighs more than in a whole text.
    """

    f2: float = 0.5
    f3: float = 0.35
    f5: float = 0.5
    slots: float = 0.7


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a proposal was not accepted.

    Attributes:
        filter: f1 … f4, `viability` or `invalid`.
        score: the similarity, 1.0 for an exact match; None where nothing is measured.
        other: the id of the accepted seed it collided with, or "".
    """

    filter: str
    score: float | None
    other: str
    detail: str


@dataclass(frozen=True, slots=True)
class Published:
    """An item published elsewhere."""

    key: str
    text: str
    source: str
    core: str = ""


def thresholds(header: Mapping[str, Any], where: str) -> Thresholds:
    """Read `thresholds` from a seed set's header; what it leaves out keeps its default.

    Raises:
        SeedError: an unknown filter, or a value outside 0.3..1.
    """
    given = header.get("thresholds", {})
    if not isinstance(given, Mapping):
        raise SeedError("`thresholds` is no mapping", where=where, value=given, fix="thresholds: {f2: 0.5, f3: 0.35}")
    for name, value in given.items():
        if name not in ("f2", "f3", "f5", "slots"):
            raise SeedError(
                f"no threshold {name}", where=where, fix="f2, f3, f5 and slots have one; f1 and f4 are exact"
            )
        if isinstance(value, bool) or not isinstance(value, int | float) or not LEAST_THRESHOLD <= value <= 1:
            raise SeedError(f"the threshold {name} must lie in {LEAST_THRESHOLD} to 1", where=where, value=value)
    return Thresholds(**{name: float(value) for name, value in given.items()})


class Filters:
    """Accepted seeds of one set, and the published items they are held against.

    A seed that was composed shares words with every other seed of its template; compared with one of those, only what
    is left without them counts. Against all other seeds the whole text counts.

    Args:
        published: for f5; texts are compared with a seed's prompt, and cores, where they have one, with its trap core.
        lang: of the triples' words.
    """

    def __init__(self, limits: Thresholds, published: Iterable[Published] = (), lang: str = "en") -> None:
        self._lang = lang
        self._names: dict[str, str] = {}
        self._triples: dict[tuple[tuple[str, ...], ...], str] = {}
        self._prompts = _Texts(limits.f2, limits.slots)
        self._cores = _Texts(limits.f3, limits.slots)
        self._sources: dict[str, Published] = {}
        self._published = DedupIndex(limits.f5, _PERMUTATIONS)
        self._published_cores = DedupIndex(limits.f5, _PERMUTATIONS)
        for item in published:
            if item.key in self._sources or not normalise(item.text):
                continue
            self._sources[item.key] = item
            self._published.add(item.key, item.text)
            if normalise(item.core):
                self._published_cores.add(item.key, item.core)

    def __contains__(self, key: object) -> bool:
        return key in self._prompts.whole

    @property
    def prompts(self) -> DedupIndex:
        """The index of whole prompts of accepted seeds."""
        return self._prompts.whole

    def reject(self, facets: Facets, template: frozenset[str]) -> Rejection | None:
        """Return the first filter's objection, f1 to f4, or None."""
        name = normalise(facets.name)
        if name in self._names:
            return Rejection("f1", 1.0, self._names[name], f"the name {facets.name!r}")
        for label, texts, text in (("f2", self._prompts, facets.prompt), ("f3", self._cores, facets.core)):
            match = texts.nearest(text, template)
            if match is not None:
                return Rejection(label, match.similarity, match.key, TITLES[label])
        triple = self._triple(facets)
        if triple in self._triples:
            return Rejection("f4", 1.0, self._triples[triple], ", ".join(" ".join(part) for part in triple))
        return None

    def accept(self, key: str, facets: Facets, template: frozenset[str]) -> None:
        """Remember an accepted seed under its id."""
        self._names.setdefault(normalise(facets.name), key)
        self._prompts.add(key, facets.prompt, template)
        self._cores.add(key, facets.core, template)
        self._triples.setdefault(self._triple(facets), key)

    def viral(self, facets: Facets) -> tuple[Published, float] | None:
        """f5: the published item that a seed is closest to, and how close; None below the threshold."""
        found = (self._published.nearest(facets.prompt), self._published_cores.nearest(facets.core))
        match = _closest(found)
        return None if match is None else (self._sources[match.key], match.similarity)

    def _triple(self, facets: Facets) -> tuple[tuple[str, ...], ...]:
        return tuple(lemmas(part, self._lang) for part in facets.triple)


class _Texts:
    """Texts of accepted seeds, whole and without their template's words."""

    def __init__(self, threshold: float, slots: float) -> None:
        self.whole = DedupIndex(threshold, _PERMUTATIONS)
        self._rest = DedupIndex(slots, _PERMUTATIONS)

    def add(self, key: str, text: str, template: frozenset[str]) -> None:
        self.whole.add(key, text)
        if template:
            self._rest.add(key, without(text, template))

    def nearest(self, text: str, template: frozenset[str]) -> Match | None:
        if not template:
            return self.whole.nearest(text)
        composed = {match.key for match in self.whole.query(text) if match.key in self._rest}
        return _closest((self.whole.nearest(text, composed), self._rest.nearest(without(text, template))))


def _closest(found: Iterable[Match | None]) -> Match | None:
    matches = [match for match in found if match is not None]
    return min(matches, key=lambda match: (-match.similarity, match.key), default=None)


def without(text: str, template: frozenset[str]) -> str:
    """The normalised words of a text that are not its template's, in order."""
    return " ".join(word for word in normalise(text).split() if word not in template)
