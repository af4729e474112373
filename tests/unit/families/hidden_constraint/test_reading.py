from __future__ import annotations

import subprocess
import sys

import pytest

from forge.families.hidden_constraint.family import HiddenConstraintFamily
from forge.families.hidden_constraint.item import HiddenConstraintItem
from forge.model.checks import Response


def test_the_letter_is_mapped_through_the_order(family: HiddenConstraintFamily, item: HiddenConstraintItem) -> None:
    for condition in family.conditions:
        order = item.order(condition)
        for place, letter in enumerate("AB"):
            reading = family.read(item, condition, Response(f"{letter}\nIt is near."))
            assert reading.label == order[place]
            assert reading.details == {"letter": letter, "first": place == 0}
            assert reading.evidence in f"{letter}\nIt is near."
    assert item.order("active") == item.order("removed")
    assert item.order("active_swapped") == item.order("active")[::-1]


def test_the_options_own_words_are_read_in_both_orders(
    family: HiddenConstraintFamily, item: HiddenConstraintItem
) -> None:
    for condition in ("active", "active_swapped"):
        assert family.read(item, condition, Response("Answer: Drive there")).label == "constraint_heavy"
        assert family.read(item, condition, Response("Walk there.")).label == "heuristic"


@pytest.mark.parametrize("text", ["", "   ", "It depends on the weather.", "Neither of the two."])
def test_what_commits_to_nothing_is_unreadable(
    family: HiddenConstraintFamily, item: HiddenConstraintItem, text: str
) -> None:
    reading = family.read(item, "active", Response(text))
    assert reading.label is None
    assert reading.unreadable


def test_a_cut_answer_without_a_choice_is_cut(family: HiddenConstraintFamily, item: HiddenConstraintItem) -> None:
    assert family.read(item, "active", Response("Let me think about the", cut=True)).unreadable == "cut"
    read = family.read(item, "active", Response("B\nThe van has to", cut=True))
    assert read.label is not None
    assert read.cut


def test_a_trace_is_never_read_and_offsets_follow_the_scope(
    family: HiddenConstraintFamily, item: HiddenConstraintItem
) -> None:
    response = Response("B", reasoning="The answer is A.")
    narrow = family.read(item, "active", response)
    wide = family.read(item, "active", response, "reasoning+answer")
    assert narrow.label == wide.label == item.order("active")[1]
    scope = f"{response.reasoning}\n{response.text}"
    assert scope[wide.start : wide.end] == wide.evidence == "B"
    assert family.read(item, "active", Response("", reasoning="The answer is A.")).label is None


def test_an_unknown_condition_is_refused(family: HiddenConstraintFamily, item: HiddenConstraintItem) -> None:
    for name in ("trap", "active_swapped_swapped", "_swapped"):
        with pytest.raises(ValueError, match="no condition"):
            family.read(item, name, Response("A"))


def test_the_reader_imports_the_standard_library_alone() -> None:
    code = (
        "import sys, forge.families.hidden_constraint.reading\n"
        "heavy = {'pydantic', 'rapidfuzz', 'numpy', 'yaml'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
