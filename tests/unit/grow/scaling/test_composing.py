"""The proposer `compose`: which options a wave takes, and which of a model's words it takes."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from forge_tiny import TinyFamily
from unit.grow.scaling.salience import FAMILY, mini, opening, room
from unit.grow.scaling.small import FAULT, facets, seed, small_grid

from forge.families.base import Draft, LintFinding, Option
from forge.families.salience import SalienceFamily
from forge.grow.scaling.composing import Composing, reopened
from forge.grow.scaling.proposals import Batch, Known, Proposal, Snapshot, quota
from forge.model.calls import Answer, Fault, Request
from forge.model.checks import Verdict
from forge.model.errors import ProviderRefused
from forge.model.profile import Scaling
from forge.testing.scripted import FAKE_MODEL

CELLS = {"HT": ("kitchen", "hours"), "HM": ("kitchen", "price"), "OT": ("garden", "hours"), "OM": ("garden", "price")}


def niche(cell: str) -> dict[str, str]:
    setting, quantity = CELLS[cell]
    return {"setting": setting, "quantity": quantity}


def option(name: str, cell: str = "HT", need: str = "", task: str = "", thing: str = "") -> Option:
    """An option that shares nothing with others but what is said."""
    return Option(name, f"T1-{name}", need or name, task or name, thing or name, niche(cell))


def there(name: str, cell: str = "HT", need: str = "") -> Known:
    return Known(seed(name), facets(name, niche=niche(cell), need=need or name))


@dataclass
class Cards:
    """A composer whose options are written down; it composes nothing."""

    options: tuple[Option, ...]

    def compose(self, option: Option, draw: int, variant: int) -> Draft:
        raise ValueError(f"{option.id} cannot be had")

    def template(self, seed: Any) -> frozenset[str]:
        return frozenset()

    def lint(self) -> list[LintFinding]:
        return []


def snapshot(known: Sequence[Known] = (), *, wanted: int = 100, scaled: int = 0, wave: int = 0) -> Snapshot:
    return Snapshot(tuple(known), small_grid(), wave, wanted, wanted + scaled, scaled)


def composing(options: Sequence[Option], *, draw: int = 0, **scaling: Any) -> Composing:
    return Composing(FAMILY, Cards(tuple(options)), Scaling(**{"wave": 4, "batch": 3, **scaling}), draw)


def chosen(batches: Sequence[Batch]) -> list[str]:
    return [one.id for batch in batches for one in batch.content]


# ------------------------------------------------------------------------------------------------------- the plan


@pytest.mark.parametrize(
    ("wanted", "sizes"),
    [(100, [3, 3, 3, 3]), (12, [3, 3, 3, 3]), (7, [3, 3, 1]), (1, [1])],
)
def test_a_wave_asks_for_no_more_than_it_may_and_no_more_than_is_wanted(wanted: int, sizes: list[int]) -> None:
    batches = composing([option(f"o{n}") for n in range(30)]).plan(snapshot(wanted=wanted, wave=2))
    assert [len(batch.content) for batch in batches] == [batch.size for batch in batches] == sizes
    assert [(batch.wave, batch.ordinal) for batch in batches] == [(2, n) for n in range(len(sizes))]


def test_every_option_is_proposed_once_also_when_it_was_rejected() -> None:
    proposer = composing([option(f"o{n}") for n in range(14)])
    waves = [chosen(proposer.plan(snapshot(wave=wave))) for wave in range(3)]
    assert [len(wave) for wave in waves] == [12, 2, 0]
    assert sorted(waves[0] + waves[1]) == sorted(f"o{n}" for n in range(14))


def test_options_whose_seeds_are_there_are_left_out() -> None:
    options = [option("a"), option("b"), option("c")]
    own_and_kept = snapshot([there("a"), there("c")], scaled=1)
    assert chosen(composing(options).plan(own_and_kept)) == ["b"]


def test_every_pick_stands_in_the_emptiest_cell_that_still_has_an_option() -> None:
    known = [there("k1", "HT"), there("k2", "HT"), there("k3", "HM"), there("k4", "OT"), there("k5", "OM")]
    options = [option(f"{cell}{n}", cell) for cell, count in (("HT", 4), ("HM", 2), ("OT", 3)) for n in range(count)]
    batches = composing(options, wave=3).plan(snapshot(known))
    grid = small_grid()
    counts = grid.count(one.facets.niche for one in known)
    free = {one.id: grid.cell(one.niche) for one in options}
    for name in chosen(batches):
        assert counts[free[name]] == min(counts[cell] for cell in free.values())
        counts[free.pop(name)] += 1
    assert free == {}
    # By hand: two cells hold 1 and are filled up to 2, then all three take turns; OM has nothing to offer.
    assert sorted(name[:2] for name in chosen(batches)[:2]) == ["HM", "OT"]
    assert [batch.cell for batch in batches] == [grid.cell(niche(batch.content[0].id[:2])) for batch in batches]


@pytest.mark.parametrize("shared", ["need", "task", "thing"])
def test_within_a_cell_variety_comes_first(shared: str) -> None:
    # Four options share something, two share nothing: no two of the four are taken before both others.
    options = [option(f"same{n}", **{shared: "one"}) for n in range(4)] + [option("other1"), option("other2")]
    first = chosen(composing(options, need_share=1.0).plan(snapshot(wanted=3)))
    assert sorted(name.rstrip("0123456789") for name in first) == ["other", "other", "same"]


@pytest.mark.parametrize("shared", ["task", "thing"])
def test_what_accepted_seeds_were_made_of_counts_for_variety(shared: str) -> None:
    options = [option("old", **{shared: "one"}), option("again", **{shared: "one"}), option("fresh")]
    assert chosen(composing(options).plan(snapshot([there("old")], wanted=1, scaled=1))) == ["fresh"]


def test_a_plan_is_a_function_of_what_it_is_told() -> None:
    options = [option(f"o{n}", cell, need=f"need{n % 5}") for n, cell in enumerate(list(CELLS) * 6)]
    told = snapshot([there("k", "OT"), there("o3", "OM", "need3")], scaled=1)
    first, again = composing(options).plan(told), composing(list(options)).plan(told)
    assert first == again
    turned = composing(options[::-1]).plan(told)
    assert chosen(turned) == chosen(first)
    other = composing(options, draw=1).plan(told)
    assert chosen(other) != chosen(first)
    assert len(chosen(other)) == len(chosen(first))


def test_only_a_family_that_can_be_scaled_composes() -> None:
    with pytest.raises(TypeError, match="has no facets"):
        Composing(TinyFamily(), Cards(()), Scaling())


# ----------------------------------------------------------------------------------------------- the quota of needs


@pytest.mark.parametrize(
    ("target", "share", "most"),
    # 15 % of the target, rounded down, and never none.
    [(20, 0.15, 3), (26, 0.15, 3), (27, 0.15, 4), (100, 0.15, 15), (140, 0.15, 21), (1000, 0.15, 150), (5, 0.15, 1),
     (1, 0.15, 1), (7, 1.0, 7), (40, 0.05, 2)],
)  # fmt: skip
def test_a_need_may_carry_its_share_of_the_target(target: int, share: float, most: int) -> None:
    bound = quota(target, share, {})
    for _ in range(most):
        assert bound.free("watertight")
        bound.take("watertight")
    assert not bound.free("watertight")
    assert bound.free("sharp")


def test_no_need_is_planned_beyond_fifteen_per_cent_of_the_target() -> None:
    assert Scaling().need_share == 0.15
    options = [option(f"w{n}", need="watertight") for n in range(10)] + [option(f"x{n}") for n in range(9)]
    proposer = composing(options, wave=9)
    # 15 % of 20 are 3: with the nine others the table is used up at 12.
    picks = chosen(proposer.plan(snapshot(wanted=20)))
    assert sorted(name[0] for name in picks) == ["w"] * 3 + ["x"] * 9
    accepted = [there(name, need="watertight" if name[0] == "w" else "") for name in picks]
    assert proposer.plan(snapshot(accepted, wanted=8, scaled=12, wave=1)) == []


def test_what_was_rejected_gives_its_share_back() -> None:
    options = [option(f"w{n}", need="watertight") for n in range(10)]
    proposer = composing(options)
    assert len(chosen(proposer.plan(snapshot(wanted=20)))) == 3
    kept = [there("w-kept", need="watertight")]
    # One of the three was accepted: two more may be tried.
    assert len(chosen(proposer.plan(snapshot(kept, wanted=19, scaled=1, wave=1)))) == 2


def test_the_sets_own_seeds_use_up_no_share() -> None:
    own = [there(f"own{n}", need="watertight") for n in range(9)]
    options = [option(f"w{n}", need="watertight") for n in range(10)]
    assert len(chosen(composing(options).plan(snapshot(own, wanted=20)))) == 3


# -------------------------------------------------------------------------------------------- composing, by the table


def batch(options: Sequence[Option]) -> Batch:
    return Batch(0, 0, None, len(options), tuple(options))


async def proposed(proposer: Composing, options: Sequence[Option]) -> list[Proposal]:
    found = await proposer.propose(batch(options))
    assert not isinstance(found, Fault)
    return list(found)


def at_table(script: Any = None, *, draw: int = 0, family: Any = FAMILY, **scaling: Any) -> tuple[Composing, Any]:
    """A proposer over the small table, and the gateway that its model is asked through."""
    asked, gateway = room(script, family) if script else (None, None)
    return Composing(family, mini(), Scaling(**{"voice": "opening", **scaling}), draw, asked), gateway


async def test_without_a_model_the_tables_own_wording_stands() -> None:
    table = mini()
    proposer, _ = at_table()
    found = await proposed(proposer, table.options)
    assert [one.seed.id for one in found] == [one.seed for one in table.options]
    for one in found:
        assert FAMILY.viability(one.seed).grade == "A"
        assert one.facets == FAMILY.facets(one.seed)
        assert one.template == table.template(one.seed) != frozenset()
        assert (one.voiced, one.by, one.note, one.invalid) == (False, "", "", "")


async def test_another_draw_has_other_numbers_or_frames() -> None:
    options = mini().options
    drawn = [[one.seed.prompt for one in await proposed(at_table(draw=draw)[0], options)] for draw in (0, 0, 1, 2)]
    assert drawn[0] == drawn[1]
    assert len({*map(tuple, drawn)}) == 3


async def test_what_cannot_be_composed_is_a_proposal_with_the_reason() -> None:
    one = option("chair")
    found = await proposed(composing([one]), [one])
    assert [(each.name, each.seed, each.facets, each.invalid) for each in found] == [
        ("chair", None, None, "chair cannot be had")
    ]


class Picky(SalienceFamily):
    """Grades by what the domain says."""

    def viability(self, seed: Any) -> Verdict:
        return Verdict("viability", passed=True, grade=str(seed.domain))


@dataclass
class Variants(Cards):
    """The small table's first option, with a grade for each variant in place of its domain."""

    grades: Sequence[str] = ()

    def compose(self, option: Option, draw: int, variant: int) -> Draft:
        draft = mini().compose(option, draw, variant)
        return replace(draft, seed=draft.seed.model_copy(update={"domain": self.grades[variant]}))


