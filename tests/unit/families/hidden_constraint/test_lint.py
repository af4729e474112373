from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forge.families.hidden_constraint.family import HiddenConstraintFamily
from forge.families.hidden_constraint.lint import lint
from forge.families.hidden_constraint.seed import HiddenConstraintSeed
from forge.workspace import seedfiles

FILE = Path(__file__).resolve().parents[3] / "fixtures" / "hidden_constraint" / "A1.yaml"
HINT = ("gradients", "explicitness", "hint")

# what is changed, to what, where the finding points, what it says
WRONG: list[tuple[tuple[str, ...], Any, tuple[str, ...], str]] = [
    (("fact", "removed"), "their covered shed at the back", ("fact", "removed"), "differ by 4 words"),
    (("fact",), {"active": "my carport by day", "removed": "their carport by night"}, ("fact", "removed"),
     "removed: the edit touches 2 places"),
    (("fact", "removed"), "my carport", ("fact", "removed"), "removed: keeps the constraint"),
    (("fact", "removed"), "My  carport", ("fact", "removed"), "removed: keeps the constraint"),
    (("fact", "removed"), "my carport still", ("fact", "removed"), "removed: keeps the constraint"),
    (("fact", "removed"), "my own carport", ("fact", "removed"), "may keep the constraint"),
    (("gold", "active"), "heuristic", ("gold", "active"), "active: the labels are swapped"),
    (("gold", "removed"), "constraint_heavy", ("gold", "removed"), "removed: the labels are swapped"),
    (("gold", "explicit"), "heuristic", ("gold", "explicit"), "explicit: the labels are swapped"),
    (("gold", "salience_control"), "heuristic", ("gold", "salience_control"), "salience_control: the labels"),
    (("gradients", "strength", "weak"), "heuristic", ("gradients", "strength", "weak"), "strength weak: the labels"),
    (("no_conflict", "gold"), "constraint_heavy", ("no_conflict", "gold"), "no_conflict: the labels are swapped"),
    (("why_unique",), {"active": "So it is best to walk.", "removed": "So it is best to drive."}, ("options",),
     "exchange the two options"),
    (("why_unique", "removed"), "The van is what gets inspected, it stands at home, and it reaches the test centre by "
     "being driven.", ("why_unique", "removed"), "the same reason"),
    (("clause", "explicit"), ", so the van is best driven over there", ("clause", "explicit"), "gives the answer away"),
    (("clause", "explicit"), ", which means nobody walks to their ramp", ("clause", "explicit"), "says 'walk'"),
    (("clause", "explicit"), ", so I should bring the vehicle to them", ("clause", "explicit"), "tells what to do"),
    (("clause", "salience_control"), ", which is quick", ("clause", "salience_control"), "words longer or shorter"),
    (("clause", "salience_control"), ", which has a fee to pay in to it", ("clause", "salience_control"), "keep within"),
    (("clause", "salience_control"), ", which needs the whole vehicle on their ramp", ("clause", "salience_control"),
     "both clauses say the same"),
    (("clause", "salience_control"), ", which needs the yearly fee in their account,", ("clause", "salience_control"),
     "ends in another way"),
    (("options", "heuristic"), "Go the whole way there on foot this time", ("options",), "one shape"),
    (("options", "heuristic"), "walk there", ("options",), "begin or end differently"),
    (("options", "heuristic"), "Drive there", ("options", "heuristic"), "say the same"),
    (("options", "constraint_heavy"), "Use the carport", ("options", "constraint_heavy"), "names what the fact changes"),
    (("goal",), "have the lorry inspected at the test centre", ("goal",), "lorry of the goal does not stand"),
    (("goal",), "have the van in the carport inspected", ("fact", "removed"), "the edit changes the goal: it takes carport"),
    (("cue", "weak"), "in the next valley behind the old mill pond", ("cue", "weak"), "strength weak"),
    (("cue", "medium"), "just 200 metres from my gate", ("cue", "medium"), "the same cue as strong"),
    (("cue", "medium"), "about 900 metres from our gate", ("cue", "medium"), "in 2 places"),
    ((*HINT, "from"), "have the lorry inspected", (*HINT, "from"), "hint: 'have the lorry inspected' must occur"),
    (HINT, {"from": "in my carport", "to": "in my neighbour's shed"}, (*HINT, "from"), "touches the fact"),
    (HINT, {"from": "test centre", "to": "yard centre"}, (*HINT, "to"), "touches the goal: test"),
    (HINT, {"from": "be fine", "to": "be fine to drive"}, (*HINT, "to"), "'drive' of an option"),
    (HINT, {"from": "my van", "to": "my very own long and tall van"}, (*HINT, "to"), "words longer"),
    (("no_conflict", "text"), "I like vans. Should I walk there or drive there?", ("no_conflict", "text"), "the cue"),
    (("no_conflict", "text"), "It is just 200 metres from my gate.", ("no_conflict", "text"), "the question"),
    (("question",), "Tell me to walk there or drive there.", ("question",), "question mark"),
    (("domain",), "space", ("domain",), "'space' is no domain"),
    (("set",), "B2", (), "the set B2 is for the cell B2"),
    (("heuristic",), "H-sem", (), "is none of the cells"),
    (("expect_audit", "words"), 1, ("expect_audit",), "the audit finds words 0"),
    (("probe", "control", "is_true"), "Can a test centre inspect a van while the van is parked somewhere else?",
     ("probe", "control", "is_true"), "the same question as probe.trap.is_false"),
    (("template",), "I'm due at the test centre to have my van inspected {clause}. It is {cue}, and the van has been in "
     "{fact} since Sunday. {question}", ("template",), "no words in front of {clause}"),
    (("template",), "At the test centre, have my van inspected{clause}. It's {cue}, the van is in {fact}. {question} "
     "Please tell me.", ("template",), "put it last"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "where", "message"), WRONG)
