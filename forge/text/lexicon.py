"""Finds the phrases of a word list in a text as whole words, and tells whether a hit is negated.

Standard library only, because exported readers ship it. It knows no seed: phrases arrive as arguments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from forge.text.normalise import sentences

_DASHES = "‐‑‒–—−-"
_APOSTROPHES = "'‘’ʼ′"
_QUOTES = '"“”„'
_WORDS = re.compile(rf"\w+(?:[{_APOSTROPHES}]\w+)*")

NEGATIONS_EN: tuple[str, ...] = (
    "not", "n't", "no", "never", "cannot", "can't", "won't", "no longer", "none", "nothing", "nobody", "nowhere",
    "neither", "nor", "without", "hardly", "barely", "scarcely", "lack", "lacks", "lacking",
)  # fmt: skip
IMPOSSIBILITY_EN: tuple[str, ...] = (
    "unable", "impossible", "impossibility", "incapable", "fail", "fails", "failed", "failing", "useless", "pointless",
    "futile", "hopeless", "infeasible", "unfeasible", "unworkable", "ineffective", "worthless", "in vain", "doomed",
)  # fmt: skip
# Phrases that hold a negation and deny nothing.
_NO_NEGATION_EN = (
    "not only", "not just", "not merely", "not to mention", "no problem", "no problems", "no doubt", "no matter",
    "no worries", "no need to worry", "no trouble", "without doubt", "without a doubt", "without a problem",
    "without problem", "without problems", "without any problem", "without any problems", "without issue",
    "without issues", "without any issue", "without any issues", "without trouble", "without any trouble",
    "without fail", "never fails", "never fail", "don't worry", "do not worry", "don't forget", "do not forget",
    "can't wait", "cannot wait", "why not", "if not",
)  # fmt: skip

# After one of these a new clause begins, and a negation does not reach across it.
_BREAKS = frozenset({"but", "however", "although", "though", "whereas", "yet"})
# Behind a hit the next verb begins at "and" too: "holds milk and won't spill" says that it holds milk.
_BREAKS_AFTER = _BREAKS | {"and", "so", "because", "if", "unless", "since", "while"}
_AFTER_WORDS = 4


class Hit(NamedTuple):
    """A phrase of a lexicon found at `text[start:end]`; `phrase` is as the lexicon has it."""

    phrase: str
    start: int
    end: int


def phrase_pattern(phrase: str, *, hyphen_is_space: bool = False) -> str:
    """Regular expression for a phrase as whole words, blind to typography: space widths, curly quotes, dash kinds.

    No boundary is asked for at an end of the phrase that is no word character. A phrase that begins or ends with a
    digit is not found inside a longer number ("3 trips" in "1.3 trips").

    Args:
        phrase: non-empty after stripping.
        hyphen_is_space: let "plastic bag" and "plastic-bag" match each other.

    Raises:
        ValueError: the phrase is empty.
    """
    phrase = " ".join(phrase.split())
    if not phrase:
        raise ValueError("a phrase must not be empty")
    pieces: list[str] = []
    for part in re.findall(rf"\s|[{_DASHES}]+|.", phrase):
        if part == " " or part[0] in _DASHES:
            joint = rf"[\s{_DASHES}]+" if hyphen_is_space else (r"\s+" if part == " " else f"[{_DASHES}]")
            if not (pieces and pieces[-1] == joint and hyphen_is_space):
                pieces.append(joint)
        elif part in _APOSTROPHES:
            pieces.append(f"[{_APOSTROPHES}]")
        elif part in _QUOTES:
            pieces.append(f"[{_QUOTES}]")
        else:
            pieces.append(re.escape(part))
    before = r"(?<!\w)" if _is_word(phrase[0]) else ""
    after = r"(?!\w)" if _is_word(phrase[-1]) else ""
    if phrase[0].isdigit():
        before += r"(?<!\d[.,])"
    if phrase[-1].isdigit():
        after += r"(?![.,]\d)"
    if phrase.casefold() == "n't":
        # The one entry that is the end of a word: "isn't", "couldn’t".
        before = r"(?<!\w)\w+"
    return f"{before}{''.join(pieces)}{after}"


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


class Lexicon:
    """A list of phrases, compiled once.

    Args:
        phrases: matched as whole words, in any case, blind to typography and to hyphen or space between words.

    Raises:
        ValueError: a phrase is empty.
    """

    def __init__(self, phrases: Iterable[str]) -> None:
        self.phrases: tuple[str, ...] = tuple(dict.fromkeys(phrases))
        self._patterns = [
            (phrase, re.compile(phrase_pattern(phrase, hyphen_is_space=True), re.IGNORECASE)) for phrase in self.phrases
        ]
        joined = "|".join(f"(?:{pattern.pattern})" for _, pattern in self._patterns)
        self._any = re.compile(joined or r"(?!)", re.IGNORECASE)

    def __len__(self) -> int:
        return len(self.phrases)

    def find(self, text: str) -> tuple[Hit, ...]:
        """All hits in the order of the text. Where hits overlap, the longest stays (at equal length the first)."""
        if not self._any.search(text):
            return ()
        hits = [
            Hit(phrase, match.start(), match.end())
            for phrase, pattern in self._patterns
            for match in pattern.finditer(text)
        ]
        hits.sort(key=lambda hit: (hit.start - hit.end, hit.start, -len(hit.phrase), hit.phrase))
        kept: list[Hit] = []
        for hit in hits:
            if all(hit.end <= other.start or other.end <= hit.start for other in kept):
                kept.append(hit)
        return tuple(sorted(kept, key=lambda hit: hit.start))


NEGATION_EN = Lexicon((*NEGATIONS_EN, *IMPOSSIBILITY_EN))
_NO_NEGATION = Lexicon(_NO_NEGATION_EN)


def negated(text: str, hit: Hit, lexicon: Lexicon = NEGATION_EN, window: int = 6) -> bool:
    """Whether a negation or impossibility stands beside a hit: it "won't hold milk", "holding milk is impossible".

    It counts when it is in the same sentence, at most `window` words before the hit or 4 after, and no clause begins
    between the two (";", "but", "although"; behind the hit also "and", "so", "because"). "without" counts only in
    front. "not only", "no problem", "don't worry" and their like deny nothing. Double negation is not resolved.

    Args:
        text: the text in which `hit` was found.
        hit: what may be negated; a negation inside the hit itself does not count.
        lexicon: the negating words.
        window: words in front of the hit that are looked at.
    """
    sentence = next((span for span in sentences(text) if span.start <= hit.start < span.end), None)
    low, high = (sentence.start, max(sentence.end, hit.end)) if sentence else (0, len(text))
    before, after = text[low : hit.start], text[hit.end : high]
    idle = [(low + other.start, low + other.end) for other in _NO_NEGATION.find(text[low:high])]
    for found in lexicon.find(text[low:high]):
        start, end = low + found.start, low + found.end
        if any(left < end and start < right for left, right in idle):
            continue
        if end <= hit.start:
            between = before[end - low :]
            if len(_WORDS.findall(between)) < window and not _breaks(between, _BREAKS):
                return True
        elif start >= hit.end and found.phrase != "without":
            between = after[: start - hit.end]
            if len(_WORDS.findall(between)) < _AFTER_WORDS and not _breaks(between, _BREAKS_AFTER):
                return True
    return False


def _breaks(between: str, words: frozenset[str]) -> bool:
    return ";" in between or any(word.casefold() in words for word in _WORDS.findall(between))
