"""Reads what stands at one place of a response: a letter, an option's text, or words for none of them.

It does not look for places; every look is bounded, so that the whole stays linear.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from forge.text.choice.scope import Scope
from forge.text.choice.types import LETTERS, Unreadable

_OPENING = re.compile(r"[\s\"'(\[<$\\{:=>\-–—→]{0,40}")
_TEX = re.compile(r"(?:text|textbf|textit|mathbf|mathrm|mathit|boxed|bf)\{", re.IGNORECASE)
_FILL = re.compile(
    r"(?:the|an?|to|that|you|i|we|they|it's|should|would|could|i'd|i'll|we'd|you'd|is|be|definitely|clearly"
    r"|simply|just"
    r"|obviously|probably|most|likely|option|choice|candidate|letter|answer|number|choose|pick|select|go|going"
    r"|with|for"
    r"|will|need|have|my|final|correct|right|best|one|therefore|thus|so|indeed|still|actually|of|course|labell?ed"
    r"|please|do|only|yes|opt|recommend|suggest)(?![\w'])[\s,:]{1,4}",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"[ ]{1,4}(?:because|since|as|is|for|and|or|not|rather|over|but|which|due|given|with|instead|would|seems|was|from"
    r"|based|by|if|unless|while|when|only|here|however|though|then|so|right|wins|definitely|obviously|clearly"
    r"|too|please)(?!\w)"
    r"|[ ]{1,4}(?:[(\[\-–—:=,;→>/&+.!\"'}]|$)",
    re.IGNORECASE,
)
# A and I are words too, so less may follow them.
_BEHIND_WORD = re.compile(
    r"[ ]{1,4}(?:(?:because|since|as|is|and|or|not|rather|over|but|which|due|instead|was|based|if|unless|while)(?!\w)"
    r"|[(\[\-–—:=,;→>/&+.!\"'}]|$)",
    re.IGNORECASE,
)
_LINE_END = re.compile(r"[ ]{0,40}(?:\n|\Z)")
_CLOSING = re.compile(r"[\s)\].:}>\-–—\"']{1,12}")
_TITLE_ENDS = re.compile(
    r"[\"')\]} ]{0,4}(?:[.,;:!()\n\-–—]|\Z)"
    r"|[ ]{1,3}(?:because|since|as|for|due|given|is|was|would)\b",
    re.IGNORECASE,
)
_SPECIAL = (
    (re.compile(r"both\b|either\b|any of (?:them|these|the)"
    r"|all of (?:them|these|the)|all options|equal", re.IGNORECASE),
     Unreadable.BOTH),
    (re.compile(r"neither\b|none\b|no option|nothing\b|not (?:any|either)\b", re.IGNORECASE), Unreadable.NEITHER),
    (re.compile(r"(?:it |that |this |all |really |entirely |completely "
    r"|highly ){0,4}depend(?:s|ent|ing)?\b", re.IGNORECASE),
     Unreadable.DEPENDS),
    (re.compile(r"unclear|unknown|uncertain|undetermined|undecided|null\b|n/a\b|unsure"
    r"|(?:not|isn't) (?:clear|sure|certain|listed|given|provided|here|among)"
                r"|cannot|can't|impossible to (?:say|tell|know|determine)|\?", re.IGNORECASE),
     Unreadable.NO_ANSWER_LINE),
)  # fmt: skip
_ALSO = re.compile(
    r"[\"')\]}]{0,3}(?P<word>[ ]{0,3}[/&+,][ ]{0,3}(?:(?:and|or)[ ]{1,3})?|[ ]{1,3}(?:and/or|and|or|as well as"
    r"|plus|along with)[ ]{1,3})"
    r"(?:also[ ]|maybe[ ]|possibly[ ])?[\"'(\[]{0,3}(?:(?:option|choice|candidate"
    r"|answer)[ ]{1,3})?(?P<letter>[A-Za-z])(?![\w'])"
    r"(?P<mark>[)\].:}]{0,2})",
    re.IGNORECASE,
)
_ALSO_ENDS = re.compile(
    r"[\"')\]} ]{0,4}(?:\Z|[.,;:!)\n/&+]|(?:and|or|are|both|depending|together|equally|work)\b)", re.IGNORECASE
)
_ALSO_WORD = re.compile(
    r"[\"')\]}]{0,3}[ ]{0,3}(?:(?P<word>and/or|and|or|/|&|as well as)[ ]{1,3})(?:to |the |by |on "
    r"|in )?",
    re.IGNORECASE,
)
_NOT = re.compile(r"(?:not|never|neither)(?![\w'])[\s,:]{0,4}", re.IGNORECASE)
_BUT = re.compile(
    r"[\"')\]}]{0,3}[ ]{0,3}[,;.\-–—]{0,2}[ ]{0,3}(?:but|instead|rather)"
    r"[ ,]{0,3}(?:rather |instead )?",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"[\"')\]},]{0,4}[ ]{1,3}(?:(?:is|was|are|were|would be|can be|has been|have been)[ ]{1,3}"
    r"(?:not\b|never\b|clearly |definitely |simply |also |obviously |therefore |just ){0,2}[ ]{0,3}"
    r"(?<!not )(?:wrong|incorrect|ruled|rejected|eliminated|excluded|out\b|dismissed|discarded|invalid"
    r"|impossible|impractical|false)"
    r"|(?:is|was|are|were|would|does|did|can|could|will|has) ?(?:not\b|n't\b|never\b)|cannot\b|(?:fails?"
    r"|makes no)\b)",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"[.,;:!?\n()]|[ ](?:because|since|as|but|rather|instead|while|than|over|if|unless)[ ]", re.IGNORECASE
)
_STEPS = 8


class Target(NamedTuple):
    """What stands at a place: an option's index, or None with a reason; `titled` when its text is there."""

    start: int
    end: int
    option: int | None
    reason: Unreadable | None = None
    titled: bool = False


