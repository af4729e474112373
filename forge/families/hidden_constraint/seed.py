"""The hidden-constraint seed: its fields, what each is for, and checks of form. What needs the whole seed is lint's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from forge.families.fields import Text
from forge.families.hidden_constraint.labels import ChoiceLabel
from forge.model.seeds import Frozen, Seed

SLOTS = ("clause", "cue", "fact", "question")
STRENGTHS = ("strong", "medium", "weak")
_SLOT = re.compile(r"\{([^{}]*)\}")


class Heuristic(StrEnum):
    """What misleads: the four heuristic families (HOB 2.2, table 1)."""

    PROX = "H-prox"
    EFF = "H-eff"
    COST = "H-cost"
    SEM = "H-sem"


class ConstraintKind(StrEnum):
    """What is missed: the five constraint families (HOB 2.2, table 1)."""

    PRES = "C-pres"
    CAP = "C-cap"
    VAL = "C-val"
    SCOPE = "C-scope"
    PROC = "C-proc"


class Options(Frozen):
    """The two options, in the words that a solver is shown."""

    constraint_heavy: Text = Field(description="what the constraint asks for; never names what is missing")
    heuristic: Text = Field(description="what the cue pulls to; of the same shape")

    def text(self, label: ChoiceLabel) -> str:
        """The words of an option."""
        return self.constraint_heavy if label is ChoiceLabel.CONSTRAINT_HEAVY else self.heuristic


class Cue(Frozen):
    """The salient cue at three strengths; they differ in one place and by at most two words."""

    strong: Text = Field(description="just 150 metres from my front door")
    medium: Text = Field(description="about 800 metres from my front door")
    weak: Text = Field(description="about 3 kilometres from my front door; the constraint-heavy option is still right")

    def text(self, strength: str) -> str:
        """The cue at a strength.

        Raises:
            KeyError: there is no such strength.
        """
        return {"strong": self.strong, "medium": self.medium, "weak": self.weak}[strength]

    @property
    def all(self) -> tuple[str, ...]:
        """The three cues, strongest first."""
        return (self.strong, self.medium, self.weak)


class Fact(Frozen):
    """The one fact that decides; the edit from `active` to `removed` is the only difference of the pair."""

    active: Text = Field(description="with it the constraint holds: my driveway")
    removed: Text = Field(description="with it the constraint is gone: their yard")


class Clauses(Frozen):
    """Two clauses for one place, of one build and about the same length."""

    explicit: Text = Field(description="states the prerequisite, never the answer: ', which is done on the actual car'")
    salience_control: Text = Field(description="matters for nothing: ', which is paid for by bank card'")

    @field_validator("explicit", "salience_control")
    @classmethod
    def _starts(cls, value: str) -> str:
        if not value.startswith(","):
            raise ValueError(f"begin {value!r} with a comma and a space: it is inserted right behind a word")
        return value


class Gold(Frozen):
    """The right option in each condition of the quartet."""

    active: ChoiceLabel = Field(description="constraint_heavy")
    removed: ChoiceLabel = Field(description="heuristic")
    explicit: ChoiceLabel = Field(description="constraint_heavy")
    salience_control: ChoiceLabel = Field(description="constraint_heavy")


class Why(Frozen):
    """Why nobody sensible would choose the other option."""

    active: Text = Field(description="one sentence on the active version")
    removed: Text = Field(description="one sentence on the removed version")


class StrengthGold(Frozen):
    """The right option at each strength of the cue, in the active version; strengths are compared only so."""

    strong: ChoiceLabel = Field(description="constraint_heavy")
    medium: ChoiceLabel = Field(description="constraint_heavy")
    weak: ChoiceLabel = Field(description="constraint_heavy")


class Nothing(Frozen):
    """No change: the active version itself."""


class Hint(Frozen):
    """One replacement that hints at the constraint without stating it."""

    old: Text = Field(alias="from", description="words of the active version, there exactly once: my headlights")
    new: Text = Field(alias="to", description="what stands in their place: my car's headlights")

    @model_validator(mode="after")
    def _differs(self) -> Hint:
        if self.old == self.new:
            raise ValueError(f"from and to are both {self.old!r}: write in `to` what hints at the constraint")
        return self


class Told(Frozen):
    """Which clause makes the constraint explicit."""

    clause: Literal["explicit"] = Field(description="explicit")


class Explicitness(Frozen):
    """How plainly the active version says what it rests on."""

    implicit: Nothing = Field(default=Nothing(), description="{}: the active version as it is")
    hint: Hint = Field(description="one edit that hints at the constraint")
    explicit: Told = Field(default=Told(clause="explicit"), description="{clause: explicit}")


class Gradients(Frozen):
    """Versions of the active text by one edit each (HOB 2.2)."""

    strength: StrengthGold = Field(description="the right option at each strength of the cue: all three")
    explicitness: Explicitness = Field(description="implicit, hint and explicit")


class NoConflict(Frozen):
    """The same surface and cue without any constraint."""

    text: Text = Field(description="a whole text with cue and question, in which the heuristic option is plainly right")
    gold: ChoiceLabel = Field(description="heuristic")


class ExpectedAudit(Frozen):
    """What the writer expects the pair audit to find."""

    words: int = Field(ge=0, description="difference of active and removed in words")
    token_edits: int = Field(ge=0, description="edits on white-space words")
    spans: int = Field(ge=0, description="places in which the two differ")


class HiddenConstraintSeed(Seed):
    """An everyday question with two options, with all that makes a quartet of it (Core-100, section 5; HOB 2.2)."""

    inherits: ClassVar[Mapping[str, str]] = {"heuristic": "heuristic", "constraint": "constraint_kind"}

    heuristic: Heuristic = Field(description="what misleads: H-prox, H-eff, H-cost or H-sem")
    constraint_kind: ConstraintKind = Field(
        description="what is missed: C-pres, C-cap, C-val, C-scope or C-proc; the header's `constraint`"
    )
    goal: Text = Field(description="what the writer wants, in words of the text; the edit never touches it")
    constraint: Text = Field(description="the constraint in one sentence; never shown with the text")
    template: Text = Field(description="the text with {clause}, {cue}, {fact} and {question}, each exactly once")
    question: Text = Field(description="the closing question, which asks for one of the two options")
    options: Options = Field(description="the two options")
    cue: Cue = Field(description="what pulls to the heuristic option, at three strengths")
    base_cue: Literal["strong", "medium", "weak"] = Field(default="strong", description="the strength of the quartet")
    fact: Fact = Field(description="the one fact that decides, active and removed")
    clause: Clauses = Field(description="the explicit clause and its control")
    gold: Gold = Field(description="the right option in each condition")
    why_unique: Why = Field(description="why the other option is not right, active and removed")
    gradients: Gradients = Field(description="strength and explicitness, one edit each")
    no_conflict: NoConflict = Field(description="the same surface and cue without the constraint")
    expect_audit: ExpectedAudit | None = Field(default=None, description="what the pair audit should find, if said")

    @field_validator("template", "question")
    @classmethod
    def _one_line(cls, value: str) -> str:
        return " ".join(value.split())

    @field_validator("no_conflict")
    @classmethod
    def _one_line_too(cls, value: NoConflict) -> NoConflict:
        return value.model_copy(update={"text": " ".join(value.text.split())})

    @field_validator("template")
    @classmethod
    def _slots(cls, value: str) -> str:
        found = _SLOT.findall(value)
        wrong = [f"{{{name}}} {found.count(name)} times" for name in SLOTS if found.count(name) != 1]
        if wrong:
            raise ValueError(f"each slot stands in the template exactly once; here {', '.join(wrong)}")
        other = [name for name in found if name not in SLOTS]
        if other or value.count("{") != len(SLOTS) or value.count("}") != len(SLOTS):
            raise ValueError(f"only {{{'}, {'.join(SLOTS)}}} may stand between braces")
        return value

    @property
    def dimension(self) -> str:
        """The cell's two families in one word, for tables."""
        return f"{self.heuristic} x {self.constraint_kind}"

    @property
    def cell(self) -> str:
        """The cell: a letter for the heuristic, a digit for the constraint, as in A1."""
        letter = "ABCD"[list(Heuristic).index(self.heuristic)]
        return f"{letter}{list(ConstraintKind).index(self.constraint_kind) + 1}"
