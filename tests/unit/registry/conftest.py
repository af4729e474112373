"""Made-up outcomes of seeds, for the tests of the registry and for the processes they start."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from forge.model.checks import Finding, Outcome, Reading, Response, Trial, Verdict
from forge.model.growth import Candidate, CandidateRecord, Certificate, Item, SeedOutcome, candidate_id
from forge.model.ids import content_id
from forge.model.words import Cause, Group, Knows, Operator, Route, State, Tier
from forge.registry.rows import RunRow
from forge.registry.store import Registry

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
STARTED = datetime(2026, 3, 1, 12, 0, 15, 123456, tzinfo=UTC)


def a_run(run: str = "r1", minute: int = 0, **changed: object) -> RunRow:
    fields = {
        "family": "salience",
        "seed_set": "salience/D1",
        "profile": "local",
        "forge": "0.1.0",
        "settings": {"limits": {"k": 3, "near": 0.88}},
    }
    return RunRow(id=run, command="anneal", started=STARTED.replace(minute=minute), **(fields | changed))


def a_certificate(cause: Cause = Cause.SALIENCE, stable: int = 4) -> Certificate:
    return Certificate(
        group="strong",
        stable=stable,
        samples=5,
        low=0.28358206388191053,
        high=0.9949492366205319,
        passed=True,
        cause=cause,
        knows=Knows.YES,
        temperature=0.7,
        solver="local/coder",
        judge="rules",
        answered_by=("coder-1.5b", "coder-0.5b"),
        counts={"trap": {"hard_fail": stable, "strict_pass": 5 - stable}, "probe/trap/is_false": {"no": 3}},
    )


def a_trial(sample: int, text: str = "Carry 3 litres in the sieve.") -> Trial:
    reading = Reading("hard_fail", evidence="Carry", start=0, end=5, details={"work": "before"}, keys=("b" * 64,))
    return Trial("trap", sample, Response(text, "Think."), reading, f"{sample:064x}", "coder-1.5b")


def an_outcome(
    seed: str = "D1-01",
    text: str = "Fill the sieve with 3 litres and carry it over.",
    children: int = 2,
    cause: Cause = Cause.SALIENCE,
    stable: int = 4,
    state: State = State.CERTIFIED,
) -> SeedOutcome:
    """A seed with c0 and so many children. c0 met a guard; the last child gave the item."""
    content = content_id("s", {"seed": seed})
    root = Candidate(candidate_id(content, text, None, "seed", 0, 0), seed, text, None, Operator.SEED)
    records = [
        CandidateRecord(root, Route.ARCHIVE, "guard numbers", findings=(Finding("numbers", "3 is missing"),)),
    ]
    for n in range(children):
        worded = f"{text} Version {n}."
        child = Candidate(
            candidate_id(content, worded, root.id, "anneal", 2, n),
            seed,
            worded,
            root.id,
            Operator.ANNEAL,
            2,
            n,
            "coder-1.5b",
            (f"{n:064x}",),
        )
        records.append(
            CandidateRecord(
                child,
                Route.CERTIFY,
                "failure, natural enough",
                Outcome("hard_fail", Group.STRONG, Tier.STRONG, 70.0, True),
                verdicts=(
                    Verdict("truth", True, "rules", "true"),
                    Verdict("naturalness", True, "judge-1", "fine", 3.8, None, {"scores": [4, 4, 3]}, ("c" * 64,)),
                ),
                trials=tuple(a_trial(s) for s in range(3)),
                score=71.25 + n,
                similarity=0.5,
                similar_to=root.id,
                near_duplicate=n == 1,
                certified=n == children - 1,
                certificate=a_certificate(cause, stable) if n == children - 1 else None,
            )
        )
    items = (an_item(records[-1], content, cause, stable),) if state is State.CERTIFIED and children else ()
    return SeedOutcome(seed, content, state, f"{len(items)} stable", "A", tuple(records), items, {"steps": children})


def an_item(record: CandidateRecord, content: str, cause: Cause, stable: int) -> Item:
    candidate = record.candidate
    return Item(
        id=content_id("i", {"candidate": candidate.id}),
        family="salience",
        seed=candidate.seed,
        seed_content=content,
        set="salience/D1",
        dimension="physical",
        candidate=candidate.id,
        text=candidate.text,
        control=candidate.text.replace("sieve", "bucket"),
        label="hard_fail",
        tier=Tier.STRONG,
        cause=cause,
        score=record.score or 0.0,
        naturalness=3.8,
        naturalness_by="judge-1",
        operator=candidate.operator,
        near_duplicate=record.near_duplicate,
        lineage=(candidate.parent or "", candidate.id),
        certificate=a_certificate(cause, stable),
        payload={"blocker": "holes", "numbers": [3], "nested": {"é": None, "share": 0.1}},
    )


@pytest.fixture(scope="session")
def made() -> SimpleNamespace:
    """What this file makes up, for tests, which cannot import it."""
    return SimpleNamespace(run=a_run, outcome=an_outcome, certificate=a_certificate, trial=a_trial, started=STARTED)


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return Registry(tmp_path / "registry" / "forge.duckdb")


Spawn = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def spawn() -> Iterator[Spawn]:
    """Start Python on a program that may import this file; whatever still runs at the end is killed."""
    started: list[subprocess.Popen[str]] = []

    def start(program: str, *arguments: object) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", program, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(HERE)))},
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()
