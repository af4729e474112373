"""What a machine can see is wrong with a scenario beyond its schema. Names the condition; says what to write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from forge.families import pairs, probe
from forge.families.base import LintFinding
from forge.families.hidden_constraint import clauses, item, rendering
from forge.families.hidden_constraint.labels import ACTIVE, EXPLICIT, REMOVED, SALIENCE_CONTROL, ChoiceLabel
from forge.families.hidden_constraint.seed import STRENGTHS, HiddenConstraintSeed
from forge.families.terms import stems
from forge.text.edits import compare, occurrences
from forge.text.lexicon import NEGATION_EN
from forge.text.normalise import normalise, squash

CELLS = frozenset({*(f"A{n}" for n in range(1, 6)), *(f"B{n}" for n in range(1, 6)), "C2", "C3", "C4", "C5", "D4"})
"""The fifteen cells that hold natural scenarios (HOB 2.2; Core-100, appendix B)."""
DOMAINS = ("transportation", "shopping", "digital", "medical", "home", "work", "travel")
SHORTEST, LONGEST = 120, 500
"""Characters of the active version that a person would type."""
GRADIENT_WORDS = 2

_CELL = re.compile(r"^([A-D][1-5])(?![A-Za-z0-9])")
Check = Callable[[HiddenConstraintSeed], Iterator[LintFinding]]


def lint(seed: HiddenConstraintSeed) -> list[LintFinding]:
    """Return every finding, in the order of CHECKS; a seed without errors may grow."""
    return [finding for check in CHECKS for finding in check(seed)]


def _error(message: str, *path: str | int) -> LintFinding:
    return LintFinding(tuple(path), message)


def _warning(message: str, *path: str | int) -> LintFinding:
    return LintFinding(tuple(path), message, "warning")


def _cell(seed: HiddenConstraintSeed) -> Iterator[LintFinding]:
    named = _CELL.match(seed.set)
    if named and named[1] != seed.cell:
        yield _error(
            f"the set {seed.set} is for the cell {named[1]}, but {seed.heuristic} with {seed.constraint_kind} is "
            f"{seed.cell}: mend the header's set, heuristic or constraint"
        )
    if seed.cell not in CELLS:
        yield _error(
            f"{seed.heuristic} with {seed.constraint_kind} ({seed.cell}) is none of the cells {', '.join(sorted(CELLS))}"
        )
    if seed.domain not in DOMAINS:
        yield _error(f"{seed.domain!r} is no domain: write one of {', '.join(DOMAINS)}", "domain")


def _text(seed: HiddenConstraintSeed) -> Iterator[LintFinding]:
    text = rendering.active(seed)
    if not seed.question.endswith(("?", "？")):
        yield _error("the question does not end in a question mark", "question")
    if not seed.template.endswith("{question}"):
        yield _error("active: the text does not end with {question}: put it last", "template")
    if not SHORTEST <= len(text) <= LONGEST:
        yield _warning(f"active: {len(text)} characters; a person writes {SHORTEST} to {LONGEST}", "template")


def _pair(seed: HiddenConstraintSeed) -> Iterator[LintFinding]:
    """One edit in one place, within the minimal-pair criterion (Core-100, appendix C, rules 1 and 2)."""
    active, removed = (rendering.quartet(seed)[name] for name in (ACTIVE, REMOVED))
    found = compare(active, removed)
    if len(found.spans) > 1:
        left, right = active.split(), removed.split()
        told = "; ".join(
            f"{' '.join(left[span.a_start : span.a_end])!r} → {' '.join(right[span.b_start : span.b_end])!r}"
            for span in found.spans
        )
        yield _error(
            f"removed: the edit touches {len(found.spans)} places ({told}): change one stretch of words only",
            "fact", "removed",
        )  # fmt: skip
    elif found.spans and (wrong := pairs.problem(active, removed, "active and removed")):
        yield _error(f"removed: {wrong}: choose facts of one shape and length", "fact", "removed")
    expected = seed.expect_audit
    got = (found.words, found.token_edits, len(found.spans))
    if expected and got != (expected.words, expected.token_edits, expected.spans):
        yield _error(
            f"removed: the audit finds words {got[0]}, token_edits {got[1]}, spans {got[2]}: mend the facts, or this",
            "expect_audit",
        )


def _fact(seed: HiddenConstraintSeed) -> Iterator[LintFinding]:
    """The removed version must not keep the constraint, nor the edit reach the goal, question or clauses' place."""
    active, removed = (rendering.quartet(seed)[name] for name in (ACTIVE, REMOVED))
    if normalise(seed.fact.active, "") == normalise(seed.fact.removed, "") and stems(active) == stems(removed):
        yield _error(
            f"removed: keeps the constraint: {seed.fact.removed!r} says the same as active: write the fact with which "
            "the constraint is gone",
            "fact", "removed",
        )  # fmt: skip
    elif occurrences(seed.fact.removed, seed.fact.active):
        yield _error(
            f"removed: keeps the constraint: {seed.fact.active!r} still stands in {seed.fact.removed!r}: replace it",
            "fact", "removed",
        )  # fmt: skip
    elif _only_adds(seed.fact.active, seed.fact.removed):
        yield _warning(
            f"removed: only adds words to {seed.fact.active!r} and may keep the constraint: replace the fact",
            "fact", "removed",
        )  # fmt: skip
    phrase = rendering.fact_edit(seed)[0]
    if occurrences(active, phrase) != 1:
        yield _error(
            f"active: {phrase!r} stands {occurrences(active, phrase)} times in the text: choose a fact that stands "
            "there once",
            "fact", "active",
        )  # fmt: skip
    for name, fact in (("active", seed.fact.active), ("removed", seed.fact.removed)):
        if rendering.fill(seed.template.replace("{fact}", ""), _values(seed)).count(fact) and len(fact.split()) > 1:
            yield _error(f"{name}: {fact!r} also stands outside its slot: the edit would leave it", "fact", name)


