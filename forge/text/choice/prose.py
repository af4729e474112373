"""Reads advice that names no letter: clauses that recommend an option by its text or by an unmistakable part of it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

from forge.text.choice.claims import closes, conditional
from forge.text.choice.scope import Scope
from forge.text.choice.types import WORDS, Claim

_ADVICE = re.compile(
    r"(?<!\w)(?:should|shall|i'd|i would|i will|i'll|have to|need to|needs to|must|better|best|recommend\w{0,3}"
    r"|suggest|advise|go with"
    r"|go for|opt for|choose|pick|select|prefer|makes? (?:more |the most |most |perfect |better )?sense"
    r"|preferable|ideal|right (?:choice|call|move)"
    r"|way to go|wins?|advisable|definitely|absolutely|worth|answer|required|necessary|want to|smarter|correct"
    r"|right|sensible|let's"
    r"|obviously|of course)(?!\w)",
    re.IGNORECASE,
)
_OPENER = re.compile(
    r"[\s\"'(\[:>-]{0,12}(?:(?:yes|so|therefore|thus|just|simply|definitely|please|well|ok|okay|sure|easy|hence"
    r"|overall|then|and|but"
    r"|verdict|answer|short answer|absolutely|obviously|clearly|you|i'd|i would|the|a|an|by|to|go|take"
    r"|let's)(?![\w'])[\s,:!.\"'-]{1,4}){0,4}$",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?:(?<!\w)(?:not|never|avoid|avoiding|instead of|rather than|than|over|no|without|nor|against|skip|versus"
    r"|vs|cannot|unlike|no need to"
    r"|ruled out|reject|rejected|stop|forget|of not|neither|why|ruling out|unnecessary to|pointless to|beats"
    r"|defeats)(?!\w)|n't(?!\w))"
    r"(?:[ \"'(]{1,3}(?!(?:but|just|only)\b)[\w']{1,20}){0,2}[ \"'(]{0,4}$",
    re.IGNORECASE,
)
_ALLOWED = re.compile(r"(?<!\w)(?:not only|why not)(?!\w)", re.IGNORECASE)
_AFTER = re.compile(
    r"(?:[ \"')]{1,3}[\w']{1,20}){0,4}[ \"')]{1,3}(?:(?:is|are|was|would|does|do|did|can|could|will|has|have"
    r"|makes?)[ ]?(?:not|n't|no)"
    r"|cannot|defeats?|wrong|incorrect|unnecessary|pointless|impossible|impractical|overkill|ruled out|rejected"
    r"|fails?|silly|useless"
    r"|inefficient|wasteful|isn't|won't|doesn't|can't|wouldn't|aren't|don't|only)(?!\w)",
    re.IGNORECASE,
)
_MAYBE = re.compile(r"(?<!\w)(?:might|may|could|some people|at first|first glance|tempting|seems?"
    r"|seemingly|although|though|while"
                    r"|even if|normally|usually|generally|typically|initially"
                    r"|whether)(?!\w)", re.IGNORECASE)  # fmt: skip
_BOLD = re.compile(r"(?:\*\*|__)[^\w*]{0,3}$")
_BREAK = re.compile(r"[,;:–—\n]|[ ](?:but|however|so|because|since|whereas|yet|and then)[ ]", re.IGNORECASE)
_SHORT = 14


class Mention(NamedTuple):
    """An option named in a clause."""

    option: int
    start: int
    end: int


def advice(scope: Scope) -> list[Claim]:
    """Return a claim for every option that a clause recommends, in order."""
    found: list[Claim] = []
    for start, end in zip(scope.bounds, scope.bounds[1:], strict=False):
        if scope.soft[max(end - 5, start) : end].rstrip(" \n\"')")[-1:] == "?":
            continue
        found.extend(_sentence(scope, start, end))
    return found


def _sentence(scope: Scope, start: int, end: int) -> Iterator[Claim]:
    breaks = [start, *(match.end() for match in _BREAK.finditer(scope.soft, start, end)), end]
    turned = False
    for left, right in itertools.pairwise(breaks):
        before = scope.soft[max(start, left - 200) : left]
        every = list(mentions(scope, left, right))
        kept = [one for one in every if not _rejected(scope, left, right, one)]
        against, turned = turned, len(kept) < len(every)
        if len({one.option for one in kept}) != 1:
            continue
        one = kept[0]
        if _MAYBE.search(scope.soft, max(left, one.start - 100), one.start) or not (
            _recommends(scope, left, right, one) or (against and _OPENER.match(scope.soft, left, one.start))
        ):
            continue
        yield Claim(one.start, one.end, one.option, None, WORDS, True,
                    conditional=conditional(before + scope.soft[left : one.start], scope.soft[one.end : right]),
                    closing=closes(before[-60:] + scope.soft[left : one.start]))  # fmt: skip


def mentions(scope: Scope, start: int, end: int) -> Iterator[Mention]:
    """Yield the options named between two offsets: by their texts, or together by an unmistakable part."""
    at, last = scope.word(start), scope.word(end)
    loose: list[int] = []
    any_whole = False
    while at < last:
        hit = scope.options.at(scope.words, at, scope.soft)
        if hit is not None and hit.last <= last:
            any_whole = True
            yield Mention(hit.option, scope.words[at].start, scope.words[hit.last - 1].end)
            at = hit.last
            continue
        if scope.words[at].stem in scope.options.owner:
            loose.append(at)
        at += 1
    if loose and not any_whole:
        option = scope.options.part([scope.words[at].stem for at in loose])
        if option is not None:
            yield Mention(option, scope.words[loose[0]].start, scope.words[loose[-1]].end)


def _rejected(scope: Scope, left: int, right: int, one: Mention) -> bool:
    before = _ALLOWED.sub(" ", scope.soft[max(left, one.start - 60) : one.start])
    return _BEFORE.search(before) is not None or _AFTER.match(scope.soft, one.end, min(right, one.end + 90)) is not None


def _recommends(scope: Scope, left: int, right: int, one: Mention) -> bool:
    if _BOLD.search(scope.response[max(one.start - 6, 0) : one.start]):
        return True
    if _ADVICE.search(scope.soft, max(left, one.start - 100), one.start):
        return True
    if _ADVICE.search(scope.soft, one.end, min(right, one.end + 60)):
        return True
    begins = _OPENER.match(scope.soft, max(scope.sentence(one.start)[0], one.start - 60), one.start)
    return begins is not None and begins.end() == one.start and _imperative(scope, one)


def _imperative(scope: Scope, one: Mention) -> bool:
    """Whether a sentence that begins with an option is short, or goes on like an order rather than a description."""
    begin, end = scope.sentence(one.start)
    count = scope.word(end) - scope.word(begin)
    follows = scope.word(one.end)
    said = scope.words[follows].stem if follows < scope.word(end) else ""
    return count <= _SHORT and said not in (
        "is",
        "was",
        "are",
        "were",
        "has",
        "would",
        "tak",
        "can",
        "will",
        "might",
        "may",
    )
