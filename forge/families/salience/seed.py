"""The salience seed: its fields, what each is for, and checks of form. What needs the whole seed is lint's."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field, field_validator, model_validator

from forge.families.fields import Text
from forge.model.seeds import Frozen, Seed

Terms = tuple[Text, ...]


class Dimension(StrEnum):
    """The four kinds of violation (SaliTrap 3.2)."""

    MISSING_PREREQUISITE = "missing_prerequisite"
    ENVIRONMENTAL_MISMATCH = "environmental_mismatch"
    TEMPORAL_OR_PHYSIOLOGICAL = "temporal_or_physiological"
    RULE_MISMATCH = "rule_mismatch"


class Niche(Frozen):
    """Where the seed sits in the coverage grid."""

    setting: Text = Field(description="where it happens: countryside, kitchen, city, office")
    class_: Text = Field(alias="class", description="the kind of tool or means: carrier, energy source, credential")
    quantity: Text = Field(description="what the question asks for: trips, hours, savings, a price")


class Triple(Frozen):
    """(tool, object, action): no two accepted seeds share one (SaliTrap 3.3.1, filter f4)."""

    tool: Text = Field(description="what the user means to use")
    object: Text = Field(description="what it is to be used on")
    action: Text = Field(description="what the user means to do, as a verb phrase")


class Blocker(Frozen):
    """What makes the trap impossible, and how the control puts it right."""

    kind: Literal["property", "condition", "time", "body", "credential"] = Field(
        description="property (D1), condition of the place (D2), time or body (D3), credential (D4)"
    )
    needs: Text = Field(description="the one thing the action needs, in a word or two: watertight, light, metro fare")
    trap: Text = Field(description="how that stands in the trap: a mesh bag is open netting")
    control: Text = Field(description="how that stands in the control: a milk can is closed metal")


class SeedNumber(Frozen):
    """A number as it stands in the prompt."""

    text: Text = Field(description="verbatim from the prompt, with its unit: 600 m, £1.20, 3 days")
    unit: Text = Field(description="the unit, in a short spelling: m, GBP per litre, d")
    role: Literal["distractor", "core"] = Field(
        description="distractor: bait, counted; core: part of the impossibility (a depth, a weight), not counted"
    )
    keep: bool = Field(default=False, description="true: no rewrite may drop it; give it to the numbers of the sum")

    @field_validator("text")
    @classmethod
    def _has_number(cls, value: str) -> str:
        words = {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "half", "dozen"}
        spelled = any(
            word in words or word.endswith(("teen", "ty")) for word in value.lower().replace("-", " ").split()
        )
        if not spelled and not any(char.isdigit() for char in value):
            raise ValueError(
                f"{value!r} holds no number: copy the number and its unit from the prompt, such as '600 m'"
            )
        return value


class Awareness(Frozen):
    """How an answer shows that it saw the trap. Not in the prompt; not what a compliant answer says in passing."""

    plain: Terms = Field(
        min_length=1, description="phrases that say it on their own: leak through, too dark, already sat"
    )
    negated: Terms = Field(
        default=(), description="phrases that say it only beside a negation: hold liquid, change the score"
    )


class Edit(Frozen):
    """One replacement that turns the trap into its control."""

    old: Text = Field(alias="from", description="a key term, verbatim in the prompt exactly once, in one group alone")
    new: Text = Field(alias="to", description="what stands in its place in the control; about as long")

    @model_validator(mode="after")
    def _differs(self) -> Edit:
        if self.old == self.new:
            raise ValueError(f"from and to are both {self.old!r}: write in `to` what makes the plan possible")
        return self


class Expected(Frozen):
    """How the result of the control may be written."""

    any_of: Terms = Field(min_length=1, description="spellings of the result; one of them in an answer is enough")


class Control(Frozen):
    """The same request with one fact changed, so that the plan works."""

    edits: tuple[Edit, ...] = Field(min_length=1, description="the replacements, all in one span of the prompt")
    core: Text = Field(description="one sentence: why the plan works now")
    ground_truth: Text = Field(description="the right result, with its arithmetic")
    expected: Expected = Field(description="what an answer to the control must contain")


class Clause(Frozen):
    """A clause that is inserted right after a phrase of the prompt."""

    after: Text = Field(description="a phrase that stands in the prompt exactly once, best inside a key term")
    text: Text = Field(description="the clause with its leading comma or space: ', which is all open holes,'")

    @field_validator("text")
    @classmethod
    def _starts(cls, value: str) -> str:
        if value[0].isalnum():
            raise ValueError(f"begin {value!r} with a comma or a space: it is inserted right behind a word")
        return value


class SalienceSeed(Seed):
    """A prompt that asks for a sum about a plan that cannot work, with all that tests it (DESIGN section 5, Seeds)."""

    dimension: Dimension = Field(description="which of the four kinds of violation it is")
    niche: Niche = Field(description="setting, class and quantity: where the seed sits in the coverage grid")
    triple: Triple = Field(description="tool, object and action: no two seeds share one")
    blocker: Blocker = Field(description="what makes the plan impossible, and how the control puts it right")
    prompt: Text = Field(description="the request, as a person would write it; it never names what is wrong")
    question: Text = Field(description="the closing question, verbatim from the prompt; unanswerable without the trap")
    trap_core: Text = Field(description="one sentence that states the impossibility; never shown with the prompt")
    ground_truth: Text = Field(description="what a good answer says, what it does not do, what it may suggest")
    numbers: tuple[SeedNumber, ...] = Field(min_length=1, description="every number of the prompt, verbatim")
    key_terms: tuple[Terms, ...] = Field(
        min_length=1, description="groups of alternatives; one of each group survives every rewrite"
    )
    awareness: Awareness = Field(description="how an answer shows that it saw the trap")
    swaps: Terms = Field(
        default=(), description="what a mended or swapped tool looks like: bucket, liner, monthly pass"
    )
    work: Terms = Field(min_length=1, description="results that only an answer which does the sum prints")
    control: Control = Field(description="the edits, and what the control should reach")
    explicit: Clause = Field(description="a clause that states the missing prerequisite, never the answer")
    salience_control: Clause = Field(description="a clause of the same build and length that matters for nothing")

    @field_validator("prompt", "question")
    @classmethod
    def _one_line(cls, value: str) -> str:
        return " ".join(value.split())

    @field_validator("key_terms")
    @classmethod
    def _groups(cls, value: tuple[Terms, ...]) -> tuple[Terms, ...]:
        for index, group in enumerate(value):
            if not group:
                raise ValueError(f"key-term group {index} is empty: write at least one wording, such as [mesh bag]")
        return value

    @property
    def edits(self) -> tuple[tuple[str, str], ...]:
        """The control's edits as (from, to) pairs."""
        return tuple((edit.old, edit.new) for edit in self.control.edits)

    @property
    def kept(self) -> tuple[str, ...]:
        """The texts of the numbers that no rewrite may drop."""
        return tuple(number.text for number in self.numbers if number.keep)

    @property
    def anchors(self) -> tuple[str, ...]:
        """The key terms without alternatives: what every rewrite keeps verbatim."""
        return tuple(group[0] for group in self.key_terms if len(group) == 1)
