"""The registry under several processes: killed writers, writers in turns, readers, a busy file, a full disk."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from types import SimpleNamespace

import duckdb
import pytest

from forge.model.errors import RegistryBusy, StorageError
from forge.registry.connection import RegistryFile, _delays, _lock_owners
from forge.registry.store import Registry

Spawn = Callable[..., "Popen[str]"]

COMMITS = """
import sys
from conftest import a_run, an_outcome
from forge.registry.store import Registry
path, run, first, last = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
registry = Registry(path, patience=60)
registry.record_run(a_run(run))
print("ready", flush=True)
for n in range(first, last):
    registry.commit_seed(run, an_outcome(f"S-{n:05}", children=8))
    print(n, flush=True)
"""
# What one seed of COMMITS leaves: c0 with a finding; eight children with two verdicts and three trials each.
WHOLE = {"seeds": 1, "candidates": 9, "findings": 1, "verdicts": 16, "trials": 24, "certificates": 1, "run_items": 1}

MAKES = """
import sys
from pathlib import Path
from conftest import a_run
from forge.registry.store import Registry
print("ready", flush=True)
for n in range(10_000):
    Registry(Path(sys.argv[1]) / f"{n}.duckdb").record_run(a_run())
    print(n, flush=True)
"""

HOLDS = """
import sys, duckdb
con = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == "read")
print("held", flush=True)
sys.stdin.readline()
con.close()
"""


def counts(path: Path, run: str) -> dict[str, dict[str, int]]:
    """Table → seed → rows."""
    con = duckdb.connect(str(path), read_only=True)
    try:
        return {
            table: dict(con.execute(f"SELECT seed, count(*) FROM {table} WHERE run = ? GROUP BY 1", [run]).fetchall())
            for table in WHOLE
        }
    finally:
        con.close()


def told(process: Popen[str]) -> list[int]:
    """Wait for a killed process and return the numbers it had printed."""
    out, _ = process.communicate()
    return [int(line) for line in out.split("\n")[:-1] if line.isdigit()]


def line_of(process: Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_kill_9_in_the_middle_of_commits(tmp_path: Path, spawn: Spawn) -> None:
    path = tmp_path / "forge.duckdb"
    instants = random.Random(20260301)
    first, committed = 0, set()
    for _ in range(7):
        process = spawn(COMMITS, path, "r1", first, 100_000)
        assert line_of(process) == "ready"
        with pytest.raises(TimeoutExpired):
            process.wait(instants.uniform(0.02, 0.6))
        process.kill()
        acknowledged = set(told(process))
        committed |= acknowledged
        found = counts(path, "r1")
        there = {int(seed[2:]) for seed in found["seeds"]}
        # All that was acknowledged is there, and at most one seed that the kill kept from being told.
        assert committed <= there
        assert len(there - committed) <= 1
        committed = there
        for table, each in WHOLE.items():
            assert found[table] == {f"S-{n:05}": each for n in there}, table
        # The registry itself reads it, and the next process writes to it.
        assert len(Registry(path).items(run="r1")) == len(there)
        first = max(there, default=-1) + 1
    assert len(committed) >= 7


def test_kill_9_while_the_file_is_made(tmp_path: Path, spawn: Spawn, made: SimpleNamespace) -> None:
    instants = random.Random(7)
    for attempt in range(4):
        folder = tmp_path / str(attempt)
        process = spawn(MAKES, folder)
        assert line_of(process) == "ready"
        with pytest.raises(TimeoutExpired):
            process.wait(instants.uniform(0.0, 0.3))
        process.kill()
        last = max(told(process), default=-1)
        for n in range(last + 2):
            registry = Registry(folder / f"{n}.duckdb")
            assert len(registry.runs()) == 1 if n <= last else len(registry.runs()) <= 1
            registry.record_run(made.run("after"))
            assert "after" in [run.id for run in registry.runs()]


def test_two_processes_write_in_turns_and_a_third_reads(tmp_path: Path, spawn: Spawn) -> None:
    path = tmp_path / "forge.duckdb"
    writers = [spawn(COMMITS, path, f"r{n}", 0, 8) for n in (1, 2)]
    registry = Registry(path, patience=60)
    seen: list[int] = []
    while any(writer.poll() is None for writer in writers):
        trees = [len(registry.tree(seed)["candidates"]) for seed in ("S-00000",) if registry.items(run=None)]
        assert trees in ([], [9])
        seen.append(len(registry.frame("run_items")))
    assert [writer.returncode for writer in writers] == [0, 0], [writer.communicate()[1] for writer in writers]
    assert seen == sorted(seen)
    for run in ("r1", "r2"):
        assert counts(path, run) == {table: {f"S-{n:05}": each for n in range(8)} for table, each in WHOLE.items()}


@pytest.mark.parametrize("mode", ["write", "read"])
def test_busy_names_the_process(registry: Registry, made: SimpleNamespace, spawn: Spawn, mode: str) -> None:
    registry.record_run(made.run())
    holder = spawn(HOLDS, registry.path, mode)
    assert line_of(holder) == "held"
    waits: list[float] = []
    impatient = Registry(registry.path, sleep=waits.append)
    with pytest.raises(RegistryBusy) as caught:
        impatient.record_run(made.run("r2"))
    assert f"process {holder.pid} " in caught.value.what
    assert str(registry.path) in str(caught.value)
    assert sum(waits) == pytest.approx(5.0)
    if mode == "read":
        assert [run.id for run in impatient.runs()] == ["r1"]
    else:
        with pytest.raises(RegistryBusy):
            impatient.runs()
    # As soon as the other lets go, the waiting one goes on.
    assert holder.stdin is not None
    letting_go = Registry(registry.path, sleep=lambda _: (holder.communicate("\n"), None)[1])
    letting_go.record_run(made.run("r2"))
    assert [run.id for run in registry.runs()] == ["r1", "r2"]


def test_busy_in_the_same_process(registry: Registry, made: SimpleNamespace) -> None:
    registry.record_run(made.run())
    con = duckdb.connect(str(registry.path))
    try:
        with pytest.raises(RegistryBusy, match="another connection of this process"):
            Registry(registry.path, sleep=lambda _: None).runs()
    finally:
        con.close()


def test_waits_grow_and_are_the_same_each_time() -> None:
    delays = _delays(5.0)
    assert delays == _delays(5.0)
    assert sum(delays) == pytest.approx(5.0)
    assert 10 < len(delays) < 60
    assert max(delays) <= 0.5
    assert delays[0] < 0.02
    assert _delays(0) == []


def test_owners_of_a_lock_from_the_kernels_table(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.touch()
    inode = file.stat().st_ino
    table = tmp_path / "locks"
    table.write_text(
        f"1: POSIX  ADVISORY  WRITE 41 fd:01:{inode} 0 EOF\n"
        f"2: FLOCK  ADVISORY  WRITE 42 fd:01:{inode}9 0 EOF\n"
        f"3: POSIX  ADVISORY  READ 7 00:2f:{inode} 0 EOF\n"
        f"3: -> POSIX  ADVISORY  READ 8 00:2f:{inode} 0 EOF\nrubbish\n"
    )
    assert _lock_owners(file, table) == [7, 41]
    assert _lock_owners(file, tmp_path / "none") == []
    assert _lock_owners(tmp_path / "none", table) == []


FULL = """
import resource, sys
from conftest import a_run, an_outcome
from forge.model.errors import StorageError
from forge.registry.store import Registry
registry = Registry(sys.argv[1])
limit = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
done = []
try:
    for n in range(400):
        text = "".join(chr(33 + (n * 7919 + i * i * 31) % 90) for i in range(60_000))
        registry.commit_seed("r1", an_outcome(f"S-{n:05}", text=text, children=8))
        done.append(n)
