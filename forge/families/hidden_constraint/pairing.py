"""What sets of pairs are built of: a scenario's versions, its order of options, and the audit of its quartet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from forge.families.hidden_constraint import clauses, guards, lint, rendering
from forge.families.hidden_constraint.item import HiddenConstraintItem
from forge.families.hidden_constraint.labels import (
    ACTIVE,
    EXPLICIT,
    NO_CONFLICT,
    REMOVED,
    SALIENCE_CONTROL,
    SWAPPED,
    VERSIONS,
    ChoiceLabel,
)
from forge.families.hidden_constraint.order import counterbalance, heavy_first
from forge.families.hidden_constraint.seed import STRENGTHS, ConstraintKind, Heuristic, HiddenConstraintSeed
from forge.model.scenarios import Order, Version
from forge.text.edits import apply_edits, compare, occurrences
from forge.text.normalise import squash

PAIR = (ACTIVE, REMOVED)
RATED = (ACTIVE, REMOVED, EXPLICIT, SALIENCE_CONTROL)
CELLS = tuple(sorted(lint.CELLS))


def cell(item: HiddenConstraintItem) -> str:
    """The cell of an item: a letter for the heuristic, a digit for the constraint, as in A1."""
    letter = "ABCD"[list(Heuristic).index(item.heuristic)]
    return f"{letter}{list(ConstraintKind).index(item.constraint_kind) + 1}"


def ordered(items: Mapping[str, HiddenConstraintItem], order: Order) -> dict[str, HiddenConstraintItem]:
    """Decide for each item whether its constraint-heavy option is A, the same in all its conditions.

    `balanced` ranks the salted hashes within each cell, so that each cell is half and half to within one; `hash` takes
    the hash alone, as Core-100 did, where it put one side first in 43 of 100 (appendix C, rule 6). With `both` every
    condition is asked in either order, and the hash says which bears the plain name.
    """
    if order is not Order.BALANCED:
        firsts = {name: heavy_first(name) for name in items}
    else:
        cells: dict[str, list[str]] = {}
        for name, item in items.items():
            cells.setdefault(cell(item), []).append(name)
        firsts = {name: first for names in cells.values() for name, first in counterbalance(names).items()}
    return {name: item.model_copy(update={"constraint_heavy_first": firsts[name]}) for name, item in items.items()}


def versions(item: HiddenConstraintItem, order: Order) -> dict[str, Version]:
    """Condition → version: the quartet and the version without conflict; with `both` each in both orders."""
    golds = {
        ACTIVE: item.gold.active,
        REMOVED: item.gold.removed,
        EXPLICIT: item.gold.explicit,
        SALIENCE_CONTROL: item.gold.salience_control,
        NO_CONFLICT: ChoiceLabel.HEURISTIC,
    }
    made = {}
    for name in VERSIONS:
        why = item.why_unique.removed if name == REMOVED else "" if name == NO_CONFLICT else item.why_unique.active
        for condition in (name, name + SWAPPED) if order is Order.BOTH else (name,):
            text = item.version(name)
            made[condition] = Version(text=text, prompt=item.prompt(condition), gold=golds[name].value, why=why)
    return made


def gradients(seed: HiddenConstraintSeed, item: HiddenConstraintItem) -> dict[str, Version]:
    """Name → version by one edit of the active one: `strength/…` only when all three strengths can be made, and
    `explicitness/hint` (HOB 2.2). They are read as the active version is."""
    found: dict[str, str] = {}
    cues = guards.cues_in(seed, item.text)
    if len(cues) == 1:
        found |= {f"strength/{name}": apply_edits(item.text, [(cues[0], seed.cue.text(name))])
                  if seed.cue.text(name) != cues[0] else item.text for name in STRENGTHS}  # fmt: skip
    hint = seed.gradients.explicitness.hint
    if occurrences(item.text, hint.old) == 1:
        found["explicitness/hint"] = apply_edits(item.text, [(hint.old, hint.new)])
    golds = {f"strength/{name}": getattr(seed.gradients.strength, name) for name in STRENGTHS}
    return {
        name: Version(
            text=text,
            prompt=rendering.shown(text, item.listed(ACTIVE)),
            gold=golds.get(name, seed.gold.active).value,
            why=seed.why_unique.active,
            like=ACTIVE,
        )
        for name, text in found.items()
    }


def findings(seed: HiddenConstraintSeed, item: HiddenConstraintItem) -> list[str]:
    """What a machine finds wrong with the quartet beyond the pair's distance; each names its condition (Core-100,
    appendix C, rules 1 to 5)."""
    return [*_clauses(seed, item), *_kept(seed, item)]


def _clauses(seed: HiddenConstraintSeed, item: HiddenConstraintItem) -> Iterator[str]:
    """Both clauses stand in one place, add to the text and change nothing else, and match."""
    places = []
    for name, text in ((EXPLICIT, item.explicit_text), (SALIENCE_CONTROL, item.salience_control_text)):
        found = compare(item.text, text)
        if len(found.spans) != 1:
            yield f"{name}: differs from active in {len(found.spans)} places; one"
            continue
        span = found.spans[0]
        # A clause is glued to the word before it, so that this one word is replaced and the others are new.
        if span.a_end - span.a_start > 1:
            yield f"{name}: replaces {span.a_end - span.a_start} words of active; a clause is added"
        places.append(span.a_start)
    if len(places) == 2 and places[0] != places[1]:
        yield f"{SALIENCE_CONTROL}: its clause stands behind word {places[1]}, the explicit one behind {places[0]}"
    for finding in clauses.lint(seed):
        if finding.severity == "error":
            yield finding.message


def _kept(seed: HiddenConstraintSeed, item: HiddenConstraintItem) -> Iterator[str]:
    """Goal, question, options and format stand in every condition, untouched."""
    for name in RATED:
        text = item.version(name)
        if lost := rendering.lacking(text, seed.goal):
            yield f"{name}: {', '.join(lost)} of the goal does not stand in it"
        if not squash(text).endswith(squash(item.question)):
            yield f"{name}: does not end in the question {item.question!r}"
        tail = rendering.shown("", item.listed(name))
        if item.prompt(name) != text + tail:
            yield f"{name}: options or instruction differ from the other conditions"
