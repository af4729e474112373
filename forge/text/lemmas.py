"""Dictionary forms of the words of a short phrase, so that "carries the boxes" and "carry box" are one doing."""

from __future__ import annotations

import re
from functools import lru_cache

from forge.text.normalise import fold

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+(?:[.,]\d+)*")
_ARTICLES = {"en": frozenset({"a", "an", "the", "my", "your", "our", "his", "her", "its", "their", "some"})}


def lemmas(phrase: str, lang: str = "en") -> tuple[str, ...]:
    """The words of a phrase in their dictionary forms, in order, folded, without articles and possessives (English).

    Lemmatised by simplemma; the words of a language that it does not know are only folded.

    Args:
        phrase: a few words, such as "carrying the rainwater".
        lang: a BCP 47 tag; its first part counts.
    """
    code = lang.lower().partition("-")[0]
    words = [word for word in _WORD.findall(fold(phrase)) if word not in _ARTICLES.get(code, ())]
    return tuple(_lemma(word, code) for word in words)


@lru_cache(maxsize=8192)
def _lemma(word: str, code: str) -> str:
    from simplemma import lemmatize

    try:
        return str(lemmatize(word, lang=code)).casefold()
    except ValueError:  # a language that it has no dictionary for
        return word
