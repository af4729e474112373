"""Turns the nouns into table rows and back. It runs no query.

Text reaches a VARCHAR column as Unicode; a lone surrogate, which no UTF-8 can hold, becomes U+FFFD there. The SHA-256
beside it is that of the text as it was, and an item's body keeps such a character as a JSON escape."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from forge.model.checks import Finding, Outcome, Trial, Verdict
from forge.model.errors import StorageError
from forge.model.growth import Candidate, CandidateRecord, Certificate, Item, SeedOutcome
from forge.model.ids import canonical, digest, text_digest
from forge.model.words import Cause, Knows, Operator, Tier

Row = tuple[Any, ...]


def _names(listed: str) -> tuple[str, ...]:
    return tuple(listed.split())


COLUMNS: Mapping[str, tuple[str, ...]] = {
    "runs": _names("run command family seed_set profile draw forge started ended settings summary"),
    "seeds": _names("run seed seed_content state reason grade counters"),
    "candidates": _names(
        "run seed candidate position text text_sha256 parent operator intensity ordinal by keys route why label group "
        "tier severity failure passed score similarity similar_to duplicate near_duplicate certified"
    ),
    "findings": _names("run seed candidate position guard message"),
    "verdicts": _names("run seed candidate position check passed by reason score grade details keys"),
    "trials": _names(
        "run seed candidate position condition sample key model response response_sha256 reasoning reasoning_sha256 "
        "response_cut label unreadable evidence evidence_start evidence_end scope by cut details keys"
    ),
    "certificates": _names(
        "run seed candidate group stable samples low high passed cause knows temperature solver judge answered_by "
        "counts"
    ),
    "items": _names(
        "digest id family seed seed_content set dimension candidate text text_sha256 control control_sha256 label tier "
        "cause score naturalness naturalness_by operator near_duplicate stable samples knows temperature solver judge "
        "length body"
    ),
    "run_items": _names("run seed position item digest duplicate_of duplicate_similarity"),
}
"""Table → columns, in the order of the rows made here."""

JSON_COLUMNS = frozenset({"settings", "summary", "counters", "details", "counts", "body"})
"""Columns that hold JSON."""

_ITEM_FIELDS = tuple(f.name for f in dataclasses.fields(Item))
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run of a command. The only place where a time is stored.

    Attributes:
        started, ended: aware; stored and given back in UTC. `ended` is None while it runs, or if it was killed.
        settings: the resolved profile and limits, as JSON values, without keys or addresses.
        summary: what the run printed at its end, as JSON values.
    """

    id: str
    command: str
    started: datetime
    family: str = ""
    seed_set: str = ""
    profile: str = ""
    draw: int = 0
    forge: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    ended: datetime | None = None
    summary: dict[str, Any] | None = None


def storable(text: str) -> str:
    """Return the text as UTF-8 can hold it: each lone surrogate becomes U+FFFD."""
    return _SURROGATE.sub("�", str(text))


def to_json(value: Any, where: str) -> str:
    """Return canonical JSON as text; lone surrogates as escapes.

    Raises:
        StorageError: a value that JSON has no word for, such as NaN.
    """
    try:
        text = canonical(value).decode("utf-8", "surrogatepass")
    except (TypeError, ValueError) as error:
        raise StorageError(
            "a value cannot be stored as JSON", where=where, value=error, fix="give plain JSON values, no NaN"
        ) from error
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def in_utc(moment: datetime | None, where: str) -> datetime | None:
    """Return an aware time in UTC.

    Raises:
        StorageError: the time says no zone.
    """
    if moment is None:
        return None
    if moment.tzinfo is None:
        raise StorageError("a time without a zone", where=where, value=moment, fix="pass an aware datetime in UTC")
    return moment.astimezone(UTC)


def run_row(run: RunRow) -> Row:
    """Return the row of a run."""
    where = f"run {run.id}"
    summary = None if run.summary is None else to_json(run.summary, where)
    plain = (run.id, run.command, run.family, run.seed_set, run.profile)
    started, ended = in_utc(run.started, where), in_utc(run.ended, where)
    return (*_texts(*plain), run.draw, storable(run.forge), started, ended, to_json(run.settings, where), summary)


def run_from(row: Mapping[str, Any]) -> RunRow:
    """Return the run of a row of `runs`."""
    return RunRow(
        id=row["run"],
        command=row["command"],
        started=row["started"].astimezone(UTC),
        family=row["family"],
        seed_set=row["seed_set"],
        profile=row["profile"],
        draw=row["draw"],
        forge=row["forge"],
        settings=json.loads(row["settings"]),
        ended=None if row["ended"] is None else row["ended"].astimezone(UTC),
        summary=None if row["summary"] is None else json.loads(row["summary"]),
    )


def item_row(item: Item) -> Row:
    """Return the row of an item: its whole canonical JSON, and the columns that people filter on."""
    body = dataclasses.asdict(item)
    text = to_json(body, f"item {item.id}")
    certificate = item.certificate
    return (
        digest(body),
        *_texts(item.id, item.family, item.seed, item.seed_content, item.set, item.dimension, item.candidate),
        *_text_and_digest(item.text),
        *_text_and_digest(item.control),
        *_texts(item.label, item.tier, item.cause),
        item.score,
        item.naturalness,
        *_texts(item.naturalness_by, item.operator),
        item.near_duplicate,
        certificate.stable,
        certificate.samples,
        str(certificate.knows),
        certificate.temperature,
        *_texts(certificate.solver, certificate.judge),
        len(item.text),
        text,
    )


