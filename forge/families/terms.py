"""Phrases with a little grammar: "leak through" also finds "leaks right through". English; standard library only."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

_IRREGULAR = {
    "be": "is|are|was|were|been|being", "break": "broke|broken", "buy": "bought", "bring": "brought",
    "catch": "caught", "come": "came", "cut": "cutting", "do": "does|did|done|doing", "draw": "drew|drawn",
    "drive": "drove|driven|driving", "eat": "ate|eaten", "fall": "fell|fallen", "find": "found", "fly": "flew|flown",
    "freeze": "froze|frozen|freezing", "get": "got|gotten|getting", "give": "gave|given|giving",
    "go": "goes|went|gone|going", "grow": "grew|grown", "have": "has|had|having", "hold": "held", "keep": "kept",
    "know": "knew|known", "leave": "left|leaving", "let": "letting", "lose": "lost|losing", "make": "made|making",
    "melt": "molten", "pay": "paid", "put": "putting", "sell": "sold", "build": "built", "feed": "fed",
    "spend": "spent", "tell": "told", "win": "won|winning",
    "shut": "shutting", "hit": "hitting", "bind": "bound", "lend": "lent", "steal": "stole|stolen",
    "speak": "spoke|spoken", "read": "reading", "ride": "rode|ridden|riding",
    "run": "ran|running", "send": "sent", "set": "setting", "sit": "sat|sitting", "stand": "stood",
    "stick": "stuck", "swim": "swam|swum|swimming", "take": "took|taken|taking", "think": "thought",
    "wear": "wore|worn", "write": "wrote|written|writing",
}  # fmt: skip
_FIXED_WORDS = """
a an the any your my our his her their its this that these those to in on of at for from by with without into onto
no not only just so too still very already never ever out through off up down over under is are was were be been has
have had it and or as than there nothing none n't cannot can't won't
"""
_FIXED = frozenset(_FIXED_WORDS.split())
_STOP_WORDS = """
a an and any are as at be been but by can do does did for from get gets getting go going had has have he her here
how i i'd i'll i'm i've if in into is it it's its just me more most much many my need no not of off on once one only
or our out over own per plan put she should so some take takes than that the their them then there these they this
those through to too up us use using very want was we were what when where which while who will with would you your
about all also before after again both each every other same such total whole thing long way best please could may
might must
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_DETERMINERS = r"(?:(?:the|any|your|my|a|an|this|that|some|its|his|her|their|our|all|such|much|enough)\s+)?"
_ADVERBS = r"(?:(?:right|straight|all|just|simply|quickly|immediately|actually|even|easily|directly)\s+)?"


class TermHit(NamedTuple):
    """A phrase found at `text[start:end]`; `phrase` is as it was given."""

    phrase: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def word_pattern(word: str) -> str:
    """A regular expression for a word with its regular endings, and its irregular forms where they are known."""
    lower = word.lower()
    if lower in _FIXED or len(lower) < 3 or not lower.isalpha():
        return re.escape(word).replace("'", "['’]")
    forms = [_regular(lower)]
    if lower in _IRREGULAR:
        forms.append(_IRREGULAR[lower])
    return f"(?:{'|'.join(forms)})"


def _regular(word: str) -> str:
    if word.endswith("e"):
        return f"{re.escape(word[:-1])}(?:e|es|ed|ing)"
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{re.escape(word[:-1])}(?:y|ies|ied|ying)"
    last = re.escape(word[-1])
    doubled = f"|{last}ed|{last}ing" if word[-1] in "bdgklmnprt" and word[-2] in "aeiou" else ""
    return f"{re.escape(word)}(?:s|es|ed|ing{doubled})?"


def phrase_expression(phrase: str) -> str:
    """A regular expression for a phrase: whole words, endings, at most one determiner or adverb between two words."""
    words = phrase.split()
    pieces = [word_pattern(words[0])]
    for word in words[1:]:
        pieces.append(rf"(?:\s+|-){_ADVERBS}{_DETERMINERS}{word_pattern(word)}")
    return rf"(?<![^\W_]){''.join(pieces)}(?![^\W_])"


class Terms:
    """A list of phrases, ready to be found."""

    def __init__(self, phrases: Iterable[str]) -> None:
        kept = [phrase for phrase in dict.fromkeys(phrases) if phrase.strip()]
        self._patterns = [(phrase, re.compile(phrase_expression(phrase), re.IGNORECASE)) for phrase in kept]

    def find(self, text: str) -> tuple[TermHit, ...]:
        """All hits, in order of their start; overlapping ones too."""
        hits = [
            TermHit(phrase, match.start(), match.end())
            for phrase, pattern in self._patterns
            for match in pattern.finditer(text)
        ]
        return tuple(sorted(hits, key=lambda hit: (hit.start, -hit.end)))


def content_words(text: str) -> frozenset[str]:
    """Lower-case words that carry meaning, plurals folded; numbers left out."""
    words = (match.group().lower().replace("’", "'") for match in _WORD.finditer(text))
    return frozenset(singular(word) for word in words if len(word) > 2 and word not in STOP_WORDS)


def singular(word: str) -> str:
    """A rough singular, for comparing words only."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


_ENDINGS = ("ingly", "edly", "ings", "ing", "ed", "es", "ly", "ers", "er", "s", "e")


def stem(word: str) -> str:
    """A rough stem, for comparing words only: endings go while three letters stay, a doubled last letter once."""
    lower = word.lower().replace("\u2019", "'").removesuffix("'s")
    if len(lower) > 4 and lower.endswith(("ies", "ied")):
        return lower[:-3] + "y"
    for ending in _ENDINGS:
        if lower.endswith(ending) and len(lower) - len(ending) >= 3:
            lower = lower.removesuffix(ending)
            break
    return lower[:-1] if len(lower) > 3 and lower[-1] == lower[-2] and lower[-1] not in "aeiou" else lower


def stems(text: str) -> frozenset[str]:
    """Rough stems of the words of a text that carry meaning."""
    return frozenset(stem(word) for word in content_words(text))
