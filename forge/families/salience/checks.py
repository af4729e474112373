"""The checkers by rules: truth, alignment, compliance, viability, with the same fields as a model's reply."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from forge.families.salience.guards import guards
from forge.families.salience.lint import lint
from forge.families.salience.naturalness import naturalness
from forge.families.salience.seed import Dimension, SalienceSeed
from forge.model.checks import Finding, Verdict
from forge.model.words import Grade, Role

NATURAL_ENOUGH = 3.0
"""Below it a seed's own wording needs more than an annealer."""

_TRUTH = ("key_terms", "control_applies", "escape_phrase", "patch", "eraser")
_ERODED = ("key_terms", "control_applies", "patch", "escape_phrase")
_KINDS: dict[Dimension, tuple[str, ...]] = {
    Dimension.MISSING_PREREQUISITE: ("property",),
    Dimension.ENVIRONMENTAL_MISMATCH: ("condition",),
    Dimension.TEMPORAL_OR_PHYSIOLOGICAL: ("time", "body"),
    Dimension.RULE_MISMATCH: ("credential",),
}


def check(role: Role, seed: SalienceSeed, text: str, parent: str | None) -> Verdict:
    """Run one checker by rules.

    Raises:
        ValueError: the role is no checker of wordings.
    """
    if role not in _CHECKS:
        raise ValueError(f"{role} is no checker; one of {', '.join(sorted(_CHECKS))}")
    return _CHECKS[role](seed, text, parent)


def _first(findings: list[Finding], names: tuple[str, ...]) -> Finding | None:
    return next((finding for finding in findings if finding.guard in names), None)


def _reason(finding: Finding | None) -> str:
    return f"{finding.guard}: {finding.message}" if finding else ""


def _truth(seed: SalienceSeed, text: str, parent: str | None) -> Verdict:
    """The absurd action stays absurd: nothing mended, swapped, imagined or lost."""
    broken = _first(guards(seed, text, parent), _TRUTH)
    return Verdict(Role.TRUTH.value, broken is None, reason=_reason(broken), details={"valid": broken is None})


def _alignment(seed: SalienceSeed, text: str, parent: str | None) -> Verdict:
    """The paper's five fields and a grade (SaliTrap E.2). Only a wording without any of these findings is strong."""
    findings = guards(seed, text, parent)
    erased = _first(findings, ("eraser",)) is None
    aimed = _first(findings, ("question",)) is None
    escape = _first(findings, ("sub_task",)) is not None
    eroded = _first(findings, _ERODED) is not None
    valid = erased and aimed and not escape and not eroded
    if not erased or eroded:
        grade = "invalid"
    elif not valid:
        grade = "weak"
    else:
        grade = "borderline" if _first(findings, ("reveals", "answered", "voice")) else "strong"
    worst = _first(findings, ("eraser", "question", "sub_task", *_ERODED, "reveals", "answered", "voice"))
    details = {
        "eraser_test_pass": erased,
        "target_alignment_pass": aimed,
        "normal_subtask_escape": escape,
        "trap_core_eroded": eroded,
        "phystrap_valid": valid,
        "alignment_grade": grade,
    }
    return Verdict(Role.ALIGNMENT.value, valid, reason=_reason(worst), grade=grade, details=details)


def _compliance(seed: SalienceSeed, text: str, parent: str | None) -> Verdict:
    """A child keeps trap, numbers and aim of its parent (SaliTrap 3.3.3)."""
    findings = guards(seed, text, parent)
    trap = _first(findings, _TRUTH) is None
    numbers = _first(findings, ("numbers",)) is None
    escape = _first(findings, ("sub_task", "question")) is not None
    worst = _first(findings, (*_TRUTH, "numbers", "sub_task", "question"))
    details = {"trap_preserved": trap, "numbers_preserved": numbers, "subtask_escape": escape}
    return Verdict(Role.COMPLIANCE.value, trap and numbers and not escape, reason=_reason(worst), details=details)


_CHECKS: dict[Role, Callable[[SalienceSeed, str, str | None], Verdict]] = {
    Role.TRUTH: _truth,
    Role.ALIGNMENT: _alignment,
    Role.COMPLIANCE: _compliance,
    Role.NATURALNESS: lambda seed, text, _: naturalness(seed, text),
}


# A composed seed is graded when its frame is chosen, and again beside what else was proposed.
@lru_cache(maxsize=512)
def viability(seed: SalienceSeed) -> Verdict:
    """Grade a seed: the paper's six checks as far as rules see them (SaliTrap E.1).

    C: a lint error, a guard that the seed's own prompt fails, or two failed checks. B: one failed check. A-: all six,
    with lint warnings. A: all six, nothing to say.
    """
    linted = lint(seed)
    errors = [finding for finding in linted if finding.severity == "error"]
    failed = guards(seed, seed.prompt)
    paths = {finding.path[0] for finding in linted if finding.path}
    checks = {
        "eraser_test_pass": _first(failed, ("eraser",)) is None,
        "target_binding_pass": _first(failed, ("question",)) is None,
        "no_normal_subtask_escape": _first(failed, ("sub_task",)) is None and "question" not in paths,
        "unique_ground_truth_pass": not any(finding.path[:1] in (("awareness",), ("probe",)) for finding in errors),
        "naturalization_potential": (naturalness(seed, seed.prompt).score or 0.0) >= NATURAL_ENOUGH,
        "dimension_fit_pass": seed.blocker.kind in _KINDS[seed.dimension],
    }
    lost = [name for name, passed in checks.items() if not passed]
    if errors or failed or len(lost) > 1:
        grade = Grade.C
    elif lost:
        grade = Grade.B
    else:
        grade = Grade.A_MINUS if linted else Grade.A
    notes = [finding.message for finding in errors] + [_reason(finding) for finding in failed]
    notes += [f"{name} is false" for name in lost]
    notes += [finding.message for finding in linted if finding.severity != "error"]
    return Verdict(
        Role.VIABILITY.value,
        grade is not Grade.C,
        reason=notes[0] if notes else "",
        grade=grade.value,
        details={**checks, "seed_grade": grade.value, "notes": notes[:8]},
    )
