"""Whether a wording still sounds like a person who asks: no assistant's opening, no markup, no talk of a rewrite.

English. It knows no seed: what the seed's own wording does too is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_ARTEFACTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("speaks as a model", re.compile(r"\bas an ai\b|\b(?:ai|language) model\b", re.IGNORECASE)),
    (
        "opens like an assistant",
        re.compile(
            r"^\W*(?:(?:sure|certainly|of course|absolutely|okay|ok)\W+(?:here(?:['’]s| is| are| you)|below"
            r"|i can|i['’]d be|i['’]ll)\b|sure!"
            r"|certainly[!,]|absolutely!|below is\b|here it is\b|here is it\b|here you (?:go|are)\b"
            r"|here(?:['’]s| is| are) (?:the|a|an|your|one|my)\b[^.?!:]{0,30}\b(?:message|version|prompt|rewrite|text"
            r"|wording|answer|response|reply|variant)s?\b)",
            re.IGNORECASE,
        ),
    ),
    (
        "speaks of a rewrite",
        re.compile(
            r"\b(?:rewritten|rewrite|rewording|reworded|rephrased|paraphrased"
            r"|revised (?:version|message|prompt|question)|new_prompt|original (?:message|prompt|text|version))\b",
            re.IGNORECASE,
        ),
    ),
    ("speaks about the user", re.compile(r"\b(?:the|this) (?:user|speaker|asker)\b|\buser's\b", re.IGNORECASE)),
    (
        "holds markup",
        re.compile(
            r"[{}]|```|\*\*|</?\w+>|^\s*(?:#+|[-*•]|\d+[.)])\s|\\n|\[(?:insert|your|name)[^\]]*\]",
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
    ("is put between quotes", re.compile(r'^\s*["“].*["”]\s*$', re.DOTALL)),
    ("holds a field name", re.compile(r'^\s*"?(?:message|prompt|text|output|rewrite|answer)"?\s*:', re.IGNORECASE)),
)  # fmt: skip
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'll|i'd|my|me|mine|we|we're|we've|we'll|our|us)\b", re.IGNORECASE)


def artefacts(text: str, own: str) -> Iterator[str]:
    """What a rewriter left in a text, beside what stands in the seed's own wording; one message each."""
    for what, pattern in _ARTEFACTS:
        match = pattern.search(text)
        if match and not pattern.search(own):
            yield f"{what}: {match.group().strip()[:40]!r}"


def impersonal(text: str, own: str) -> bool:
    """Whether the seed's own wording speaks in the first person and the text does not."""
    return bool(_FIRST_PERSON.search(own)) and not _FIRST_PERSON.search(text)
