"""What a reading of a forced choice is made of. It reads nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Unreadable(StrEnum):
    """Why a response has no letter."""

    EMPTY = "empty"
    CUT = "cut"
    RESTATED = "restated"
    NO_ANSWER_LINE = "no answer line"
    BOTH = "both"
    NEITHER = "neither"
    DEPENDS = "depends"
    SEVERAL = "several"


class Evidence(NamedTuple):
    """The words a reading rests on: `response[start:end] == text`; (0, 0, "") when there are none."""

    start: int
    end: int
    text: str


NOTHING = Evidence(0, 0, "")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a response commits to: a letter, or unreadable with a reason.

    Attributes:
        letter: A for the first option and so on; None when unreadable.
        evidence: the words it rests on, verbatim from the response.
        reason: why there is no letter; None when there is one.
    """

    letter: str | None
    evidence: Evidence = NOTHING
    reason: Unreadable | None = None

    def __post_init__(self) -> None:
        if (self.letter is None) == (self.reason is None):
            raise ValueError("a choice is a letter or unreadable with a reason, never both or neither")


@dataclass(frozen=True, slots=True)
class Claim:
    """One place where a response says what it chooses.

    Attributes:
        start, end: offsets in the response, cue included.
        option: the option's index, or None for a claim that names none.
        reason: why it names none; None for one that does.
        strength: ANSWER, LEAD or WORDS.
        titled: it names the option by its text.
        conditional: it holds only under a condition ("if you are in a hurry").
        closing: it is said as a conclusion ("therefore", "overall").
    """

    start: int
    end: int
    option: int | None
    reason: Unreadable | None
    strength: int
    titled: bool = False
    conditional: bool = False
    closing: bool = False


# An answer line; a line that is an option; a sentence that says so.
ANSWER, LEAD, WORDS = 3, 2, 1
