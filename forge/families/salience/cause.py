"""Why a certified solver failed: from the probe and from the majorities of control and explicit version."""

from __future__ import annotations

from collections.abc import Mapping

from forge.families.salience.labels import FAILURES, ControlLabel, SalienceLabel
from forge.model.words import Cause, Knows

CUT = "unreadable: cut"
_FAILURES = tuple(str(label) for label in FAILURES)


def majority(counts: Mapping[str, int], labels: tuple[str, ...]) -> bool:
    """Whether more than half of all samples asked, unreadable ones included, carry one of the labels."""
    asked = sum(counts.values())
    return 2 * sum(counts.get(label, 0) for label in labels) > asked


def cause(knows: Knows, control: Mapping[str, int], explicit: Mapping[str, int]) -> Cause:
    """Return the cause; first match (DESIGN section 2, cause).

    The control's majority does not complete: incapacity, or unclear when most were cut by the token limit before
    their result. The fact is not known: ignorance. It fails even when told:
    compliance. It knows, objects when told, and completes the control: salience. Else unclear.

    Args:
        knows: the balanced probe's verdict.
        control: label → count over the control's samples.
        explicit: label → count over the explicit version's samples.
    """
    if not majority(control, (ControlLabel.COMPLETES.value,)):
        return Cause.UNCLEAR if majority(control, (CUT,)) else Cause.INCAPACITY
    if knows is Knows.NO:
        return Cause.IGNORANCE
    if majority(explicit, _FAILURES):
        return Cause.COMPLIANCE
    if knows is Knows.YES and majority(explicit, (SalienceLabel.STRICT_PASS.value,)):
        return Cause.SALIENCE
    return Cause.UNCLEAR