def _values(seed: HiddenConstraintSeed) -> dict[str, str]:
    return {"clause": "", "cue": seed.cue.text(seed.base_cue), "question": seed.question}


def _only_adds(active: str, removed: str) -> bool:
    """Whether every word of one fact stands in the other in order, and no word that is added denies anything."""
    left = iter(removed.lower().split())
    return all(word in left for word in active.lower().split()) and not NEGATION_EN.find(removed)


def _goal(seed: HiddenConstraintSeed) -> Iterator[LintFinding]:
    """The goal stands in every version, and the edit leaves it alone (Core-100, appendix C, rule 1).

    Where a word of the goal is among those that the edit takes away, it is the goal that changes: "get my car washed"
    becomes "pick up a gift card" (HOB, appendix A).
    """
    edited = [word for word in clauses.changed(seed.fact.active, seed.fact.removed)
              if rendering.says(seed.fact.active, word)]  # fmt: skip
    inside = [word for word in edited if rendering.says(seed.goal, word)]
    if inside:
        yield _error(
            f"removed: the edit changes the goal: it takes {', '.join(inside)} away: let the fact hold no word of it",
            "fact", "removed",
        )  # fmt: skip
    shown = {**rendering.quartet(seed), **{f"strength {n}": rendering.version(seed, cue=seed.cue.text(n))
                                           for n in STRENGTHS}}  # fmt: skip
    for name, text in shown.items():
        lost = rendering.lacking(text, seed.goal)
        if lost and not inside:
            yield _error(
                f"{name}: {', '.join(lost)} of the goal does not stand in the text: use the same words", "goal"
            )
            return


def _options(seed: HiddenConstraintSeed) -> Iterator[LintFinding]:
    """Two options of one shape that do not name what is missing (Core-100, table 12, D4-011)."""
    heavy, quick = seed.options.constraint_heavy, seed.options.heuristic
    if normalise(heavy) == normalise(quick):
        yield _error("both options say the same", "options", "heuristic")
    counts = len(heavy.split()), len(quick.split())
    if abs(counts[0] - counts[1]) > clauses.OPTION_WORDS_APART or max(counts) > clauses.MOST_OPTION_WORDS:
        yield _error(
            f"{heavy!r} has {counts[0]} words and {quick!r} {counts[1]}: give both one shape, at most "
            f"{clauses.MOST_OPTION_WORDS} words, at most {clauses.OPTION_WORDS_APART} apart",
            "options",
        )
    if heavy[0].isupper() != quick[0].isupper() or heavy[-1].isalnum() != quick[-1].isalnum():
        yield _error(f"{heavy!r} and {quick!r} begin or end differently: give both one shape", "options")
    missing = clauses.changed(seed.fact.active, seed.fact.removed)
    for name, option in (("constraint_heavy", heavy), ("heuristic", quick)):
        named = [word for word in missing if rendering.says(option, word)]
        if named:
            yield _error(
                f"{option!r} names what the fact changes ({', '.join(named)}): an option never names what is missing",
                "options", name,
            )  # fmt: skip


