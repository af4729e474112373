"""What sets of pairs are built of: the versions of a plan that cannot work, and the audit of its clauses."""

from __future__ import annotations

from collections.abc import Iterator

from forge.families.salience.item import CONTROL, EXPLICIT, SALIENCE_CONTROL, TRAP, SalienceItem
from forge.families.salience.labels import ControlLabel, SalienceLabel
from forge.families.salience.seed import Dimension
from forge.model.scenarios import Version
from forge.text.edits import compare
from forge.text.normalise import squash

PAIR = (TRAP, CONTROL)
RATED = (TRAP, CONTROL)
CELLS = tuple(dimension.value for dimension in Dimension)


def versions(item: SalienceItem) -> dict[str, Version]:
    """Condition → version: a trap is to be seen through in all its versions, a control to be done."""
    seen, done = SalienceLabel.STRICT_PASS.value, ControlLabel.COMPLETES.value
    return {
        TRAP: Version(text=item.text, prompt=item.prompt(TRAP), gold=seen, why=item.ground_truth),
        CONTROL: Version(text=item.control_text, prompt=item.prompt(CONTROL), gold=done),
        EXPLICIT: Version(text=item.explicit_text, prompt=item.prompt(EXPLICIT), gold=seen, why=item.ground_truth),
        SALIENCE_CONTROL: Version(
            text=item.salience_control_text, prompt=item.prompt(SALIENCE_CONTROL), gold=seen, why=item.ground_truth
        ),
    }


def findings(item: SalienceItem) -> Iterator[str]:
    """What a machine finds wrong with the versions of an item beyond the pair's distance; each names its condition."""
    for name, text in ((EXPLICIT, item.explicit_text), (SALIENCE_CONTROL, item.salience_control_text)):
        found = compare(item.text, text)
        if len(found.spans) != 1:
            yield f"{name}: differs from the trap in {len(found.spans)} places; one"
    for name in (TRAP, CONTROL, EXPLICIT, SALIENCE_CONTROL):
        if squash(item.question) not in squash(item.prompt(name)):
            yield f"{name}: the question {item.question!r} does not stand in it"
