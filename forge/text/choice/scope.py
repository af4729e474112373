"""Prepares a response for reading: what follows the reasoning, without words to a grader and without copies.

Every offset is one of the response itself. It decides nothing but that there is nothing to read.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from forge.text.choice.options import Options, Token, tokens
from forge.text.choice.types import Unreadable

_TAG = r"(?:think|thinking|reasoning|thought|thoughts|scratchpad|analysis)"
_OPENS = re.compile(rf"<{_TAG}>|<\|channel\|>analysis", re.IGNORECASE)
_CLOSES = re.compile(rf"</{_TAG}>|<\|channel\|>final(?:<\|message\|>)?", re.IGNORECASE)

_SOFT = {
    **dict.fromkeys("’‘ʼ′", "'"),
    **dict.fromkeys("“”„«»「」『』", '"'),
    **dict.fromkeys("‐‑−", "-"),
    **dict.fromkeys("*_`#~|\t\r\u00a0\u2009\u202f\u3000", " "),
    **dict.fromkeys("（【", "("),
    **dict.fromkeys("）】", ")"),
    "：": ":", "＝": "=", "，": ",", "。": ".", "．": ".", "！": "!", "？": "?", "；": ";",
    **{chr(0xFEE0 + code): chr(code) for code in (*range(65, 91), *range(97, 123))},
}  # fmt: skip
_TABLE = str.maketrans(_SOFT)

_READER = (
    r"(?P<reader>grader|judge|evaluator|rater|annotator|labell?er|scorer|parser|examiner|classifier|reviewer"
    r"|marker)s?"
)
_ASIDE = re.compile(
    rf"""(?<!\w)(?:
      {_READER}[ ]{{0,3}}(?:[:,]|(?:should|must|please|note|shall|will|may|can|is[ ]to|needs?[ ]to|has[ ]to|ought)\b)
    | (?:to|for|dear|attention|hey|hello|tell|telling|asking?|instruct\w{{0,4}})[ ](?:(?:the|any|all|our|an?
    |whoever)[ ])?
      (?:(?:ai|llm|human|automated|automatic|model|answer)[ ])?{_READER.replace("P<reader>", "P<reader_2>")}(?!\w)
    | (?:ignore|disregard|forget|override|bypass)[ ](?:(?:all|any|the|your|of)[ ]){{0,4}}
      (?:previous|prior|above|earlier|preceding|rubric|instructions?|guidelines|answer[ ]key)
    | (?-i:mark|grade|score|record|label|count|rate|treat|classify|log|register|accept)[ ]
      (?:this|it|me|my|the|that|these|any|option|answer|choice)(?:[ ]\w{{1,20}}){{0,3}}[ ](?:as|with|to[ ]be)(?!\w)
    | (?-i:mark|grade|score|record|label|log|register)(?:ed|s)?[ ](?:(?:option|answer|choice|candidate|letter)[ ])?
      ["'(]?(?-i:[A-Z])(?![\w'])
    | (?:you[ ]are|you're|whoever[ ]is|anyone|when|while)[ ](?:grading|scoring|marking|evaluating|judging|parsing)(?!\w)
    | system[ ](?:message|prompt|override|note|notice|instruction|update|command)
    | (?:new|updated|hidden|special|developer)[ ]instructions?
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_TO_GRADER = re.compile(
    r"^[^\w\n]{0,6}(?:system|judge|grader|evaluator|parser|developer|admin|instructions?|override|note to \w{1,20})"
    r"[\])> ]{0,4}:[^\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
_BLOCKS = re.compile(
    r"<!--.*?(?:-->|\Z)|\[INST\].*?(?:\[/INST\]|\Z)"
    r"|<(?P<tag>system|grader|judge|instructions?|override|admin)>.*?(?:</(?P=tag)>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_STOP = re.compile(r"[.!?]{1,3}[\"')\]]{0,3}(?=\s)|\n")
_NAME_BEFORE = re.compile(
    r"(?:^|[\s(\"])(?!(?:option|answer|candidate|choice|letter|is)\b)[A-Z][^\W\d_]{0,30}\.? $", re.IGNORECASE
)
_ABBREVIATION = re.compile(r"(?<!\w)(?:mr|mrs|ms|dr|prof|st|vs|e\.g|i\.e|etc|jr|sr|no)$", re.IGNORECASE)
_COPY = 5
# What is read of a long response: a commitment stands near its beginning or its end, and time stays bounded.
_HEAD = _TAIL = 20_000
_SEAM = 2_000


@dataclass(frozen=True, slots=True)
class Scope:
    """A response ready to be read.

    Attributes:
        response: verbatim.
        soft: the same length: straight quotes, no markup; what must not be read is blank.
        words: its words, stemmed.
        options: the options to find in it.
        bounds: where sentences begin, in order, and the length at the end.
        reason: why there is nothing to read, or None.
        copied: something was left out that the question says.
    """

    response: str
    soft: str
    words: tuple[Token, ...]
    options: Options
    bounds: tuple[int, ...]
    reason: Unreadable | None = None
    copied: bool = False

    def sentence(self, offset: int) -> tuple[int, int]:
        """Return the offsets of the sentence that an offset lies in."""
        at = max(bisect_right(self.bounds, offset) - 1, 0)
        return self.bounds[at], self.bounds[min(at + 1, len(self.bounds) - 1)]

    def word(self, offset: int) -> int:
        """Return the index of the first word that begins at an offset or behind it."""
        return bisect_left(self.words, offset, key=lambda token: token.start)


def prepare(response: str, options: Sequence[str], question: str) -> Scope:
    """Leave out what must not be read, and split the rest."""
    known = Options(options)
    closed = 0
    for match in _CLOSES.finditer(response):
        closed = match.end()
    if _OPENS.search(response, closed):
        return Scope(response, " " * len(response), (), known, (0, len(response)), Unreadable.CUT)
    said = _ends(" " * closed + response[closed:].translate(_TABLE), closed)
    if not any(char.isalnum() for char in said):
        return Scope(response, " " * len(response), (), known, (0, len(response)), Unreadable.EMPTY)
    allowed = {token.stem for text in (question, *options) for token in tokens(text.translate(_TABLE))}
    soft = _without_asides(said, allowed)
    soft, copied = _without_copies(soft, known, question.translate(_TABLE))
    return Scope(response, soft, tuple(tokens(soft)), known, tuple(_bounds(soft)), None, copied)


def _ends(said: str, start: int) -> str:
    """Blank the middle of a very long response, from the end of a line or sentence to the beginning of one."""
    if len(said) - start <= _HEAD + _TAIL + 2 * _SEAM:
        return said
    left, right = start + _HEAD, len(said) - _TAIL
    cut = max(said.rfind(mark, left, left + _SEAM) for mark in ("\n", ". ", " ")) + 1 or left
    back = [at for mark in ("\n", ". ", " ") if (at := said.find(mark, right - _SEAM, right)) >= 0]
    back_at = min(back) + 1 if back else right
    return said[:cut] + "\n" * (back_at - cut) + said[back_at:]


def _bounds(soft: str) -> list[int]:
    found = [0]
    for match in _STOP.finditer(soft):
        if match.group()[0] == "." and _inside_name(soft, match.start()):
            continue
        found.append(match.end())
    if found[-1] != len(soft):
        found.append(len(soft))
    return found


def _inside_name(soft: str, stop: int) -> bool:
    """Whether a full stop belongs to an initial ("James A. Reed") or an abbreviation."""
    before = soft[max(stop - 40, 0) : stop]
    if _ABBREVIATION.search(before):
        return True
    initial = before[-1:].isupper() and not before[-2:-1].isalnum()
    named = _NAME_BEFORE.search(before[:-1]) if initial else None
    return bool(named and named.group().lstrip(' ("')[:1].isupper())


def _blank(text: str) -> str:
    return "".join("\n" if char == "\n" else " " for char in text)


def _without_asides(soft: str, allowed: set[str]) -> str:
    """Blank what speaks to whoever grades: a response is data, and its instructions move no reading."""
    soft = _BLOCKS.sub(lambda match: _blank(match.group()), soft)
    soft = _TO_GRADER.sub(lambda match: _blank(match.group()), soft)
    bounds = _bounds(soft)
    drop: set[int] = set()
    for match in _ASIDE.finditer(soft):
        reader = match.group("reader") or match.group("reader_2")
        # A question about a judge is answered with that word.
        if reader is None or tokens(reader)[0].stem not in allowed:
            drop.update(range(bisect_right(bounds, match.start()) - 1, bisect_right(bounds, match.end() - 1)))
    pieces = [
        _blank(soft[start:end]) if at in drop else soft[start:end]
        for at, (start, end) in enumerate(itertools.pairwise(bounds))
    ]
    return "".join(pieces)


def _without_copies(soft: str, options: Options, question: str) -> tuple[str, bool]:
    """Blank sentences of the question, unless they are an option's own text."""
    asked = [token.stem for token in tokens(question)]
    if not asked:
        return soft, False
    runs = {tuple(asked[at : at + _COPY]) for at in range(len(asked) - _COPY + 1)}
    bounds = _bounds(soft)
    pieces, copied = [], False
    for start, end in itertools.pairwise(bounds):
        piece = soft[start:end]
        stems = tuple(token.stem for token in tokens(piece))
        same = list(stems) == asked or (
            len(stems) >= _COPY and all(stems[at : at + _COPY] in runs for at in range(len(stems) - _COPY + 1))
        )
        own = any(stems[-len(text) :] == text and len(stems) - len(text) <= 2 for text in options.stems if text)
        drop = same and not own
        copied |= drop
        pieces.append(_blank(piece) if drop else piece)
    return "".join(pieces), copied
