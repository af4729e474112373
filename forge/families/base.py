"""The Family protocol: all that the graph knows of a kind of trap. Pure: no I/O, no model, no clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Protocol, runtime_checkable

from forge.model.checks import Finding, Outcome, Prompt, Reading, Response, Verdict
from forge.model.scenarios import Order, Selection, Version
from forge.model.seeds import Frozen, Seed
from forge.model.words import Cause, Knows, Role


@dataclass(frozen=True, slots=True)
class ProbeQuestion:
    """One yes/no question of the balanced probe.

    Attributes:
        name: `probe/trap/is_false` and so on; the condition under which its trials are stored.
        fact: `trap` or `control`.
        truth: the right answer is yes.
    """

    name: str
    fact: str
    text: str
    truth: bool


@dataclass(frozen=True, slots=True)
class LintFinding:
    """Something a machine can see is wrong with a seed.

    Attributes:
        path: keys and indexes from the seed down to the value, such as ("control", "edits", 0, "from").
        message: what is wrong and what to write instead.
        severity: `error` makes lint exit 3; `warning` does not.
    """

    path: tuple[str | int, ...]
    message: str
    severity: str = "error"


@dataclass(frozen=True, slots=True)
class Measures:
    """Counts and rates over readings; a rate is None when its denominator is 0.

    Attributes:
        rates: each between 0 and 1.
        differences: of two rates, between -1 and 1.
        lines: what a run's summary prints of them for people.
    """

    n: int
    counts: Mapping[str, int]
    rates: Mapping[str, float | None]
    denominators: Mapping[str, int] = field(default_factory=dict)
    differences: Mapping[str, float | None] = field(default_factory=dict)
    lines: tuple[str, ...] = ()


@runtime_checkable
class Family(Protocol):
    """A kind of trap.

    The type of a family's items is its own (`item` returns it); the graph only hands it back. Labels are strings of
    the family's own enum. Nothing here may raise on any text: a wording or response that makes no sense is a Finding,
    a failed Verdict or an unreadable Reading.
    """

    name: str
    Seed: ClassVar[type[Seed]]
    Label: ClassVar[type[StrEnum]]
    conditions: ClassVar[tuple[str, ...]]
    """All versions of an item that a solver may be shown."""
    diagnosis: ClassVar[tuple[str, ...]]
    """The conditions that certification asks after stability, to find the cause."""
    templates: ClassVar[Mapping[Role, str]]
    """Role → prompt id, such as `salience/truth`."""

    def wording(self, seed: Any) -> str:
        """c0's text: the seed's own wording."""

    def lint(self, seed: Any) -> list[LintFinding]:
        """Everything a machine can check of a seed beyond its schema."""

    def viability(self, seed: Any) -> Verdict:
        """Grade a seed by rules; `grade` is one of A, A-, B, C."""

    def guards(self, seed: Any, text: str, parent: str | None) -> list[Finding]:
        """Deterministic checks of a wording; empty when it passes."""

    def check(self, role: Role, seed: Any, text: str, parent: str | None) -> Verdict:
        """truth, alignment, naturalness or compliance by rules."""

    def context(self, role: Role, seed: Any, text: str, parent: str | None) -> dict[str, Any]:
        """The variables of the role's prompt template."""

    def trials(self, seed: Any, text: str) -> tuple[str, ...]:
        """The conditions that one solve asks."""

    def item(self, seed: Any, text: str) -> Any:
        """The family's item for a wording that passed the guards: a frozen pydantic model.

        Raises:
            ValueError: the wording has no control, which a guard should have said.
        """

    def control(self, item: Any) -> str:
        """The item's control: the text that a pair audit holds against the wording."""

    def render(self, item: Any, condition: str) -> Prompt:
        """What a solver is shown under a condition."""

    def read(self, item: Any, condition: str, response: Response, scope: str = "answer") -> Reading:
        """Read a response by rules."""

    def judge_context(self, item: Any, condition: str, response: Response) -> dict[str, Any]:
        """The variables of the judge's template for one condition: a control's never hold the trap."""

    def judge_template(self, condition: str) -> str:
        """The id of the judge's template for a condition; a control has one of its own."""

    def judge_labels(self, condition: str) -> tuple[str, ...]:
        """The labels a judge may give under a condition."""

    def consistent(self, item: Any, condition: str, response: Response, label: str) -> str | None:
        """Why a judge's label contradicts what rules can see of the response; None when it does not."""

    def outcome(self, readings: Mapping[str, Reading]) -> Outcome:
        """What one solve's readings, by condition, amount to."""

    def probe(self, seed: Any) -> tuple[ProbeQuestion, ...]:
        """The balanced probe's questions."""

    def read_probe(self, question: ProbeQuestion, response: Response) -> Reading:
        """Read yes or no; label `yes`, `no`, or unreadable."""

    def cause(self, knows: Knows, counts: Mapping[str, Mapping[str, int]]) -> Cause:
        """Why the solver failed, from the probe and the label counts of all fresh samples, by condition: those of the
        stability test and those of `diagnosis`; a condition that was not asked is missing."""

    def measure(self, readings: Sequence[tuple[str, Reading]]) -> Measures:
        """Counts and rates over (condition, reading) pairs."""

    def references(self, item: Any) -> dict[str, dict[str, float]]:
        """Chooser → measure → what it would score, in closed form."""


