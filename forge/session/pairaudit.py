"""Audits pairs from any source: sums over all, and the texts of those that fail."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from forge.model.errors import ConfigError
from forge.pairs.audit import PAPER, Failure, Figures, Gate, Place, Summary, Tally, measure, places
from forge.session.pairrows import Pair, Rejected
from forge.text.edits import PairEdits


@dataclass(frozen=True, slots=True)
class Failing:
    """A pair that misses the gate, how far apart it is, where, and by what."""

    pair: Pair
    edits: PairEdits
    places: tuple[Place, ...]
    failures: tuple[Failure, ...]

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "id": self.pair.id,
            "where": self.pair.where,
            "reasons": [failure._asdict() for failure in self.failures],
            "words": self.edits.words,
            "similarity": self.edits.similarity,
            "indel": self.edits.indel,
            "difflib": self.edits.difflib,
            "token_edits": self.edits.token_edits,
            "spans": [{name: list(bounds) for name, bounds in place._asdict().items()} for place in self.places],
            "active": self.pair.active,
            "removed": self.pair.removed,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """What an audit found.

    Attributes:
        source: what was audited, as it was named.
        failing: the pairs that miss the gate, in order.
        rejected: what was no pair, in order; none of it is in the summary.
    """

    source: str
    gate: Gate
    summary: Summary
    failing: tuple[Failing, ...]
    rejected: tuple[Rejected, ...]

    @property
    def clean(self) -> bool:
        """Whether every row was a pair, and every pair passed."""
        return not self.failing and not self.rejected

    def document(self) -> dict[str, Any]:
        """Return it as the one document of `--json`."""
        found = self.summary
        return {
            "source": self.source,
            "pairs": found.n,
            "within_words": found.share("words"),
            "within_similarity": found.share("similarity"),
            "within_both": found.share("both"),
            "within_token_edits": found.share("token_edits"),
            "within_spans": found.share("spans"),
            "within_gate": found.share("gate"),
            "within_paper": found.share("paper"),
            "words": _figures(found.words, "max"),
            "similarity": _figures(found.similarity, "min"),
            "indel": _figures(found.indel, "min"),
            "difflib": _figures(found.difflib, "min"),
            "token_edits": {**_figures(found.token_edits, "max"), "median": found.median_token_edits},
            "spans": _figures(found.spans, "max"),
            "gate": asdict(self.gate),
            "paper": {"max_words": PAPER.max_words, "min_similarity": PAPER.min_similarity},
            "failures": [one.document() for one in self.failing],
            "rejected": [asdict(one) for one in self.rejected],
        }


def _figures(figures: Figures, worst: str) -> dict[str, float | None]:
    return {"mean": figures.mean, worst: figures.worst}


def audit(source: str, rows: Iterable[Pair | Rejected], gate: Gate) -> Report:
    """Audit pairs under a gate; only the texts of those that fail are kept.

    Raises:
        ConfigError: there are no rows at all.
    """
    tally = Tally(gate)
    failing: list[Failing] = []
    rejected: list[Rejected] = []
    for row in rows:
        if isinstance(row, Rejected):
            rejected.append(row)
            continue
        edits = measure(row.active, row.removed)
        missed = tally.add(edits)
        if missed:
            failing.append(Failing(row, edits, places(row.active, row.removed, edits), missed))
    if not tally.n and not rejected:
        raise ConfigError("there are no pairs to audit", where=source, fix="the file holds no rows, or no item fits")
    return Report(source, gate, tally.summary(), tuple(failing), tuple(rejected))
