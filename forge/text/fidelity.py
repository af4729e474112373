"""How much of what a text says another one still says: content words in their dictionary forms. A screen, no proof."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from forge.text.lemmas import lemmas

_LEAST_LETTERS = 3
_FUNCTION = """
about after again all also although always and any are around because been before being both but can could did
does each else even every few for from get got had has have having her here hers him his how into its just less let
like many may might more most much must nor not now off once one only other our out over own per quite same shall
she should since some such than that the their them then there these they this those though through till too under
until upon very was were what when where which while who whom whose why will with within without would yet you your
go make take put need want
"""
_FUNCTION_WORDS = frozenset(_FUNCTION.split())


class Fidelity(NamedTuple):
    """What became of a text's content words.

    Attributes:
        kept: share of them that the other text has too, 0..1; 1.0 when there are none.
        added: content words of the other text that are new.
        repeated: content words that the other text says more often than the first one did.
    """

    kept: float
    added: tuple[str, ...]
    repeated: tuple[str, ...] = ()


def content_lemmas(text: str, lang: str = "en") -> Counter[str]:
    """The words of a text that carry its matter, in dictionary form, with how often each stands there; numbers are not
    among them."""
    words = lemmas(text, lang)
    return Counter(
        word
        for word in (part for word in words for part in word.replace("’", "'").split("'")[:1])
        if len(word) >= _LEAST_LETTERS and not word[0].isdigit() and word not in _FUNCTION_WORDS
    )


def fidelity(original: str, other: str, lang: str = "en") -> Fidelity:
    """Hold a rewording against its original."""
    before, after = content_lemmas(original, lang), content_lemmas(other, lang)
    kept = len(before.keys() & after.keys()) / len(before) if before else 1.0
    repeated = sorted(word for word, count in before.items() if after[word] > count)
    return Fidelity(kept, tuple(sorted(after.keys() - before.keys())), tuple(repeated))
