"""The proposer `model`: what a batch is told, and how its reply is read, entry by entry."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from typing import Any

import pytest
from unit.grow.scaling.salience import FAMILY, HEADER, room, shipped
from unit.grow.scaling.small import FAULT, facets, seed, small_grid

from forge.agents.fence import fenced
from forge.grow.scaling.inventing import Inventing, exemplars, recent
from forge.grow.scaling.niches import Grid, grid
from forge.grow.scaling.proposals import Batch, Known, Proposal, Snapshot
from forge.model.calls import Fault, Request
from forge.model.profile import Scaling
from forge.testing.scripted import FAKE_MODEL, Script, ScriptedGateway, in_turn

DEFINITION = "A tool is to do something that needs one property, and the tool does not have that property."


def there(name: str, need: str = "", **niche: str) -> Known:
    return Known(seed(name), facets(name, need=need or name, niche=niche))


def snapshot(known: Sequence[Known], *, wave: int = 0, scaled: int = 0, cells: Grid | None = None) -> Snapshot:
    return Snapshot(tuple(known), cells or small_grid(), wave, 10, 10 + scaled, scaled)


def inventing(script: Script = lambda request: "", **scaling: Any) -> tuple[Inventing, ScriptedGateway]:
    asked, gateway = room(script)
    return Inventing(FAMILY, asked, Scaling(**{"wave": 4, "batch": 3, **scaling}), HEADER, DEFINITION), gateway


# --------------------------------------------------------------------------------------------------------- exemplars


def names(chosen: Sequence[Known]) -> list[str]:
    return [one.facets.name for one in chosen]


def test_exemplars_are_as_far_apart_as_can_be_by_need_and_niche() -> None:
    known = [
        there("a", "watertight", setting="garden", quantity="hours"),
        there("b", "watertight", setting="garden", quantity="price"),  # from a: 1
        there("c", "sharp", setting="garden", quantity="hours"),  # from a: 1, from b: 2
        there("d", "sharp", setting="kitchen", quantity="price"),  # from a: 3, from b: 2, from c: 2
        there("e", "watertight", setting="kitchen", quantity="hours"),  # from a: 1, from b: 2, from c: 2, from d: 2
    ]
    # From a the farthest is d. Then b, c and e are each at least 1 from one of the two; equal ones go in order.
    assert names(exemplars(known, 2, 0)) == ["a", "d"]
    assert names(exemplars(known, 3, 0)) == ["a", "d", "b"]
    # From c the farthest are b, d and e with 2 each: d comes next after c. Then e is 2 from c and from d.
    assert names(exemplars(known, 3, 2)) == ["c", "d", "e"]


def test_another_need_is_as_far_as_another_place() -> None:
    known = [
        there("a", "watertight", setting="garden", quantity="hours"),
        there("b", "watertight", setting="garden", quantity="price"),  # from a: 1
        there("c", "sharp", setting="garden", quantity="price"),  # from a: 2
        there("d", "sharp", setting="garden"),  # from a: 2, for it has no quantity at all
    ]
    assert names(exemplars(known, 2, 0)) == ["a", "c"]
    # From b: c differs by its need alone, d by its quantity too.
    assert names(exemplars(known, 2, 1)) == ["b", "d"]


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_each_exemplar_is_the_farthest_from_those_before_it(count: int) -> None:
    known = shipped()

    def apart(one: Known, other: Known) -> int:
        a, b = one.facets, other.facets
        return (a.need != b.need) + sum(a.niche[axis] != b.niche[axis] for axis in a.niche)

    for turn in range(len(known) + 2):
        chosen = exemplars(known, count, turn)
        assert chosen[0] is known[turn % len(known)]
        for place in range(1, count):
            rest = [one for one in known if all(one is not taken for taken in chosen[:place])]
            nearest = [min(apart(one, taken) for taken in chosen[:place]) for one in rest]
            assert min(apart(chosen[place], taken) for taken in chosen[:place]) == max(nearest)


def test_there_are_no_more_exemplars_than_seeds_and_none_twice() -> None:
    known = [there("a"), there("b")]
    assert sorted(names(exemplars(known, 9, 5))) == ["a", "b"]
    assert exemplars(known, 0, 1) == []
    assert exemplars([], 3, 1) == []


# -------------------------------------------------------------------------------------------------- what is taken already


def test_what_is_taken_is_listed_newest_first_as_far_as_the_room_reaches() -> None:
    known = [Known(seed(name), facets(name, triple=(name * 3, name * 2, name))) for name in ("cc", "b", "aaaa")]
    lines = ["aaaa: aaaaaaaaaaaa / aaaaaaaa / aaaa", "b: bbb / bb / b", "cc: cccccc / cccc / cc"]
    assert [len(line) for line in lines] == [36, 15, 22]
    # A line ends with one character more, and four are a token: 37, 53 and 76 characters.
    for tokens, listed in ((0, 0), (8, 0), (9, 0), (10, 1), (13, 1), (14, 2), (18, 2), (19, 3), (600, 3)):
        assert recent(known, tokens) == lines[:listed]


def test_a_shorter_line_is_not_put_in_the_place_of_a_newer_one() -> None:
    known = [Known(seed(name), facets(name, triple=(name, name, name))) for name in ("b", "long" * 9)]
    assert recent(known, 10) == []


# ---------------------------------------------------------------------------------------------------------- the plan


def test_a_wave_aims_at_the_emptiest_cells_one_batch_each() -> None:
    known = [there("a", setting="kitchen", quantity="hours"), there("b", setting="garden", quantity="hours")]
    proposer, _ = inventing(wave=6, exemplars=0)
    batches = proposer.plan(snapshot(known, wave=1))
    order = [("home", "money"), ("outdoors", "money"), ("home", "time"), ("outdoors", "time")]
    # Six batches on four cells: the two emptiest have two.
    assert [batch.cell for batch in batches] == [*order, *order[:2]]
    assert [(batch.wave, batch.ordinal, batch.size) for batch in batches] == [(1, n, 3) for n in range(6)]
    assert [batch.content["directive"] for batch in batches[:2]] == [
        "setting: home (such as kitchen); quantity: money (such as price)",
        "setting: outdoors (such as country road, garden); quantity: money (such as price)",
    ]


def test_a_batch_is_told_the_definition_exemplars_and_what_is_taken() -> None:
    known = shipped()
    proposer, _ = inventing(batch=5, exemplars=2, recent_tokens=60)
    (first, *_) = proposer.plan(snapshot(known, cells=grid({}, "D1.yaml")))
    shown = exemplars(known, 2, 0)
    examples = "\n".join(json.dumps(FAMILY.exemplar(one.seed), ensure_ascii=False) for one in shown)
    assert first.content["count"] == 5
    assert first.content["definition"] == DEFINITION
    assert first.content["fenced_exemplars"] == fenced(examples, "EXAMPLES")
    taken = recent(known, 60)
    assert 0 < len(taken) < 12
    assert taken[0].startswith(known[-1].facets.name)
    assert first.content["fenced_recent"] == fenced("\n".join(taken), "TAKEN")


def test_the_batches_of_a_run_begin_with_different_exemplars() -> None:
    known = shipped()
    proposer, _ = inventing(wave=3)
    shown = [
        batch.content["fenced_exemplars"]
        for wave, scaled in ((0, 0), (1, 0))
        for batch in proposer.plan(snapshot(known, wave=wave, scaled=scaled, cells=grid({}, "D1.yaml")))
    ]
    # Six batches begin at six of the twelve seeds.
    assert len(set(shown)) == 6
    # And within one, no seed is like another.
    for text in shown:
        rows = [json.loads(line) for line in text.splitlines()[1:-1]]
        for one, other in itertools.combinations(rows, 2):
            assert one["blocker"]["needs"] != other["blocker"]["needs"]
            assert one["niche"] != other["niche"]


def test_a_plan_is_a_function_of_what_it_is_told() -> None:
    told = snapshot(shipped(), wave=2, scaled=3, cells=grid({}, "D1.yaml"))
    assert inventing()[0].plan(told) == inventing()[0].plan(told)


def test_accepted_seeds_are_in_the_next_waves_list() -> None:
    proposer, _ = inventing(wave=1, exemplars=0)
    first = proposer.plan(snapshot([there("own")]))
    second = proposer.plan(snapshot([there("own"), there("fresh")], wave=1, scaled=1))
    assert "fresh" not in first[0].content["fenced_recent"]
    assert second[0].content["fenced_recent"].splitlines()[1:-1] == [
        "fresh: fresh tool / fresh object / fresh action", "own: own tool / own object / own action",
    ]  # fmt: skip


def test_waves_that_bring_nothing_end_the_run_after_its_patience() -> None:
    proposer, _ = inventing(patience=2, exemplars=0)
    known = [there("own")]
    planned = [bool(proposer.plan(snapshot(known, wave=0))), bool(proposer.plan(snapshot(known, wave=1)))]
    # The third wave brings one: patience begins anew.
    more = [*known, there("fresh")]
    planned += [bool(proposer.plan(snapshot(more, wave=2, scaled=1))) for _ in range(3)]
    # After the first wave nothing, after the second one seed, then twice nothing.
    assert planned == [True, True, True, True, False]


# ---------------------------------------------------------------------------------------------------------- the reply


def entry(place: int = 0, **changes: Any) -> dict[str, Any]:
    """A finished seed as a reply holds it; a change to None takes the field out."""
    fields = {**FAMILY.exemplar(shipped()[place].seed), **changes}
    return {name: value for name, value in fields.items() if value is not None}


def reply(*entries: Any) -> str:
    return json.dumps({"seeds": list(entries)})


async def read(*replies: str | Fault, wave: int = 0, ordinal: int = 0) -> tuple[list[Proposal], ScriptedGateway]:
    proposer, gateway = inventing(in_turn(replies))
    plan = proposer.plan(snapshot(shipped(), wave=wave, cells=grid({}, "D1.yaml")))
    found = await proposer.propose(Batch(wave, ordinal, None, 3, plan[0].content))
    assert not isinstance(found, Fault)
    return list(found), gateway


async def test_every_entry_becomes_a_seed_of_the_scaled_set() -> None:
    found, gateway = await read(reply(entry(0), entry(3)), wave=2, ordinal=1)
    ids = ["D1-m900-goldfish-in-a-birdcage", "D1-m901-"]
    for one, place, begins in zip(found, (0, 3), ids, strict=True):
        theirs = shipped()[place].seed
        assert one.seed.id.startswith(begins)
        assert one.name == one.seed.name == theirs.name
        assert FAMILY.exemplar(one.seed) == FAMILY.exemplar(theirs)
        assert (one.seed.set, one.seed.lang, one.seed.licence) == ("D1.scaled", "en", "CC-BY-4.0")
        assert one.seed.author.kind == "model"
        assert one.facets == FAMILY.facets(one.seed)
        assert (one.by, one.invalid, one.template) == (FAKE_MODEL, "", frozenset())
    # Wave 2, batch 1 of waves of 4 is the tenth batch of the run; its number is its sample.
    assert [(request.sample, request.seed) for request in gateway.requests] == [(9, "batch 10")]


async def test_no_two_entries_of_a_run_have_one_id() -> None:
    ids = []
    for wave, ordinal in ((0, 0), (0, 1), (1, 0), (1, 3)):
        found, _ = await read(reply(entry(0), entry(0)), wave=wave, ordinal=ordinal)
        ids += [one.seed.id for one in found]
    assert len(set(ids)) == 8


@pytest.mark.parametrize(
    ("broken", "name", "said"),
    [
        ({"prompt": None}, "goldfish in a birdcage", "prompt"),
        ({"probe": None}, "goldfish in a birdcage", "probe"),
        ({"name": None}, "entry ", "name"),
        ({"name": 7}, "7", "name"),
        ({"name": ["a", "b"]}, "['a', 'b']", "name"),
        ({"numbers": []}, "goldfish in a birdcage", "numbers"),
        ({"numbers": [{"text": "many", "unit": "", "role": "bait", "keep": True}]}, "goldfish", "numbers.0"),
        ({"blocker": {"kind": "magic", "needs": "x", "trap": "y", "control": "z"}}, "goldfish", "blocker.kind"),
        ({"key_terms": "birdcage"}, "goldfish in a birdcage", "key_terms"),
        ({"key_terms": [[]]}, "goldfish in a birdcage", "key_terms"),
        ({"triple": {"tool": " ", "object": "goldfish", "action": "keep"}}, "goldfish in a birdcage", "triple.tool"),
        ({"awareness": {"plain": ["leaks", "\u2028"], "negated": []}}, "goldfish in a birdcage", "awareness.plain"),
        ({"trap_core": "half a letter \ud800 of something"}, "goldfish in a birdcage", "half a character"),
        ({"explicit": {"after": "wire birdcage", "text": "which is thin bars"}}, "goldfish", "explicit.text"),
    ],
)
async def test_an_entry_that_is_no_seed_says_why_and_costs_the_others_nothing(
    broken: dict[str, Any], name: str, said: str
) -> None:
    found, gateway = await read(reply(entry(1), entry(0, **broken), entry(2)))
    assert [one.invalid == "" for one in found] == [True, False, True]
    assert [one.name for one in found[::2]] == [shipped()[place].facets.name for place in (1, 2)]
    assert (found[1].seed, found[1].facets) == (None, None)
    assert found[1].name.startswith(name)
    assert said in found[1].invalid
    assert "\n" not in found[1].invalid
    assert len(gateway.requests) == 1


async def test_fields_that_are_not_the_proposers_are_not_taken_from_it() -> None:
    pushy = entry(0, id="D1-chosen", author={"kind": "human"}, tags=["certified"], licence="none", set="D9", x=1)
    (found,) = (await read(reply(pushy)))[0]
    assert found.seed.id == "D1-m000-goldfish-in-a-birdcage"
    assert (found.seed.author.kind, found.seed.tags) == ("model", ())
    assert (found.seed.licence, found.seed.set) == ("CC-BY-4.0", "D1.scaled")


async def test_a_name_becomes_a_plain_id() -> None:
    (found,) = (await read(reply(entry(0, name="../../Über-Straße {{ x }} " + "long " * 18))))[0]
    assert found.invalid == ""
    stem, _, rest = found.seed.id.partition("-m000-")
    assert stem == "D1"
    assert rest.replace("-", "").isalnum()
    assert rest.isascii()
    assert len(rest) <= 48


async def test_a_malformed_reply_is_mended_once() -> None:
    found, gateway = await read("Here are three seeds for you!", reply(entry(0)))
    assert [one.invalid for one in found] == [""]
    assert len(gateway.requests) == 2


@pytest.mark.parametrize(
    "replies", [["no", "still no"], ['{"seeds": 3}', '{"seeds": "x"}'], ["{}", '{"seed": []}'], ["", ""]]
)
async def test_a_reply_that_stays_malformed_is_one_invalid_proposal(replies: list[str]) -> None:
    (found,), gateway = await read(*replies, ordinal=2)
    assert found.name == "batch 3"
    assert found.invalid.startswith("malformed reply: ")
    assert found.facets is None
    assert len(gateway.requests) == 2


async def test_an_empty_batch_proposes_nothing() -> None:
    assert (await read(reply()))[0] == []


async def test_a_fault_is_handed_on() -> None:
    def script(request: Request) -> Fault:
        return FAULT

    proposer, _ = inventing(script)
    plan = proposer.plan(snapshot(shipped(), cells=grid({}, "D1.yaml")))
    assert await proposer.propose(plan[0]) == FAULT


def test_a_models_seeds_have_no_template_words() -> None:
    assert inventing()[0].template(shipped()[0].seed) == frozenset()
