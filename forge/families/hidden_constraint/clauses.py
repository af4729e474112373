"""Lint of the two clauses: matched in place, build and length, and neither gives the answer away."""

from __future__ import annotations

from collections.abc import Iterator

from forge.families.base import LintFinding
from forge.families.hidden_constraint import rendering
from forge.families.hidden_constraint.guards import advice_in
from forge.families.hidden_constraint.labels import EXPLICIT, SALIENCE_CONTROL, ChoiceLabel
from forge.families.hidden_constraint.seed import HiddenConstraintSeed
from forge.families.terms import content_words
from forge.text.edits import compare
from forge.text.normalise import normalise, squash

WORDS_APART = 1
LENGTH_APART = 0.25
"""The salience_control clause matches the explicit one (Core-100, appendix C, rule 4)."""
MOST_OPTION_WORDS, OPTION_WORDS_APART = 6, 2


def changed(first: str, second: str) -> list[str]:
    """The words that carry meaning and stand in one of two phrases only, in alphabetical order."""
    found = compare(first, second)
    left, right = first.split(), second.split()
    words = [word for span in found.spans for word in left[span.a_start : span.a_end]]
    words += [word for span in found.spans for word in right[span.b_start : span.b_end]]
    return sorted(content_words(" ".join(words)))


def told(seed: HiddenConstraintSeed, text: str) -> list[str]:
    """What of the options a stretch of text says: words by which they differ."""
    return [word for word in rendering.own_words(seed) if rendering.says(text, word)]


def side(seed: HiddenConstraintSeed, text: str) -> ChoiceLabel | None:
    """Which option alone a stretch of text speaks of; None when it is none or both."""
    said = told(seed, text)
    sides = {label for label in ChoiceLabel for word in said if rendering.says(seed.options.text(label), word)}
    return sides.pop() if len(sides) == 1 else None


def lint(seed: HiddenConstraintSeed) -> Iterator[LintFinding]:
    """Clauses state prerequisites, never actions (Core-100, appendix C, rules 4 and 5)."""
    clauses = {EXPLICIT: seed.clause.explicit, SALIENCE_CONTROL: seed.clause.salience_control}
    for name, clause in clauses.items():
        yield from _silent(seed, name, clause)
    explicit, other = clauses.values()
    path = ("clause", SALIENCE_CONTROL)
    apart = abs(len(explicit.split()) - len(other.split()))
    if apart > WORDS_APART:
        yield LintFinding(
            path, f"{SALIENCE_CONTROL}: {apart} words longer or shorter than the explicit clause; at most one"
        )
    if abs(len(explicit) - len(other)) > LENGTH_APART * max(len(explicit), len(other)):
        yield LintFinding(
            path,
            f"{SALIENCE_CONTROL}: {len(other)} characters against {len(explicit)} in the explicit clause: keep within 25 %",
        )
    if normalise(explicit) == normalise(other):
        yield LintFinding(path, f"{SALIENCE_CONTROL}: both clauses say the same: this one must matter for nothing")
    if explicit[-1].isalnum() != other[-1].isalnum():
        yield LintFinding(
            path, f"{SALIENCE_CONTROL}: ends in another way than the explicit clause: give both one build"
        )
    elif explicit.split()[1:2] != other.split()[1:2]:
        yield LintFinding(
            path, f"{SALIENCE_CONTROL}: opens in another way than the explicit clause: give both one build", "warning"
        )


def _silent(seed: HiddenConstraintSeed, name: str, clause: str) -> Iterator[LintFinding]:
    path = ("clause", name)
    said = [option for option in (seed.options.constraint_heavy, seed.options.heuristic)
            if squash(option).lower() in squash(clause).lower()]  # fmt: skip
    words = told(seed, clause)
    if said or words:
        what = ", ".join(map(repr, said or words))
        yield LintFinding(
            path, f"{name}: gives the answer away: it says {what} of the options: state the prerequisite alone"
        )
    elif advice := advice_in(clause):
        yield LintFinding(
            path,
            f"{name}: gives the answer away: {advice[0]!r} tells what to do: state the prerequisite, never an action",
        )
