"""Which trap and control a task may take: known needs, exactly one of them unmet, one class and number for both."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.families.salience.tables import mini

from forge.families.salience.tables.ingredients import Side, Table, Thing
from forge.families.salience.tables.pairing import combinations, slug, swappable, unmet


def thing(name: str, **fields: Any) -> dict[str, Any]:
    """A thing that lacks and has what is named."""
    lacks = {
        need: {"fact": f"has no {need}", "clause": f"which has no {need} at all"} for need in fields.pop("lacks", ())
    }
    has = dict.fromkeys(fields.pop("has", ()), "has it")
    return {"name": name, "as": f"a {name}", "class": "jug", "lacks": lacks, "has": has, **fields}


def table(things: list[dict[str, Any]], **task: Any) -> Table:
    """One task that needs lid and spout, over the things."""
    raw = mini.document()
    raw["tasks"] = [{**raw["tasks"][0], "needs": ["lid", "spout"], "classes": ["jug"], **task}]
    need = raw["needs"]["watertight"]
    return Table.model_validate(
        {**raw, "needs": dict.fromkeys(("lid", "spout"), need), "classes": ["jug", "pan"], "things": things}
    )


def pairs(made: Table) -> set[tuple[str, str, str]]:
    """(trap, need, control) of every combination."""
    return {(one.trap.name, one.need, control.name) for one in combinations(made) for control in one.controls}


GOOD = thing("tin jug", has=["lid", "spout"])
TRAP = thing("open jug", lacks=["lid"], has=["spout"])


def test_one_unmet_need_makes_a_trap() -> None:
    assert pairs(table([TRAP, GOOD])) == {("open jug", "lid", "tin jug")}


@pytest.mark.parametrize(
    "things",
    [
        [thing("open jug", lacks=["lid"]), GOOD],  # nothing is known of its spout
        [thing("open jug"), GOOD],  # nothing is known of it at all
        [thing("open jug", lacks=["lid", "spout"]), GOOD],  # two unmet needs: mending one would give no control
        [TRAP, thing("tin jug", has=["lid"])],  # the control's spout is unknown
        [TRAP, thing("tin jug", has=["lid"], lacks=["spout"])],  # no control, but two traps
        [TRAP, {**GOOD, "class": "pan"}],
        [{**TRAP, "class": "pan"}, GOOD],
        [TRAP, {**GOOD, "many": True}],
        [{**TRAP, "many": True}, GOOD],
        [TRAP, {**GOOD, "name": "jug with a good tin lid"}],  # four words longer
        [TRAP, {**GOOD, "name": "Open Jug"}],  # the same name
        [TRAP],
        [GOOD],
    ],
)
def test_what_makes_no_pair(things: list[dict[str, Any]]) -> None:
    assert pairs(table(things)) == set()


def test_things_that_make_no_sense_here_are_left_out() -> None:
    assert pairs(table([TRAP, GOOD], without=["open jug"])) == set()
    assert pairs(table([TRAP, GOOD, thing("jam jug", has=["lid", "spout"])], without=["tin jug"])) == {
        ("open jug", "lid", "jam jug")
    }


def test_trap_and_control_share_the_class_that_the_task_asks_for() -> None:
    both = {key: value for key, value in TRAP.items() if key != "class"} | {"classes": ["jug", "pan"]}
    pan = {**GOOD, "class": "pan"}
    assert pairs(table([both, pan])) == set()  # the task asks for jugs
    assert pairs(table([both, pan], classes=["pan", "jug"])) == {("open jug", "lid", "tin jug")}


def test_unmet_needs_are_known_ones() -> None:
    (task,) = table([TRAP, GOOD]).tasks

    def lacking(**fields: Any) -> list[str] | None:
        return unmet(task, Thing.model_validate(thing("jug", **fields)))

    assert lacking(has=["lid", "spout"]) == []
    assert lacking(has=["lid"], lacks=["spout"]) == ["spout"]
    assert lacking(lacks=["spout", "lid"]) == ["lid", "spout"]
    assert lacking(lacks=["spout"]) is None
    assert lacking() is None


KNOWN = st.sampled_from(["has", "lacks", "unknown"])
THINGS = st.lists(
    st.tuples(KNOWN, KNOWN, st.sampled_from(["jug", "pan", "cup"]), st.booleans(), st.booleans()), max_size=9
)


@given(THINGS)
def test_the_combinations_are_those_of_a_search_through_all(rows: list[tuple[str, str, str, bool, bool]]) -> None:
    things = [
        thing(
            f"jug {'abcdefghi'[index]}",
            **{"class": class_, "many": many},
            has=[need for need, known in (("lid", lid), ("spout", spout)) if known == "has"],
            lacks=[need for need, known in (("lid", lid), ("spout", spout)) if known == "lacks"],
        )
        for index, (lid, spout, class_, many, _) in enumerate(rows)
    ]
    without = [made["name"] for made, row in zip(things, rows, strict=True) if row[4]]
    expected = {
        (f"jug {'abcdefghi'[i]}", "lid" if a[0] == "lacks" else "spout", f"jug {'abcdefghi'[j]}")
        for i, a in enumerate(rows)
        for j, b in enumerate(rows)
        if sorted(a[:2]) == ["has", "lacks"] and b[:2] == ("has", "has")
        if a[2] == b[2] != "cup" and a[3] == b[3] and not a[4] and not b[4]
    }
    assert pairs(table(things, without=without, classes=["jug", "pan"])) == expected


def test_the_small_table_by_hand() -> None:
    found = [(one.id, one.need, one.class_, [control.name for control in one.controls]) for _, one in mini.cases()]
    assert found == [
        ("wicker-basket-barrel", "watertight", "water carrier", ["plastic bucket"]),
        ("string-bag-barrel", "watertight", "water carrier", ["plastic bucket"]),
        ("feather-pillow-loaves", "sharp edge", "cutter", ["bread knife"]),
    ]  # of the paper bag nothing is known


def test_a_curated_pair_is_its_own_combination() -> None:
    (first, second) = combinations(mini.table("pairs"))
    assert (first.id, second.id) == ("choir-contest", "bat-calls")
    assert isinstance(first.trap, Side)
    assert (first.trap.name, [control.name for control in first.controls]) == ("was last Friday", ["is next Friday"])
    assert (first.need, first.class_) == ("rehearsing before the contest", "singing")


@pytest.mark.parametrize(
    ("trap", "control", "may"),
    [
        ("wicker basket", "plastic bucket", True),
        ("net", "big blue bucket", True),  # two words more
        ("net", "very big blue bucket", False),
        ("tin can", "Tin Can", False),
    ],
)
def test_names_that_may_stand_for_each_other(trap: str, control: str, may: bool) -> None:
    assert swappable(trap, control) is may
    assert swappable(control, trap) is may


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Wicker basket", "wicker-basket"),
        ("mother-in-law's tin", "mother-in-law-s-tin"),
        ("  5 l can ", "5-l-can"),
        ("café chair", "caf-chair"),
        ("…", ""),
    ],
)
def test_slugs(name: str, expected: str) -> None:
    assert slug(name) == expected
