"""Ratings: who is asked what of which scenario, what people answered, and what was decided of it."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import Field

from forge.model.seeds import Frozen


class Task(StrEnum):
    """What a rater is asked."""

    RATE = "rate"
    """Which option is right in one condition, or whether a plan works; with confidence and naturalness."""
    AUDIT = "audit"
    """Whether two versions of a scenario differ in the intended fact alone."""
    CELL = "cell"
    """Which cell of the taxonomy a scenario belongs to."""


class Assignment(Frozen):
    """One question to one rater.

    Attributes:
        rater: `rater-01`, `reference-01`, `auditor-1`, `annotator-1`: forms a file's name.
        reference: answers that `decide` never uses.
        block: the block of raters, from 0; -1 where there are none.
        position: the place on the rater's sheet, from 0.
        entry: an opaque key, unique within the round; it tells a rater nothing of the condition.
        condition: the condition shown; empty where all of the scenario or a pair is shown.
    """

    set: str
    round: int = Field(ge=1)
    task: Task
    rater: str = Field(pattern=r"^[a-z]+-[0-9]{1,3}$")
    reference: bool = False
    block: int = -1
    position: int = Field(ge=0)
    entry: str
    scenario: str
    condition: str = ""


class Rating(Frozen):
    """One answer of one rater.

    Attributes:
        answer: rate, with options: the label of the chosen option, or `both`, `depends`, `neither`; rate, answered
            freely: `works`, `does_not`, `depends`; audit: `yes` or `no`; cell: a cell's name.
        confidence, naturalness: 1-5 where asked, else None.
        file, line: where it was read: a base name, and a line from 1 (an entry's ordinal in JSON).
    """

    set: str
    round: int = Field(ge=1)
    task: Task
    rater: str
    reference: bool = False
    entry: str
    scenario: str
    condition: str = ""
    answer: str
    confidence: int | None = Field(None, ge=1, le=5)
    naturalness: int | None = Field(None, ge=1, le=5)
    note: str = ""
    file: str = ""
    line: int = 0


class Decision(Frozen):
    """What the inclusion rule makes of one scenario's ratings of one round.

    Attributes:
        included: its pair passes.
        included_cue: all rated conditions pass: the only ones in the contrast of explicit and salience control.
        reasons: why not, in words, with condition, value and limit; empty when all is passed.
        figures: condition → counts of answers, n, agreement, abstentions, mean confidence, mean naturalness.
        rule: the thresholds that were applied.
    """

    set: str
    round: int
    scenario: str
    digest: str
    included: bool
    included_cue: bool
    reasons: tuple[str, ...] = ()
    figures: dict[str, Any] = {}
    rule: dict[str, Any] = {}
