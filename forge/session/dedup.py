"""Takes exact and near repeats out of a file of any size: rows are read, decided and written in one pass, in order."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from forge.model.errors import ConfigError, UsageError
from forge.session.dedupfiles import Bits, DiskTexts, Outputs, writing
from forge.session.dedupindex import StoredIndex
from forge.session.deduprows import Source
from forge.session.dedupwork import Batch, Checked, Rules, checked, excerpt
from forge.text.greedy import Collision, Deduper, Kind, origin, place
from forge.workspace.rowfiles import Fault, FaultKind, Format, Record, format_of

if TYPE_CHECKING:
    from forge.registry.store import Registry

THRESHOLD = 0.8
"""Jaccard similarity of 5-character shingles. In 200 characters, 196 shingles, a changed word of four or five letters
costs some 8.5 on either side, so one leaves (196 - 8.5) / (196 + 8.5) = 0.92, two 0.84 and three 0.77: a repeat is what
differs in at most two words of 35. Prompts on different plans are far below: 0.05 in the median and 0.11 at most among
the 48 seeds of D1 to D4."""
MAX_CHARS = 1_000_000
SHOWN = 20

_THIS, _STORED = 0, 1


@dataclass(frozen=True)
class Request:
    """What is to be done with a file.

    Attributes:
        path: the file.
        field: the field or column that holds the text.
        format: its format when the suffix does not tell.
        out: where kept rows go; default: beside the file.
        threshold: Jaccard similarity from which a text counts as near.
        max_chars: a longer text is a reject.
        against: files whose texts must not be repeated either.
        workers: processes that check and sign; default: one a core.
    """

    path: Path
    field: str
    format: str | None = None
    out: Path | None = None
    threshold: float = THRESHOLD
    max_chars: int = MAX_CHARS
    strict: bool = False
    against: tuple[Path, ...] = ()
    dry_run: bool = False
    force: bool = False
    workers: int | None = None


@dataclass(frozen=True)
class Progress:
    """How far a run has come.

    Attributes:
        what: the file that is being read.
        share: how much of it has been read, 0-1.
    """

    what: str
    read: int = 0
    kept: int = 0
    duplicates: int = 0
    invalid: int = 0
    share: float = 0.0


@dataclass
class Report:
    """What a run came to.

    Attributes:
        faults: invalid rows by kind.
        collisions: the first of the duplicates, as they stand in their file.
        notes: what somebody should be told loudly.
        proposed: pairs of texts that shared a band, and `compared`, those whose exact similarity was computed.
    """

    read: int = 0
    kept: int = 0
    exact: int = 0
    near: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    collisions: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    against: int = 0
    index: dict[str, Any] | None = None
    threshold: float = THRESHOLD
    proposed: int = 0
    compared: int = 0
    bytes_per_text: float | None = None
    seconds: float = 0.0

    @property
    def invalid(self) -> int:
        """Rows that were no texts."""
        return self.faults.total()

    def document(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "read": self.read,
            "kept": self.kept,
            "rejected": {"exact": self.exact, "near": self.near, "invalid": self.invalid},
            "invalid": dict(sorted(self.faults.items())),
            "seconds": round(self.seconds, 3),
            "threshold": self.threshold,
            "against": self.against,
            "index": self.index,
            "files": self.files,
            "notes": self.notes,
            "pairs": {"proposed": self.proposed, "compared": self.compared},
            "bytes_per_text": self.bytes_per_text,
        }


Observer = Callable[[Progress], None]


def dedup(
    request: Request,
    registry: Registry | None = None,
    index: str | None = None,
    observer: Observer = lambda _: None,
    notice: Callable[[str], None] = lambda _: None,
) -> Report:
    """Take the repeats out of a file. Worker processes are spawned for a large one, so a script that calls this needs
    the usual `if __name__ == "__main__"`.

    Args:
        registry: where `index` is kept.
        index: the name of an index to compare with, and to add the kept texts to.
        observer: told how far it is, after each batch.
        notice: told what somebody should know at once.

    Raises:
        UsageError: no such format, an output is in the way, or no index can serve the threshold.
        StorageError: a file cannot be read or written. Nothing is left half-written.
        ConfigError: `strict`, and a row is no text; or a file to compare with has no such field.
        VerificationError: the saved index cannot be read.
    """
    began = time.monotonic()
    with ExitStack() as stack:
        run = _Run(request, observer, notice, stack)
        if index is not None and registry is not None:
            run.stored = StoredIndex(registry, index)
            run.remember(run.stored.load(run.deduper, _STORED, notice))
        for number, path in enumerate(request.against, _STORED + 1):
            run.learn(number, path)
        run.read()
        if run.stored is not None and not request.dry_run:
            run.stored.store(run.deduper, _STORED, request.path)
    return run.report_of(time.monotonic() - began, index)


class _Run:
    """One pass over a file."""

    def __init__(self, request: Request, observer: Observer, notice: Callable[[str], None], stack: ExitStack) -> None:
        self.request, self.observer, self.notice = request, observer, notice
        self.report = Report(threshold=request.threshold)
        self.format = format_of(request.path, request.format)
        self.source = stack.enter_context(Source(request.path, self.format, request.field))
        self.outputs = Outputs(request.path, self.format, request.out, force=request.force, dry=request.dry_run)
        self.texts, self.excerpts = DiskTexts(), DiskTexts()
        stack.callback(self.texts.close)
        stack.callback(self.excerpts.close)
        try:
            self.deduper = Deduper(request.threshold, self.texts)
        except ValueError as error:
            raise UsageError(
                f"no index can serve this threshold: {error}", value=request.threshold, fix="give a higher --threshold"
            ) from error
        self.stored: StoredIndex | None = None
        # Where the excerpts of each source begin.
        self.bases = {_THIS: 0, _STORED: 0}
        self.bits = Bits()
        # What the first row without the field was told.
        self.lacking = ""

    def remember(self, normals: list[bytes]) -> None:
        """Keep what is shown of the stored texts."""
        self.excerpts.append([excerpt(text).encode("utf-8") for text in normals])

    def learn(self, number: int, path: Path) -> None:
        """Index the texts of a file that the rows must not repeat.

        Raises:
            ConfigError: not one of its rows has the field.
        """
        self.bases[number] = len(self.excerpts)
        rows = bad = 0
        with Source(path, format_of(path), self.request.field) as source:
            for batch, found in self._checked(source):
                rows += len(batch.records)
                bad += len(batch.records) - len(found.good)
                at = np.array([batch.records[batch.positions[i]].row for i in found.good], dtype=np.int64)
                self.deduper.learn(at + origin(number, 0), found.prepared)
                self._show(batch, found)
                self.observer(Progress(path.name, rows, share=_share(batch.done, source.total)))
            if rows and rows == bad:
                raise ConfigError(
                    "no row of a file to compare with is a text",
                    where=str(path),
                    value=source.missing or f"field {self.request.field!r}",
                    fix="check the file and --field",
                )
        self.report.against += rows - bad
        if bad:
            self._note(f"{path.name}: {bad:,} of {rows:,} rows are no texts, so nothing was compared with them")

    def read(self) -> None:
        """Read the file, decide row by row, and write the outputs."""
        self.bases[_THIS] = len(self.excerpts)
        source, report = self.source, self.report
        if source.missing and self.request.strict:
            raise ConfigError(source.missing, where=str(self.request.path), fix="give --field one of them")
        with self.outputs as outputs:
            outputs.keep(source.header)
            for batch, found in self._checked(source):
                self._decide(batch, found)
                share = _share(batch.done, source.total)
                done = report.exact + report.near
                self.observer(Progress(source.path.name, report.read, report.kept, done, report.invalid, share))
            self._look()
            if outputs.dry:
                return
            if self.format is Format.PARQUET:
                with writing(outputs.kept):
                    source.copy(outputs.part(outputs.kept), self.bits.padded(report.read))
            outputs.commit()
            names = ("duplicates", "rejects", "kept")
            report.files = {name: str(path) for name, path in zip(names, outputs.paths, strict=True)}

    def report_of(self, seconds: float, index: str | None) -> Report:
        """Complete the report."""
        report, deduper = self.report, self.deduper
        report.seconds, report.proposed, report.compared = seconds, deduper.proposed, deduper.compared
        report.bytes_per_text = round(deduper.nbytes / len(deduper), 1) if len(deduper) else None
        if self.stored is not None:
            added = 0 if self.request.dry_run else report.kept
            report.index = {"name": index, "before": self.stored.before, "added": added}
        return report

    def _checked(self, source: Source) -> Iterator[tuple[Batch, Checked]]:
        rules = Rules(self.request.field, source.lines, self.request.max_chars, self.deduper.signer())
        return checked(source.batches(), rules, self.request.workers or os.cpu_count() or 1)

    def _decide(self, batch: Batch, found: Checked) -> None:
        report, records = self.report, batch.records
        good = [batch.positions[number] for number in found.good]
        faults = {batch.positions[number]: fault for number, fault in found.faults.items()}
        for number, record in enumerate(records):
            if record.fault is not None:
                faults[number] = record.fault._replace(excerpt=excerpt(record.raw))
        if faults:
            self._reject(records, faults)
        self._show(batch, found)
        origins = np.array([records[number].row for number in good], dtype=np.int64)
        decided = self.deduper.decide(origins, found.prepared, found.digests)
        kept = [records[number] for number, collision in zip(good, decided, strict=True) if collision is None]
        if self.format is Format.PARQUET:
            for record in kept:
                self.bits.set(record.row)
        else:
            self.outputs.keep(b"".join([record.raw for record in kept]))
        report.read += len(records)
        report.kept += len(kept)
        told = [
            self._told(records[number], collision, shown)
            for number, collision, shown in zip(good, decided, found.excerpts, strict=True)
            if collision is not None
        ]
        exact = sum(one["kind"] == Kind.EXACT for one in told)
        report.exact, report.near = report.exact + exact, report.near + len(told) - exact
        report.collisions += told[: SHOWN - len(report.collisions)]
        self.outputs.note(self.outputs.duplicates, told)

    def _reject(self, records: list[Record], faults: dict[int, Fault]) -> None:
        if self.request.strict:
            number = min(faults)
            record, fault = records[number], faults[number]
            raise ConfigError(
                f"row {record.row} is no text: {fault.reason}",
                where=f"{self.request.path}:{record.line}",
                value=fault.excerpt or None,
                fix="mend the row, or run without --strict, which sets such rows aside",
            )
        if not self.lacking:
            self.lacking = next((fault.reason for fault in faults.values() if fault.kind is FaultKind.MISSING), "")
        self.report.faults.update(fault.kind.value for fault in faults.values())
        lines = [
            {"row": records[at].row, "line": records[at].line, "kind": fault.kind, "reason": fault.reason,
             "text": fault.excerpt}
            for at, fault in sorted(faults.items())
        ]  # fmt: skip
        self.outputs.note(self.outputs.rejects, lines)

    def _show(self, batch: Batch, found: Checked) -> None:
        """Keep the beginnings of texts, one for each row, for what repeats them."""
        shown = [b""] * len(batch.records)
        for number, text in zip(found.good, found.excerpts, strict=True):
            shown[batch.positions[number]] = text
        self.excerpts.append(shown)

    def _told(self, record: Record, collision: Collision, shown: bytes) -> dict[str, Any]:
        source, row = place(collision.origin)
        earlier = self.excerpts.get(self.bases[source] + row - 1)
        where: str | None = None
        if source == _STORED and self.stored is not None:
            where, row = self.stored.place(row)
        elif source > _STORED:
            where = str(self.request.against[source - _STORED - 1])
        return {
            "row": record.row, "line": record.line, "kind": collision.kind, "of": row, "source": where,
            "similarity": round(collision.similarity, 6), "text": shown.decode("utf-8"),
            "earlier": earlier.decode("utf-8"),
        }  # fmt: skip

    def _look(self) -> None:
        """Say loudly when not a single row had the field."""
        report, name = self.report, self.source.path.name
        if self.source.missing is not None:
            self._note(f"{name}: {self.source.missing}; every row was rejected")
        elif report.faults[FaultKind.MISSING.value] and report.invalid == report.read:
            self._note(f"{name}: {self.lacking}; not one row had it")

    def _note(self, text: str) -> None:
        self.report.notes.append(text)
        self.notice(text)


def _share(done: int, total: int) -> float:
    return min(done / total, 1.0) if total else 1.0
