"""The little English that composing needs: capitals, number agreement, clauses behind a name. Pure."""

from __future__ import annotations

import re

from forge.text.lexicon import phrase_pattern

_AGREES = {"is": "are", "has": "have", "does": "do", "was": "were", "isn't": "aren't", "doesn't": "don't"}
_STOPS = ",.;:!?)"
_FRONT = re.compile(r"^(\W*)(\w)")


def capitalised(text: str) -> str:
    """The text with its first letter large."""
    return _FRONT.sub(lambda match: match[1] + match[2].upper(), text, count=1)


def agreed(clause: str, many: bool) -> str:
    """A clause about one thing as a clause about several: "it does not float" becomes "they do not float"."""
    if not many:
        return clause
    words = clause.split(" ")
    if words[0].lower() == "it":
        words[0] = "they"
        if len(words) > 1:
            words[1] = _AGREES.get(words[1], words[1])
    return _them(" ".join(words))


def asked(question: str, phrase: str, many: bool) -> str:
    """A question template about a noun phrase: "Does {x} float?" with "corks" becomes "Do corks float?"."""
    if many:
        first, _, rest = question.partition(" ")
        verb = _AGREES.get(first.lower(), first.lower())
        if re.search(r"^\{x\}", rest):
            question = f"{verb} {rest}"
        else:
            question = re.sub(r"\{x\} (\w+)", lambda match: "{x} " + _AGREES.get(match[1], match[1]), question)
        question = re.sub(r"\bits\b", "their", _them(question))
    return capitalised(question.replace("{x}", phrase))


def _them(text: str) -> str:
    """The text with "they are" for "it is", and "them" for any other "it"."""
    subject = re.compile(rf"\bit ({'|'.join(map(re.escape, _AGREES))})\b")
    return re.sub(r"\bit\b", "them", subject.sub(lambda match: f"they {_AGREES[match[1]]}", text))


def with_clause(text: str, name: str, clause: str) -> str:
    """The clause as it is inserted behind a name: a comma before it, and one after it unless a stop follows.

    The name is a whole phrase, as it is written or with its first letter large.
    """
    match = re.search(phrase_pattern(name), text) or re.search(phrase_pattern(capitalised(name)), text)
    rest = text[match.end() :] if match else ""
    closed = not rest or rest[0] in _STOPS
    return f", {clause}{'' if closed else ','}"
