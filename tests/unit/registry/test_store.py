from __future__ import annotations

import asyncio
import dataclasses
import threading
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import duckdb
import pytest

from forge.model.errors import StorageError, UsageError, VerificationError
from forge.model.growth import SeedOutcome
from forge.model.words import Cause, State
from forge.registry.asynchronous import AsyncRegistry
from forge.registry.filters import compile_filter
from forge.registry.items import ITEM_FIELDS
from forge.registry.rows import COLUMNS, item_from
from forge.registry.store import Registry


@pytest.fixture
def filled(registry: Registry, made: SimpleNamespace) -> Registry:
    registry.record_run(made.run("r1"))
    registry.commit_seed("r1", made.outcome("D1-02", cause=Cause.IGNORANCE, stable=3))
    registry.commit_seed("r1", made.outcome("D1-01"))
    registry.commit_seed("r1", made.outcome("D1-03", state=State.EXHAUSTED))
    return registry


def test_missing_file_reads_as_empty(registry: Registry) -> None:
    assert registry.runs() == []
    assert registry.items("cause = salience") == []
    assert registry.load_index("dedup") is None
    assert registry.frame("items").empty
    with pytest.raises(UsageError, match="no run 'r1'"):
        registry.run("r1")
    assert not registry.path.exists()


def test_runs(registry: Registry, made: SimpleNamespace) -> None:
    later, earlier = made.run("r1", minute=5, draw=2), made.run("r2", minute=1)
    registry.record_run(later)
    registry.record_run(earlier)
    assert registry.runs() == [earlier, later]
    ended = made.started + timedelta(minutes=9)
    registry.finish_run("r1", {"items": 3, "causes": {"salience": 2}}, ended)
    assert registry.run("r1") == dataclasses.replace(
        later, summary={"items": 3, "causes": {"salience": 2}}, ended=ended
    )
    with pytest.raises(StorageError, match="not in the registry"):
        registry.finish_run("r9", {})


def test_a_run_taken_up_again_keeps_its_start_and_seeds(filled: Registry, made: SimpleNamespace) -> None:
    filled.finish_run("r1", {"items": 2}, made.started)
    filled.record_run(made.run("r1", minute=30, profile="hosted"))
    run = filled.run("r1")
    assert (run.started, run.profile, run.summary, run.ended) == (made.started, "hosted", None, None)
    assert [seed["seed"] for seed in filled.seeds("r1")] == ["D1-01", "D1-02", "D1-03"]


def test_items_come_back_equal(filled: Registry, made: SimpleNamespace) -> None:
    stored = [item_from(row) for row in filled.items()]
    assert stored == [made.outcome("D1-01").items[0], made.outcome("D1-02", cause=Cause.IGNORANCE, stable=3).items[0]]
    assert [row["run"] for row in filled.items()] == ["r1", "r1"]


def test_filters_and_limit(filled: Registry) -> None:
    def seeds(where: str, **more: object) -> list[str]:
        return [row["seed"] for row in filled.items(where, **more)]

    assert seeds("cause = salience") == ["D1-01"]
    assert seeds("stable >= 4 or seed = 'D1-02'") == ["D1-01", "D1-02"]
    assert seeds("stable in (3)") == ["D1-02"]
    assert seeds("not (stable = 3) and score > 72 and near_duplicate") == ["D1-01"]
    assert seeds("duplicate_of = 'x'") == []
    # What has no value differs from everything, and `not` turns that round.
    assert seeds("duplicate_of != 'x'") == seeds("not duplicate_of = 'x'") == ["D1-01", "D1-02"]
    assert seeds("not duplicate_of in ('x')") == seeds("not duplicate_similarity > 0.5") == ["D1-01", "D1-02"]
    assert seeds("duplicate") == []
    assert seeds("run = r1", limit=1) == ["D1-01"]
    assert seeds("length > 0", run="r") == ["D1-01", "D1-02"]
    with pytest.raises(UsageError, match="below 1"):
        filled.items(limit=0)
    with pytest.raises(UsageError, match="no run 'r7'"):
        filled.items(run="r7")


def test_every_field_compiles_to_a_column(filled: Registry) -> None:
    samples = {"text": "'x'", "number": "1", "boolean": "true"}
    for name, field in ITEM_FIELDS.items():
        value = field.choices[0] if field.choices else samples[field.kind]
        signs = ("=", "!=") if field.kind == "boolean" else ("=", "!=", "<", "<=", ">", ">=")
        # One of = and != holds for every item.
        assert len(filled.items(" or ".join(f"{name} {sign} {value}" for sign in signs))) == 2


