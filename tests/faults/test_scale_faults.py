"""Scaling comes out the same however replies are timed, whatever the hash seed, and after any fault."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from cli.scaleworld import ScaleWorld, digest, workspace
from faults.mock_workspace import Workspace, forge

from forge.session import Session
from forge.testing.faults import FAULTS, FaultPlan, Scripted, Storm, Trouble
from forge.testing.mockserver import MockServer, Reply, ReplyFn

# As in a process of its own: a library's warning must not become an exception in the middle of a call.
pytestmark = pytest.mark.filterwarnings("ignore")

SCALED = Path("seeds") / "salience" / "D1.scaled.yaml"
BOTH = pytest.mark.parametrize("proposer", ["compose", "model"])


async def grow(folder: Path, proposer: str, wanted: int = 8, *, use_model: bool = True) -> dict[str, Any]:
    """Scale D1 in this process and return the summary, with its exit code."""
    folder.mkdir(exist_ok=True)
    session = Session(folder)
    summary = await session.scale(session.plan_scale("D1", wanted, proposer=proposer, use_model=use_model))
    return {**summary.document(), "exit_code": summary.exit_code}


def same(document: dict[str, Any]) -> dict[str, Any]:
    """What two runs of one world must agree on."""
    names = (
        "proposed",
        "accepted",
        "rejected",
        "rejections",
        "seeds",
        "surplus",
        "waves",
        "coverage",
        "needs",
        "ended",
    )
    return {name: document[name] for name in names}


def reordered(world: ScaleWorld, server: MockServer) -> bool:
    """Whether some request was answered before one that had been asked earlier."""
    delays = [world.delay(body) for body in server.bodies]
    return any(later < earlier for earlier, later in itertools.pairwise(delays))


# -------------------------------------------------------------------------------------------------------- determinism


@BOTH
async def test_one_request_at_a_time_or_many_in_any_order_give_the_same_file(proposer: str, tmp_path: Path) -> None:
    documents, files = [], []
    for concurrency, slowest in ((1, 0.0), (8, 0.0), (8, 0.15)):
        world = ScaleWorld(slowest)
        async with MockServer(world) as server:
            folder = workspace(tmp_path / f"{concurrency}-{slowest}", server.base_url, wave=3, concurrency=concurrency)
            documents.append(await grow(folder, proposer, 12))
            assert not slowest or reordered(world, server)
        files.append((folder / SCALED).read_bytes())
    assert documents[0]["accepted"] == 12
    assert documents[0]["waves"] > 1
    assert same(documents[0]) == same(documents[1]) == same(documents[2])
    assert files[0] == files[1] == files[2]


@BOTH
async def test_another_width_of_waves_is_another_run(proposer: str, tmp_path: Path) -> None:
    # It is what batches are told that may differ, not how many are asked at once.
    documents = []
    async with MockServer(ScaleWorld()) as server:
        for wave in (1, 3):
            folder = workspace(tmp_path / str(wave), server.base_url, wave=wave)
            documents.append(await grow(folder, proposer, 6))
    assert [one["wave"] for one in documents] == [{"width": 1, "batch": 2}, {"width": 3, "batch": 2}]
    assert documents[0]["waves"] > documents[1]["waves"]


@pytest.mark.slow
@BOTH
async def test_any_hash_seed_gives_the_same_bytes(proposer: str, tmp_path: Path) -> None:
    documents, files = [], []
    async with MockServer(ScaleWorld(0.05)) as server:
        for concurrency, hash_seed in ((1, "0"), (8, "1"), (8, "4242")):
            place = Workspace(workspace(tmp_path / hash_seed, server.base_url, wave=3, concurrency=concurrency))
            code, out, err = await forge(
                place, "scale", "--seed-set", "D1", "-n", "10", "--proposer", proposer, "--json",
                PYTHONHASHSEED=hash_seed,
            )  # fmt: skip
            assert code == 0, err
            documents.append(json.loads(out))
            run = place.root / "runs" / documents[-1]["run"]
            files.append([(place.root / SCALED).read_bytes(), (run / "rejected.jsonl").read_bytes()])
    assert same(documents[0]) == same(documents[1]) == same(documents[2])
    assert files[0] == files[1] == files[2]


@pytest.mark.slow
async def test_without_a_model_no_hash_seed_changes_a_byte_either(tmp_path: Path) -> None:
    files = []
    for hash_seed in ("0", "77"):
        place = Workspace(tmp_path / hash_seed)
        place.root.mkdir()
        code, _, err = await forge(
            place, "scale", "--seed-set", "D1", "-n", "40", "--no-model", PYTHONHASHSEED=hash_seed
        )
        assert code == 0, err
        files.append((place.root / SCALED).read_bytes())
    assert files[0] == files[1]


# ------------------------------------------------------------------------------------------------------------- faults


class Failing:
    """Answers so many requests, then none until it is mended."""

    def __init__(self, trouble: Trouble, after: int) -> None:
        self.world = ScaleWorld()
        self.plan = FaultPlan([None] * after + [Scripted(trouble)] * 999, then=self.world)
        self.broken = True

    def __call__(self, body: dict[str, Any]) -> Any:
        return self.plan(body) if self.broken else self.world(body)


async def whole(folder: Path, proposer: str) -> tuple[dict[str, Any], bytes]:
    """What a run comes to that nothing disturbs."""
    async with MockServer(ScaleWorld()) as server:
        document = await grow(workspace(folder, server.base_url, wave=1), proposer)
    assert (document["exit_code"], document["ended"]) == (0, "enough")
    return document, (folder / SCALED).read_bytes()


# A wave is one batch: two openings with up to two tries each, or one request for seeds.
@pytest.mark.parametrize(("proposer", "after"), [("compose", 0), ("compose", 5), ("model", 0), ("model", 2)])
async def test_a_fault_ends_the_run_with_3_and_the_next_one_comes_to_what_it_would_have(
    proposer: str, after: int, tmp_path: Path
) -> None:
    calm, bytes_ = await whole(tmp_path / "calm", proposer)
    world = Failing(Trouble.SERVER_503, after)
    async with MockServer(world) as server:
        folder = workspace(tmp_path / "stormy", server.base_url, wave=1)
        stopped = await grow(folder, proposer)
        assert stopped["exit_code"] == 3
        assert stopped["ended"].startswith("server: ")
        kept = [one["id"] for one in stopped["seeds"]]
        assert kept == [one["id"] for one in calm["seeds"]][: len(kept)]
        assert (len(kept) > 0) is (after > 0)
        assert len(kept) < 8
        # What was accepted is in the file; without any there is none.
        assert (folder / SCALED).exists() is (after > 0)
        world.broken = False
        again = await grow(folder, proposer)
    assert same(again) == same(calm)
    assert (folder / SCALED).read_bytes() == bytes_
    assert again["calls"]["replayed"] == stopped["calls"]["made"] == after
    assert again["calls"]["made"] + after == calm["calls"]["made"]


@pytest.mark.parametrize("trouble", [one for one in FAULTS if one is not Trouble.SLOW])
async def test_every_kind_of_fault_ends_a_run_in_order(trouble: Trouble, tmp_path: Path) -> None:
    async with MockServer(Failing(trouble, 0)) as server:
        document = await grow(workspace(tmp_path, server.base_url), "compose", 2)
    assert (document["exit_code"], document["accepted"], document["proposed"]) == (3, 0, 0)
    assert document["ended"] not in ("enough", "used up")


@BOTH
async def test_faults_that_a_retry_mends_change_nothing(proposer: str, tmp_path: Path) -> None:
    calm, bytes_ = await whole(tmp_path / "calm", proposer)
    storm = Storm(0.3, (Trouble.RATE_LIMIT, Trouble.DROPPED, Trouble.NO_CHOICES), seed=5, then=ScaleWorld())
    async with MockServer(storm) as server:
        folder = workspace(tmp_path / "stormy", server.base_url, wave=1, retries=6)
        document = await grow(folder, proposer)
        # Some request was asked more than once.
        assert server.total > document["calls"]["made"]
    assert same(document) == same(calm)
    assert (folder / SCALED).read_bytes() == bytes_


async def test_a_request_that_is_never_taken_ends_the_run_too(tmp_path: Path) -> None:
    async with MockServer(lambda body: Reply(400, {"error": {"message": "no good"}})) as server:
        document = await grow(workspace(tmp_path, server.base_url), "model", 2)
    assert (document["exit_code"], document["accepted"]) == (3, 0)


# ------------------------------------------------------------------------------------------------ bad answers, no faults


def spoiling(world: ScaleWorld, text: str, every: int) -> ReplyFn:
    """Replies with a text of its own to every so manieth request, decided by the body alone."""

    def reply(body: dict[str, Any]) -> Any:
        return text if digest(body)[2] % every == 0 else world(body)

    return reply


@pytest.mark.parametrize("text", ["", "I'd rather not.", '{"sentence": "Short."}', '{"sentence": ["a", "list"]}', "{"])
async def test_bad_answers_for_openings_leave_the_tables_wording_and_lose_no_seed(text: str, tmp_path: Path) -> None:
    async with MockServer(spoiling(ScaleWorld(), text, 2)) as server:
        document = await grow(workspace(tmp_path, server.base_url), "compose", 6)
    assert (document["exit_code"], document["accepted"]) == (0, 6)
    # Whatever has no words of the model says why; some openings were spoilt twice, with their repairs.
    assert all(one["voiced"] or one["note"] for one in document["seeds"])
    table = await grow(tmp_path / "table", "compose", 6, use_model=False)
    own = {one["id"]: one["prompt"] for one in table["seeds"]}
    for one in document["seeds"]:
        assert (one["prompt"] == own[one["id"]]) is not one["voiced"]


async def test_bad_answers_for_batches_are_counted_and_the_run_goes_on(tmp_path: Path) -> None:
    async with MockServer(spoiling(ScaleWorld(), "Here you are, three fine seeds!", 2)) as server:
        document = await grow(workspace(tmp_path, server.base_url), "model", 6)
    assert (document["exit_code"], document["accepted"], document["ended"]) == (0, 6, "enough")
    malformed = [one for one in document["rejections"] if one["detail"].startswith("malformed reply")]
    assert malformed
    assert {one["filter"] for one in malformed} == {"invalid"}
