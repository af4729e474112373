"""The salience family: wires seeds, guards, readers and measures to the Family protocol. Decides nothing itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, ClassVar

from forge.families import probe
from forge.families.answers import ANSWER, prepare, scoped
from forge.families.base import Composer, Facets, LintFinding, Measures, ProbeQuestion
from forge.families.salience import cause, checks, guards, item, labels, lint, measures, paired, scaling
from forge.families.salience.control import ControlReader
from forge.families.salience.item import CONDITIONS, CONTROL, EXPLICIT, TRAP, SalienceItem
from forge.families.salience.judge import TrapReader
from forge.families.salience.key import TrapKey
from forge.families.salience.labels import ControlLabel, SalienceLabel
from forge.families.salience.results import Results
from forge.families.salience.seed import SalienceSeed
from forge.families.salience.wording import terms_in
from forge.model.checks import Finding, Outcome, Prompt, Reading, Response, Verdict
from forge.model.profile import Weights
from forge.model.scenarios import Order, Selection, Version
from forge.model.seeds import Frozen, Seed
from forge.model.words import Cause, Knows, Role

_ROLES = tuple(role for role in Role if role not in (Role.SOLVER, Role.JUDGE))


class SalienceFamily:
    """Plans that cannot work, asked as sums (SaliTrap).

    Args:
        name: the family's name; another one for a family that is this code with other seeds and prompts.
        weights: base scores of the labels.
    """

    Seed: ClassVar[type[Seed]] = SalienceSeed
    Label: ClassVar[type[StrEnum]] = SalienceLabel
    conditions: ClassVar[tuple[str, ...]] = CONDITIONS
    diagnosis: ClassVar[tuple[str, ...]] = (CONTROL, EXPLICIT)
    templates: ClassVar[Mapping[Role, str]] = {
        **{role: f"salience/{role.value}" for role in _ROLES},
        Role.JUDGE: "salience/judge",
    }
    proposer: ClassVar[str] = "salience/proposer"
    voice: ClassVar[str] = "salience/voice"
    Item: ClassVar[type[Frozen]] = SalienceItem
    selection: ClassVar[Selection] = Selection.ADVERSARIAL
    pair: ClassVar[tuple[str, str]] = paired.PAIR
    rated: ClassVar[tuple[str, ...]] = paired.RATED
    cells: ClassVar[tuple[str, ...]] = paired.CELLS

    def __init__(self, name: str = "salience", weights: Weights | None = None) -> None:
        self.name = name
        self._weights = weights or Weights()

    def wording(self, seed: SalienceSeed) -> str:
        """c0's text: the seed's own prompt."""
        return seed.prompt

    def lint(self, seed: SalienceSeed) -> list[LintFinding]:
        """Everything a machine can check of a seed beyond its schema."""
        return lint.lint(seed)

    def viability(self, seed: SalienceSeed) -> Verdict:
        """Grade a seed by rules."""
        return checks.viability(seed)

    def guards(self, seed: SalienceSeed, text: str, parent: str | None) -> list[Finding]:
        """Deterministic checks of a wording; empty when it passes."""
        return guards.guards(seed, text, parent)

    def check(self, role: Role, seed: SalienceSeed, text: str, parent: str | None) -> Verdict:
        """truth, alignment, naturalness or compliance by rules."""
        return checks.check(role, seed, text, parent)

    def context(self, role: Role, seed: SalienceSeed, text: str, parent: str | None) -> dict[str, Any]:
        """The variables of every template but the judges'; the same set for each role. Who renders fences the texts.

        `key_terms` has one wording of each group: the one the text uses, else the first.
        """
        return {
            "role": role.value,
            "seed_id": seed.id,
            "dimension": seed.dimension.value,
            "prompt": seed.prompt,
            "text": text,
            "parent": parent or "",
            "question": seed.question,
            "trap_core": seed.trap_core,
            "ground_truth": seed.ground_truth,
            "key_terms": [(terms_in(text, group) or [group[0]])[0] for group in seed.key_terms],
            "numbers": list(seed.kept),
            "all_numbers": [number.text for number in seed.numbers],
            "preserve": list(seed.hints.preserve),
            "avoid": list(seed.hints.avoid),
            "triple": seed.triple.model_dump(),
            "blocker": seed.blocker.model_dump(),
        }

    def trials(self, seed: SalienceSeed, text: str) -> tuple[str, ...]:
        """One solve asks the trap."""
        return (TRAP,)

    def item(self, seed: SalienceSeed, text: str) -> SalienceItem:
        """The item of a wording that passed the guards.

        Raises:
            ValueError: an edit or a clause cannot be applied exactly once.
        """
        return item.build(seed, text)

    def control(self, item: SalienceItem) -> str:
        """The item's control."""
        return item.control_text

    def render(self, item: SalienceItem, condition: str) -> Prompt:
        """What a solver is shown: one user message and an empty system message (SaliTrap F.3).

        Raises:
            ValueError: there is no such condition.
        """
        return Prompt(item.prompt(condition))

    def read(self, item: SalienceItem, condition: str, response: Response, scope: str = ANSWER) -> Reading:
        """Read a response by rules.

        Raises:
            ValueError: there is no such condition. No text raises.
        """
        if condition == CONTROL:
            return _control_reader(item.control_text, item.expected).read(response, scope)
        return _trap_reader(item.key(condition)).read(response, scope)

    def judge_context(self, item: SalienceItem, condition: str, response: Response) -> dict[str, Any]:
        """The variables of the judge's template; a control's hold the request, the result and the response alone.

        The response is as the solver wrote it: whoever renders the template fences it.
        """
        shown = {"prompt": item.prompt(condition), "response": response.text}
        if condition == CONTROL:
            return {**shown, "expected": " or ".join(item.expected)}
        return {**shown, "trap_core": item.trap_core, "ground_truth": item.ground_truth}

    def judge_template(self, condition: str) -> str:
        """The id of the judge's template: a control has one of its own."""
        return "salience/judge_control" if condition == CONTROL else self.templates[Role.JUDGE]

    def judge_labels(self, condition: str) -> tuple[str, ...]:
        """The labels a judge may give under a condition."""
        enum: type[StrEnum] = ControlLabel if condition == CONTROL else SalienceLabel
        return tuple(str(label) for label in enum)

    def consistent(self, item: SalienceItem, condition: str, response: Response, label: str) -> str | None:
        """Why a judge's label contradicts what rules can see: a strict pass on worked results, a false alarm on the
        right result; None when nothing does."""
        text = scoped(response.text, response.reasoning, ANSWER)
        if condition == CONTROL:
            found = Results(item.expected).find(text)
            if found and label != ControlLabel.COMPLETES:
                return f"The response holds the expected result: {found[0].text!r}."
            return None
        if label != SalienceLabel.STRICT_PASS:
            return None
        key = item.key(condition)
        features = _trap_reader(key).features(prepare(text, key.prompt))
        if features.work == "none" or features.worked is None:
            return None
        return f"The response carries the task out: {text[features.worked.start : features.worked.end]!r}."

    def outcome(self, readings: Mapping[str, Reading]) -> Outcome:
        """What one solve amounts to: its trap reading."""
        reading = readings.get(TRAP)
        return labels.outcome(reading.label if reading else None, self._weights)

    def probe(self, seed: SalienceSeed) -> tuple[ProbeQuestion, ...]:
        """The balanced probe's questions."""
        return probe.questions(seed.probe)

    def read_probe(self, question: ProbeQuestion, response: Response) -> Reading:
        """Read yes or no."""
        return probe.read_probe(question.text, response)

    def cause(self, knows: Knows, counts: Mapping[str, Mapping[str, int]]) -> Cause:
        """Why the solver failed."""
        return cause.cause(knows, counts.get(CONTROL, {}), counts.get(EXPLICIT, {}))

    def measure(self, readings: Sequence[tuple[str, Reading]]) -> Measures:
        """Counts and rates over (condition, reading) pairs."""
        return measures.measure(readings)

    def references(self, item: SalienceItem) -> dict[str, dict[str, float]]:
        """Chooser → measure → what it would score; the same for every item."""
        return measures.references()

    def facets(self, seed: SalienceSeed) -> Facets:
        """What the deduplication filters compare."""
        return scaling.facets(seed)

    def composer(self, document: Any, header: Mapping[str, Any]) -> Composer:
        """Read a table of ingredients.

        Raises:
            pydantic.ValidationError: the document has not the table's form.
        """
        return scaling.composer(document, header)

    def exemplar(self, seed: SalienceSeed) -> dict[str, Any]:
        """A seed as the proposer's reply would hold it."""
        return scaling.exemplar(seed)

    def drafted(self, reply: Mapping[str, Any], header: Mapping[str, Any], ordinal: int) -> SalienceSeed:
        """Make a seed of one entry of the proposer's reply.

        Raises:
            ValueError: it is no valid seed.
        """
        return scaling.drafted(reply, header, ordinal)

    def reworded(self, seed: SalienceSeed, text: str) -> SalienceSeed:
        """The seed with another wording of its prompt.

        Raises:
            ValueError: the wording lost what the seed is built on.
        """
        return scaling.reworded(seed, text)

    def cell(self, seed: SalienceSeed) -> str:
        """The dimension: salience has no finer cells."""
        return seed.dimension.value

    def audited(self, item: SalienceItem) -> tuple[str, str]:
        """Trap and control."""
        return item.text, item.control_text

    def findings(self, seed: SalienceSeed, item: SalienceItem) -> list[str]:
        """What the audit of an item's versions finds; each names its condition."""
        return list(paired.findings(item))

    def versions(self, item: SalienceItem, order: Order) -> dict[str, Version]:
        """Condition → version."""
        return paired.versions(item)

    def gradients(self, seed: SalienceSeed, item: SalienceItem) -> dict[str, Version]:
        """None: a blocker has no strengths."""
        return {}

    def options(self, item: SalienceItem) -> dict[str, str]:
        """None: the answer is free."""
        return {}

    def first(self, item: SalienceItem) -> str:
        """None: the answer is free."""
        return ""

    def ordered(self, items: Mapping[str, SalienceItem], order: Order) -> dict[str, SalienceItem]:
        """The items as they are."""
        return dict(items)


@lru_cache(maxsize=256)
def _trap_reader(key: TrapKey) -> TrapReader:
    return TrapReader(key)


@lru_cache(maxsize=256)
def _control_reader(prompt: str, expected: tuple[str, ...]) -> ControlReader:
    return ControlReader(prompt, expected)