except StorageError as error:
    print(*done, flush=True)
    print(error)
"""


def test_full_disk(registry: Registry, made: SimpleNamespace, spawn: Spawn) -> None:
    registry.record_run(made.run())
    registry.commit_seed("r1", made.outcome("kept"))
    size = registry.path.stat().st_size
    process = spawn(FULL, registry.path, size + 1_500_000)
    out, err = process.communicate()
    assert process.returncode == 0, err
    first, message = out.split("\n", 1)
    assert "disk is full" in message
    assert "free some space" in message
    done = [f"S-{int(n):05}" for n in first.split()]
    # What was committed before is whole, the seed that met the full disk is not there at all.
    found = counts(registry.path, "r1")
    for table, each in WHOLE.items():
        assert {seed: n for seed, n in found[table].items() if seed != "kept"} == dict.fromkeys(done, each), table
    assert {row["seed"] for row in registry.items()} == {"kept", *done}
    registry.commit_seed("r1", made.outcome("later"))


def test_what_is_no_database(tmp_path: Path) -> None:
    for content in (b"", b"hello" * 4000):
        path = tmp_path / "forge.duckdb"
        path.write_bytes(content)
        registry = Registry(path)
        for use in (registry.runs, lambda r=registry: r.save_index("x", b"")):
            with pytest.raises(StorageError, match="not a DuckDB file"):
                use()
        assert path.read_bytes() == content
    with pytest.raises(StorageError, match="cannot be read or written"):
        Registry(tmp_path).runs()


def test_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match="cannot be read or written"):
        Registry(tmp_path / "file" / "forge.duckdb").save_index("x", b"")


def test_no_sql_reaches_other_files(registry: Registry, made: SimpleNamespace, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("a\n1\n")
    registry.record_run(made.run())
    with RegistryFile(registry.path).reading() as con:
        with pytest.raises(duckdb.PermissionException):
            con.execute(f"SELECT * FROM read_csv('{tmp_path / 'secret.csv'}')")
        with pytest.raises(duckdb.Error, match="locked"):
            con.execute("SET enable_external_access = true")


def test_nothing_is_left_beside_the_file(registry: Registry, made: SimpleNamespace) -> None:
    registry.record_run(made.run())
    registry.commit_seed("r1", made.outcome())
    registry.items()
    assert [file.name for file in registry.path.parent.iterdir()] == ["forge.duckdb"]
