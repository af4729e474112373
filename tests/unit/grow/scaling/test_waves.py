"""The loop of stage 1: what a wave may know, the order of decisions, and what stops a run and is kept."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from unit.grow.scaling.small import FAULT, TEXTS, Run, Script, facets, known, proposal, seed

from forge.grow.scaling.filters import Filters, Published, Rejection, Thresholds
from forge.grow.scaling.proposals import Proposal
from forge.grow.scaling.waves import VIRAL, Scaled
from forge.grow.together import together
from forge.model.calls import Fault
from forge.model.errors import ProviderRefused
from forge.model.events import EventKind
from forge.model.seeds import SCALED


def names(scaled: Scaled) -> list[str]:
    return [one.proposal.name for one in scaled.accepted]


def reasons(scaled: Scaled) -> list[tuple[str, str]]:
    return [(one.proposal.name, one.rejection.filter) for one in scaled.rejected]


# ------------------------------------------------------------------------------------------------ waves and batches


async def test_a_wave_is_told_what_earlier_waves_accepted_and_nothing_else() -> None:
    script = Script(
        [
            [[proposal("a", 0), proposal("b", 1)], [proposal("c", 2)]],
            [[proposal("d", 3)], [proposal("a", 4)]],
            [[proposal("e", 5)]],
        ]
    )
    own = known("own", 6)
    result = await Run(script).scaling(known=[own]).run(9)
    told = [[one.facets.name for one in snapshot.known] for snapshot in script.told]
    # A fourth time it is asked for a plan, and has none.
    assert told == [["own"], ["own", "a", "b", "c"], ["own", "a", "b", "c", "d"], ["own", "a", "b", "c", "d", "e"]]
    assert [(one.wave, one.wanted, one.target, one.scaled) for one in script.told] == [
        (0, 9, 9, 0), (1, 6, 9, 3), (2, 5, 9, 4), (3, 4, 9, 5),
    ]  # fmt: skip
    assert [one.facets.name for one in script.told[2].accepted] == ["a", "b", "c", "d"]
    assert (names(result), reasons(result), result.ended) == (["a", "b", "c", "d", "e"], [("a", "f1")], "used up")
    assert (result.proposed, result.waves, result.stopped) == (6, 3, None)


async def test_seeds_of_an_earlier_run_count_towards_the_target_but_not_towards_what_is_wanted() -> None:
    script = Script([[[proposal("b", 1)]], [[proposal("c", 2)]]])
    result = await Run(script).scaling(known=[known("own", 5), known("a", 0)], scaled=1).run(2)
    assert [(one.wanted, one.target, one.scaled) for one in script.told] == [(2, 3, 1), (1, 3, 2)]
    assert [[one.facets.name for one in told.accepted] for told in script.told] == [["a"], ["a", "b"]]
    assert (names(result), result.ended) == (["b", "c"], "enough")


@pytest.mark.parametrize("turns", [[0, 0, 0], [6, 3, 0], [2, 9, 1]])
async def test_proposals_are_decided_in_batch_order_whatever_order_the_replies_come_in(turns: list[int]) -> None:
    wave = [
        [proposal("a", 0), proposal("b", 1)],
        [proposal("b", 2), proposal("c", 0)],
        [proposal("d", 3), proposal("c", 4)],
    ]
    run = Run(Script([wave], order=lambda ordinal: turns[ordinal]))
    result = await run.scaling().run(9)
    assert run.script.replied == sorted(range(3), key=lambda ordinal: turns[ordinal])
    assert names(result) == ["a", "b", "d", "c"]
    # The second b has the first one's name; the first c has a's prompt.
    assert reasons(result) == [("b", "f1"), ("c", "f2")]
    assert [(one.wave, one.batch, one.rejection.other) for one in result.rejected] == [(1, 2, "T1-b"), (1, 2, "T1-a")]


async def test_the_run_ends_when_enough_are_accepted_and_the_rest_of_the_wave_is_surplus() -> None:
    wave = [[proposal("a", 0), proposal("a", 1)], [proposal("b", 2), proposal("b", 3), proposal("c", 4)]]
    run = Run(Script([wave, [[proposal("never", 5)]]]))
    result = await run.scaling().run(2)
    # The second b and c come after the second acceptance: they are neither accepted nor rejected.
    assert (names(result), reasons(result)) == (["a", "b"], [("a", "f1")])
    assert (result.surplus, result.proposed, result.waves, result.ended) == (2, 3, 1, "enough")
    assert len(run.script.told) == 1


async def test_a_seed_that_is_there_already_is_collided_with() -> None:
    run = Run(
        Script([[[proposal("x", 0), proposal("OWN", 1), proposal("y", 2, like={"triple": ("saw", "log", "cut")})]]])
    )
    there = known("own", 0, triple=("saw", "log", "cut"))
    result = await run.scaling(known=[there]).run(9)
    assert result.accepted == []
    assert reasons(result) == [("x", "f2"), ("OWN", "f1"), ("y", "f4")]
    assert {one.rejection.other for one in result.rejected} == {"T1-own"}


# -------------------------------------------------------------------------------------------------------- viability


async def test_only_grades_a_and_a_minus_are_promoted_unless_all_are_asked_for() -> None:
    wave = [[proposal("a", 0), proposal("b", 1, note="doubtful"), proposal("c", 2, note="hopeless")]]
    result = await Run(Script([wave])).scaling().run(9)
    assert (names(result), reasons(result)) == (["a"], [("b", "viability"), ("c", "viability")])
    assert result.rejected[1].rejection == Rejection("viability", None, "", "graded C: graded C")
    everything = await Run(Script([wave])).scaling(grades=("A", "A-", "B", "C")).run(9)
    assert names(everything) == ["a", "b", "c"]
    assert [one.grade for one in everything.accepted] == ["A", "B", "C"]


async def test_what_a_filter_rejects_is_not_graded_and_counts_for_the_filter() -> None:
    run = Run(Script([[[proposal("own", 1, note="hopeless")], [proposal("b", 2, note="hopeless")]]]))
    result = await run.scaling(known=[known("own", 0)]).run(9)
    assert run.graded == ["T1-b"]
    assert reasons(result) == [("own", "f1"), ("b", "viability")]


async def test_a_seed_that_was_not_promoted_stands_in_nobodys_way() -> None:
    wave = [[proposal("a", 0, note="hopeless"), proposal("a", 0)]]
    result = await Run(Script([wave])).scaling().run(9)
    assert (names(result), reasons(result)) == (["a"], [("a", "viability")])


async def test_an_entry_that_is_no_seed_is_counted_with_its_reason_and_costs_the_others_nothing() -> None:
    broken = Proposal("b", invalid="prompt: Field required")
    result = await Run(Script([[[proposal("a", 0), broken, proposal("c", 1)]]])).scaling().run(9)
    assert names(result) == ["a", "c"]
    assert [one.rejection for one in result.rejected] == [Rejection("invalid", None, "", "prompt: Field required")]
    assert result.rejections == {"invalid": 1}


# --------------------------------------------------------------------------------------------------------------- f5


async def test_what_is_published_elsewhere_is_tagged_and_kept() -> None:
    lists = [Published("paper/7", TEXTS[1], "a paper")]
    run = Run(Script([[[proposal("a", 0), proposal("b", 1)]]]), filters=Filters(Thresholds(), lists))
    result = await run.scaling().run(2)
    assert names(result) == ["a", "b"]
    assert result.rejected == []
    plain, viral = result.accepted
    assert (plain.seed.tags, plain.viral) == ((SCALED,), None)
    assert viral.seed.tags == (SCALED, VIRAL)
    assert viral.viral is not None
    assert (viral.viral[0].key, viral.viral[1]) == ("paper/7", 1.0)
    # Tags say something about the seed and make it no other seed.
    assert viral.seed.content == viral.proposal.seed.content


async def test_tags_that_are_there_stay_and_none_is_said_twice() -> None:
    one = proposal("a", 0)
    tagged = Proposal("a", one.seed.model_copy(update={"tags": ("winter", VIRAL)}), one.facets)
    run = Run(Script([[[tagged]]]), filters=Filters(Thresholds(), [Published("paper/7", TEXTS[0], "a paper")]))
    result = await run.scaling().run(1)
    assert sorted(result.accepted[0].seed.tags) == [SCALED, VIRAL, "winter"]


# ------------------------------------------------------------------------------------------------- what stops a run


async def test_a_fault_ends_the_run_and_its_wave_decides_nothing() -> None:
    run = Run(Script([[[proposal("a", 0)]], [[proposal("b", 1)], FAULT, [proposal("c", 2)]], [[proposal("d", 3)]]]))
    result = await run.scaling().run(9)
    assert names(result) == ["a"]
    assert (result.stopped, result.ended, result.waves) == (FAULT, str(FAULT), 1)
    assert "the server had an error" in result.ended


async def test_a_fault_of_whoever_grades_ends_the_run_too() -> None:
    async def viability(one: Any) -> Fault:
        return FAULT

    result = await Run(Script([[[proposal("a", 0)]]])).scaling(viability=viability).run(9)
    assert (result.accepted, result.rejected, result.stopped) == ([], [], FAULT)


async def test_an_error_of_ours_ends_the_run_and_keeps_what_was_accepted() -> None:
    refused = ProviderRefused("401: the key is wrong", fix="set another")
    result = await Run(Script([[[proposal("a", 0)]], [[proposal("b", 1)], refused]])).scaling().run(9)
    assert (names(result), result.stopped, result.ended) == (["a"], refused, "401: the key is wrong")


async def test_an_error_that_nobody_foresaw_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        await Run(Script([[[proposal("a", 0)], ZeroDivisionError("by zero")]])).scaling().run(9)


async def test_an_interrupt_keeps_what_was_accepted_and_lets_the_run_be_written_down() -> None:
    reached = asyncio.Event()

    class Waiting(Script):
        async def propose(self, batch: Any) -> Any:
            if batch.wave == 1 and batch.ordinal == 1:
                reached.set()
                await asyncio.Event().wait()
            return await super().propose(batch)

    run = Run(Waiting([[[proposal("a", 0)]], [[proposal("b", 1)], [proposal("c", 2)]]]))

    async def whole() -> Scaled:
        result = await run.scaling().run(9)
        # Whoever writes the file awaits things afterwards, under time limits too: the request is done with.
        current = asyncio.current_task()
        assert current is not None
        assert current.cancelling() == 0
        await asyncio.sleep(0)
        return result

    task = asyncio.create_task(whole())
    await reached.wait()
    task.cancel()
    result = await task
    assert (names(result), result.ended, result.waves) == (["a"], "interrupted", 1)
    assert isinstance(result.stopped, asyncio.CancelledError)


# ------------------------------------------------------------------------------------------------------------- told


async def test_a_watcher_is_told_of_every_wave_and_decision_in_order() -> None:
    run = Run(Script([[[proposal("a", 0)], [proposal("a", 1)]], [[proposal("b", 2)]]]))
    await run.scaling().run(2)
    assert {event.kind for event in run.events} == {EventKind.SCALE}
    cell = ["home", "money"]
    assert [event.data for event in run.events] == [
        {"what": "wave", "wave": 1, "batches": 2, "seeds": 2},
        {"what": "accepted", "name": "a", "voiced": False, "cell": cell},
        {"what": "rejected", "name": "a", "filter": "f1", "detail": "the name 'a'"},
        {"what": "wave", "wave": 2, "batches": 1, "seeds": 1},
        {"what": "accepted", "name": "b", "voiced": False, "cell": cell},
    ]


async def test_an_accepted_seed_knows_its_cell() -> None:
    one = Proposal("a", seed("a"), facets("a", niche={"setting": "garden", "quantity": "fathoms"}))
    result = await Run(Script([[[one]]])).scaling().run(1)
    assert result.accepted[0].cell == ("outdoors", "other")


# --------------------------------------------------------------------------------------------------------- together


async def later(value: str, turns: int, done: list[str]) -> str:
    for _ in range(turns):
        await asyncio.sleep(0)
    done.append(value)
    return value


async def test_results_come_in_the_order_of_the_work_not_of_its_ends() -> None:
    done: list[str] = []
    assert await together(later(name, turns, done) for name, turns in (("a", 5), ("b", 0), ("c", 2))) == ["a", "b", "c"]
    assert done == ["b", "c", "a"]
    assert await together([]) == []


async def test_the_first_error_is_raised_bare_and_the_others_are_cancelled() -> None:
    done: list[str] = []

    async def fails(error: Exception) -> str:
        raise error

    with pytest.raises(ValueError, match="first"):
        await together([later("slow", 50, done), fails(ValueError("first")), later("slower", 90, done)])
    assert done == []

    async def nested() -> list[str]:
        return await together([fails(KeyError("deep")), later("slow", 50, done)])

    with pytest.raises(KeyError, match="deep"):
        await together([nested(), nested()])
    assert done == []


async def test_cancelling_the_whole_cancels_every_part() -> None:
    done: list[str] = []
    task = asyncio.create_task(together([later("a", 50, done), later("b", 50, done)]))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done == []