def test_the_longest_filter_runs(filled: Registry) -> None:
    clauses = " or ".join(["seed=x"] * 900) + " or seed = 'D1-01'"
    nested = "(" * 35 + "seed = 'D1-01'" + ")" * 35
    for where in (clauses, nested, "stable in (" + ",".join(["4"] * 4000) + ")"):
        assert compile_filter(where, ITEM_FIELDS)
        assert [row["seed"] for row in filled.items(where)] == ["D1-01"]


def test_two_runs_hold_one_item_once(filled: Registry, made: SimpleNamespace) -> None:
    filled.record_run(made.run("r2", minute=10))
    filled.commit_seed("r2", made.outcome("D1-01"))
    frame = filled.frame("run_items")
    assert len(frame) == 3
    assert frame["digest"].nunique() == 2
    assert [(row["seed"], row["run"]) for row in filled.items()] == [("D1-01", "r2"), ("D1-02", "r1")]
    assert [row["seed"] for row in filled.items("run = r1 and cause = salience")] == ["D1-01"]
    assert [row["seed"] for row in filled.items("run != r1")] == ["D1-01"]
    assert filled.item(made.outcome("D1-01").items[0].id, run="r1")["run"] == "r1"
    assert filled.item(made.outcome("D1-01").items[0].id)["run"] == "r2"


def test_one_id_with_two_certificates_keeps_both(filled: Registry, made: SimpleNamespace) -> None:
    again = made.outcome("D1-01", cause=Cause.COMPLIANCE)
    filled.record_run(made.run("r2", minute=10))
    filled.commit_seed("r2", again)
    assert item_from(filled.items(run="r2")[0]) == again.items[0]
    assert item_from(filled.items(run="r1")[0]) == made.outcome("D1-01").items[0]
    # Without a run the latest speaks: the older certificate must not answer a filter.
    assert [row["cause"] for row in filled.items("seed = 'D1-01'")] == ["compliance"]
    assert filled.items("cause = salience") == []


def test_a_seed_again_replaces_its_rows(filled: Registry, made: SimpleNamespace) -> None:
    filled.commit_seed("r1", made.outcome("D1-01", children=3, text="Use the sieve for 3 litres."))
    tables = {name: filled.frame(name) for name in ("seeds", "candidates", "findings", "verdicts", "trials")}
    tables |= {name: filled.frame(name) for name in ("certificates", "run_items")}
    mine = {name: int((frame["seed"] == "D1-01").sum()) for name, frame in tables.items()}
    # c0 and three children: a finding on c0; two verdicts and three trials a child.
    expected = {"seeds": 1, "candidates": 4, "findings": 1, "verdicts": 6, "trials": 9, "certificates": 1}
    assert mine == expected | {"run_items": 1}
    assert int((tables["candidates"]["seed"] == "D1-02").sum()) == 3
    # The item that no run holds any more is gone from the file, too.
    con = duckdb.connect(str(filled.path), read_only=True)
    assert con.execute("SELECT count(*) FROM items").fetchone() == (2,)
    con.close()


def test_committing_twice_changes_nothing(filled: Registry, made: SimpleNamespace) -> None:
    before = {name: filled.frame(name) for name in COLUMNS}
    filled.commit_seed("r1", made.outcome("D1-01"))
    assert all(filled.frame(name).equals(before[name]) for name in COLUMNS)


def test_content_does_not_depend_on_the_order_of_seeds(tmp_path: Path, made: SimpleNamespace) -> None:
    seeds = ["D1-01", "D1-02", "D1-03"]
    one, two = Registry(tmp_path / "one.duckdb"), Registry(tmp_path / "two.duckdb")
    for registry, order in ((one, seeds), (two, seeds[::-1])):
        registry.record_run(made.run("r1"))
        for seed in order:
            registry.commit_seed("r1", made.outcome(seed))
    assert one.items() == two.items()
    assert one.tree("D1-02") == two.tree("D1-02")
    assert all(one.frame(name).equals(two.frame(name)) for name in COLUMNS)


def test_unknown_run_is_refused(registry: Registry, made: SimpleNamespace) -> None:
    with pytest.raises(StorageError, match="not in the registry"):
        registry.commit_seed("r1", made.outcome())
    assert registry.frame("seeds").empty


