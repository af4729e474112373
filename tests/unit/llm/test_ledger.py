"""The store: what serves what, claims, several processes, and disks that say no."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from forge.llm.ledger import MIGRATIONS, Ledger
from forge.model.calls import Answer, Usage
from forge.model.errors import LedgerError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs" / "ledger.sqlite"


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    opened = Ledger(path, clock=lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    yield opened
    opened.close()


def answer(
    key: str = "k", text: str = "yes", finish: str = "stop", completion: int = 10, usd: float | None = 0.5
) -> Answer:
    return Answer(key, text, "because", finish, "m-2026", Usage(7, completion, 3, usd), False, 1.5)


def put(ledger: Ledger, made: Answer, max_tokens: int, role: str = "judge") -> Answer:
    return ledger.commit(made, max_tokens=max_tokens, role=role, declared="openai/m", request={"messages": []})


def child(code: str, *args: str, **options: Any) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}
    return subprocess.Popen([sys.executable, "-c", code, *args], stdout=subprocess.PIPE, text=True, env=env, **options)


def test_what_is_committed_comes_back_marked_as_replayed(ledger: Ledger) -> None:
    made = answer()
    assert ledger.find("k", 100) is None
    assert put(ledger, made, 100) == made
    found = ledger.find("k", 100)
    assert found == Answer("k", "yes", "because", "stop", "m-2026", Usage(7, 10, 3, 0.5), True, 1.5)


@pytest.mark.parametrize(
    ("finish", "asked", "length", "wanted", "served"),
    [
        ("stop", 100, 10, 100, True),
        ("stop", 100, 10, 500, True),  # a higher limit throws nothing away
        ("stop", 100, 10, 10, True),  # not below its length
        ("stop", 100, 10, 9, False),
        ("length", 100, 100, 100, True),  # a cut one serves only the limit that cut it
        ("length", 100, 100, 500, False),
        ("length", 100, 100, 99, False),
        ("content_filter", 100, 0, 500, True),
        ("stop", 100, 130, 100, True),  # a provider that counts reasoning beyond the limit: no endless asking
    ],
)
def test_which_limits_an_answer_serves(
    ledger: Ledger, finish: str, asked: int, length: int, wanted: int, served: bool
) -> None:
    text = "x" if length else ""
    put(ledger, Answer("k", text, "", finish, "m", Usage(1, length)), asked)
    assert (ledger.find("k", wanted) is not None) is served


def test_without_a_token_count_only_limits_from_its_own_upwards_are_served(ledger: Ledger) -> None:
    put(ledger, answer(completion=0), 100)
    assert ledger.find("k", 99) is None
    assert ledger.find("k", 101) is not None


def test_a_later_answer_never_changes_what_an_older_request_replays(ledger: Ledger) -> None:
    put(ledger, answer(text="long", completion=50), 100)
    put(ledger, answer(text="short", completion=5), 20)
    assert [ledger.find("k", limit).text for limit in (100, 60, 20)] == ["long", "long", "short"]  # type: ignore[union-attr]


def test_the_first_answer_of_a_key_stays(ledger: Ledger) -> None:
    put(ledger, answer(text="first"), 100)
    assert put(ledger, answer(text="second"), 100).text == "first"


def test_a_claim_is_taken_once_and_falls_with_the_answer(ledger: Ledger, path: Path) -> None:
    other = Ledger(path)
    assert ledger.claim("k", 100)
    assert not other.claim("k", 100)
    assert other.claim("k", 200)
    assert other.claim("j", 100)
    put(ledger, answer(), 100)
    assert not other.claim("k", 100)  # the answer is there
    assert other.find("k", 100) is not None
    other.close()
    assert ledger.claim("j", 100)  # closing gave it back


async def test_who_waits_for_a_claim_gets_the_answer(ledger: Ledger, path: Path) -> None:
    other = Ledger(path)
    assert ledger.claim("k", 100)
    turns = 0

    async def sleep(seconds: float) -> None:
        nonlocal turns
        turns += 1
        if turns == 3:
            put(ledger, answer(), 100)

    found = await other.acquire("k", 100, sleep)
    assert found is not None
    assert (found.text, found.replayed, turns) == ("yes", True, 3)
    other.close()


async def test_who_waits_for_a_released_claim_gets_the_claim(ledger: Ledger, path: Path) -> None:
    other = Ledger(path)
    assert ledger.claim("k", 100)

    async def sleep(seconds: float) -> None:
        ledger.release("k", 100)

    assert await other.acquire("k", 100, sleep) is None
    assert not ledger.claim("k", 100)
    other.close()


HOLD = """
import sys, time
from pathlib import Path
from forge.llm.ledger import Ledger
ledger = Ledger(Path(sys.argv[1]))
assert ledger.claim("k", 100)
print("claimed", flush=True)
time.sleep(600)
"""


async def test_kill_9_frees_a_claim(ledger: Ledger, path: Path) -> None:
    process = child(HOLD, str(path))
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "claimed\n"
        assert not ledger.claim("k", 100)
        assert list(path.with_name("ledger.sqlite.owners").glob("*.owner"))
        waiting = asyncio.create_task(ledger.acquire("k", 100))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert await asyncio.wait_for(waiting, 10) is None
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    put(ledger, answer(), 100)
    again = Ledger(path)  # sweeps the dead one's file
    assert len(list(path.with_name("ledger.sqlite.owners").glob("*.owner"))) == 1
    again.close()


FILL = """
import resource, sys
from pathlib import Path
from forge.llm.ledger import Ledger
from forge.model.calls import Answer
from forge.model.errors import LedgerError
ledger = Ledger(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000))
stored = 0
try:
    for n in range(10_000):
        assert ledger.claim(f"k{n}", 100)
        answer = Answer(f"k{n}", "x" * 1000, "", "stop", "m")
        ledger.commit(answer, max_tokens=100, role="judge", declared="m", request={})
        stored += 1
