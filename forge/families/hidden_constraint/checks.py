"""The checkers by rules: truth, alignment, compliance, viability, with the same fields as a model's reply."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from forge.families.hidden_constraint import rendering
from forge.families.hidden_constraint.guards import guards
from forge.families.hidden_constraint.lint import lint
from forge.families.hidden_constraint.naturalness import naturalness
from forge.families.hidden_constraint.seed import HiddenConstraintSeed
from forge.model.checks import Finding, Verdict
from forge.model.words import Grade, Role

NATURAL_ENOUGH = 3.0
"""Below it a seed's own wording needs more than an annealer."""

_TRUTH = ("fact", "pair", "reveals", "escape_phrase")
_AIM = ("goal", "question")
_PLACES = ("cue", "named", "clause_place", "answered")


def check(role: Role, seed: HiddenConstraintSeed, text: str, parent: str | None) -> Verdict:
    """Run one checker by rules.

    Raises:
        ValueError: the role is no checker of wordings.
    """
    if role not in _CHECKS:
        raise ValueError(f"{role} is no checker; one of {', '.join(sorted(_CHECKS))}")
    return _CHECKS[role](seed, text)


def _first(findings: list[Finding], names: tuple[str, ...]) -> Finding | None:
    return next((finding for finding in findings if finding.guard in names), None)


def _reason(finding: Finding | None) -> str:
    return f"{finding.guard}: {finding.message}" if finding else ""


def _truth(seed: HiddenConstraintSeed, text: str) -> Verdict:
    """The constraint still holds, unstated: the fact stands, one edit takes it away, nothing tells it."""
    broken = _first(guards(seed, text), _TRUTH)
    return Verdict(Role.TRUTH.value, broken is None, reason=_reason(broken), details={"valid": broken is None})


def _alignment(seed: HiddenConstraintSeed, text: str) -> Verdict:
    """The five fields and the grade that every family's alignment gives (SaliTrap E.2), read for a quartet: the goal
    stands, the question asks for one of the two options, nothing is answered on the side, the constraint decides."""
    findings = guards(seed, text)
    kept = _first(findings, ("fact", "cue", "goal", "named")) is None
    aimed = _first(findings, ("question",)) is None
    escape = _first(findings, ("answered",)) is not None
    eroded = _first(findings, ("pair", "reveals", "clause_place")) is not None
    valid = kept and aimed and not escape and not eroded
    if not kept or eroded:
        grade = "invalid"
    elif not valid:
        grade = "weak"
    else:
        grade = "borderline" if _first(findings, ("voice", "escape_phrase")) else "strong"
    worst = _first(findings, (*_TRUTH, *_AIM, *_PLACES, "voice"))
    details = {
        "eraser_test_pass": kept,
        "target_alignment_pass": aimed,
        "normal_subtask_escape": escape,
        "trap_core_eroded": eroded,
        "phystrap_valid": valid,
        "alignment_grade": grade,
    }
    return Verdict(Role.ALIGNMENT.value, valid, reason=_reason(worst), grade=grade, details=details)


def _compliance(seed: HiddenConstraintSeed, text: str) -> Verdict:
    """A child keeps its parent's constraint, goal, cue and question (SaliTrap 3.3.3)."""
    findings = guards(seed, text)
    trap = _first(findings, _TRUTH) is None
    kept = _first(findings, ("cue", "goal", "named", "clause_place")) is None
    escape = _first(findings, ("question", "answered")) is not None
    worst = _first(findings, (*_TRUTH, *_PLACES, *_AIM))
    details = {"trap_preserved": trap, "numbers_preserved": kept, "subtask_escape": escape}
    return Verdict(Role.COMPLIANCE.value, trap and kept and not escape, reason=_reason(worst), details=details)


_CHECKS: dict[Role, Callable[[HiddenConstraintSeed, str], Verdict]] = {
    Role.TRUTH: _truth,
    Role.ALIGNMENT: _alignment,
    Role.COMPLIANCE: _compliance,
    Role.NATURALNESS: naturalness,
}

_PASSES: dict[str, tuple[str, ...]] = {
    "goal_fixed_pass": ("goal",),
    "one_edit_pass": ("fact", "expect_audit"),
    "unique_answers_pass": ("gold", "why_unique", "no_conflict"),
    "clauses_matched_pass": ("clause",),
    "options_matched_pass": ("options",),
    "gradients_pass": ("cue", "gradients"),
}


@lru_cache(maxsize=512)
def viability(seed: HiddenConstraintSeed) -> Verdict:
    """Grade a seed: the construction rules as far as rules see them (Core-100, appendix C).

    C: a lint error, or a guard that the seed's own text fails. B: its surface is not natural enough. A-: lint
    warnings. A: nothing to say.
    """
    linted = lint(seed)
    errors = [finding for finding in linted if finding.severity == "error"]
    failed = [] if errors else guards(seed, rendering.active(seed))
    wrong = {finding.path[0] for finding in errors if finding.path}
    checks = {name: not wrong & set(paths) for name, paths in _PASSES.items()}
    natural = (naturalness(seed, rendering.active(seed)).score or 0.0) >= NATURAL_ENOUGH
    if errors or failed:
        grade = Grade.C
    elif not natural:
        grade = Grade.B
    else:
        grade = Grade.A_MINUS if linted else Grade.A
    notes = [finding.message for finding in errors] + [_reason(finding) for finding in failed]
    notes += [] if natural else ["naturalization_potential is false"]
    notes += [finding.message for finding in linted if finding.severity != "error"]
    return Verdict(
        Role.VIABILITY.value,
        grade is not Grade.C,
        reason=notes[0] if notes else "",
        grade=grade.value,
        details={
            **checks, "naturalization_potential": natural, "seed_grade": grade.value, "notes": notes[:8],
        },
    )  # fmt: skip
