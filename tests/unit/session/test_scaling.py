"""Scaling through a session: the plan with its price, the lists of published items, rules beside a model, the index."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli.scaleworld import ScaleWorld, small, stock, workspace
from forge_tiny import TinyFamily

from forge.grow.scaling.filters import Published, Thresholds
from forge.model.errors import ConfigError, FamilyError, StorageError, UsageError
from forge.model.words import Role
from forge.session import Session
from forge.session.scaleplan import published
from forge.testing.mockserver import MockServer
from forge.text.index import DedupIndex

# As in a process of its own: a library's warning must not become an exception in the middle of a call.
pytestmark = pytest.mark.filterwarnings("ignore")

PRICES = '[prices."openai/mock-writer"]\ninput = 2.0\noutput = 10.0\n'
ADDRESS = "http://127.0.0.1:9/v1"


# ------------------------------------------------------------------------------------------------------------ the plan


def test_a_plan_says_what_will_be_written_where_and_by_whom(tmp_path: Path) -> None:
    folder = small(workspace(tmp_path, ADDRESS), thresholds={"f2": 0.6})
    plan = Session(folder).plan_scale("D1", 4, draw=3)
    assert plan.name == "salience/D1"
    assert plan.target == folder / "seeds" / "salience" / "D1.scaled.yaml"
    assert (plan.wanted, plan.draw, plan.proposer, plan.before) == (4, 3, "compose", ())
    assert plan.limits == Thresholds(f2=0.6)
    assert plan.header["set"] == "D1.scaled"
    assert plan.header["scaled_from"] == "D1"
    assert plan.header["thresholds"] == {"f2": 0.6}
    assert "seeds" not in plan.header
    assert plan.composer is not None
    assert len(plan.composer.options) == 3
    assert not plan.target.exists()


def test_only_the_roles_that_are_asked_are_in_its_profile(tmp_path: Path) -> None:
    session = Session(small(workspace(tmp_path, ADDRESS)))
    composed, invented = session.plan_scale("D1", 4), session.plan_scale("D1", 4, proposer="model")
    for plan, room in ((composed, 400), (invented, 6000)):
        assert plan.profile is not None
        assert set(plan.profile.roles) == {Role.GENERATOR, Role.VIABILITY}
        # A batch of whole seeds needs more room than an opening.
        assert plan.profile.roles[Role.GENERATOR].max_tokens == room
    assert invented.composer is None
    assert session.plan_scale("D1", 4, use_model=False).profile is None


@pytest.mark.parametrize(
    ("settings", "calls"),
    [
        # 17 seeds at 85 % accepted are 20 openings; 60 % of them are asked for once more.
        ({"voice": "opening", "voice_tries": 1}, 20),
        ({"voice": "opening", "voice_tries": 2}, 32),
        ({"voice": "none"}, 0),
    ],
)
def test_the_estimate_of_composed_seeds_by_hand(settings: dict[str, Any], calls: int, tmp_path: Path) -> None:
    folder = small(workspace(tmp_path, ADDRESS, more=PRICES))
    told = Session(folder, overrides={"scaling": settings}).plan_scale("D1", 17).estimate
    # An opening is 300 prompt and 38 reply tokens.
    assert (told.seeds, told.calls, told.tokens) == (17, calls, (calls * 300, calls * 38))
    likely = calls * (300 * 2.0 + 38 * 10.0) / 1e6
    assert told.usd == pytest.approx(likely)
    assert told.most_usd is not None
    assert likely <= told.most_usd


def test_the_estimate_of_invented_seeds_counts_batches(tmp_path: Path) -> None:
    folder = small(workspace(tmp_path, ADDRESS, more=PRICES, batch=5))
    told = Session(folder).plan_scale("D1", 30, proposer="model").estimate
    # 30 seeds at 60 % accepted are 50, in 10 batches.
    assert told.calls == 10
    # 5 seeds of 900 tokens come back; 1,200 of instructions, 3 examples and 600 of what is taken go out.
    assert told.tokens == (10 * (1200 + 3 * 900 + 600), 10 * 5 * 900)


def test_without_a_model_nothing_is_asked_and_nothing_costs(tmp_path: Path) -> None:
    told = Session(small(tmp_path)).plan_scale("D1", 4, use_model=False).estimate
    assert (told.calls, told.most_calls, told.tokens, told.usd, told.seconds) == (0, 0, (0, 0), 0.0, 0.0)


def test_a_limit_in_dollars_needs_known_prices(tmp_path: Path) -> None:
    session = Session(small(workspace(tmp_path, ADDRESS)))
    assert session.plan_scale("D1", 4).estimate.usd is None
    with pytest.raises(ConfigError, match="price of every model"):
        session.plan_scale("D1", 4, max_usd=1.0)


def test_what_cannot_be_planned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(small(tmp_path))
    with pytest.raises(UsageError, match="no such proposer"):
        session.plan_scale("D1", 4, proposer="oracle")
    with pytest.raises(UsageError, match="leaves nobody to propose"):
        session.plan_scale("D1", 4, proposer="model", use_model=False)
    _, seeds, _ = session.seeds("D1")
    monkeypatch.setattr(session, "seeds", lambda name: (TinyFamily(), seeds, ()))
    with pytest.raises(FamilyError, match="seed sets of tiny cannot be scaled"):
        session.plan_scale("D1", 4)


# ------------------------------------------------------------------------------------------------------ published items


def lines(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return path


def test_the_lists_that_come_with_forge_are_read_first_then_those_that_are_named(tmp_path: Path) -> None:
    mine, theirs, named = tmp_path / "mine", tmp_path / "theirs", tmp_path / "named.jsonl"
    lines(mine / "published" / "b.jsonl", {"id": "x", "text": "mine"})
    lines(theirs / "published" / "b.jsonl", {"id": "x", "text": "hidden by the workspace's list of that name"})
    lines(theirs / "published" / "a.jsonl", {"id": 7, "prompt": "theirs", "source": "Roe 1999", "core": "why"})
    lines(named, {"question": "asked"}, {"id": "y", "text": "  ", "prompt": "said"})
    found = published([mine, theirs, tmp_path / "absent"], [named])
    assert found[:2] == (Published("b/x", "mine", "b.jsonl"), Published("a/7", "theirs", "Roe 1999", "why"))
    assert [(one.text, one.source) for one in found[2:]] == [("asked", "named.jsonl"), ("said", "named.jsonl")]
    # An item without an id has one of its text's hash.
    assert found[2].key.startswith("named/")
    assert len(found[2].key) == len("named/") + 12
    assert found[3].key == "named/y"


def test_items_of_one_name_and_number_are_all_kept(tmp_path: Path) -> None:
    rows = [[{"id": 1, "text": part}, {"id": 1, "text": f"{part} again"}] for part in "ab"]
    paths = [lines(tmp_path / str(number) / "list.jsonl", *pair) for number, pair in enumerate(rows)]
    found = published([], paths)
    assert [one.text for one in found] == ["a", "a again", "b", "b again"]
    assert len({one.key for one in found}) == 4


def test_only_line_feeds_end_a_line(tmp_path: Path) -> None:
    texts = ["one\u2028two", "three\x85four", "five\u2029six"]
    path = lines(tmp_path / "list.jsonl", *({"text": text} for text in texts))
    assert [one.text for one in published([], [path])] == texts
    path.write_bytes(b'{"text": "a"}\r\n\r\n{"text": "b"}\r\n')
    assert [one.text for one in published([], [path])] == ["a", "b"]
    path.write_bytes(b"")
    assert published([], [path]) == ()


def test_a_broken_list_is_named_by_file_and_line(tmp_path: Path) -> None:
    path = lines(tmp_path / "list.jsonl", {"text": "good"}, {"words": "none of the fields"})
    with pytest.raises(ConfigError, match="holds no item") as caught:
        published([], [path])
    assert caught.value.where == f"{path}:2"
    assert "text, prompt, question" in str(caught.value.fix)
    path.write_text('\n\n{"text": ')
    with pytest.raises(ConfigError, match="not JSON") as caught:
        published([], [path])
    assert caught.value.where == f"{path}:3"
    with pytest.raises(StorageError, match="cannot be read"):
        published([], [tmp_path / "nowhere.jsonl"])


# -------------------------------------------------------------------------------------------- rules and a model together

CHECKED = '[profiles.graded]\nextends = "mock"\nroles.viability = "openai/mock-checker"\n'


async def grown(folder: Path, reply: Callable[[dict[str, Any]], Any], **options: Any) -> tuple[Any, MockServer]:
    """Scale the small D1 with two invented seeds, graded by rules and by the fake."""
    async with MockServer(reply) as server:
        small(workspace(folder, server.base_url, wave=1, more=CHECKED))
        session = Session(folder, profile_name="graded")
        summary = await session.scale(session.plan_scale("D1", 2, proposer="model"), **options)
    return summary, server


def replying(world: ScaleWorld, *entries: Any) -> Callable[[dict[str, Any]], Any]:
    def reply(body: dict[str, Any]) -> Any:
        asks = "Write 2 seeds" in body["messages"][-1]["content"]
        return json.dumps({"seeds": entries}) if asks else world(body)

    return reply


def checks(server: MockServer) -> int:
    return sum(body["model"] == "mock-checker" for body in server.bodies)


async def test_a_model_is_asked_only_about_what_rules_promote(tmp_path: Path) -> None:
    # The question does not stand in the prompt: C by rules.
    wrong = {**stock()[20], "name": "another one", "question": "What does it all cost?"}
    summary, server = await grown(tmp_path, replying(ScaleWorld(), stock()[0], wrong))
    scaled = summary.scaled
    assert [one.proposal.name for one in scaled.accepted] == [stock()[0]["name"]]
    # It is proposed in all four waves, until patience is out, and never shown to the model.
    assert [one.rejection.filter for one in scaled.rejected if one.proposal.name == "another one"] == ["viability"] * 4
    assert checks(server) == 1


async def test_of_two_grades_the_lower_one_counts(tmp_path: Path) -> None:
    # A way out that stands in the prompt is worth a warning: A- by rules. The other one is an A.
    warned = {**stock()[20], "swaps": [stock()[20]["key_terms"][0][0]]}
    for grade, counted in (("A", ["A", "A-"]), ("A-", ["A-", "A-"]), ("B", [])):
        summary, server = await grown(tmp_path / grade, replying(ScaleWorld(grade=grade), stock()[0], warned))
        assert [one.grade for one in summary.scaled.accepted] == counted
        assert summary.exit_code == 0
        if not counted:
            assert {one.rejection.detail.partition(":")[0] for one in summary.scaled.rejected} == {"graded B"}
        else:
            assert checks(server) == 2


# ----------------------------------------------------------------------------------------------------- what is written down


async def test_the_index_of_accepted_prompts_is_saved_with_the_registry(tmp_path: Path) -> None:
    session = Session(small(tmp_path), overrides={"scaling": {"need_share": 1.0}})
    summary = await session.scale(session.plan_scale("D1", 3, use_model=False))
    saved = session.registry.load_index("scale/salience/D1")
    assert saved is not None
    index = DedupIndex.from_bytes(saved)
    _, seeds, _ = session.seeds("D1")
    every = [*seeds.seeds, *(one.seed for one in summary.scaled.accepted)]
    assert len(index) == len(every) == 4
    for seed in every:
        found = index.nearest(seed.prompt)
        assert found is not None
        assert (found.key, found.similarity) == (seed.id, 1.0)


async def test_what_is_written_reads_back_as_it_was_accepted(tmp_path: Path) -> None:
    session = Session(small(tmp_path), overrides={"scaling": {"need_share": 1.0}})
    summary = await session.scale(session.plan_scale("D1", 3, use_model=False))
    _, again, _ = session.seeds("D1.scaled")
    accepted = [one.seed for one in summary.scaled.accepted]
    assert [one.id for one in again.seeds] == [one.id for one in accepted]
    for read, seed in zip(again.seeds, accepted, strict=True):
        assert read == seed.model_copy(update={"set": "D1.scaled"})
        assert read.tags == seed.tags


async def test_the_summary_adds_up(tmp_path: Path) -> None:
    world = ScaleWorld()
    async with MockServer(world) as server:
        session = Session(workspace(tmp_path, server.base_url, wave=2, batch=3))
        summary = await session.scale(session.plan_scale("D1", 6, proposer="model"))
    document = summary.document()
    assert document["proposed"] == document["accepted"] + sum(document["rejected"].values())
    assert len(document["rejections"]) == sum(document["rejected"].values())
    assert document["accepted"] == len(document["seeds"]) == 6
    assert sum(document["needs"].values()) == 6
    # Every entry of every batch was accepted, rejected, or not needed any more.
    assert document["proposed"] + document["surplus"] == 3 * server.total == 3 * document["calls"]["made"]
    before, after = (sum(map(sum, document["coverage"][when])) for when in ("before", "after"))
    assert (before, after) == (12, 18)