@pytest.mark.parametrize(
    ("grades", "variant"), [("ABBB", 0), ("BBAA", 2), ("CB-A", 3), ("BBBB", 0), ("CBBBA", 0)], ids=str
)
async def test_the_first_frame_that_is_graded_a_is_taken_of_four_else_the_first(grades: str, variant: int) -> None:
    proposer = Composing(Picky(), Variants(mini().options[:1], list(grades)), Scaling())
    (found,) = await proposed(proposer, proposer.composer.options)
    assert found.seed.prompt == mini().compose(mini().options[0], 0, variant).seed.prompt


async def test_only_composed_seeds_have_template_words() -> None:
    proposer, _ = at_table()
    by_hand = (await proposed(proposer, mini().options))[0].seed.model_copy(update={"source": "original"})
    assert proposer.template(by_hand) == frozenset()


# ------------------------------------------------------------------------------------------------- a model's opening

PILLOW = [one for one in mini().options if one.task == "loaves"][:1]
# The small table's opening for it: "There are 8 loaves to get ready for the street party." and other numbers.


def says(change: Callable[[str], str]) -> Callable[[Request], str]:
    return lambda request: json.dumps({"sentence": change(opening(request))})


async def own(options: Sequence[Option] = PILLOW) -> Proposal:
    """What the table itself makes of an option."""
    return (await proposed(at_table()[0], options))[0]