def item_from(body: Mapping[str, Any]) -> Item:
    """Return the item of a mapping as `items()` gives it: an item's fields as JSON values; other keys are left out.

    Raises:
        StorageError: a field is missing or holds what it cannot.
    """
    try:
        fields = {name: body[name] for name in _ITEM_FIELDS}
        certificate = {f.name: body["certificate"][f.name] for f in dataclasses.fields(Certificate)}
        certificate |= {
            "cause": Cause(certificate["cause"]),
            "knows": Knows(certificate["knows"]),
            "answered_by": tuple(certificate["answered_by"]),
        }
        fields |= {
            "tier": Tier(body["tier"]),
            "cause": Cause(body["cause"]),
            "operator": Operator(body["operator"]),
            "lineage": tuple(body["lineage"]),
            "certificate": Certificate(**certificate),
        }
        return Item(**fields)
    except (KeyError, TypeError, ValueError) as error:
        raise StorageError(
            "this is not an item",
            where=f"item {body.get('id', '?')}",
            value=repr(error),
            fix="take items from the registry or a release as they are",
        ) from error


def outcome_rows(run: str, outcome: SeedOutcome) -> dict[str, list[Row]]:
    """Return every row of a seed's outcome, by table. Items come once each, in the outcome's order."""
    seed = storable(outcome.seed)
    counters = to_json(outcome.counters, f"seed {outcome.seed}")
    ended = _texts(outcome.seed_content, outcome.state, outcome.reason, outcome.grade)
    made: dict[str, list[Row]] = {name: [] for name in COLUMNS if name != "runs"}
    made["seeds"].append((run, seed, *ended, counters))
    for position, record in enumerate(outcome.records):
        key = (run, seed, storable(record.candidate.id))
        where = f"seed {outcome.seed}, candidate {record.candidate.id}"
        made["candidates"].append((*key, position, *_candidate(record.candidate), *_fate(record)))
        made["findings"] += [(*key, at, *_finding(finding)) for at, finding in enumerate(record.findings)]
        made["verdicts"] += [(*key, at, *_verdict(verdict, where)) for at, verdict in enumerate(record.verdicts)]
        made["trials"] += [(*key, at, *_trial(trial, where)) for at, trial in enumerate(record.trials)]
        if record.certificate is not None:
            made["certificates"].append((*key, *_certificate(record.certificate, where)))
    for position, row in enumerate({item.id: item_row(item) for item in outcome.items}.values()):
        made["items"].append(row)
        made["run_items"].append((run, seed, position, row[1], row[0], None, None))
    return made


def plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row as JSON values: JSON columns parsed."""
    return {
        name: json.loads(value) if name in JSON_COLUMNS and isinstance(value, str) else value
        for name, value in row.items()
    }


def _texts(*values: str) -> tuple[str, ...]:
    return tuple(storable(value) for value in values)


def _maybe(value: str | None) -> str | None:
    return None if value is None else storable(value)


def _text_and_digest(text: str) -> tuple[str, str]:
    return storable(text), text_digest(text)


def _keys(keys: Sequence[str]) -> list[str]:
    return [storable(key) for key in keys]


def _candidate(c: Candidate) -> Row:
    descent = (_maybe(c.parent), str(c.operator), c.intensity, c.ordinal)
    return (*_text_and_digest(c.text), *descent, storable(c.by), _keys(c.keys))


def _fate(r: CandidateRecord) -> Row:
    alike = (r.similarity, _maybe(r.similar_to), r.duplicate, r.near_duplicate)
    return (*_texts(r.route, r.why), *_outcome(r.outcome), r.score, *alike, r.certified)


def _outcome(o: Outcome | None) -> Row:
    if o is None:
        return (None,) * 6
    return (storable(o.label), str(o.group), _maybe(o.tier), o.severity, o.failure, o.passed)


def _finding(f: Finding) -> Row:
    return _texts(f.guard, f.message)


def _verdict(v: Verdict, where: str) -> Row:
    said = (*_texts(v.by, v.reason), v.score, _maybe(v.grade))
    return (storable(v.check), v.passed, *said, to_json(v.details, f"{where}, {v.check}"), _keys(v.keys))


def _trial(t: Trial, where: str) -> Row:
    read = t.reading
    return (
        storable(t.condition),
        t.sample,
        *_texts(t.key, t.model),
        *_text_and_digest(t.response.text),
        *_text_and_digest(t.response.reasoning),
        t.response.cut,
        _maybe(read.label),
        _maybe(read.unreadable),
        storable(read.evidence),
        read.start,
        read.end,
        *_texts(read.scope, read.by),
        read.cut,
        to_json(read.details, f"{where}, {t.condition} {t.sample}"),
        _keys(read.keys),
    )


def _certificate(c: Certificate, where: str) -> Row:
    result = (str(c.group), c.stable, c.samples, c.low, c.high, c.passed, str(c.cause), str(c.knows))
    return (*result, c.temperature, *_texts(c.solver, c.judge), _keys(c.answered_by), to_json(c.counts, where))
