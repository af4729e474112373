"""Finds lines that are an option by themselves ("B", "B) Walk"), and lists that only restate the options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from forge.text.choice.claims import CORRECTS, conditional
from forge.text.choice.scope import Scope
from forge.text.choice.targets import Target, denied, lettered, target, titled
from forge.text.choice.types import LEAD, LETTERS, Claim, Unreadable

_LINE = re.compile(r"[^\n]+")
_BULLET = re.compile(
    r"[ ]{0,20}(?:[-+•>–]{1,3}[ ]{1,4}|\d{1,2}[.)][ ]{1,4})?[ \"'(\[{$\\]{0,8}(?:(?:option|choice|candidate"
    r"|answer)[ ]{1,3})?",
    re.IGNORECASE,
)
_MARK = re.compile(r"[\"']{0,2}[)\].:}\"']{1,4}|[ ]{1,3}[-–—][ ]|$", re.ASCII)
_BARE = re.compile(r"[ )\]}\"'.:,;!$\\]{0,12}$")
_REASON = re.compile(
    r"[\"')\]]{0,3}(?:[ ]{0,3}[,;–—(]|[ ]{1,3}(?:because|since|as|due|given|rather|over|instead|not)(?!\w))",
    re.IGNORECASE,
)
_OUT = re.compile(
    r"(?<!\w)(?:ruled out|rejected|eliminated|excluded|incorrect|wrong|cannot|can't|isn't|is not|are not"
    r"|was not|wasn't|not|dismissed"
    r"|impossible|impractical|doesn't|does not|won't|fails?)(?!\w)",
    re.IGNORECASE,
)
_CAUSE = re.compile(r"(?<!\w)(?:because|since|so|while|whereas|unlike|but)(?!\w)|[,;:.\n–—]", re.IGNORECASE)
_REACH = 160


class Marked(NamedTuple):
    """A line that begins with an option's letter.

    Attributes:
        first, last: whether it is the first or the last line that says anything.
        bare: whether nothing but the letter stands on it.
        alone: whether nothing but the option stands on it.
    """

    start: int
    end: int
    aim: Target
    letter: int
    first: bool
    last: bool
    bare: bool
    alone: bool
    rejected: bool


def marked(scope: Scope) -> list[Marked]:
    """Return the lines that begin with an option's letter, in order."""
    spans = [match.span() for match in _LINE.finditer(scope.soft) if not match.group().isspace()]
    found = []
    for at, (start, end) in enumerate(spans):
        line = _marked(scope, start, end, at == 0, at == len(spans) - 1)
        if line is not None:
            found.append(line)
    return found


def _marked(scope: Scope, start: int, end: int, first: bool, last: bool) -> Marked | None:
    bullet = _BULLET.match(scope.soft, start, end)
    place = bullet.end() if bullet else start
    char = scope.soft[place : place + 1]
    letter = LETTERS.find(char.upper()) if char.isascii() and char.isalpha() else -1
    if letter < 0:
        return None
    aim = lettered(scope, place)
    if aim is None or (aim.titled and _runs_on(scope, place, aim)):
        return None
    bare = _BARE.match(scope.soft, place + 1, end) is not None
    mark = _MARK.match(scope.soft, place + 1, end)
    opening = first and (_REASON.match(scope.soft, place + 1, end) or _pair(scope, place) is not None)
    if not bare and mark is None and not opening:
        return None
    if char.islower() and not bare and scope.soft[place + 1 : place + 2] not in ").":
        return None
    alone = bare or _BARE.match(scope.soft, aim.end, end) is not None
    return Marked(place, end, aim, letter, first, last, bare, alone, _rejected(scope, aim.end, end))


def _runs_on(scope: Scope, place: int, aim: Target) -> bool:
    """Whether the letter is the first word of an option's own text ("A walk")."""
    return scope.soft[place + 1 : place + 2] == " " and scope.soft[place + 1 : aim.end].strip()[:1] not in "-–—"


def _rejected(scope: Scope, start: int, end: int) -> bool:
    if denied(scope, start):
        return True
    stop = _CAUSE.search(scope.soft, start + 1, min(end, start + _REACH))
    reach = stop.start() if stop else min(end, start + _REACH)
    return _OUT.search(scope.soft, start, reach) is not None


def listed(scope: Scope, lines: list[Marked]) -> set[int]:
    """Return the lines, by index, that go through the options: A, B, C… one after another, with their texts."""
    found: set[int] = set()
    run: list[int] = []
    for at, line in enumerate([*lines, None]):
        if line is not None and run and _follows(scope, lines[run[-1]], line):
            run.append(at)
            continue
        restates = all(lines[one].aim.option == lines[one].letter and lines[one].aim.titled for one in run)
        if len(run) >= 2 and (len(run) == scope.options.count or (restates and len(run) > 2)):
            found.update(run)
        run = [at] if line is not None and line.letter == 0 and not line.bare else []
    return found


def _follows(scope: Scope, line: Marked, following: Marked) -> bool:
    if following.letter != line.letter + 1 or following.bare:
        return False
    between = scope.soft[line.end : following.start]
    apart = between.count("\n") > 2 or any(char.isalnum() for char in between)
    # An option alone, then reasons, then a word on the other one: an answer, no list.
    return not (apart and (line.alone != following.alone or CORRECTS.search(between)))


def leads(scope: Scope, lines: list[Marked], inside: set[int]) -> Iterator[Claim]:
    """Yield the claims of lines that are an option: the first line, and those where nothing else stands.

    Behind a first line that answers, such a line in the middle is a heading of what is said about that option.
    """
    opened = False
    turned = len(scope.soft)
    for at, line in enumerate(lines):
        if at in inside or line.rejected or not (line.first or line.alone):
            continue
        if scope.soft[line.start : line.end].rstrip(" \"')")[-1:] == "?":
            continue
        if opened and not line.last and line.start < turned:
            continue
        if line.first:
            opened = True
            turn = CORRECTS.search(scope.soft, line.end)
            turned = turn.end() if turn else turned
        if line.first and (beside := _pair(scope, line.start)) is not None:
            yield Claim(line.start, beside.end, None, beside.reason, LEAD)
            continue
        after = scope.soft[line.aim.end : min(line.end, line.aim.end + _REACH)]
        yield Claim(line.start, line.aim.end, line.aim.option, line.aim.reason, LEAD, line.aim.titled,
                    conditional=conditional("", after))  # fmt: skip


def _pair(scope: Scope, place: int) -> Target | None:
    """What begins a line when two options stand there together ("A and B")."""
    aim = target(scope, place)
    return aim if aim is not None and aim.reason in (Unreadable.BOTH, Unreadable.SEVERAL) else None


def whole(scope: Scope) -> Claim | None:
    """Return the claim of a first line that is an option's text, or of one with nothing else on it."""
    for match in _LINE.finditer(scope.soft):
        if match.group().isspace():
            continue
        start = match.start() + len(match.group()) - len(match.group().lstrip(" -+>\"'([{$\\"))
        aim = titled(scope, start)
        if aim is None or not _BARE.match(scope.soft, aim.end, match.end()):
            return None
        return Claim(start, aim.end, aim.option, None, LEAD, True)
    return None
