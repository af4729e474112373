"""The alignment checker: the eraser test, target binding, and no escape by a sub-task. (SaliTrap E.2)"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from forge.agents.room import Room, check
from forge.model.calls import Fault
from forge.model.checks import Verdict
from forge.model.words import Role


async def alignment(room: Room, seed: Any, text: str, parent: str | None) -> Verdict | Fault:
    """Return the paper's five fields and a grade; a wording passes when the five agree that it is valid.

    The model's own `phystrap_valid` is not believed when the other four contradict it.
    """
    verdict, fields = await check(room, Role.ALIGNMENT, seed, text, parent)
    if isinstance(verdict, Fault) or fields is None:
        return verdict
    valid = (
        bool(fields["eraser_test_pass"])
        and bool(fields["target_alignment_pass"])
        and not fields["normal_subtask_escape"]
        and not fields["trap_core_eroded"]
    )
    passed = valid and bool(fields["phystrap_valid"]) and fields["alignment_grade"] != "invalid"
    return replace(verdict, passed=passed, grade=str(fields["alignment_grade"]), reason=str(fields["reason"]))