def test_what_is_wrong_is_named_with_its_place(
    change: Callable[..., HiddenConstraintSeed], path: tuple[str, ...], value: Any, where: tuple[str, ...], message: str
) -> None:
    found = lint(change(path, value))
    assert any(one.path == where and message in one.message for one in found), found


def test_the_goal_of_a_rewrite_that_changes_it_is_an_error(change: Callable[..., HiddenConstraintSeed]) -> None:
    # HOB's own rewrite (appendix A): "get my car washed" becomes "pick up a gift card"
    seed = change(("template",), "The car wash{clause} is {cue} and I need to {fact} before the trip. {question}")
    seed = seed.model_copy(
        update={
            "goal": "get the car washed at the car wash",
            "fact": seed.fact.model_copy(update={"active": "get my car washed", "removed": "pick up a gift card"}),
        }
    )
    assert any("the edit changes the goal: it takes car, washed" in one.message for one in lint(seed))


def test_sound_scenarios_have_nothing(seed: HiddenConstraintSeed, glasses: HiddenConstraintSeed) -> None:
    assert lint(seed) == lint(glasses) == []


def test_a_scenario_is_read_from_its_file_with_the_headers_families(family: HiddenConstraintFamily) -> None:
    loaded = seedfiles.read(FILE, family)
    assert loaded.problems == ()
    assert loaded.seeds is not None
    first = loaded.seeds.seeds[0]
    assert (first.heuristic, first.constraint_kind) == ("H-prox", "C-pres")
    assert first.constraint == "The van has to be at the test centre to be inspected there."


@pytest.mark.parametrize(
    ("old", "new", "line_of", "message"),
    [
        ("fact: {active: my carport,", "fact: {active: my carport next to the shed,", "  fact: {active: my carport", "differ"),
        ("removed: their yard}", "removed: my carport}", "  fact: {active: my carport", "keeps the constraint"),
        ("gold: {active: constraint_heavy, removed: heuristic", "gold: {active: heuristic, removed: constraint_heavy",
         "  gold:", "active: the labels are swapped"),
        ("explicit: ', which needs the whole vehicle on their ramp'", "explicit: ', so I had better drive it over'",
         "    explicit: ', so", "gives the answer away"),
        ("{cue}, the weather", "near, the weather", "  template:", "each slot stands in the template exactly once"),
    ],
)  # fmt: skip
def test_each_fault_has_its_line(
    family: HiddenConstraintFamily, tmp_path: Path, old: str, new: str, line_of: str, message: str
) -> None:
    text = FILE.read_text("utf-8").replace(old, new, 1)
    path = tmp_path / "A1.yaml"
    path.write_text(text, "utf-8")
    line = next(n for n, each in enumerate(text.splitlines(), 1) if each.startswith(line_of))
    problems = [one for one in seedfiles.read(path, family).problems if one.severity == "error"]
    assert any(one.line == line and one.seed == "A1-van-inspection" and message in one.message for one in problems), (
        problems
    )


def test_a_header_without_its_constraint_is_told_which_key_is_missing(
    family: HiddenConstraintFamily, tmp_path: Path
) -> None:
    path = tmp_path / "A1.yaml"
    path.write_text(FILE.read_text("utf-8").replace("constraint: C-pres\n", "", 1), "utf-8")
    first = seedfiles.read(path, family).problems[0]
    assert first.message == "the field constraint_kind (the header's `constraint`) is missing"
    path.write_text(FILE.read_text("utf-8").replace("constraint: C-pres\n", "constraint: C-luck\n", 1), "utf-8")
    assert (
        "constraint_kind (the header's `constraint`): Input should be"
        in seedfiles.read(path, family).problems[0].message
    )