def target(scope: Scope, place: int) -> Target | None:
    """Read what stands behind a cue, past marks and small words; None when it is nothing of the kind.

    "not A but B" gives B, "not A" nothing, "A and B" the reason `both`, "A or B" the reason `several`.
    """
    first = place
    for step in range(_STEPS):
        place = _opened(scope, place)
        if step == 0:
            first = place
        if rejected := _NOT.match(scope.soft, place):
            return _turned(scope, rejected.end())
        found = titled(scope, place) or lettered(scope, place) or _special(scope, place)
        if found is not None:
            return _alone(scope, found)
        filler = _FILL.match(scope.soft, place)
        if filler is None:
            break
        place = filler.end()
    return _part(scope, first)


def titled(scope: Scope, place: int) -> Target | None:
    """Return the option whose text stands at a place."""
    at = scope.word(place)
    if at >= len(scope.words) or scope.words[at].start > place + 1:
        return None
    hit = scope.options.at(scope.words, at, scope.soft)
    if hit is None:
        return None
    return Target(place, scope.words[hit.last - 1].end, hit.option, None, True)


def lettered(scope: Scope, place: int) -> Target | None:
    """Return the option whose letter stands at a place; its text behind the letter outweighs the letter.

    A letter beyond the options is a target without one.
    """
    soft = scope.soft
    char = soft[place : place + 1]
    option = LETTERS.find(char.upper()) if char.isascii() and char.isalpha() else -1
    if option < 0 or _joins(soft[max(place - 2, 0) : place]):
        return None
    after = soft[place + 1 : place + 3]
    if after[:1].isalnum() or (after[:1] in "'-.+" and after[1:2].isalnum()) or after[:2] in ("++", "' "):
        return None
    behind = _BEHIND_WORD if char in "AaIi" else _BEHIND
    if after[:1] == " " and not _LINE_END.match(soft, place + 1) and not behind.match(soft, place + 1, place + 24):
        own = titled(scope, _spaces(soft, place + 1))
        if own is not None:
            return own._replace(start=place)
        if char in "AaIi" or char.islower():
            return None
    if option >= scope.options.count:
        return Target(place, place + 1, None, Unreadable.NO_ANSWER_LINE)
    return _with_title(scope, Target(place, place + 1, option))


