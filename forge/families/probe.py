"""The balanced probe: four yes/no questions of a seed, and the reader of their answers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from forge.families.answers import prepare
from forge.families.base import LintFinding, ProbeQuestion
from forge.model.checks import Reading, Response
from forge.model.seeds import Probe

INSTRUCTION = "Answer yes or no."
ROOT = "probe"

_WORD = re.compile(r"(?<![^\W_])(?P<yes>yes|yep|yeah|yup)|(?<![^\W_])(?P<no>no|nope|nah)(?![^\W_])", re.IGNORECASE)
_NOT_A_NO = re.compile(
    r" (?:longer|more|less|doubt|one|matter|problem|way to|need|idea|\w+(?:ly)? (?:light|power|effect))(?![^\W_])"
)
_OPENING = re.compile(
    r"\W*(?:(?:the |my |final |short )*answer(?: is)?|a|response)?\s*[:\-]?\W*(?P<word>yes|yep|yeah|yup|no|nope"
    r"|nah)(?![^\W_'])"
)
_BOTH = re.compile(r"(?<![^\W_])(?:yes (?:and|or|/) ?no|yes/no|no/yes|no (?:and|or) yes)(?![^\W_])")
_CANNOT = re.compile(
    r"(?:\w+ ){0,8}?(?:can't|cannot|can not|won't|will not|doesn't|does not|don't|do not|isn't|is not|aren't"
    r"|are not|didn't"
    r"|did not|never|wouldn't|would not|couldn't|could not)(?![^\W_])"
)
_CAN = re.compile(
    r"(?:it|they|that|this|you|he|she|we|(?:a|an|the|any|once|if)(?: [\w'-]+){1,6}?) (?:\w+ly )?"
    r"(?:can|will|does|do|is|are|would|could|did|has to|have to)(?![^\W_])"
)
_SAID = {"yes": "yes", "yep": "yes", "yeah": "yes", "yup": "yes", "no": "no", "nope": "no", "nah": "no"}
_CORRECT = re.compile(
    r"\W*(?:(?P<yes>correct|true|absolutely|definitely|certainly|indeed|of course)|(?P<no>incorrect|false"
    r"|not))(?![^\W_])"
)
_UNSURE = re.compile(
    r"(?<![^\W_])(?:it depends|depends on|i'm not sure|i am not sure|not sure|i don't know|cannot determine"
    r"|can't determine"
    r"|hard to say|unclear|maybe|possibly|perhaps)(?![^\W_])"
)


def questions(probe: Probe) -> tuple[ProbeQuestion, ...]:
    """The four questions, trap before control, `is_false` (no is right) before `is_true`."""
    return tuple(
        ProbeQuestion(f"{ROOT}/{fact}/{name}", fact, f"{text.strip()} {INSTRUCTION}", truth)
        for fact, pair in (("trap", probe.trap), ("control", probe.control))
        for name, text, truth in (("is_false", pair.is_false, False), ("is_true", pair.is_true, True))
    )


def lint(probe: Probe) -> Iterator[LintFinding]:
    """What is wrong with the four questions: one that is none, or two that are the same."""
    seen: dict[str, str] = {}
    for fact, pair in (("trap", probe.trap), ("control", probe.control)):
        for truth, question in (("is_false", pair.is_false), ("is_true", pair.is_true)):
            path = ("probe", fact, truth)
            if not question.rstrip().endswith(("?", "？")):
                yield LintFinding(path, f"{question!r} does not end in a question mark")
            key = " ".join(question.lower().split())
            if key in seen:
                yield LintFinding(path, f"the same question as {seen[key]}: the four must differ")
            seen[key] = ".".join(path)


def read_probe(question: str, response: Response) -> Reading:
    """Read the first commitment to yes or no; an answer that makes both or neither is unreadable.

    First match: a yes or no (or "correct", "false") that opens the answer; "it cannot …" or "it can …" as its first
    sentence; one word alone, yes or no, anywhere.
    """
    answer = prepare(response.text, question)
    if answer.restated and _OPENING.match(response.text.lower()):
        # "Yes, a sieve can be filled" copies the question's words and answers it all the same.
        answer = prepare(response.text, "")
    if answer.empty or answer.restated:
        reason = "cut" if response.cut else "empty" if answer.empty else "restated"
        return Reading(None, reason, cut=response.cut)
    first = answer.soft[answer.spans[0][0] : answer.spans[0][1]]
    start, end = answer.spans[0]
    said: str | None = None
    if _BOTH.search(first):
        return Reading(None, "both", cut=response.cut)
    opening = _OPENING.match(first)
    if opening and not (opening["word"] == "no" and _NOT_A_NO.match(first, opening.end())):
        said = _SAID[opening["word"]]
        end = start + opening.end()
    elif correct := _CORRECT.match(first):
        said = "yes" if correct["yes"] else "no"
        end = start + correct.end()
    elif not _UNSURE.search(first):
        said = _stated(first)
        if said is None:
            words = {"yes" if match["yes"] else "no" for match in _WORD.finditer(answer.soft)}
            said = words.pop() if len(words) == 1 else None
    if said is None:
        return Reading(None, "cut" if response.cut else "no yes or no", cut=response.cut)
    start, end = answer.trimmed(start, end)
    return Reading(said, evidence=response.text[start:end], start=start, end=end, cut=response.cut)


def _stated(first: str) -> str | None:
    """Yes or no from a first sentence that states it: "it can't …", "a milk can holds …" says nothing plain."""
    if _CANNOT.match(first):
        return "no"
    return "yes" if _CAN.match(first) else None
