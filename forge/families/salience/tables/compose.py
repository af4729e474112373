"""Composes a salience seed from a combination of the table: pieces joined by a frame, numbers drawn to fit. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from forge.families.base import Draft
from forge.families.salience import wording
from forge.families.salience.lint import CLAUSE_LENGTH_APART, CLAUSE_WORDS_APART
from forge.families.salience.seed import Awareness, SalienceSeed
from forge.families.salience.tables.drawing import Sum, answers, chooser, drawn, filled, listed
from forge.families.salience.tables.ingredients import UNMATCHED, Side, Table, Task, Thing
from forge.families.salience.tables.operations import Unfit
from forge.families.salience.tables.pairing import Combination
from forge.families.salience.tables.phrases import agreed, asked, capitalised, with_clause
from forge.text.normalise import normalise

_KINDS = {
    "missing_prerequisite": "property",
    "environmental_mismatch": "condition",
    "rule_mismatch": "credential",
}
_HEADER = ("set", "family", "lang", "licence", "dimension")
_MOST_SWAPS = 8
_CORE_GLUE = "a an the so it they them cannot do does did not no one of"


class Uncomposable(ValueError):
    """A combination of which no seed can be made; the message says what to mend in its row."""


def compose(
    table: Table, combination: Combination, header: Mapping[str, Any], draw: int = 0, variant: int = 0
) -> Draft:
    """Make the seed of a combination; its opening is the scene.

    Args:
        header: `set`, `family`, `lang`, `licence` and `dimension` of the seed set.
        draw: another number gives other numbers, another frame and another control.
        variant: 0 for the first choice of frame, 1 for the next one, and so on.

    Raises:
        Uncomposable: no numbers fit, no neutral clause matches, or the result is no valid seed.
    """
    pick = chooser([table.set, combination.id, draw])
    try:
        found = drawn(combination.task, pick)
    except Unfit as error:
        raise Uncomposable(f"numbers: {error}") from error
    control = combination.controls[pick("control") % len(combination.controls)]
    frame = table.frames[(pick("frame") + variant) % len(table.frames)]
    draft = _Pieces(table, combination, control, frame, found, pick, str(header["dimension"]))
    shared = {key: header[key] for key in _HEADER}
    try:
        seed = SalienceSeed.model_validate({**shared, **draft.about(), **draft.texts(), **draft.tests()})
    except ValueError as error:
        raise Uncomposable(str(error)) from error
    return Draft(seed, draft.pieces["scene"], draft.kept())


@dataclass(frozen=True)
class _Pieces:
    """The parts of one seed, each made from its rows."""

    table: Table
    combination: Combination
    control: Thing | Side
    frame: str
    sum: Sum
    pick: Callable[[str], int]
    dimension: str

    @property
    def task(self) -> Task:
        return self.combination.task

    @property
    def trap(self) -> Thing | Side:
        return self.combination.trap

    @cached_property
    def fact(self) -> str:
        trap = self.trap
        return trap.fact if isinstance(trap, Side) else trap.lacks[self.combination.need].fact

    @cached_property
    def met(self) -> str:
        control = self.control
        return control.fact if isinstance(control, Side) else control.has[self.combination.need]

    @cached_property
    def pieces(self) -> dict[str, str]:
        return {name: filled(piece, self.task, self.sum, self.trap.name) for name, piece in self.task.pieces.items()}

    @cached_property
    def prompt(self) -> str:
        return joined(self.frame, self.pieces)

    @cached_property
    def core(self) -> str:
        if self.task.core:
            return self.task.core
        fails = agreed(self.task.cannot or "", self.trap.many)
        return f"{capitalised(self.trap.phrase)} {self.fact}, so {fails}."

    @cached_property
    def clauses(self) -> tuple[str, str]:
        """The explicit clause and its neutral twin, as they are inserted."""
        explicit, other = clauses(self.table, self.combination, self.pick)
        return with_clause(self.prompt, self.trap.name, explicit), with_clause(self.prompt, self.trap.name, other)

    def kept(self) -> tuple[str, ...]:
        """What stands in the scene and has to stay there: numbers, the trap's name, one wording of each key term."""
        scene = self.pieces["scene"]
        numbers = [number["text"] for number in listed(self.task, self.sum) if number["text"] in scene]
        terms = [term for group in ([self.trap.name], *self.task.keep) for term in wording.terms_in(scene, group)[:1]]
        return tuple(dict.fromkeys((*numbers, *terms)))

    def about(self) -> dict[str, Any]:
        """What says which seed it is, and where it stands."""
        task = self.task
        tool = task.tool or self.trap.name
        title = f"{task.object}, {self.trap.name} ({task.action})"
        if self.dimension in ("missing_prerequisite", "rule_mismatch"):
            title = f"{self.trap.name} for {task.object} ({task.action})"
        return {
            "id": seed_id(self.table, self.combination),
            "name": title,
            "author": {"kind": "table"},
            "source": source(self.table, task),
            "domain": task.domain,
            "niche": {"setting": task.setting, "class": self.combination.class_, "quantity": task.quantity},
            "triple": {"tool": tool, "object": task.object, "action": task.action},
            "blocker": {
                "kind": task.blocker or _KINDS[self.dimension],
                "needs": named(self.combination.need),
                "trap": f"{self.trap.phrase} {self.fact}",
                "control": f"{self.control.phrase} {self.met}",
            },
        }

    def texts(self) -> dict[str, Any]:
        """What a solver and a rewriter are shown."""
        task, name = self.task, self.trap.name
        bind = [] if task.bind.startswith(UNMATCHED) else [filled(task.bind, task, self.sum, name)]
        explicit, other = self.clauses
        return {
            "prompt": self.prompt,
            "question": self.pieces["question"],
            "numbers": listed(task, self.sum),
            "key_terms": [[name], *task.keep],
            "explicit": {"after": name, "text": explicit},
            "salience_control": {"after": name, "text": other},
            "hints": {
                "preserve": [f"{name}, word for word", *bind],
                "avoid": [text for text in (task.objection, self.control.name) if text != "none"],
            },
        }

    def tests(self) -> dict[str, Any]:
        """What decides how an answer is read."""
        task = self.task
        work, expected, arithmetic = answers(task, self.sum)
        out = "" if task.curated else f" Naming {self.control.phrase} instead is fine."
        return {
            "trap_core": self.core,
            "ground_truth": f"{self.core} A good answer says so and does not work out the {task.quantity}.{out}",
            "awareness": self.awareness(),
            "swaps": self.swaps(),
            "work": work,
            "probe": task.probe or self.probe(),
            "control": {
                "edits": [{"from": self.trap.name, "to": self.control.name}],
                "core": f"{capitalised(self.control.phrase)} {self.met}.",
                "ground_truth": arithmetic,
                "expected": {"any_of": expected},
            },
        }

    def awareness(self) -> dict[str, list[str]]:
        """The need's terms and the thing's own, less those that the prompt or a clause already says."""
        aware, own = self._aware()
        said = (self.prompt, *self.clauses)

        def silent(term: str) -> bool:
            return not any(wording.has_term(text, term) for text in said)

        return {
            "plain": [term for term in dict.fromkeys((*aware.plain, *own)) if silent(term)],
            "negated": [term for term in aware.negated if silent(term)],
        }

    def _aware(self) -> tuple[Awareness, tuple[str, ...]]:
        trap = self.trap
        if isinstance(trap, Side):
            if self.task.aware is None:
                raise Uncomposable("a curated pair has its own `aware`")
            return self.task.aware, ()
        return self.table.needs[self.combination.need].aware, trap.lacks[self.combination.need].aware

    def swaps(self) -> list[str]:
        """Ways out that an answer may name: the row's, and the things that would have done."""
        others = [control.name for control in self.combination.controls if not isinstance(control, Side)]
        terms = dict.fromkeys((*self.task.swaps, *others))
        return [term for term in terms if not wording.has_term(self.prompt, term)][:_MOST_SWAPS]

    def probe(self) -> dict[str, dict[str, str]]:
        """Four questions on the one need: of the trap's thing and of the control's, each with yes and no as right."""
        ask = self.table.needs[self.combination.need].probe
        trap, control = self.trap, self.control
        return {
            "trap": {
                "is_false": asked(ask.holds, trap.phrase, trap.many),
                "is_true": asked(ask.fails, trap.phrase, trap.many),
            },
            "control": {
                "is_false": asked(ask.fails, control.phrase, control.many),
                "is_true": asked(ask.holds, control.phrase, control.many),
            },
        }


