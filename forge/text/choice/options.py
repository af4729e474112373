"""Finds options by their own texts: in full, without a bracket or an article, or by words that no other option has."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from forge.text.choice.types import LETTERS

WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
# Longer texts are told apart by their beginnings, so that time stays linear in the response.
_LONGEST = 30
_BRACKET = re.compile(r"\([^()]*\)")
_ARTICLES = frozenset({"the", "a", "an"})
_PLAIN = frozenset(
    [
        "a",
        "an",
        "the",
        "to",
        "of",
        "in",
        "on",
        "at",
        "by",
        "for",
        "with",
        "from",
        "and",
        "or",
        "as",
        "is",
        "are",
        "be",
        "it",
        "its",
        "this",
        "that",
        "there",
        "here",
        "them",
        "then",
        "than",
        "you",
        "your",
        "i",
        "my",
        "me",
        "we",
        "our",
        "he",
        "she",
        "his",
        "her",
        "they",
        "their",
        "will",
        "would",
        "should",
        "can",
        "could",
        "do",
        "does",
        "take",
        "use",
        "go",
        "get",
        "make",
        "have",
        "has",
        "let",
        "us",
        "one",
        "so",
        "just",
        "up",
        "out",
        "off",
        "into",
        "about",
        "over",
        "after",
        "before",
    ]
)
_CURLY = str.maketrans({"’": "'", "‘": "'", "ʼ": "'"})


class Token(NamedTuple):
    """A word of the response, stemmed, with its offsets."""

    stem: str
    start: int
    end: int


class Hit(NamedTuple):
    """An option's text found among the tokens `first` to `last`, the last not included."""

    option: int
    first: int
    last: int
    exact: bool


@dataclass(frozen=True, slots=True)
class _Form:
    stems: tuple[str, ...]
    option: int
    exact: bool
    head: str


def stem(word: str) -> str:
    """Return a word folded for comparison: no case, no accents, no ending of verb or plural."""
    word = word.casefold()
    if not word.isascii():
        word = "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))
    word = word.removesuffix("'s")
    if len(word) < 4 or not word.isalpha():
        return word
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls" else word


def tokens(text: str) -> list[Token]:
    """Return the words of a text in order."""
    known: dict[str, str] = {}
    found = []
    for match in WORD.finditer(text):
        word = match.group()
        folded = known.get(word)
        if folded is None:
            folded = known[word] = stem(word)
        found.append(Token(folded, match.start(), match.end()))
    return found


class Options:
    """The options of one question, ready to be found.

    Args:
        texts: in the order A, B, C…; those beyond Z are never read.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = [text.translate(_CURLY) for text in texts[: len(LETTERS)]]
        self.count = len(self.texts)
        self.stems = [tuple(token.stem for token in tokens(text)) for text in self.texts]
        self._forms: dict[str, list[_Form]] = {}
        self._gather()
        held = [set(stems) for stems in self.stems]
        shared = Counter(word for words in held for word in words)
        self.own = [_telling({word for word in words if shared[word] == 1}) for words in held]
        self.owner = {word: option for option, words in enumerate(self.own) for word in words}

    def _gather(self) -> None:
        forms: dict[tuple[str, ...], list[_Form]] = {}
        full = Counter(stems[:_LONGEST] for stems in self.stems)
        for option, text in enumerate(self.texts):
            whole = self.stems[option][:_LONGEST]
            bare = tuple(token.stem for token in tokens(_BRACKET.sub(" ", text)))[:_LONGEST]
            seen = set()
            for stems, exact in ((whole, True), (bare, True), *((one[1:], False) for one in (whole, bare)
                                                               if one and one[0] in _ARTICLES)):  # fmt: skip
                taken = full[stems] - (stems == whole)
                if stems and stems not in seen and not taken:
                    seen.add(stems)
                    forms.setdefault(stems, []).append(_Form(stems, option, exact, text.lstrip()[:2].casefold()))
        for stems, found in forms.items():
            if len(found) == 1:
                self._forms.setdefault(stems[0], []).append(found[0])
        for group in self._forms.values():
            group.sort(key=lambda form: -len(form.stems))

    def at(self, words: Sequence[Token], first: int, soft: str) -> Hit | None:
        """Return the option whose text stands at a token; of several the longest."""
        if first >= len(words):
            return None
        for form in self._forms.get(words[first].stem, ()):
            last = first + len(form.stems)
            if last > len(words) or any(words[first + n].stem != part for n, part in enumerate(form.stems)):
                continue
            start = words[first].start
            # "A) Time" is no "A Time": a first word of one letter must stand as it stands in the option.
            if (
                words[first].end - start == 1
                and len(form.stems) > 1
                and soft[start : start + 2].casefold() != form.head
            ):
                continue
            return Hit(form.option, first, last, form.exact)
        return None

    def part(self, stems: Sequence[str]) -> int | None:
        """Return the option that words name by an unmistakable part: its own words, enough of them, and no other's."""
        hits: dict[int, set[str]] = {}
        for word in stems:
            if word in self.owner:
                hits.setdefault(self.owner[word], set()).add(word)
        if len(hits) != 1:
            return None
        option, found = next(iter(hits.items()))
        needed = len(self.own[option])
        return option if len(found) >= min(2, needed) and 2 * len(found) >= needed else None


def _telling(words: set[str]) -> set[str]:
    """Those that carry meaning; when none does, all."""
    return {word for word in words if word not in _PLAIN} or words