async def test_an_opening_that_keeps_everything_is_put_in_the_place_of_the_old_one() -> None:
    proposer, gateway = at_table(says(lambda text: f"Now, {text[0].lower()}{text[1:]}"))
    (found,) = await proposed(proposer, PILLOW)
    plain = await own()
    old = mini().compose(PILLOW[0], 0, 0).opening
    new = f"Now, {old[0].lower()}{old[1:]}"
    assert found.seed.prompt == plain.seed.prompt.replace(old, new)
    assert found.seed.prompt.count(new) == 1
    assert (found.voiced, found.by, found.note) == (True, FAKE_MODEL, "")
    # Only the wording is the model's: the rest of the seed, and what filters compare but for the prompt, is as it was.
    same = {"prompt", "explicit", "salience_control"}
    assert found.seed.model_dump(exclude=same) == plain.seed.model_dump(exclude=same)
    assert plain.facets is not None
    assert found.facets == replace(plain.facets, prompt=found.seed.prompt)
    assert found.template == plain.template
    assert [request.sample for request in gateway.requests] == [0]


@pytest.mark.parametrize(
    ("change", "note"),
    [
        (lambda text: text, "the same again"),
        (lambda text: text.replace("loaves", "breads"), "opening lost"),
        (lambda text: "".join(char for char in text if not char.isdigit()), "opening lost"),
        (lambda text: f"{text[:-1]}, 30 guests are coming.", "opening has other numbers"),
        (lambda text: f"{text[:-1]}, aren't there?", "opening asks, or does not end"),
        (lambda text: text[:-1], "opening asks, or does not end"),
        (lambda text: f"{text[:-1]}, and Grandmother sharpened every blade yesterday.", "opening adds"),
        (lambda text: f"{' '.join(text.split()[:4])} to get.", "opening keeps"),
    ],
)
async def test_an_opening_that_loses_adds_or_asks_is_not_taken(change: Callable[[str], str], note: str) -> None:
    proposer, gateway = at_table(says(change))
    (found,) = await proposed(proposer, PILLOW)
    plain = await own()
    assert found.seed == plain.seed
    assert found.facets == plain.facets
    assert not found.voiced
    assert found.note.startswith(note)
    # It was asked for again, as another answer, and then no more.
    assert [request.sample for request in gateway.requests] == [0, 1]


