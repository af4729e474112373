from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from forge.model.errors import StorageError, UsageError
from forge.model.words import Cause, State
from forge.registry.frames import QUERIES
from forge.registry.items import ITEM_FIELDS
from forge.registry.rows import COLUMNS, item_row
from forge.registry.store import Registry


@pytest.fixture
def filled(registry: Registry, made: SimpleNamespace) -> Registry:
    registry.record_run(made.run("r1"))
    registry.commit_seed("r1", made.outcome("D1-01"))
    registry.commit_seed("r1", made.outcome("D1-02", cause=Cause.POSITION))
    registry.commit_seed("r1", made.outcome("D1-03", state=State.EXHAUSTED))
    return registry


def test_items(filled: Registry) -> None:
    frame = filled.frame("items")
    assert set(frame.columns) == set(ITEM_FIELDS)
    assert list(frame["seed"]) == ["D1-01", "D1-02"]
    assert list(filled.frame("items", "cause = position")["seed"]) == ["D1-02"]


def test_tables_and_filters(filled: Registry) -> None:
    # Three seeds with c0 and two children each.
    assert len(filled.frame("candidates")) == 9
    assert len(filled.frame("candidates", "operator = anneal and certified")) == 3
    assert len(filled.frame("verdicts", "check = 'naturalness' and score > 3.7 and by != rules")) == 6
    assert len(filled.frame("trials", "seed = 'D1-01' and sample in (0, 2)")) == 4
    assert filled.frame("trials").loc[0, "keys"].tolist() == ["b" * 64]
    assert str(filled.frame("runs")["started"].dtype).endswith("UTC]")
    with pytest.raises(UsageError, match="did you mean candidates"):
        filled.frame("candidate")
    with pytest.raises(UsageError, match="unknown field 'keys'"):
        filled.frame("trials", "keys = 'x'")


def test_queries(filled: Registry, made: SimpleNamespace) -> None:
    population = filled.frame("population")
    assert len(population) == 6
    assert set(population["item"].dropna()) == {made.outcome(s).items[0].id for s in ("D1-01", "D1-02")}
    causes = filled.frame("causes")
    assert dict(zip(causes["cause"], causes["n"], strict=True)) == {"position": 1, "salience": 1}
    states = filled.frame("states", "state = certified")
    assert states.to_dict("records") == [{"run": "r1", "state": "certified", "n": 2}]
    checks = filled.frame("checks", "check = naturalness")
    assert checks.loc[0, ["n", "passed"]].tolist() == [6, 6]
    assert checks.loc[0, "score"] == pytest.approx(3.8)
    routes = filled.frame("routes")
    assert dict(zip(routes["route"], routes["n"], strict=True)) == {"archive": 3, "certify": 6}


def test_an_empty_registry_has_empty_frames(registry: Registry) -> None:
    for name in (*COLUMNS, *QUERIES):
        assert registry.frame(name).empty
        assert len(registry.frame(name).columns) > 1


def test_a_whole_registry_moves_by_frames(filled: Registry, tmp_path: Path, made: SimpleNamespace) -> None:
    first, second = (made.outcome(s).items[0].id for s in ("D1-01", "D1-02"))
    filled.mark_duplicates("r1", [(second, first, 0.9)])
    filled.finish_run("r1", {"items": 2}, made.started)
    other = Registry(tmp_path / "other.duckdb")
    for table in COLUMNS:
        frame = filled.frame(table)
        if table == "items":
            continue
        assert other.add_frame(table, frame) == len(frame)
        assert other.add_frame(table, frame) == 0
    outcomes = [made.outcome("D1-01"), made.outcome("D1-02", cause=Cause.POSITION)]
    bodies = pd.DataFrame({"body": [item_row(outcome.items[0])[-1] for outcome in outcomes]})
    assert other.add_frame("items", bodies) == 2
    assert other.items() == filled.items()
    assert other.runs() == filled.runs()
    assert other.tree("D1-02") == filled.tree("D1-02")


def test_frames_that_do_not_fit(filled: Registry) -> None:
    seeds = filled.frame("seeds")
    with pytest.raises(UsageError, match="columns are not those of seeds"):
        filled.add_frame("seeds", seeds.drop(columns="state"))
    with pytest.raises(UsageError, match="extra"):
        filled.add_frame("seeds", seeds.assign(extra=1))
    with pytest.raises(UsageError, match="no table 'seed'"):
        filled.add_frame("seed", seeds)
    with pytest.raises(StorageError, match="a run that the registry does not know"):
        filled.add_frame("seeds", seeds.assign(run="r9"))
    with pytest.raises(StorageError):
        filled.add_frame("seeds", seeds.assign(seed="D1-77", state=None))
    with pytest.raises(StorageError, match="not an item"):
        filled.add_frame("items", pd.DataFrame({"body": ['{"id": "i-1"}']}))
    for body in ("[]", "{"):
        with pytest.raises(StorageError, match="body is not"):
            filled.add_frame("items", pd.DataFrame({"body": [body]}))
    naive = filled.frame("runs").assign(run="r3", started=pd.Timestamp("2026-01-01"))
    with pytest.raises(StorageError, match="without a zone"):
        filled.add_frame("runs", naive)
    assert len(filled.frame("seeds")) == 3