def _with_title(scope: Scope, found: Target) -> Target:
    behind = _CLOSING.match(scope.soft, found.end)
    if behind is None or "\n" in behind.group():
        return found
    at = scope.word(behind.end())
    if at >= len(scope.words) or scope.words[at].start > behind.end() + 3:
        return found
    hit = scope.options.at(scope.words, at, scope.soft)
    if hit is None:
        return found
    end = scope.words[hit.last - 1].end
    if hit.option == found.option:
        return found._replace(end=end, titled=True)
    marks = behind.group().strip()
    if hit.exact and marks and _TITLE_ENDS.match(scope.soft, end):
        # "B. Walking takes too long" begins a sentence; "A. Drive" on a line of its own names an option.
        if marks in ".-–—" and not _LINE_END.match(scope.soft, end):
            return found
        return Target(found.start, end, hit.option, None, True)
    return found


def _joins(before: str) -> bool:
    """Whether a letter behind these characters is a part of a word or of a name."""
    if before[-1:] == "'":
        return before[:1].isalnum() and len(before) == 2
    return before[-1:].isalnum() or before[-1:] in (".", "&")


def denied(scope: Scope, end: int) -> bool:
    """Whether what ends there is said to be wrong ("B is incorrect", "B) Walk was ruled out")."""
    return _DENIED.match(scope.soft, end, end + 80) is not None


def _alone(scope: Scope, found: Target) -> Target | None:
    """The target, unless another stands beside it or it is denied."""
    if found.option is None:
        return found
    if denied(scope, found.end):
        return None
    soft = scope.soft
    also = _ALSO.match(soft, found.end, found.end + 60)
    if also is not None:
        other = LETTERS.find(also["letter"].upper()) if also["letter"].isascii() else -1
        marked = also["mark"] or _ALSO_ENDS.match(soft, also.end())
        plain = also["letter"].islower() and not soft[found.start].islower()
        if 0 <= other < scope.options.count and other != found.option and marked and not plain:
            return Target(found.start, also.end("letter"), None, _joined(also["word"]))
    also = _ALSO_WORD.match(soft, found.end, found.end + 40)
    if also is not None:
        beside = titled(scope, also.end())
        if beside is not None and beside.option != found.option and not denied(scope, beside.end):
            return Target(found.start, beside.end, None, _joined(also["word"]))
    return found


def _joined(word: str) -> Unreadable:
    said = word.strip().casefold()
    return (
        Unreadable.BOTH
        if said in ("and", "&", "+", "as well as", "plus", "along with", ", and")
        else Unreadable.SEVERAL
    )


def _turned(scope: Scope, place: int) -> Target | None:
    """What a rejected target is exchanged for: "not A but B"."""
    place = _opened(scope, place)
    for _ in range(_STEPS):
        found = titled(scope, place) or lettered(scope, place)
        filler = None if found else _FILL.match(scope.soft, place)
        if filler is None:
            break
        place = filler.end()
    if found is None:
        return None
    turn = _BUT.match(scope.soft, found.end)
    after = _opened(scope, turn.end() if turn else found.end + 1)
    behind = titled(scope, after) or lettered(scope, after) if turn else None
    return behind if behind is not None and behind.option != found.option else None


def _special(scope: Scope, place: int) -> Target | None:
    for pattern, reason in _SPECIAL:
        match = pattern.match(scope.soft, place)
        if match:
            return Target(place, match.end(), None, reason)
    return None


def _part(scope: Scope, place: int) -> Target | None:
    """An unmistakable part of an option's text, in the clause that begins here."""
    end = _CLAUSE_END.search(scope.soft, place, place + 200)
    stop = end.start() if end else min(place + 200, len(scope.soft))
    first, last = scope.word(place), scope.word(stop)
    option = scope.options.part([token.stem for token in scope.words[first:last]])
    if option is None or negated(scope, place, stop):
        return None
    return Target(place, scope.words[last - 1].end, option, None, True)


_NEGATION = re.compile(r"(?<!\w)(?:not|never|no|without|avoid|nor|neither|cannot)(?!\w)|n't(?!\w)", re.IGNORECASE)


def negated(scope: Scope, start: int, end: int) -> bool:
    """Whether a negation stands between two offsets."""
    return _NEGATION.search(scope.soft, start, end) is not None


def _opened(scope: Scope, place: int) -> int:
    for _ in range(_STEPS):
        match = _OPENING.match(scope.soft, place)
        place = match.end() if match else place
        tex = _TEX.match(scope.soft, place)
        if tex is None:
            break
        place = tex.end()
    return place


def _spaces(soft: str, place: int) -> int:
    return place + len(soft[place : place + 8]) - len(soft[place : place + 8].lstrip(" "))