async def test_what_a_guard_objects_to_is_not_taken_though_the_opening_keeps_everything() -> None:
    # One word more would be let pass, but this one gives the trap away.
    proposer, gateway = at_table(says(lambda text: f"{text[:-1]}, with no edge."), voice_tries=1)
    (found,) = await proposed(proposer, PILLOW)
    assert found.seed == (await own()).seed
    assert not found.voiced
    assert "no edge" in found.note
    assert len(gateway.requests) == 1


class Particular(SalienceFamily):
    """Grades a prompt B that says `Now`."""

    def viability(self, seed: Any) -> Verdict:
        graded = "B" if "Now" in seed.prompt else "A"
        return Verdict("viability", passed=True, grade=graded, reason="no now")


async def test_what_makes_a_worse_seed_is_not_taken() -> None:
    for first, taken in (("So", True), ("Now", False)):
        proposer, _ = at_table(says(lambda text, first=first: f"{first} {text}"), family=Particular())  # type: ignore[misc]
        (found,) = await proposed(proposer, PILLOW)
        assert found.voiced is taken
        assert found.note == ("" if taken else "graded B: no now")
        assert (found.seed == (await own()).seed) is not taken


async def test_the_second_try_is_taken_when_the_first_is_not() -> None:
    def script(request: Request) -> str:
        text = opening(request)
        return json.dumps({"sentence": f"So {text}" if request.sample == 1 else f"{text[:-1]} in Brussels, Belgium."})

    proposer, gateway = at_table(script, voice_tries=3)
    (found,) = await proposed(proposer, PILLOW)
    assert found.seed.prompt.count("So There are") == 1
    assert (found.voiced, found.note) == (True, "")
    assert [request.sample for request in gateway.requests] == [0, 1]


@pytest.mark.parametrize("reply", ["I would rather not.", '{"sentence": 7}', '{"text": "Something else, longer."}', ""])
async def test_a_malformed_reply_leaves_the_tables_wording(reply: str) -> None:
    proposer, gateway = at_table(lambda request: reply)
    (found,) = await proposed(proposer, PILLOW)
    assert found.seed == (await own()).seed
    assert not found.voiced
    assert found.note.startswith("malformed reply: ")
    # Two tries with one repair each.
    assert len(gateway.requests) == 4


async def test_a_fault_is_handed_on_and_costs_no_decision() -> None:
    def script(request: Request) -> str | Fault:
        return FAULT if "loaves" in request.messages[-1].content else json.dumps({"sentence": f"So {opening(request)}"})

    proposer, _ = at_table(script)
    assert await proposer.propose(batch(mini().options)) == FAULT


async def test_an_error_leaves_no_request_under_way() -> None:
    left: list[str] = []

    class Refusing:
        async def ask(self, request: Request) -> Answer:
            if "loaves" in request.messages[-1].content:
                raise ProviderRefused("401: the key is wrong")
            try:
                await asyncio.Event().wait()
            finally:
                left.append(request.seed)
            raise AssertionError

    proposer, _ = at_table(lambda request: "")
    proposer.room = replace(proposer.room, gateway=Refusing())  # type: ignore[type-var]
    with pytest.raises(ProviderRefused, match="401"):
        await proposer.propose(batch(mini().options))
    assert len(left) == len(mini().options) - 1