def test_a_write_that_fails_leaves_nothing(filled: Registry, made: SimpleNamespace) -> None:
    outcome: SeedOutcome = made.outcome("D1-09")
    # Beyond 64 bits: DuckDB refuses the last table's row, after the others went in.
    wild = dataclasses.replace(outcome.items[0].certificate, stable=2**80)
    broken = dataclasses.replace(outcome, items=(dataclasses.replace(outcome.items[0], certificate=wild),))
    with pytest.raises(StorageError):
        filled.commit_seed("r1", broken)
    assert [seed["seed"] for seed in filled.seeds("r1")] == ["D1-01", "D1-02", "D1-03"]
    assert not (filled.frame("candidates")["seed"] == "D1-09").any()


def test_one_item(filled: Registry, made: SimpleNamespace) -> None:
    item = made.outcome("D1-01").items[0]
    assert item_from(filled.item(item.id)) == item
    assert item_from(filled.item(item.id[:9])) == item
    with pytest.raises(UsageError, match="several names begin"):
        filled.item("i-")
    with pytest.raises(UsageError) as caught:
        filled.item(item.id[:-1] + "~")
    assert item.id in str(caught.value)
    with pytest.raises(UsageError):
        filled.item("")


def test_tree(filled: Registry, made: SimpleNamespace) -> None:
    outcome: SeedOutcome = made.outcome("D1-01")
    item = outcome.items[0]
    tree = filled.tree("D1-01")
    assert (tree["run"], tree["item"], tree["candidate"]) == ("r1", None, None)
    assert tree["seed"] == {
        "seed": "D1-01",
        "seed_content": outcome.seed_content,
        "state": "certified",
        "reason": "1 stable",
        "grade": "A",
        "counters": {"steps": 2},
    }
    root, first, last = tree["candidates"]
    assert root["findings"] == [{"guard": "numbers", "message": "3 is missing"}]
    assert (root["id"], root["parent"], root["route"], root["label"]) == (
        outcome.records[0].candidate.id,
        None,
        "archive",
        None,
    )
    assert (first["parent"], first["operator"], first["intensity"], first["ordinal"]) == (root["id"], "anneal", 2, 0)
    assert (first["score"], first["why"], first["label"], first["certificate"], first["item"]) == (
        71.25,
        "failure, natural enough",
        "hard_fail",
        None,
        None,
    )
    natural = last["verdicts"][1]
    assert (natural["check"], natural["score"], natural["keys"], natural["details"]) == (
        "naturalness",
        3.8,
        ["c" * 64],
        {"scores": [4, 4, 3]},
    )
    assert [trial["sample"] for trial in last["trials"]] == [0, 1, 2]
    assert last["trials"][0]["response"] == outcome.records[2].trials[0].response.text
    assert last["certificate"]["low"] == 0.28358206388191053
    assert last["certificate"]["counts"] == item.certificate.counts
    assert last["item"] == item.id
    assert item_from(tree["items"][0]) == item


def test_tree_by_item_candidate_and_run(filled: Registry, made: SimpleNamespace) -> None:
    item = made.outcome("D1-01").items[0]
    filled.record_run(made.run("r2", minute=10))
    filled.commit_seed("r2", made.outcome("D1-01", state=State.PENDING))
    assert filled.tree("D1-01")["run"] == "r2"
    assert filled.tree("D1-01", run="r1")["run"] == "r1"
    by_item = filled.tree(item.id[:10])
    assert (by_item["run"], by_item["item"], by_item["candidate"]) == ("r1", item.id, item.candidate)
    assert filled.tree(item.candidate)["candidate"] == item.candidate
    with pytest.raises(UsageError, match="several"):
        filled.tree("D1-0")
    with pytest.raises(UsageError) as caught:
        filled.tree("D1-O1")
    assert "D1-01" in (caught.value.fix or "")
    with pytest.raises(UsageError, match="no item or seed"):
        filled.tree("D1-02", run="r2")


def test_duplicates(filled: Registry, made: SimpleNamespace) -> None:
    first, second = (made.outcome(seed).items[0].id for seed in ("D1-01", "D1-02"))
    filled.mark_duplicates("r1", [(second, first, 0.91)])
    assert [(row["id"], row["duplicate_of"], row["duplicate_similarity"]) for row in filled.items()] == [
        (first, None, None),
        (second, first, 0.91),
    ]
    assert [row["id"] for row in filled.items("not duplicate")] == [first]
    with pytest.raises(StorageError, match="no such item"):
        filled.mark_duplicates("r1", [(first, second, 0.9), (first, "i-none", 0.9)])
    assert [row["id"] for row in filled.items("duplicate")] == [second]
    filled.mark_duplicates("r1", [])
    assert filled.items("duplicate") == []


