"""The guards: deterministic checks of one wording, each a small function in one table. No model, no scores."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from forge.families.salience import wording
from forge.families.salience.results import Results
from forge.families.salience.seed import SalienceSeed
from forge.families.salience.terms import Terms, content_words
from forge.model.checks import Finding
from forge.text.edits import insert_after
from forge.text.lexicon import Hit, Lexicon, negated
from forge.text.normalise import sentences
from forge.text.numbers import keeps_number
from forge.text.shingles import ALPHABETIC_SIZE, shingle_size

FEWEST_DISTRACTORS = 2
SHORTEST, LONGEST = 80, 700
SHORTEST_CJK, LONGEST_CJK = 30, 300
LONGEST_SHARE = 2.2
"""Characters of a wording: at least, at most (alphabetic; Chinese, Japanese, Korean), and against the seed's own."""
SAME_SCRIPT = 0.9

Guard = Callable[[SalienceSeed, str, str | None], Iterator[str]]

_MENDED = Lexicon(
    ("waterproof", "waterproofed", "watertight", "leakproof", "leak-proof", "lined with", "coated with", "modified to",
     "specially made", "specially designed", "specially adapted", "magic", "magical", "futuristic")
)  # fmt: skip
_REQUEST = re.compile(
    r"\b(?:tell me|let me know|work out|figure out|calculate|help me|please|could you|can you|i need to know"
    r"|i want to know|i'd like to know|i wonder|advise|suggest|plan)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\b(?:how|what|which|when|should|would|could|can|is|do|does|will)\b", re.IGNORECASE)
_ARTEFACTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("speaks as a model", re.compile(r"\bas an ai\b|\b(?:ai|language) model\b", re.IGNORECASE)),
    (
        "opens like an assistant",
        re.compile(
            r"^\W*(?:sure|certainly|of course|absolutely|okay|ok|here is|here's|here are|below is)\b", re.IGNORECASE
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


def guards(seed: SalienceSeed, text: str, parent: str | None = None) -> list[Finding]:
    """Return every guard's objections to a wording, in the order of GUARDS; none means that it goes on.

    Args:
        parent: the wording it was rewritten from; None for c0.
    """
    return [Finding(name, message) for name, guard in GUARDS.items() for message in guard(seed, text, parent)]


def _numbers(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    lost = [number for number in seed.kept if not keeps_number(text, number)]
    if lost:
        yield f"lost {', '.join(lost)}"
    distractors = [number.text for number in seed.numbers if number.role == "distractor"]
    held = sum(keeps_number(text, number) for number in distractors)
    if held < FEWEST_DISTRACTORS:
        yield f"holds {held} of the seed's {len(distractors)} distractors; at least {FEWEST_DISTRACTORS}"


def _key_terms(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    for group in seed.key_terms:
        if not wording.terms_in(text, group):
            yield f"lost {' / '.join(group)}"


def _control_applies(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    problem = wording.pair(seed.edits, text).problem
    if problem:
        yield problem


def _clauses_apply(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    for name, clause in (("explicit", seed.explicit), ("salience_control", seed.salience_control)):
        try:
            insert_after(text, clause.after, clause.text)
        except ValueError as error:
            yield f"{name}: {error}"


def _escape_phrase(_: SalienceSeed, text: str, __: str | None) -> Iterator[str]:
    for phrase in wording.escapes_in(text):
        yield f"holds {phrase!r}"


def _patch(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    fixes = (*seed.swaps, *(new for _, new in seed.edits))
    found = [term for term in wording.terms_in(text, fixes) if not wording.has_term(seed.prompt, term)]
    found += [hit.phrase for hit in _MENDED.find(text) if not wording.has_term(seed.prompt, hit.phrase)]
    for term in dict.fromkeys(found):
        yield f"{term!r} mends the trap"


def _reveals(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    for hit in Terms(seed.awareness.plain).find(text):
        yield f"{text[hit.start : hit.end]!r} explains the trap"
    for hit in Terms(seed.awareness.negated).find(text):
        if negated(text, Hit(*hit)):
            yield f"{text[hit.start : hit.end]!r} beside a negation explains the trap"


def _answered(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    for hit in Results((*seed.work, *seed.control.expected.any_of)).find(text):
        yield f"{hit.text!r} answers the question it asks"
        return


def _length(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    alphabetic = shingle_size(text) == ALPHABETIC_SIZE
    least, most = (SHORTEST, LONGEST) if alphabetic else (SHORTEST_CJK, LONGEST_CJK)
    if not least <= len(text) <= most:
        yield f"{len(text)} characters; between {least} and {most}"
    elif len(text) > LONGEST_SHARE * len(seed.prompt):
        yield f"{len(text)} characters, more than {LONGEST_SHARE} times the seed's {len(seed.prompt)}"


def _eraser(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    if not wording.survives_eraser(seed, text):
        yield "without numbers, times and procedure the contradiction no longer stands in one place"


def _sub_task(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    for clause in wording.stray_questions(seed, text):
        yield f"{clause!r} can be answered from the numbers alone"


def _question(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    aim = content_words(seed.question)
    asked = wording.questions(text)
    for span in asked or [span.text for span in sentences(text) if _REQUEST.search(span.text)]:
        if content_words(span) & aim or _ASKS.search(span):
            return
    yield "asks for nothing" if not asked else "asks for something else than the seed"


def _voice(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    for what, pattern in _ARTEFACTS:
        match = pattern.search(text)
        if match and not pattern.search(seed.prompt):
            yield f"{what}: {match.group().strip()[:40]!r}"
    if _FIRST_PERSON.search(seed.prompt) and not _FIRST_PERSON.search(text):
        yield "no longer speaks in the first person"


def _language(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    own = {_script(char) for char in seed.prompt if char.isalpha()}
    letters = [char for char in text if char.isalpha()]
    if not letters:
        yield "holds no words"
    elif sum(_script(char) in own for char in letters) < SAME_SCRIPT * len(letters):
        yield "is in another script than the seed"


def _script(char: str) -> str:
    return unicodedata.name(char, "UNKNOWN").split(" ")[0]


GUARDS: dict[str, Guard] = {
    "numbers": _numbers,
    "key_terms": _key_terms,
    "control_applies": _control_applies,
    "clauses_apply": _clauses_apply,
    "escape_phrase": _escape_phrase,
    "patch": _patch,
    "reveals": _reveals,
    "answered": _answered,
    "length": _length,
    "eraser": _eraser,
    "sub_task": _sub_task,
    "question": _question,
    "voice": _voice,
    "language": _language,
}
