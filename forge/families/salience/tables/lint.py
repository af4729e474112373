"""What a machine can see is wrong with an ingredient table, down to the seeds it would give. Changes nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from forge.families.base import LintFinding
from forge.families.pairs import MOST_WORDS
from forge.families.salience import wording
from forge.families.salience.checks import viability
from forge.families.salience.tables.compose import Uncomposable, clauses, compose
from forge.families.salience.tables.drawing import PLACE, chooser, drawn
from forge.families.salience.tables.ingredients import UNMATCHED, Table, Task
from forge.families.salience.tables.operations import Unfit
from forge.families.salience.tables.pairing import combinations, unmet
from forge.model.words import Grade

FEWEST_FRAMES = 8
FEWEST_NUMBERS = 3
CLAUSE_WORDS = (3, 10)
MOST_SHARE = 0.15
"""Of a table's combinations that may rest on one need: many items on few truths are few clusters."""

_PIECES = {"scene", "plan", "pace", "question"}

Check = Callable[[Table], Iterator[LintFinding]]


def lint(table: Table, header: Mapping[str, Any], step: int = 1) -> list[LintFinding]:
    """Every finding, in the order of CHECKS; the seeds themselves are composed only when the table is sound.

    Args:
        header: that of the seed set the table belongs to.
        step: compose every so-manieth combination: 1 for all of them.
    """
    found = [finding for check in CHECKS for finding in check(table)]
    if not any(finding.severity == "error" for finding in found):
        found += _composed(table, header, step)
    return found


def _error(message: str, *path: str | int) -> LintFinding:
    return LintFinding(path, message)


def _warning(message: str, *path: str | int) -> LintFinding:
    return LintFinding(path, message, "warning")


def _frames(table: Table) -> Iterator[LintFinding]:
    if len(table.frames) < FEWEST_FRAMES:
        yield _error(f"{len(table.frames)} frames: write at least {FEWEST_FRAMES}, else the template shows", "frames")
    for index, frame in enumerate(table.frames):
        counts = Counter(name.lower() for name in PLACE.findall(frame))
        wrong = [name for name in _PIECES if counts[name] != 1] + [name for name in counts if name not in _PIECES]
        if wrong:
            yield _error(
                f"{frame!r} must hold {{scene}}, {{plan}}, {{pace}} and {{question}} once each; look at "
                f"{', '.join(sorted(wrong))}",
                "frames", index,
            )  # fmt: skip


def _things(table: Table) -> Iterator[LintFinding]:
    seen: dict[str, int] = {}
    for index, thing in enumerate(table.things):
        if thing.name.lower() in seen:
            yield _error(f"{thing.name!r} stands here twice", "things", index, "name")
        seen[thing.name.lower()] = index
        if len(thing.name.split()) > MOST_WORDS + 1:
            yield _error(f"{thing.name!r} is too long to be swapped: one to three words", "things", index, "name")
        if thing.name.lower() not in thing.phrase.lower():
            yield _error(f"`as` must hold the name {thing.name!r}", "things", index, "as")
        for name in thing.classes:
            if name not in table.classes:
                yield _error(f"no class {name!r} in `classes`", "things", index, "class")
        for need in sorted(set(thing.lacks) | set(thing.has)):
            where = "lacks" if need in thing.lacks else "has"
            if need not in table.needs:
                yield _error(f"no need {need!r} in `needs`", "things", index, where, need)
            if need in thing.lacks and need in thing.has:
                yield _error(f"{thing.name} both has and lacks {need!r}: keep the true one", "things", index, where)
        for need, lack in thing.lacks.items():
            yield from _clause(lack.clause, "things", index, "lacks", need, "clause")


def _clause(clause: str, *path: str | int) -> Iterator[LintFinding]:
    least, most = CLAUSE_WORDS
    if not least <= len(clause.split()) <= most:
        yield _error(f"{clause!r} has {len(clause.split())} words; {least} to {most}", *path)
    if clause.startswith((",", " ")) or clause.endswith((",", ".")):
        yield _error(f"{clause!r} is put between commas by itself: write it without them", *path)


def _tasks(table: Table) -> Iterator[LintFinding]:
    ids = Counter(task.id for task in table.tasks)
    doings = Counter((task.tool, task.object, task.action) for task in table.tasks)
    names = {thing.name for thing in table.things}
    for index, task in enumerate(table.tasks):
        at: tuple[str | int, ...] = ("tasks", index)
        if ids[task.id] > 1:
            yield _error(f"the id {task.id} stands here {ids[task.id]} times", *at, "id")
        if doings[task.tool, task.object, task.action] > 1:
            yield _error(f"another task has the same object and action: {task.action} {task.object}", *at, "object")
        if not task.curated:
            for need in task.needs:
                if need not in table.needs:
                    yield _error(f"no need {need!r} in `needs`", *at, "needs")
            for name in task.classes:
                if name not in table.classes:
                    yield _error(f"no class {name!r} in `classes`", *at, "classes")
            for name in task.without:
                if name not in names:
                    yield _error(f"no thing {name!r}", *at, "without")
        elif len(task.needs) > 1:
            yield _error(
                f"{len(task.needs)} unmet needs ({', '.join(task.needs)}): mending one would give no control; keep one",
                *at, "needs",
            )  # fmt: skip
        yield from _pieces(task, at)
        yield from _sums(task, at)


