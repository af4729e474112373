"""Folds text for comparison, splits it into sentences, and blanks what a response copied from its prompt.

Standard library only, because exported readers ship it. It judges nothing.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

# A first character that is a class lets the search skip what cannot begin a numeral: that halves its time.
_REST = r"(?:\d{0,2}(?: \d{3})+(?!\d)|\d*(?:[.,'’]\d+)*)"
_NUMERAL = r"\d" + _REST
_PLACEHOLDER = "#"
_ASCII_WORDS = bytes(code if chr(code).isalnum() else ord(" ") for code in range(128)) + bytes(128)

# Every dash, hyphen and minus sign that Unicode keeps apart from the ASCII hyphen.
DASHES = "‐‑‒–—―−﹘﹣-"
SINGLE_QUOTES = "‘’‚‛ʼ′`´"
DOUBLE_QUOTES = "“”„‟″«»"
_SQUASH = str.maketrans(
    {**dict.fromkeys(DASHES, "-"), **dict.fromkeys(SINGLE_QUOTES, "'"), **dict.fromkeys(DOUBLE_QUOTES, '"')}
)

# Full stops that never end a sentence, and those that end one only when a capital follows.
_NEVER_ENDS = re.compile(
    r"(?<!\w)(?:e\.\s?g|i\.\s?e|mr|mrs|ms|dr|prof|vs|cf|ca|approx|fig|(?:[a-z]\.)+[a-z])\.$", re.IGNORECASE
)
_SOMETIMES_ENDS = re.compile(r"(?<!\w)(?:[ap]\.\s?m|etc|incl|max|min|hrs?|lbs?|oz|ft|sec|inc|ltd|st)\.$", re.IGNORECASE)
_NUMBER_SIGN = re.compile(r"(?<!\w)no\.$", re.IGNORECASE)
_END = re.compile(r"(?:[.!?…]+[\"'”’)\]*_]*(?=\s|$))|[。！？]+[”’」』）]*")
_MARKER = re.compile(r"[ \t]*(?:[-*+•‣▪◦–—>]+[ \t]+|#+[ \t]+|\(?(?:\d{1,3}|[A-Za-z])[.)][ \t]+)+")

# Words that turn a copied sentence into its opposite: "t" is what punctuation leaves of "n't".
_TURNS = frozenset({"not", "no", "never", "cannot", "without", "nothing", "neither", "nor", "none", "t"})
_COPY_SHARE = 0.9
_COPY_WORDS = 5


class Span(NamedTuple):
    """A stretch of a longer text: `whole[start:end] == text`."""

    text: str
    start: int
    end: int


def fold(text: str) -> str:
    """NFKC and casefold together, repeated until neither changes anything (each can undo the other)."""
    while True:
        folded = unicodedata.normalize("NFKC", text.casefold())
        folded = unicodedata.normalize("NFKC", folded)
        if folded == text:
            return folded
        text = folded


def normalise(text: str, numeral: str = _PLACEHOLDER) -> str:
    """Reduce a text to its words: NFKC, casefold, punctuation to spaces, white space collapsed and stripped.

    Every numeral, with its decimals and thousands, becomes one placeholder standing alone. Idempotent, so a
    placeholder already in the text stays as it is.

    Args:
        text: any text.
        numeral: the placeholder: empty, lower-case letters, or one character of punctuation.

    Raises:
        ValueError: the placeholder would not survive a second pass.
    """
    wordlike = numeral.isalpha() and fold(numeral) == numeral
    symbol = len(numeral) == 1 and not numeral.isalnum() and not numeral.isspace() and fold(numeral) == numeral
    if numeral and not wordlike and not symbol:
        raise ValueError(f"numeral placeholder {numeral!r} must be empty, lower-case letters or one symbol")
    if text.isascii():
        return " ".join(_tokens(text.lower(), numeral))
    folded = fold(text)
    while True:
        # Dropping a character can bring two others together that NFKC composes, so go on to a fixed point.
        reduced = " ".join(_tokens(folded, numeral))
        if reduced == folded:
            return reduced
        folded = fold(reduced)


def numerals(text: str) -> list[str]:
    """The numerals that `normalise` folds, as they stand in the folded text, in order, placeholders among them.

    Two texts with one normal form and the same numerals say the same in the same words; other numerals, another text.
    """
    return re.findall(_numeral_or(_PLACEHOLDER), text if text.isascii() else fold(text))


def _numeral_or(mark: str) -> str:
    """A pattern for a numeral, or one character of punctuation that stands for one."""
    return rf"[\d{re.escape(mark)}](?:(?<=\d){_REST}|(?<={re.escape(mark)}))"


def _tokens(folded: str, numeral: str | None) -> list[str]:
    """Words and numerals of an already folded text, in order; numerals as they stand when `numeral` is None."""
    pattern = _numeral_or(numeral) if numeral and not numeral.isalpha() else _NUMERAL
    pieces: list[str] = []
    position = 0
    for match in re.finditer(pattern, folded):
        pieces.extend(_spaced(folded[position : match.start()]).split())
        if numeral is None:
            pieces.append(match.group())
        elif numeral:
            pieces.append(numeral)
        position = match.end()
    pieces.extend(_spaced(folded[position:]).split())
    return pieces


def _spaced(text: str) -> str:
    """Letters, marks and letter-like numbers as they stand, everything else a space."""
    if text.isascii():
        return text.encode("ascii").translate(_ASCII_WORDS).decode("ascii")
    return text.translate(_WORDS)


class _Words(dict[int, int]):
    """What `_spaced` makes of a code point, found out when it is first met."""

    def __missing__(self, code: int) -> int:
        self[code] = kept = code if unicodedata.category(chr(code))[0] in "LMN" else ord(" ")
        return kept


_WORDS = _Words()


def squash(text: str) -> str:
    """Make typographic variants equal and keep the case: for comparing phrases, not texts.

    NFKC, curly quotes to straight ones, every dash to "-", every white space run to one space, ends stripped.
    """
    folded = unicodedata.normalize("NFKC", text.translate(_SQUASH)).translate(_SQUASH)
    return " ".join(folded.split())


def sentences(text: str) -> tuple[Span, ...]:
    """Split at ".", "?", "!", at new lines and at list items; offsets refer to `text`.

    Not split: decimals, "a.m." before a small letter, "e.g.", "Dr.". A list marker ("- ", "2. ", "## ") at the
    start of a line belongs to no sentence. Spans are stripped, never empty, in order, and do not overlap.
    """
    spans: list[Span] = []
    for line in re.finditer(r"[^\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+", text):
        marker = _MARKER.match(text, line.start(), line.end())
        start = marker.end() if marker else line.start()
        for end in _boundaries(text, start, line.end()):
            piece = text[start:end]
            stripped = piece.strip()
            if stripped:
                left = start + len(piece) - len(piece.lstrip())
                spans.append(Span(stripped, left, left + len(stripped)))
            start = end
    return tuple(spans)


def _boundaries(text: str, start: int, end: int) -> list[int]:
    """Ends of the sentences in one line, the line's own end last."""
    ends: list[int] = []
    for match in _END.finditer(text, start, end):
        if match.group().startswith(".") and not match.group().startswith(".."):
            head = text[max(start, match.start() - 24) : match.start() + 1]
            rest = text[match.end() : end].lstrip()
            if _SOMETIMES_ENDS.search(head):
                if rest and not rest[0].isupper():
                    continue
            elif _NEVER_ENDS.search(head) or (_NUMBER_SIGN.search(head) and rest[:1].isdigit()):
                continue
        ends.append(match.end())
    if not ends or ends[-1] != end:
        ends.append(end)
    return ends