except LedgerError as error:
    print(stored)
    print(error)
"""


def test_a_full_disk_is_a_ledger_error_and_loses_nothing(path: Path) -> None:
    process = child(FILL, str(path))
    out, _ = process.communicate(timeout=60)
    stored, _, message = out.partition("\n")
    assert int(stored) > 50
    assert "the ledger" in message
    assert str(path) in message
    assert "make room on the disk" in message
    ledger = Ledger(path)
    assert ledger.stats().answers == int(stored)
    assert ledger.claim("fresh", 1)
    ledger.close()


def test_a_read_only_file_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Ledger(path).close()
    ledger = Ledger(path)
    ledger._connection.execute("PRAGMA query_only = 1")
    with pytest.raises(LedgerError, match="readonly") as caught:
        put(ledger, answer(), 100)
    assert "writable" in (caught.value.fix or "")
    ledger.close()


def test_a_lock_held_too_long_says_so(path: Path) -> None:
    ledger = Ledger(path, busy=0.05)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerError, match="locked") as caught:
        ledger.claim("k", 100)
    assert "another process" in (caught.value.fix or "")
    holder.execute("ROLLBACK")
    holder.close()
    assert ledger.claim("k", 100)
    ledger.close()


def test_a_failed_commit_leaves_the_ledger_usable(ledger: Ledger) -> None:
    with pytest.raises(LedgerError):
        put(ledger, answer(text="\ud800"), 100)  # the provider module lets none through
    put(ledger, answer(), 100)
    assert ledger.find("k", 100) is not None


def test_a_newer_forges_ledger_is_refused(path: Path) -> None:
    Ledger(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.close()
    for readonly in (False, True):
        with pytest.raises(LedgerError, match="newer forge"):
            Ledger(path, readonly=readonly)


def test_a_file_that_is_no_ledger_is_refused(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(LedgerError) as caught:
        Ledger(path)
    assert "damaged" in (caught.value.fix or "")


def test_read_only_reads_and_creates_nothing(path: Path) -> None:
    with pytest.raises(LedgerError, match="no ledger here"):
        Ledger(path, readonly=True)
    assert not path.parent.exists()
    writer = Ledger(path)
    put(writer, answer(), 100)
    reader = Ledger(path, readonly=True)
    assert reader.find("k", 100) is not None
    with pytest.raises(LedgerError):
        put(reader, answer("j"), 100)
    reader.close()
    writer.close()


def test_statistics_count_tokens_money_and_what_has_no_price(ledger: Ledger) -> None:
    put(ledger, answer("a", usd=0.5), 100)
    put(ledger, answer("b", usd=None), 100)
    put(ledger, answer("c", finish="length"), 100, role="solver")
    stats = ledger.stats()
    assert stats.answers == 3
    assert stats.usd == 1.0
    judge, solver = stats.rows
    assert (judge.role, judge.answers, judge.prompt, judge.completion, judge.cached) == ("judge", 2, 14, 20, 6)
    assert (judge.usd, judge.unpriced, judge.cut) == (0.5, 1, 0)
    assert (solver.role, solver.cut) == ("solver", 1)


def test_processes_that_open_at_once_all_succeed(path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom forge.llm.ledger import Ledger\nLedger(Path(sys.argv[1])).close()"
    )
    processes = [child(code, str(path)) for _ in range(4)]
    for process in processes:
        process.communicate(timeout=60)
    assert [process.returncode for process in processes] == [0] * 4


def test_it_is_durable_in_wal_mode(ledger: Ledger) -> None:
    assert ledger._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert ledger._connection.execute("PRAGMA synchronous").fetchone() == (1,)  # NORMAL