def named(need: str) -> str:
    """A need in words: `real_money` is real money."""
    return need.replace("_", " ")


def seed_id(table: Table, combination: Combination) -> str:
    """The id of a combination's seed."""
    return f"{table.set}-{combination.id}"


def source(table: Table, task: Task) -> str:
    """What a seed says of the row it was composed of."""
    return f"table {table.set}/{task.id}"


def joined(frame: str, pieces: Mapping[str, str]) -> str:
    """A frame with its pieces; {Pace} is {pace} with a large first letter, and so for the others."""

    def put(match: re.Match[str]) -> str:
        name = match[1]
        if name.lower() not in pieces:
            raise Uncomposable(f"{match[0]} in the frame {frame!r} is no piece")
        return capitalised(pieces[name.lower()]) if name[0].isupper() else pieces[name]

    return " ".join(re.sub(r"\{(\w+)\}", put, frame).split())


def clauses(table: Table, combination: Combination, pick: Callable[[str], int]) -> tuple[str, str]:
    """The explicit clause, and a clause of about its length that matters for nothing (Core-100, appendix C, rule 4).

    Raises:
        Uncomposable: no neutral clause is within a word and a quarter of its length.
    """
    task, trap = combination.task, combination.trap
    explicit = (trap.clause or "") if isinstance(trap, Side) else trap.lacks[combination.need].clause
    own = table.classes[combination.class_].neutral if combination.class_ in table.classes else ()
    pool = task.neutral or own or table.neutral
    fitting = [text for text in pool if _twins(explicit, text)]
    if not fitting and not task.neutral:
        fitting = [text for text in table.neutral if _twins(explicit, text)]
    if not fitting:
        raise Uncomposable(
            f"no neutral clause is as long as {explicit!r}: write one of {len(explicit.split())} words and about "
            f"{len(explicit)} characters"
        )
    return explicit, fitting[pick("neutral") % len(fitting)]


def _twins(explicit: str, neutral: str) -> bool:
    longer = max(len(explicit), len(neutral)) + 2
    near = abs(len(explicit) - len(neutral)) <= CLAUSE_LENGTH_APART * longer
    return near and abs(len(explicit.split()) - len(neutral.split())) <= CLAUSE_WORDS_APART and explicit != neutral


def template(table: Table, task: Task, seed: SalienceSeed) -> frozenset[str]:
    """The normalised words that a seed owes to frames, pieces and facts: all but those that name thing, object and
    action, and what a voice has added."""
    fixed = " ".join((*table.frames, *task.pieces.values(), task.cannot or "", seed.blocker.trap))
    words = set(normalise(re.sub(r"\{\w+\}", " ", fixed)).split()) | set(_CORE_GLUE.split())
    telling = (
        seed.triple.tool,
        task.object,
        task.action,
        *seed.anchors,
        *(term for group in task.keep for term in group),
    )
    return frozenset(words - set(normalise(" ".join(telling)).split()) - {"#"})