def _words(sentence: str) -> list[str]:
    """Normalised words with the numerals themselves, so that another number is another sentence."""
    return _tokens(fold(sentence), None)


def _restates(words: list[str], source: list[str]) -> bool:
    if words == source:
        return True
    if len(words) < _COPY_WORDS:
        return False
    left = list(source)
    added: list[str] = []
    for word in words:
        if word in left:
            left.remove(word)
        else:
            added.append(word)
    # One "not" added to ten copied words is an objection, not a copy; so is one changed number.
    if any(word in _TURNS or word[0].isdigit() for word in added):
        return False
    return len(words) - len(added) >= _COPY_SHARE * len(words)


def without_copied(response: str, prompt: str) -> str:
    """Blank the sentences of a response that restate one of the prompt, so that a quotation is not read as an answer.

    A sentence is a copy when its normalised words are those of a prompt sentence, or when it has at least five
    words and 0.9 of them stand in one prompt sentence; an added negation or another number makes it new.

    Returns:
        A text of the same length: copies are replaced by spaces, so every offset stays valid.
    """
    sources = [words for span in sentences(prompt) if (words := _words(span.text))]
    pieces = list(response)
    for span in sentences(response):
        words = _words(span.text)
        if words and any(_restates(words, source) for source in sources):
            pieces[span.start : span.end] = " " * (span.end - span.start)
    return "".join(pieces)
