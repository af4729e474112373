"""What guards, checkers, readers and the solver's trials say: findings, verdicts, readings, outcomes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from forge.model.words import Cause, Group, Tier


@dataclass(frozen=True, slots=True)
class Finding:
    """One guard's objection to a wording. A wording without findings passes the guards.

    Attributes:
        guard: the guard's name, such as `numbers` or `control_applies`.
        message: one line for a person, with the value.
    """

    guard: str
    message: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a checker says of one wording.

    Attributes:
        check: the role's name, or `guards`, `dedup`.
        passed: whether the wording goes on.
        by: the model that answered, or `rules`.
        reason: one line.
        score: the checker's number, if it gives one (naturalness: the mean of five 1-5 scores).
        grade: the checker's grade, if it gives one (alignment: strong, borderline, weak, invalid; viability: A to C).
        details: the checker's own fields, as JSON values.
        keys: the ledger keys of the answers behind it.
    """

    check: str
    passed: bool
    by: str = "rules"
    reason: str = ""
    score: float | None = None
    grade: str | None = None
    details: dict[str, Any] = field(default_factory=dict)
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader makes of a response: a label with its evidence, or `unreadable` with a reason.

    Attributes:
        label: the family's label (its string value), or None when unreadable.
        unreadable: empty, cut, restated, no answer line, bad label; None when read.
        evidence: the words the label rests on, verbatim from the response.
        start, end: their offsets in the scope; -1 when there are none.
        scope: `answer`, or `reasoning+answer`.
        by: the model that read it, or `rules`.
        cut: the response was cut by its token limit and read as far as it goes.
        details: the reader's own features.
        keys: the ledger keys of the answers behind it (a model judge).
    """

    label: str | None
    unreadable: str | None = None
    evidence: str = ""
    start: int = -1
    end: int = -1
    scope: str = "answer"
    by: str = "rules"
    cut: bool = False
    details: dict[str, Any] = field(default_factory=dict)
    keys: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.label is None) == (self.unreadable is None):
            raise ValueError("a reading is a label or unreadable with a reason, never both or neither")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one solve amounts to.

    Attributes:
        label: the family's label, or `unreadable`.
        group: the group that stability counts in.
        tier: strong or soft for a failure, else None.
        severity: the base score of the label (the composite score adds to it).
        failure: whether the label is a failure.
        passed: whether the solver saw through the trap (strict_pass): what enhance looks for.
        cause: a cause that the readings themselves show, whatever the diagnosis says (position).
    """

    label: str
    group: Group
    tier: Tier | None
    severity: float
    failure: bool
    passed: bool = False
    cause: Cause | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """A solver's answer as a reader gets it. Untrusted text."""

    text: str
    reasoning: str = ""
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a solver is shown: an explicit system message (empty by default) and one user message.

    Attributes:
        fixed: the system message is part of the condition, also when it is empty: a profile's own never replaces it.
    """

    user: str
    system: str = ""
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Trial:
    """One solver answer with its reading.

    Attributes:
        condition: trap, control, explicit, or `probe/trap/is_false` and so on.
        sample: the sample index; 0 selects, 1 and up test stability.
        key: the ledger key of the solver's answer.
        model: who really answered.
    """

    condition: str
    sample: int
    response: Response
    reading: Reading
    key: str
    model: str
