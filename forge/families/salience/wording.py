"""What lint and guards both look for in a wording: escape phrases, the eraser test, sub-tasks, the pair. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from forge.families.pairs import problem
from forge.families.salience.seed import SalienceSeed
from forge.families.terms import content_words, singular, stem
from forge.text.edits import apply_edits
from forge.text.lexicon import Lexicon
from forge.text.normalise import sentences, squash
from forge.text.numbers import find_numbers

OWN_CONTEXT, REWRITE_CONTEXT = 2, 3
"""Sentences that hold the contradiction: in a seed's prompt; in a rewrite, where a remark may come between."""

_CLASSES: tuple[tuple[str, str], ...] = (
    ("money", r"cost|costs|price|prices|pay|spend|spending|save|saving|savings|budget|cheap|cheaper|cheapest|bill"
              r"|worth|money|charge me|refund|owe|total come to"),
    ("time", r"how long|how soon|how early|how late|when|what time|by when|minutes|hours|days|weeks|how much time"
             r"|start|finish|leave|duration|schedule"),
    ("count", r"how many|what number|how often|number of"),
    ("amount", r"how much|how far|how heavy|how fast|how deep|what percentage|what share"),
)  # fmt: skip
_CLASS_PATTERNS = tuple((name, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for name, words in _CLASSES)
_STANDS_ALONE = re.compile(r"\b(?:cost|costs|price|spend|pay|bill|total come to|weigh|weighs)\b", re.IGNORECASE)
_CLAUSES = re.compile(
    r"(?:,|;|\band\b|\bor\b)\s*"
    r"(?=(?:and\s+|or\s+)?(?:how|what|what's|which|when|where|by when|at what|who|will|would|can|should|do|does|is)\b)",
    re.IGNORECASE,
)
_PRICED = re.compile(
    r"^\W*(?:and\s+)?(?:what|how much)(?:['’]s)?\b.*\b(?:cost|costs|price|bill|come to|pay|spend|set me back|owe)\b",
    re.IGNORECASE,
)
_REST = re.compile(
    r"\bhow (?:many|much)\b.*\b(?:left|left over|remain|remains|remaining|spare)\b|\bon average\b|\bpercentage\b",
    re.IGNORECASE,
)
"""Asks for what is left once the seed's own question is answered."""
_HOW_MANY = re.compile(r"\bhow (?:many|much) (?P<what>[^\W\d_]+)\b", re.IGNORECASE)
_REQUEST = re.compile(
    r"^\W*(?:so,? |and |then |now,? )?(?:for |at |by |in |on )?"
    r"(?:how (?:many|much|long|far|soon|early|late|often)|what|when|which)\b"
    r"|^\W*(?:so,? |please,? )?(?:work out|figure out|calculate|compute|determine|find out|find the|tell me|let me know"
    r"|help me)\b"
    r"|\b(?:tell me|let me know|work(?:ing)? out|figure out|wonder(?:ing)?|know|no idea|any idea|not sure|asking"
    r"|say|see)\b[^.?!]{0,40}\b(?:how|when|what|which|whether)\b"
    r"|\b(?:could|can|would|will) (?:you|somebody|someone|anyone|anybody)\b",
    re.IGNORECASE,
)
_REFERS = re.compile(r"\b(?:it|this|that|these|those|they|them|there|then|whole|plan)\b", re.IGNORECASE)
_PROCEDURE = re.compile(
    r"\b(?:first|then|next|after that|finally|before|after|at|by|from|until|about|around|each way|round trip|per|a day|"
    r"today|tonight|tomorrow|yesterday|morning|afternoon|evening|noon|midnight|(?:mon|tues|wednes|thurs|fri"
    r"|satur|sun)day)"
    r"\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def has_term(text: str, term: str) -> bool:
    """Whether a phrase stands in a text: whole words, any case, typographic variants equal."""
    return bool(_lexicon(term).find(text))


@lru_cache(maxsize=4096)
def _lexicon(term: str) -> Lexicon:
    return Lexicon((term,))


def terms_in(text: str, terms: Iterable[str]) -> list[str]:
    """The terms that stand in a text, in the order given."""
    return [term for term in terms if has_term(text, term)]


def groups_in(seed: SalienceSeed, text: str) -> list[int]:
    """Indexes of the key-term groups of which one alternative stands in a text."""
    return [index for index, group in enumerate(seed.key_terms) if terms_in(text, group)]


def erased(seed: SalienceSeed, text: str) -> str:
    """The text without numbers, prices, times and words of procedure; key terms stay, even where they are times."""
    spared = [
        (hit.start, hit.end) for group in seed.key_terms for term in group for hit in _lexicon(term).find(text)
    ]  # a key term such as "was last Monday" is the premise itself

    def spans() -> Iterator[tuple[int, int]]:
        for number in find_numbers(text):
            yield number.start, number.end
        for match in _PROCEDURE.finditer(text):
            yield match.span()

    pieces = list(text)
    for start, end in spans():
        if not any(start < last and first < end for first, last in spared):
            pieces[start:end] = " " * (end - start)
    return "".join(pieces)


def survives_eraser(seed: SalienceSeed, text: str, width: int = OWN_CONTEXT) -> bool:
    """The eraser test (SaliTrap E.1, E.2): without numbers and procedure the blocker is still there, in one context.

    A context is `width` neighbouring sentences that hold what the control would edit and a second key-term group (the
    same one when there is only one), in at least four words.
    """
    bare = erased(seed, text)
    spans = sentences(bare)
    needed = min(2, len(seed.key_terms))
    for index, span in enumerate(spans):
        end = spans[min(index + width, len(spans)) - 1].end
        context = bare[span.start : end]
        holds = any(has_term(context, old) for old, _ in seed.edits)
        if holds and len(groups_in(seed, context)) >= needed and len(_WORD.findall(context)) >= 4:
            return True
    return False


def questions(text: str) -> list[str]:
    """The sentences of a text that end in a question mark."""
    return [span.text for span in sentences(text) if span.text.rstrip("\"'”’)*_ ").endswith(("?", "？"))]


def question_clauses(question: str) -> list[str]:
    """A question split where a second question word starts."""
    return [clause.strip() for clause in _CLAUSES.split(question) if clause.strip()]


def asked(clause: str) -> frozenset[str]:
    """The kinds of quantity a question asks for: money, time, count, amount."""
    return frozenset(name for name, pattern in _CLASS_PATTERNS if pattern.search(clause))


_COUNTED = re.compile(r"(?<![^\W_])how many (?:more |of the |of my |such )?(?P<unit>[^\W\d_]+)", re.IGNORECASE)
_DURATION = re.compile(r"(?<![^\W_])(?:how long|how much time)(?![^\W_])", re.IGNORECASE)
_TIME_UNITS = frozenset(["second", "minute", "hour", "day", "night", "evening", "week", "month", "year"])


def other_quantity(question: str, asked_for: Iterable[str]) -> str | None:
    """What a rewrite counts instead of what the seed's question counts; None when it asks for the same, or when
    either asks for no count. "How long" stands for any unit of time."""
    wanted = {singular(match["unit"].casefold()) for match in _COUNTED.finditer(question)}
    texts = list(asked_for)
    found = [singular(match["unit"].casefold()) for text in texts for match in _COUNTED.finditer(text)]
    if not wanted or wanted & set(found) or "time" in found:
        return None  # "how many times do I go?" counts rounds as well as any noun
    if wanted & _TIME_UNITS and any(_DURATION.search(text) for text in texts):
        return None
    return found[0] if found else None


def _about_plan(seed: SalienceSeed, clause: str) -> bool:
    """Whether a question clause speaks of the tool, of what the control edits, or points back at the plan.

    The object alone is not the plan ("what will the milk cost?"), nor is "it" in "what will it cost?".
    """
    goods = content_words(seed.triple.object)
    anchors = [term for term in seed.anchors if not content_words(term) & goods]
    if terms_in(clause, [seed.triple.tool, *(old for old, _ in seed.edits), *anchors]):
        return True
    if _REFERS.search(clause) and not _STANDS_ALONE.search(clause):
        return True
    return bool(content_words(clause) & content_words(f"{seed.triple.tool} {seed.triple.action}"))


def stray_questions(seed: SalienceSeed, text: str) -> list[str]:
    """Question clauses that numbers alone answer (the paper's sub-task escape): they ask for a kind of quantity that
    the seed's own question does not, and name nothing of the plan. What something costs, or how much of another unit
    there is, asked beside the seed's question, is a sum of its own whatever it names."""
    own, words = _own_kinds(seed), content_words(seed.question)
    measured = frozenset[str]().union(*(_measured(clause) for clause in question_clauses(seed.question)))
    clauses = [clause for question in questions(text) for clause in question_clauses(question)]
    aimed = [clause for clause in clauses if on_target(seed, clause)]
    stray: list[str] = []
    for clause in clauses:
        new = asked(clause) - own
        another = "money" in new or ("amount" in new and not asked(clause) & own)
        lone = another and not content_words(clause) & words and not _about_plan(seed, clause)
        priced = "money" in new and not asked(clause) & own and bool(_PRICED.search(clause))
        besides = any(other != clause for other in aimed)
        rest = bool(_REST.search(clause)) and not _REST.search(seed.question)
        counted = bool(_measured(clause) - measured) and "amount" not in own
        if lone or priced or (besides and (rest or counted)):
            stray.append(clause)
    return stray


def _own_kinds(seed: SalienceSeed) -> frozenset[str]:
    """The kinds of quantity that the seed's question asks for; a bare "how much" may be money."""
    own = frozenset[str]().union(*(asked(clause) for clause in question_clauses(seed.question)))
    return own | {"money"} if "amount" in own else own


def _measured(clause: str) -> frozenset[str]:
    """The unit that a clause asks to have counted: "how many litres"; empty for things that are no unit."""
    match = _HOW_MANY.search(clause)
    found = find_numbers(f"2 {match['what']}") if match else ()
    kinds = {"s": "time", "min": "time", "h": "time", "d": "time", "week": "time", "month": "time", "year": "time"}
    return frozenset(kinds.get(number.unit, "amount") for number in found if number.unit)


def requests(text: str) -> list[str]:
    """The sentences that ask: with a question mark; where there is none, also "tell me when", "no idea how many"."""
    marked = questions(text)
    return marked or [span.text for span in sentences(text) if _REQUEST.search(span.text)]


def on_target(seed: SalienceSeed, question: str) -> bool:
    """Whether a question asks for what the seed asks: the same kind of quantity, or enough of its words: two of them
    where the seed asks for a kind of quantity and this question for none."""
    own, kinds = _own_kinds(seed), asked(question)
    shared = len(_stems(question) & _stems(seed.question))
    return bool(kinds & own) or shared >= (2 if own and not kinds else 1)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in content_words(text))


def lone_subtasks(seed: SalienceSeed) -> list[str]:
    """Clauses of the seed's own question that ask what something costs or weighs and name nothing of the plan."""
    return [
        clause
        for clause in question_clauses(seed.question)
        if _STANDS_ALONE.search(clause) and not _about_plan(seed, clause)
    ]


@dataclass(frozen=True, slots=True)
class Pair:
    """A wording's control and what separates the two; `problem` says why there is none."""

    control: str | None
    problem: str | None = None


def pair(edits: Iterable[tuple[str, str]], text: str) -> Pair:
    """Build the control of a wording by replacement and hold the two against the minimal-pair criterion."""
    return _pair(tuple(edits), text)


@lru_cache(maxsize=512)
def _pair(edits: tuple[tuple[str, str], ...], text: str) -> Pair:
    try:
        control = apply_edits(text, list(edits))
    except ValueError as error:
        return Pair(None, str(error))
    return Pair(control, problem(text, control))


def same_text(a: str, b: str) -> bool:
    """Whether one phrase stands in another, typographic variants equal."""
    return squash(a) in squash(b)
