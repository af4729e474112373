"""Audits pairs from any source: sums over all, and the texts of those that fail."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from forge.model.errors import ConfigError
from forge.pairs import quartet
from forge.pairs.audit import PAPER, Failure, Figures, Gate, Place, Summary, Tally, measure, places
from forge.pairs.quartet import ClauseSummary
from forge.session.pairrows import Pair, Rejected
from forge.text.edits import PairEdits


@dataclass(frozen=True, slots=True)
class Failing:
    """A pair that misses the gate, or whose clauses do not match: how far apart it is, where, and by what.

    Attributes:
        failures: the bounds of the gate that it misses.
        findings: what is wrong with its other versions, each with its condition.
    """

    pair: Pair
    edits: PairEdits
    places: tuple[Place, ...]
    failures: tuple[Failure, ...]
    findings: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "id": self.pair.id,
            "where": self.pair.where,
            "reasons": [failure._asdict() for failure in self.failures],
            "findings": list(self.findings),
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
        failing: the pairs that miss the gate or whose clauses do not match, in order.
        rejected: what was no pair, in order; none of it is in the summary.
        clauses: of the rows that have both clauses; None where none has.
    """

    source: str
    gate: Gate
    summary: Summary
    failing: tuple[Failing, ...]
    rejected: tuple[Rejected, ...]
    clauses: ClauseSummary | None = None

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
            "clauses": None if self.clauses is None else _clauses(self.clauses),
            "failures": [one.document() for one in self.failing],
            "rejected": [asdict(one) for one in self.rejected],
        }


def _figures(figures: Figures, worst: str) -> dict[str, float | None]:
    return {"mean": figures.mean, worst: figures.worst}


def _clauses(found: ClauseSummary) -> dict[str, Any]:
    apart = {"words": found.words, "length": found.length}
    return {
        "n": found.n,
        **{name: None if both is None else {"mean": both[0], "max": both[1]} for name, both in apart.items()},
        **{f"within_{name}": met / found.n for name, met in found.met.items()},
    }


def audit(source: str, rows: Iterable[Pair | Rejected], gate: Gate) -> Report:
    """Audit pairs under a gate; only the texts of those that fail are kept.

    Raises:
        ConfigError: there are no rows at all.
    """
    tally = Tally(gate)
    failing: list[Failing] = []
    rejected: list[Rejected] = []
    both: list[quartet.Clauses] = []
    for row in rows:
        if isinstance(row, Rejected):
            rejected.append(row)
            continue
        edits = measure(row.active, row.removed)
        missed = tally.add(edits)
        findings = row.findings
        if row.explicit:
            both.append(quartet.clauses(row.active, row.explicit, row.salience_control))
            findings = tuple(dict.fromkeys((*both[-1].reasons, *findings)))
        if missed or findings:
            failing.append(Failing(row, edits, places(row.active, row.removed, edits), missed, findings))
    if not tally.n and not rejected:
        raise ConfigError("there are no pairs to audit", where=source, fix="the file holds no rows, or no item fits")
    clauses = quartet.summarise(both) if both else None
    return Report(source, gate, tally.summary(), tuple(failing), tuple(rejected), clauses)
