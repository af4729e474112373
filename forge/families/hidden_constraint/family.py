"""The hidden-constraint family: wires seeds, guards, reader and measures to the Family protocol. Decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar

from forge.families import probe
from forge.families.base import LintFinding, Measures, ProbeQuestion
from forge.families.hidden_constraint import (
    cause,
    checks,
    guards,
    item,
    labels,
    lint,
    measures,
    pairing,
    reading,
    references,
    rendering,
)
from forge.families.hidden_constraint.item import HiddenConstraintItem
from forge.families.hidden_constraint.labels import ChoiceLabel, HiddenConstraintLabel
from forge.families.hidden_constraint.seed import HiddenConstraintSeed
from forge.model.checks import Finding, Outcome, Prompt, Reading, Response, Verdict
from forge.model.profile import Weights
from forge.model.scenarios import Order, Selection, Version
from forge.model.seeds import Frozen, Seed
from forge.model.words import Cause, Knows, Role
from forge.text.normalise import squash

_ROLES = tuple(role for role in Role if role not in (Role.SOLVER, Role.JUDGE))
_DIAGNOSED = (labels.EXPLICIT, labels.NO_CONFLICT)


class HiddenConstraintFamily:
    """Everyday questions with two options, where a cue hides a constraint (Core-100; HOB).

    Args:
        name: the family's name; another one for a family that is this code with other seeds and prompts.
        weights: base scores of the labels.
    """

    Seed: ClassVar[type[Seed]] = HiddenConstraintSeed
    Label: ClassVar[type[StrEnum]] = HiddenConstraintLabel
    conditions: ClassVar[tuple[str, ...]] = labels.CONDITIONS
    diagnosis: ClassVar[tuple[str, ...]] = tuple(
        name for version in _DIAGNOSED for name in (version, version + labels.SWAPPED)
    )
    templates: ClassVar[Mapping[Role, str]] = {
        **{role: f"hidden_constraint/{role.value}" for role in _ROLES},
        Role.JUDGE: "hidden_constraint/judge",
    }
    Item: ClassVar[type[Frozen]] = HiddenConstraintItem
    selection: ClassVar[Selection] = Selection.COVERAGE
    pair: ClassVar[tuple[str, str]] = pairing.PAIR
    rated: ClassVar[tuple[str, ...]] = pairing.RATED
    cells: ClassVar[tuple[str, ...]] = pairing.CELLS

    def __init__(self, name: str = "hidden_constraint", weights: Weights | None = None) -> None:
        self.name = name
        self._weights = weights or Weights()

    def wording(self, seed: HiddenConstraintSeed) -> str:
        """c0's text: the seed's own active version, without options."""
        return rendering.active(seed)

    def lint(self, seed: HiddenConstraintSeed) -> list[LintFinding]:
        """Everything a machine can check of a seed beyond its schema."""
        return lint.lint(seed)

    def viability(self, seed: HiddenConstraintSeed) -> Verdict:
        """Grade a seed by rules."""
        return checks.viability(seed)

    def guards(self, seed: HiddenConstraintSeed, text: str, parent: str | None) -> list[Finding]:
        """Deterministic checks of a wording; empty when it passes."""
        return guards.guards(seed, text, parent)

    def check(self, role: Role, seed: HiddenConstraintSeed, text: str, parent: str | None) -> Verdict:
        """truth, alignment, naturalness or compliance by rules."""
        return checks.check(role, seed, text, parent)

    def context(self, role: Role, seed: HiddenConstraintSeed, text: str, parent: str | None) -> dict[str, Any]:
        """The variables of every template but the judge's; the same set for each role. Who renders fences the texts.

        `keep` has the phrases that a rewrite keeps word for word: fact, cue (the one that the text uses) and the
        clauses' place; `goal_words` what it must say besides, of the goal and of what the options rest on.
        """
        cue = (guards.cues_in(seed, text) or [seed.cue.text(seed.base_cue)])[0]
        phrases = [rendering.fact_edit(seed)[0], cue, rendering.anchor(seed) or seed.goal]
        keep = [
            phrase
            for place, phrase in enumerate(phrases)
            if not any(squash(phrase) in squash(other) for other in phrases[:place] + phrases[place + 1 :])
        ]
        return {
            "role": role.value,
            "seed_id": seed.id,
            "cell": seed.cell,
            "heuristic": seed.heuristic.value,
            "constraint_kind": seed.constraint_kind.value,
            "prompt": rendering.active(seed),
            "text": text,
            "parent": parent or "",
            "question": seed.question,
            "goal": seed.goal,
            "constraint": seed.constraint,
            "options": [seed.options.constraint_heavy, seed.options.heuristic],
            "keep": keep,
            "goal_words": rendering.lacking(" ".join(keep), " ".join((seed.goal, *rendering.needed(seed)))),
            "fact": seed.fact.model_dump(),
            "cue": cue,
            "clause": seed.clause.model_dump(),
            "why_unique": seed.why_unique.model_dump(),
            "preserve": list(seed.hints.preserve),
            "avoid": list(seed.hints.avoid),
        }

    def trials(self, seed: HiddenConstraintSeed, text: str) -> tuple[str, ...]:
        """One solve asks active and removed, each in both orders of the options."""
        return labels.TRIALS

    def item(self, seed: HiddenConstraintSeed, text: str) -> HiddenConstraintItem:
        """The item of a wording that passed the guards.

        Raises:
            ValueError: the fact or the clauses' place does not stand in it exactly once.
        """
        return item.build(seed, text)

    def control(self, item: HiddenConstraintItem) -> str:
        """The removed version, without options."""
        return item.removed_text

    def render(self, item: HiddenConstraintItem, condition: str) -> Prompt:
        """What a solver is shown: text, options and instruction, under an empty system message (Core-100, section 5).

        Raises:
            ValueError: there is no such condition.
        """
        return Prompt(item.prompt(condition), fixed=True)

    def read(
        self, item: HiddenConstraintItem, condition: str, response: Response, scope: str = reading.ANSWER
    ) -> Reading:
        """Read the chosen option by rules.

        Raises:
            ValueError: there is no such condition. No text raises.
        """
        name, _ = labels.version_of(condition)
        return reading.read(response, item.listed(condition), item.order(condition), item.version(name), scope)

    def judge_context(self, item: HiddenConstraintItem, condition: str, response: Response) -> dict[str, Any]:
        """The variables of the judge's template: question, options, response, and nothing of what is right.

        A judge that is told the constraint grades right answers to the removed version as wrong (Core-100, section
        7). The response is as the solver wrote it: whoever renders the template fences it.
        """
        name, _ = labels.version_of(condition)
        listed = zip(rendering.LETTERS, item.order(condition), item.listed(condition), strict=True)
        return {
            "prompt": item.version(name),
            "options": [{"letter": letter, "label": str(label), "text": text} for letter, label, text in listed],
            "response": response.text,
        }

    def judge_template(self, condition: str) -> str:
        """The id of the judge's template: one for all conditions, since it never knows which it reads."""
        return self.templates[Role.JUDGE]

    def judge_labels(self, condition: str) -> tuple[str, ...]:
        """The labels a judge may give under a condition."""
        return tuple(str(label) for label in ChoiceLabel)

    def consistent(self, item: HiddenConstraintItem, condition: str, response: Response, label: str) -> str | None:
        """Why a judge's label contradicts the option that rules read; None when they agree or rules read none."""
        read = self.read(item, condition, response)
        if read.label is None or read.label == label:
            return None
        return f"The response commits to the other option: {read.evidence[:80]!r}."

    def outcome(self, readings: Mapping[str, Reading]) -> Outcome:
        """What one solve amounts to: active against removed, or that the choice follows the letter."""
        return labels.outcome(readings, self._weights)

    def probe(self, seed: HiddenConstraintSeed) -> tuple[ProbeQuestion, ...]:
        """The balanced probe's questions."""
        return probe.questions(seed.probe)

    def read_probe(self, question: ProbeQuestion, response: Response) -> Reading:
        """Read yes or no."""
        return probe.read_probe(question.text, response)

    def cause(self, knows: Knows, counts: Mapping[str, Mapping[str, int]]) -> Cause:
        """Why the solver failed."""
        return cause.cause(knows, counts)

    def measure(self, readings: Sequence[tuple[str, Reading]]) -> Measures:
        """Counts and rates over (condition, reading) pairs."""
        return measures.measure(readings)

    def references(self, item: HiddenConstraintItem) -> dict[str, dict[str, float]]:
        """Chooser → measure → what it would score; the same for every item."""
        return references.references()

    def cell(self, seed: HiddenConstraintSeed) -> str:
        """The cell that a seed belongs to."""
        return seed.cell

    def audited(self, item: HiddenConstraintItem) -> tuple[str, str]:
        """The active and the removed version, without options."""
        return item.text, item.removed_text

    def findings(self, seed: HiddenConstraintSeed, item: HiddenConstraintItem) -> list[str]:
        """What the audit of the quartet finds; each names its condition."""
        return pairing.findings(seed, item)

    def versions(self, item: HiddenConstraintItem, order: Order) -> dict[str, Version]:
        """Condition → version; with Order.BOTH each condition in both orders."""
        return pairing.versions(item, order)

    def gradients(self, seed: HiddenConstraintSeed, item: HiddenConstraintItem) -> dict[str, Version]:
        """The strengths of the cue and the hint, each one edit of the active version."""
        return pairing.gradients(seed, item)

    def options(self, item: HiddenConstraintItem) -> dict[str, str]:
        """Label → words of an option."""
        return {label.value: item.options.text(label) for label in ChoiceLabel}

    def first(self, item: HiddenConstraintItem) -> str:
        """The label of option A in the plain order."""
        return item.order(labels.ACTIVE)[0].value

    def ordered(self, items: Mapping[str, HiddenConstraintItem], order: Order) -> dict[str, HiddenConstraintItem]:
        """Decide for each item which option is A."""
        return pairing.ordered(items, order)