def test_index(filled: Registry) -> None:
    filled.save_index("dedup", b"\x00one")
    filled.save_index("dedup", b"\x00two'")
    assert filled.load_index("dedup") == b"\x00two'"
    assert filled.load_index("other") is None
    con = duckdb.connect(str(filled.path))
    con.execute("UPDATE indexes SET bytes = 'rot'::BLOB")
    con.close()
    with pytest.raises(VerificationError, match="SHA-256"):
        filled.load_index("dedup")


HOSTILE = "x'); DROP TABLE items; --\"\0\\ \ud800 {{7*7}} <b> ?$1"


def test_hostile_text_is_stored_as_data(registry: Registry, made: SimpleNamespace) -> None:
    shown = HOSTILE.replace("\ud800", "�")
    outcome = made.outcome(HOSTILE, text=HOSTILE)
    registry.record_run(made.run(HOSTILE, family=HOSTILE))
    registry.commit_seed(HOSTILE, outcome)
    registry.finish_run(HOSTILE, {"said": HOSTILE})
    registry.mark_duplicates(HOSTILE, [(outcome.items[0].id, outcome.items[0].id, 1.0)])
    registry.save_index(HOSTILE, b"x")
    assert registry.load_index(HOSTILE) == b"x"
    assert registry.run(HOSTILE).summary == {"said": HOSTILE}
    quoted = "'" + HOSTILE.replace("'", "''") + "'"
    assert [item_from(row) for row in registry.items(f"seed = {quoted} and run = {quoted}")] == list(outcome.items)
    assert registry.items(f"seed != {quoted}") == []
    tree = registry.tree(HOSTILE)
    assert tree["candidates"][0]["text"] == shown
    assert tree["seed"]["seed"] == shown
    assert tree["items"][0]["text"].startswith(HOSTILE)
    for read in (registry.item, registry.tree, registry.run, registry.seeds, registry.frame):
        with pytest.raises(UsageError):
            read("' OR '1'='1")
    with pytest.raises(UsageError):
        registry.frame("items; DROP TABLE items")
    assert len(registry.items()) == 1


def test_threads_take_turns(registry: Registry, made: SimpleNamespace) -> None:
    registry.record_run(made.run())
    seeds = [f"D1-{n:02}" for n in range(8)]
    threads = [threading.Thread(target=registry.commit_seed, args=("r1", made.outcome(seed))) for seed in seeds]
    reader = threading.Thread(target=Registry(registry.path).items)
    for thread in (*threads, reader):
        thread.start()
    for thread in (*threads, reader):
        thread.join()
    assert [seed["seed"] for seed in registry.seeds("r1")] == seeds


async def test_coroutines(registry: Registry, made: SimpleNamespace) -> None:
    store = AsyncRegistry(registry)
    await store.record_run(made.run())
    await asyncio.gather(*(store.commit_seed("r1", made.outcome(f"D1-{n:02}")) for n in range(4)))
    await store.finish_run("r1", {"items": 4}, made.started)
    await store.mark_duplicates("r1", [])
    await store.save_index("dedup", b"x")
    assert await store.load_index("dedup") == b"x"
    assert (await store.run("r1")).summary == {"items": 4}
    assert [run.id for run in await store.runs()] == ["r1"]
    items = await store.items("seed != 'D1-00'", "r1", 2)
    assert [item["seed"] for item in items] == ["D1-01", "D1-02"]
    assert (await store.item(items[0]["id"], "r1"))["seed"] == "D1-01"
    assert (await store.tree("D1-03", "r1"))["seed"]["state"] == "certified"
    assert len(await store.seeds("r1")) == 4
    frame = await store.frame("trials")
    assert await store.add_frame("trials", frame) == 0


async def test_the_event_loop_goes_on_while_the_registry_waits(registry: Registry, made: SimpleNamespace) -> None:
    waiting, go_on = threading.Event(), threading.Event()

    def sleep(seconds: float) -> None:
        waiting.set()
        go_on.wait()

    registry.record_run(made.run())
    held = duckdb.connect(str(registry.path))
    task = asyncio.create_task(AsyncRegistry(Registry(registry.path, sleep=sleep)).runs())
    while not waiting.is_set():
        await asyncio.sleep(0.001)
    held.close()
    go_on.set()
    assert [run.id for run in await task] == ["r1"]