def _pieces(task: Task, at: tuple[str | int, ...]) -> Iterator[LintFinding]:
    body = " ".join((task.scene, task.plan, task.pace))
    whole = f"{body} {task.question}"
    if body.count("{x}") != 1 or "{x}" in task.question:
        yield _error("{x} must stand exactly once in scene, plan and pace, and not in the question", *at, "plan")
    for name, piece in task.pieces.items():
        for place in PLACE.findall(piece):
            if place != "x" and place not in task.numbers:
                yield _error(f"{{{place}}} is no number of the row", *at, name)
    if not re.match(r"(?:I|We|My|Our)\b", task.plan):
        yield _error("the plan must begin with I or We, so that it can stand anywhere in a sentence", *at, "plan")
    if task.plan.rstrip().endswith((".", ",")) or task.pace.rstrip().endswith((".", ",")):
        yield _error("plan and pace end without a stop: the frame sets it", *at, "plan")
    if not task.scene.rstrip().endswith((".", "!")):
        yield _error("the scene is a whole sentence: end it with a stop", *at, "scene")
    if not task.question.rstrip().endswith("?"):
        yield _error("the question ends without a question mark", *at, "question")
    for index, group in enumerate(task.keep):
        if not wording.terms_in(whole, group):
            yield _error(f"none of {', '.join(map(repr, group))} stands in the pieces", *at, "keep", index)
    if not task.bind.startswith(UNMATCHED) and task.bind not in body:
        yield _error(
            f"{task.bind!r} does not stand in scene, plan or pace: copy the words that shut out "
            f"{task.objection!r}, or write 'none needed'",
            *at, "bind",
        )  # fmt: skip


def _sums(task: Task, at: tuple[str | int, ...]) -> Iterator[LintFinding]:
    whole = " ".join(task.pieces.values())
    for name, spec in task.numbers.items():
        if "{" + name + "}" not in spec.text:
            yield _error(f"its text must hold {{{name}}}", *at, "numbers", name, "text")
        elif spec.text not in whole:
            yield _error(f"{spec.text!r} stands in no piece as it is written here", *at, "numbers", name, "text")
    if len(task.numbers) < FEWEST_NUMBERS:
        yield _error(f"{len(task.numbers)} numbers: at least {FEWEST_NUMBERS}", *at, "numbers")
    known = set(task.numbers)
    for index, step in enumerate(task.steps):
        for operand in step.of:
            if isinstance(operand, str) and operand not in known and not re.fullmatch(r"\d{1,2}:\d{2}", operand):
                yield _error(f"{operand!r} is no number and no earlier step", *at, "steps", index, "of")
        if "{" + step.name + "}" not in step.text:
            yield _error(f"its text must hold {{{step.name}}}", *at, "steps", index, "text")
        known.add(step.name)
    if any(isinstance(name, str) and name not in known for step in task.steps for name in step.of):
        return
    try:
        drawn(task, chooser([task.id]))
    except Unfit as error:
        yield _error(str(error), *at, "numbers")


def _pairs(table: Table) -> Iterator[LintFinding]:
    paired = {combination.task.id for combination in combinations(table)}
    for index, task in enumerate(table.tasks):
        if task.curated:
            side = task.trap
            if side is not None and side.clause is not None:
                yield from _clause(side.clause, "tasks", index, "trap", "clause")
            continue
        if task.id not in paired:
            yield _error(
                "no thing of its classes is a trap with a control: exactly one need must be lacking, the others had, "
                "and one thing of the class must have all",
                "tasks", index, "needs",
            )  # fmt: skip
        for thing in table.things:
            lacking = unmet(task, thing) if set(thing.classes) & set(task.classes) else None
            if lacking is not None and len(lacking) > 1 and thing.name not in task.without:
                yield _warning(
                    f"{thing.name} has two unmet needs ({', '.join(lacking)}) and gives no trap here",
                    "tasks", index, "needs",
                )  # fmt: skip


def _shares(table: Table) -> Iterator[LintFinding]:
    counts = Counter(combination.need for combination in combinations(table))
    total = sum(counts.values())
    for need, count in counts.most_common():
        if count > MOST_SHARE * total:
            yield _warning(
                f"{count} of {total} combinations rest on {need!r}, more than {MOST_SHARE:.0%}: few truths make few "
                "clusters",
                "tasks",
            )  # fmt: skip


def _neutral(table: Table) -> Iterator[LintFinding]:
    told: set[str] = set()
    for combination in combinations(table):
        try:
            clauses(table, combination, chooser([combination.id]))
        except Uncomposable as error:
            if str(error) not in told:
                told.add(str(error))
                yield _error(f"{combination.trap.name}: {error}", "neutral")


def _composed(table: Table, header: Mapping[str, Any], step: int) -> Iterator[LintFinding]:
    """Compose combinations once each and hold them against the rules for seeds."""
    places = {task.id: index for index, task in enumerate(table.tasks)}
    for combination in combinations(table)[::step]:
        at = ("tasks", places[combination.task.id])
        try:
            seed = compose(table, combination, header).seed
        except Uncomposable as error:
            yield _error(f"with {combination.trap.name}: {error}", *at)
            continue
        verdict = viability(seed)
        if verdict.grade not in (Grade.A, Grade.A_MINUS):
            notes = "; ".join(str(note) for note in verdict.details["notes"][:3])
            yield _error(f"with {combination.trap.name}: graded {verdict.grade}: {notes}", *at)
        elif verdict.grade == Grade.A_MINUS:
            yield _warning(f"with {combination.trap.name}: {verdict.reason}", *at)


CHECKS: tuple[Check, ...] = (_frames, _things, _tasks, _pairs, _shares, _neutral)
