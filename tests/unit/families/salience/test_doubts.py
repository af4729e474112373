from __future__ import annotations

import pytest

from forge.families.answers import prepare
from forge.families.salience.doubts import DOUBT, Doubter, stems
from forge.families.salience.item import SalienceItem


def test_stems_fold_endings() -> None:
    assert stems("carries carrying carried") == stems("carry")
    assert stems("stopped stopping") == stems("stop")
    assert not stems("carry") & stems("car cart")


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("Hang on, how is the net meant to do that?", "turn"),
        ("With a laundry net?", "echo"),
        ("You'd arrive with wet shoes.", "counter"),
        ("Carry it carefully.", "imperative"),
        ("That makes 17 rounds.", "new number"),
    ],
)
def test_cues(item: SalienceItem, text: str, cue: str) -> None:
    answer = prepare(text, item.text)
    assert Doubter(item.key()).cues(answer, 0)[cue] > 0


def test_naming_the_tool_and_the_task_alone_is_no_doubt(item: SalienceItem) -> None:
    answer = prepare("The laundry net takes the water. 30 / 5 = 6.", item.text)
    assert Doubter(item.key()).points(answer, 0) < DOUBT


def test_a_turn_about_the_tool_weighs_more_than_a_tip_about_it(item: SalienceItem) -> None:
    doubter = Doubter(item.key())
    turn = prepare("6 rounds. Oh dear, the net has nothing to keep it in.", item.text)
    tip = prepare("6 rounds. Make sure the net has no loose ends.", item.text)
    assert doubter.points(turn, 1) > doubter.points(tip, 1)
