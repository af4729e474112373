"""Which trap and control a task may take: exactly one unmet need in the trap, none in the control, one class for both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from forge.families.pairs import MOST_WORDS
from forge.families.salience.tables.ingredients import Side, Table, Task, Thing
from forge.text.edits import compare


@dataclass(frozen=True, slots=True)
class Combination:
    """A task with what makes it a trap, and what may stand there in the control.

    Attributes:
        need: the one unmet need; it is the seed's blocker.
        controls: things that meet every need, in table order; a curated pair has its one.
    """

    task: Task
    trap: Thing | Side
    controls: tuple[Thing | Side, ...]
    need: str
    class_: str

    @property
    def id(self) -> str:
        """Unique within a table."""
        return self.task.id if self.task.curated else f"{slug(self.trap.name)}-{self.task.id}"


def slug(text: str) -> str:
    """Small letters, digits and dashes."""
    return "-".join("".join(char if char.isalnum() and char.isascii() else " " for char in text.lower()).split())


def unmet(task: Task, thing: Thing) -> list[str] | None:
    """The task's needs that a thing lacks; None where one of them is unknown of it."""
    if any(need not in thing.lacks and need not in thing.has for need in task.needs):
        return None
    return [need for need in task.needs if need in thing.lacks]


def _suited(task: Task, things: tuple[Thing, ...]) -> Iterator[tuple[Thing, list[str]]]:
    for thing in things:
        if thing.name in task.without or not set(thing.classes) & set(task.classes):
            continue
        lacking = unmet(task, thing)
        if lacking is not None:
            yield thing, lacking


def swappable(trap: str, control: str) -> bool:
    """Whether one name may stand for the other within the minimal-pair criterion: at most two words apart, and no
    word of one inside the other's place twice."""
    return compare(trap, control).words <= MOST_WORDS and trap.lower() != control.lower()


def combinations(table: Table) -> tuple[Combination, ...]:
    """Every sound combination of a table, in table order: task by task, thing by thing."""
    found: list[Combination] = []
    for task in table.tasks:
        if task.trap is not None and task.control is not None:
            found.append(Combination(task, task.trap, (task.control,), task.needs[0], task.classes[0]))
            continue
        suited = list(_suited(task, table.things))
        for trap, lacking in suited:
            if len(lacking) != 1:
                continue
            shared = [name for name in task.classes if name in trap.classes]
            controls = tuple(
                thing
                for thing, missing in suited
                if not missing
                and thing.many == trap.many
                and set(shared) & set(thing.classes)
                and swappable(trap.name, thing.name)
            )
            if controls:
                found.append(Combination(task, trap, controls, lacking[0], shared[0]))
    return tuple(found)