def _gold(seed: HiddenConstraintSeed) -> Iterator[LintFinding]:
    heavy, quick = ChoiceLabel.CONSTRAINT_HEAVY, ChoiceLabel.HEURISTIC
    golds: list[tuple[str, ChoiceLabel, ChoiceLabel, tuple[str, ...]]] = [
        (ACTIVE, seed.gold.active, heavy, ("gold", ACTIVE)),
        (REMOVED, seed.gold.removed, quick, ("gold", REMOVED)),
        (EXPLICIT, seed.gold.explicit, heavy, ("gold", EXPLICIT)),
        (SALIENCE_CONTROL, seed.gold.salience_control, heavy, ("gold", SALIENCE_CONTROL)),
        *(
            (f"strength {name}", getattr(seed.gradients.strength, name), heavy, ("gradients", "strength", name))
            for name in STRENGTHS
        ),
        ("no_conflict", seed.no_conflict.gold, quick, ("no_conflict", "gold")),
    ]
    for condition, got, wanted, path in golds:
        if got is not wanted:
            yield _error(
                f"{condition}: the labels are swapped: gold is {got}, it must be {wanted}: without that the condition "
                "measures something else",
                *path,
            )
    if (clauses.side(seed, seed.why_unique.active), clauses.side(seed, seed.why_unique.removed)) == (quick, heavy):
        yield _error(
            f"active: the labels are swapped: its reason speaks of {seed.options.heuristic!r} alone, that of removed of "
            f"{seed.options.constraint_heavy!r} alone: exchange the two options",
            "options",
        )
    if normalise(seed.why_unique.active) == normalise(seed.why_unique.removed):
        yield _error("removed: the same reason as active: say why the other option is right now", "why_unique", REMOVED)


def _place(seed: HiddenConstraintSeed) -> Iterator[LintFinding]:
    if rendering.anchor(seed) is None:
        yield _error(
            "explicit: no words in front of {clause} mark one place: put it right behind a word, after two words or "
            "more of its sentence that stand in the text once",
            "template",
        )
        return
    if occurrences(rendering.active(seed), rendering.fact_edit(seed)[0]) != 1:
        return
    built, four = item.build(seed, rendering.active(seed)), rendering.quartet(seed)
    made = {EXPLICIT: built.explicit_text, SALIENCE_CONTROL: built.salience_control_text, REMOVED: built.removed_text}
    for name, text in made.items():
        if text != four[name]:
            yield _error(f"{name}: a rewrite would get another version than the template gives: {text!r}", "template")


def _strength(seed: HiddenConstraintSeed) -> Iterator[LintFinding]:
    """All three strengths, one edit each; they are compared only where all three are there (HOB 2.2)."""
    base = rendering.active(seed)
    seen: dict[str, str] = {}
    for name in STRENGTHS:
        text = seed.cue.text(name)
        if text in seen:
            yield _error(f"strength {name}: the same cue as {seen[text]}: write three strengths", "cue", name)
        seen.setdefault(text, name)
        if wrong := _one_edit(base, rendering.version(seed, cue=text)):
            yield _error(f"strength {name}: {wrong}", "cue", name)


def _one_edit(base: str, text: str) -> str | None:
    found = compare(base, text)
    if len(found.spans) > 1:
        return f"differs from the active version in {len(found.spans)} places: change one stretch of words only"
    if found.words > GRADIENT_WORDS:
        return f"is {found.words} words longer or shorter than the active version; at most {GRADIENT_WORDS}"
    return None


def _hint(seed: HiddenConstraintSeed) -> Iterator[LintFinding]:
    edit, base = seed.gradients.explicitness.hint, rendering.active(seed)
    path = ("gradients", "explicitness", "hint")
    try:
        text = rendering.hint(seed)
    except ValueError as error:
        yield _error(f"hint: {error}: choose words of the active version", *path, "from")
        return
    if wrong := _one_edit(base, text):
        yield _error(f"hint: {wrong}", *path, "to")
    if not squash(text).endswith(squash(seed.question)):
        yield _error("hint: the edit touches the question", *path, "from")
    if lost := rendering.lacking(text, seed.goal):
        yield _error(f"hint: the edit touches the goal: {', '.join(lost)}", *path, "to")
    if occurrences(text, seed.fact.active) < occurrences(base, seed.fact.active):
        yield _error("hint: the edit touches the fact, which makes another version of it", *path, "from")
    for word in clauses.told(seed, edit.new):
        if not rendering.says(edit.old, word):
            yield _error(f"hint: {word!r} of an option gives the answer away", *path, "to")


def _no_conflict(seed: HiddenConstraintSeed) -> Iterator[LintFinding]:
    text, four = seed.no_conflict.text, rendering.quartet(seed)
    if squash(seed.question) not in squash(text):
        yield _error("no_conflict: the question does not stand in it: copy it word for word", "no_conflict", "text")
    if not occurrences(text, seed.cue.text(seed.base_cue)):
        yield _error(
            f"no_conflict: the cue {seed.cue.text(seed.base_cue)!r} does not stand in it: keep the same surface",
            "no_conflict", "text",
        )  # fmt: skip
    same = [name for name, version in four.items() if normalise(version) == normalise(text)]
    if same or not rendering.lacking(text, f"{seed.goal} {seed.constraint}"):
        yield _error(
            "no_conflict: it says all that the constraint rests on: write another goal that needs none of it",
            "no_conflict", "text",
        )  # fmt: skip


CHECKS: tuple[Check, ...] = (
    _cell, _text, _pair, _fact, _goal, _options, _gold, _place, clauses.lint, _strength, _hint, _no_conflict,
    lambda seed: probe.lint(seed.probe),
)  # fmt: skip
