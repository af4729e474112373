"""Decides which option a response commits to, or why it commits to none. Pure and total: no text makes it raise."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter

from forge.text.choice.claims import CORRECTS, claims
from forge.text.choice.lines import leads, listed, marked, whole
from forge.text.choice.prose import advice
from forge.text.choice.scope import Scope, prepare
from forge.text.choice.types import ANSWER, LEAD, LETTERS, NOTHING, WORDS, Choice, Claim, Evidence, Unreadable

_LIMITS = re.compile(
    r"(?<!\w)(?:however|unless|only|just|in that case|otherwise|but if|exception|alternatively)(?!\w)", re.IGNORECASE
)
# Up to the place where a search ends: a condition that is not over yet.
_INSIDE = re.compile(r"(?<!\w)(?:if|unless|when)(?!\w)[^,;:\n]{0,200}\Z", re.IGNORECASE)
_DEPENDS = re.compile(r"(?<!\w)(?:depends|depending|depend on)(?!\w)", re.IGNORECASE)
_BOTH = re.compile(r"(?<!\w)(?:both|either (?:one|option|way|choice|works|is|would|of)"
    r"|equally|all (?:of the|the) options|toss-?up)(?!\w)",
                   re.IGNORECASE)  # fmt: skip
_NEITHER = re.compile(r"(?<!\w)(?:neither|none of (?:the|these|them|those)|none (?:is|are)"
    r"|no (?:correct|right|valid|good|suitable) (?:answer|option|choice))"
                      r"(?!\w)", re.IGNORECASE)  # fmt: skip


def read_choice(response: str, options: Sequence[str], question: str = "") -> Choice:
    """Return the option that a response to a forced choice finally commits to (Core-100, section 5.2).

    An answer line outweighs a line that is an option, which outweighs sentences; of answer lines the last counts.
    Where a letter and the option text behind it disagree, the text counts. Takes time linear in the response.

    Args:
        response: what a model wrote; untrusted.
        options: the texts of A, B, C…, in order; those beyond Z are never read.
        question: what was asked; sentences copied from it are not read.
    """
    scope = prepare(response, options, question)
    if scope.reason is not None:
        return Choice(None, NOTHING, scope.reason)
    lines = marked(scope)
    inside = listed(scope, lines)
    every = [*claims(scope), *leads(scope, lines, inside)]
    first = whole(scope)
    if first is not None:
        every.append(first)
    spans = [(lines[at].start, lines[at].aim.end) for at in sorted(inside)]
    every = sorted((one for one in every if not _within(one, spans)), key=lambda one: (one.start, one.end))
    decided = _decide(scope, every)
    if decided is None:
        stated = [one for one in advice(scope) if not _within(one, spans)]
        decided = _decide(scope, _settled(scope, stated))
    return _made(scope, decided) if decided is not None else _unread(scope, spans)


def _within(claim: Claim, spans: list[tuple[int, int]]) -> bool:
    at = bisect_right(spans, claim.start, key=itemgetter(0)) - 1
    return at >= 0 and spans[at][0] <= claim.start < claim.end <= spans[at][1]


def _settled(scope: Scope, stated: list[Claim]) -> list[Claim]:
    """The advice that comes behind "it depends" and is no part of it; all of it where nothing depends."""
    found = _DEPENDS.search(scope.soft)
    if found is None:
        return stated
    end = scope.sentence(found.start())[1]
    return [one for one in stated if one.start > end and not one.conditional]


def _decide(scope: Scope, every: list[Claim]) -> Claim | None:
    if not every:
        return None
    firm = [one for one in every if not one.conditional]
    if not firm:
        same = len({one.option for one in every}) == 1
        last = every[-1]
        return (
            last if same and (last.strength == ANSWER or not _limited(scope, last)) else _none(last, Unreadable.DEPENDS)
        )
    answers = [one for one in firm if one.strength == ANSWER]
    if answers:
        return _answered(scope, answers[-1], firm)
    lines = [one for one in firm if one.strength == LEAD]
    if lines:
        return _led(scope, lines, [one for one in firm if one.strength == WORDS])
    return _agreed(scope, firm)


def _limited(scope: Scope, claim: Claim) -> bool:
    """Whether a condition singles out a case ("however, if…", "only if…", "if you choose to walk")."""
    start, end = scope.sentence(claim.start)
    if _INSIDE.search(scope.soft[max(start, claim.start - 200) : claim.start]):
        return True
    return (
        _LIMITS.search(scope.soft, max(start, claim.start - 300), min(claim.end + 60, max(end, claim.end))) is not None
    )


def _answered(scope: Scope, answer: Claim, firm: list[Claim]) -> Claim:
    """The last answer line, unless something behind it takes it back."""
    later = [one for one in firm if one.start >= answer.end and one.option is not None and one.option != answer.option]
    if not later or answer.option is None:
        return answer
    if _corrected(scope, answer, later[-1]):
        return later[-1]
    return _none(answer, Unreadable.SEVERAL) if any(one.strength == WORDS for one in later) else answer


def _led(scope: Scope, lines: list[Claim], words: list[Claim]) -> Claim:
    named = _agreed(scope, lines)
    later = [one for one in words if one.option is not None and one.option != named.option and one.start > named.start]
    if named.option is None or not later:
        return named
    if _corrected(scope, named, later[-1]):
        return later[-1]
    # A title outweighs a letter that stands alone.
    if later[-1].titled and not named.titled and len({one.option for one in later}) == 1:
        return later[-1]
    return _none(named, Unreadable.SEVERAL)


def _agreed(scope: Scope, every: list[Claim]) -> Claim:
    """What claims of one strength say together: the same, a correction, or a conclusion from the others."""
    last = every[-1]
    others = [one for one in every if one.option != last.option]
    if not others:
        return last
    if _corrected(scope, others[-1], last) or (last.closing and not any(one.closing for one in others)):
        return last
    return _none(last, Unreadable.SEVERAL)


def _corrected(scope: Scope, earlier: Claim, later: Claim) -> bool:
    return CORRECTS.search(scope.soft, earlier.end, max(later.end, earlier.end)) is not None


def _none(claim: Claim, reason: Unreadable) -> Claim:
    return Claim(claim.start, claim.end, None, reason, claim.strength)


def _made(scope: Scope, claim: Claim) -> Choice:
    evidence = Evidence(claim.start, claim.end, scope.response[claim.start : claim.end])
    if claim.option is None:
        return Choice(None, evidence, claim.reason or Unreadable.NO_ANSWER_LINE)
    return Choice(LETTERS[claim.option], evidence)


def _unread(scope: Scope, spans: list[tuple[int, int]]) -> Choice:
    for pattern, reason in ((_DEPENDS, Unreadable.DEPENDS), (_NEITHER, Unreadable.NEITHER), (_BOTH, Unreadable.BOTH)):
        match = pattern.search(scope.soft)
        if match:
            return Choice(None, Evidence(*match.span(), scope.response[match.start() : match.end()]), reason)
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(scope.soft)]
    rest = "".join(scope.soft[end:start] for end, start in zip(ends, starts, strict=True))
    if (spans or scope.copied) and not any(char.isalnum() for char in rest):
        return Choice(None, NOTHING, Unreadable.RESTATED)
    return Choice(None, NOTHING, Unreadable.NO_ANSWER_LINE)