async def test_the_same_opening_is_asked_for_in_the_same_words() -> None:
    asked = []
    for _ in range(2):
        proposer, gateway = at_table(says(lambda text: f"So {text}"))
        await proposed(proposer, mini().options)
        asked.append([(request.messages, request.schema, request.sample, request.seed) for request in gateway.requests])
    assert asked[0] == asked[1]
    voices = {message.content.partition("Voice: ")[2] for messages, *_ in asked[0] for message in messages[-1:]}
    assert len(voices) > 1


async def test_a_profile_may_want_no_voice() -> None:
    proposer, gateway = at_table(says(lambda text: f"So {text}"), voice="none")
    (found,) = await proposed(proposer, PILLOW)
    assert (found.seed, found.voiced, gateway.requests) == ((await own()).seed, False, [])


# ------------------------------------------------------------------------------------------------- a model's message


def message(change: Callable[[str], str]) -> Callable[[Request], str]:
    def script(request: Request) -> str:
        quoted = [part.content.split('"""')[1].strip() for part in request.messages if '"""' in part.content]
        return json.dumps({"message": change(quoted[-1])})

    return script


async def test_a_whole_message_in_a_models_words_is_taken_when_the_guards_agree() -> None:
    proposer, _ = at_table(message(lambda text: f"Planning ahead here, so bear with me. {text}"), voice="message")
    (found,) = await proposed(proposer, PILLOW)
    assert found.seed.prompt == f"Planning ahead here, so bear with me. {(await own()).seed.prompt}"
    assert (found.voiced, found.by) == (True, FAKE_MODEL)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("pillow", "knife"),
        lambda text: text.rsplit(".", 1)[0] + ". It would be nice to know when I can stop and have my tea in peace?",
        lambda text: "".join("9" if char.isdigit() else char for char in text),
    ],
)
async def test_a_whole_message_that_lost_what_the_seed_is_built_on_is_not_taken(change: Callable[[str], str]) -> None:
    proposer, _ = at_table(message(change), voice="message")
    (found,) = await proposed(proposer, PILLOW)
    assert found.seed == (await own()).seed
    assert not found.voiced
    assert found.note


# ---------------------------------------------------------------------------------------------------------- reopened

DRAFT = Draft(None, "I have 12 jars of jam to label for the school fair.", ("12 jars", "jam"))
PROMPT = "Quick one. I have 12 jars of jam to label for the school fair. How long will that take?"


@pytest.mark.parametrize(
    "opening",
    [
        "For the school fair I have 12 jars of jam to label.",
        "There are 12 jars of jam that I've got to label for the school fair!",
        # One word more is let pass.
        "I have 12 jars of jam to label for the lovely school fair.",
    ],
)
def test_an_opening_that_says_the_same_is_taken(opening: str) -> None:
    text, why = reopened(PROMPT, DRAFT, opening)
    assert (text, why) == (f"Quick one. {opening} How long will that take?", "")


@pytest.mark.parametrize(
    ("opening", "why"),
    [
        (DRAFT.opening, "the same again"),
        ("I have twelve jars of jam to label for the school fair.", "opening lost 12 jars"),
        ("I have 12 glass jars of marmalade to label for the school fair.", "opening lost 12 jars, jam"),
        ("I have 12 jars of jam to label for the school fair at 9.", "opening has other numbers"),
        ("I have 12 jars of jam and 12 lids to label for the school fair.", "opening has other numbers"),
        ("I have 12 jars of jam to label for the school fair, right?", "opening asks, or does not end"),
        ("Shall I? I have 12 jars of jam to label for the school fair.", "opening asks, or does not end"),
        ("I have 12 jars of jam to label for the school fair", "opening asks, or does not end"),
        # Of jars, jam, label, school and fair three are left.
        ("I have 12 jars of jam for the fair.", "opening keeps 60% of what it said"),
        ("I have 12 jars of jam to label, jam for the school fair.", "opening says jam again"),
        ("I have 12 jars of jam to label in a leaky caravan for the school fair.", "opening adds caravan, leaky"),
    ],
)
def test_an_opening_that_says_less_more_or_something_else_is_not(opening: str, why: str) -> None:
    assert reopened(PROMPT, DRAFT, opening) == (None, why)


@pytest.mark.parametrize("prompt", [f"{DRAFT.opening} {DRAFT.opening}", "How long will that take?"])
def test_an_opening_that_does_not_stand_in_the_prompt_once_is_left_alone(prompt: str) -> None:
    new = "For the school fair I have 12 jars of jam to label."
    assert reopened(prompt, DRAFT, new) == (None, "the prompt does not hold its opening once")


def test_counters_of_the_mini_table_are_what_the_tests_above_rest_on() -> None:
    assert Counter(one.task for one in mini().options) == {"barrel": 2, "loaves": 1}