@dataclass(frozen=True, slots=True)
class Facets:
    """What the deduplication filters compare of a seed, and where it stands (SaliTrap 3.3.1).

    Attributes:
        triple: tool, object, action.
        niche: axis → value, such as setting → garden.
        need: what makes the trap impossible; items on one need are one cluster.
    """

    name: str
    prompt: str
    core: str
    triple: tuple[str, str, str]
    niche: Mapping[str, str]
    need: str


@dataclass(frozen=True, slots=True)
class Option:
    """One sound combination of a table of ingredients.

    Attributes:
        id: unique within the table.
        seed: the id of its seed.
        task, thing: the rows it comes from; variety is counted by them.
    """

    id: str
    seed: str
    need: str
    task: str
    thing: str
    niche: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Draft:
    """A composed seed, and the stretch of its prompt that a small model may word.

    Attributes:
        opening: stands in the prompt exactly once; the plan, its question and most numbers lie outside it.
        keep: numbers and words of the opening that must stay as they are.
    """

    seed: Any
    opening: str
    keep: tuple[str, ...]


class Composer(Protocol):
    """A table of ingredients that passed its schema: what can be composed of it."""

    options: tuple[Option, ...]

    def compose(self, option: Option, draw: int, variant: int) -> Draft:
        """Return the seed of an option; another draw has other numbers, another variant another frame.

        Raises:
            ValueError: nothing sound can be made of it; the message says why.
        """

    def template(self, seed: Any) -> frozenset[str]:
        """Return the normalised words that a composed seed owes to its template; none for any other seed."""

    def lint(self, step: int = 1) -> list[LintFinding]:
        """Everything a machine can check of the table beyond its schema; paths start at the document's root.

        Args:
            step: make the seed of every so-manieth option, 1 of all: that takes most of the time.
        """


@runtime_checkable
class Scalable(Protocol):
    """What a family adds so that `forge scale` can grow its seed sets."""

    proposer: ClassVar[str]
    """The id of the template that asks a model for new seeds."""
    voice: ClassVar[str]
    """The id of the template that words the opening of a composed prompt."""

    def facets(self, seed: Any) -> Facets:
        """Return what the filters compare."""

    def composer(self, document: Any, header: Mapping[str, Any]) -> Composer:
        """Read a table of ingredients.

        Raises:
            pydantic.ValidationError: the document has not the table's form.
        """

    def exemplar(self, seed: Any) -> Any:
        """Return a seed as the proposer's reply would hold it: JSON values."""

    def drafted(self, reply: Mapping[str, Any], header: Mapping[str, Any], ordinal: int) -> Any:
        """Make a seed of one entry of the proposer's reply.

        Raises:
            ValueError: it is no valid seed; the message says which field.
        """

    def reworded(self, seed: Any, text: str) -> Any:
        """Return the seed with another wording of its prompt.

        Raises:
            ValueError: the wording lost what the seed is built on.
        """


@runtime_checkable
class Paired(Protocol):
    """What a family adds so that sets of pairs can be built of its seeds and items, rated and frozen."""

    name: str
    Item: ClassVar[type[Frozen]]
    """The type of the family's items: their JSON values are a scenario's payload."""
    selection: ClassVar[Selection]
    """How scenarios are chosen unless a profile says otherwise."""
    pair: ClassVar[tuple[str, str]]
    """The two conditions that make the minimal pair: the trap's, then the control's."""
    rated: ClassVar[tuple[str, ...]]
    """The conditions that people rate; the first two are the pair."""
    cells: ClassVar[tuple[str, ...]]
    """The cells of the taxonomy, in its order."""

    def item(self, seed: Any, text: str) -> Any:
        """The family's item for a wording; see Family.item.

        Raises:
            ValueError: the wording has no control.
        """

    def wording(self, seed: Any) -> str:
        """The seed's own wording."""

    def cell(self, seed: Any) -> str:
        """The cell that a seed belongs to."""

    def audited(self, item: Any) -> tuple[str, str]:
        """The two texts that a pair audit holds against each other: without options, which never differ."""

    def findings(self, seed: Any, item: Any) -> list[str]:
        """What the audit of the quartet finds beyond the pair's distance: clauses that do not match in length, place
        or shape, an edit of the goal, the question or the options; empty when all is well. Each names its condition."""

    def versions(self, item: Any, order: Order) -> dict[str, Version]:
        """Condition → what is shown under it; with Order.BOTH each condition in both orders."""

    def gradients(self, seed: Any, item: Any) -> dict[str, Version]:
        """Name → a version by one edit of the trap's, such as `strength/weak`; empty where there are none."""

    def options(self, item: Any) -> dict[str, str]:
        """Label → words of an option; empty where the answer is free."""

    def first(self, item: Any) -> str:
        """The label of the option shown first; empty without options."""

    def ordered(self, items: Mapping[str, Any], order: Order) -> dict[str, Any]:
        """Give each item (by the scenario's id) its order of options; unchanged where there are none."""


def knows(majorities: Mapping[str, bool | None], questions: Sequence[ProbeQuestion]) -> Knows:
    """Fold the probe's majorities (question name → said yes, or None without a majority) into one word.

    yes when all four are right, no when both trap questions are wrong, else unclear. A coin that answers each
    question by itself gets yes in 1 of 16 (design section 4, The probe).
    """
    right = {q.name: majorities.get(q.name) is q.truth for q in questions}
    if all(right.values()):
        return Knows.YES
    trap = [majorities.get(q.name) for q in questions if q.fact == "trap"]
    wrong = [q for q in questions if q.fact == "trap" and majorities.get(q.name) is (not q.truth)]
    if trap and len(wrong) == len(trap):
        return Knows.NO
    return Knows.UNCLEAR
