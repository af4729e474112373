"""What a machine can see is wrong with a salience seed beyond its schema. Says what to write; changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from forge.families import probe, surface
from forge.families.base import LintFinding
from forge.families.salience import wording
from forge.families.salience.results import Results
from forge.families.salience.seed import Clause, SalienceSeed
from forge.text.edits import insert_after, occurrences
from forge.text.numbers import find_numbers, same_number

FEWEST_DISTRACTORS = 3
FEWEST_KEPT = 2
CLAUSE_WORDS_APART = 1
CLAUSE_LENGTH_APART = 0.25
"""The salience_control clause matches the explicit one in length (Core-100, appendix C, rule 4)."""

Check = Callable[[SalienceSeed], Iterator[LintFinding]]


def lint(seed: SalienceSeed) -> list[LintFinding]:
    """Return every finding, in the order of CHECKS; a seed without errors may grow."""
    return [finding for check in CHECKS for finding in check(seed)]


def _error(message: str, *path: str | int) -> LintFinding:
    return LintFinding(tuple(path), message)


def _warning(message: str, *path: str | int) -> LintFinding:
    return LintFinding(tuple(path), message, "warning")


def _numbers(seed: SalienceSeed) -> Iterator[LintFinding]:
    for index, number in enumerate(seed.numbers):
        if not occurrences(seed.prompt, number.text):
            yield _error(
                f"{number.text!r} does not stand in the prompt: copy the number as it is written there, with its unit",
                "numbers", index, "text",
            )  # fmt: skip
    distractors = [number for number in seed.numbers if number.role == "distractor"]
    if len(distractors) < FEWEST_DISTRACTORS:
        yield _error(
            f"{len(distractors)} numbers are distractors: give the prompt at least {FEWEST_DISTRACTORS} that invite a "
            "sum, with `role: distractor`",
            "numbers",
        )
    kept = sum(number.keep for number in distractors)
    if kept < FEWEST_KEPT:
        yield _error(
            f"{kept} distractors have `keep: true`: mark the numbers that the sum needs, at least {FEWEST_KEPT}",
            "numbers",
        )


def _uncovered(seed: SalienceSeed) -> Iterator[LintFinding]:
    listed = [other for number in seed.numbers for other in find_numbers(number.text)]
    spans = [
        (start, start + len(number.text)) for number in seed.numbers for start in _starts(seed.prompt, number.text)
    ]
    for number in find_numbers(seed.prompt):
        inside = any(start < number.end and number.start < end for start, end in spans)
        if not inside and not any(same_number(number, other) for other in listed):
            yield _warning(f"the prompt's {number.text!r} is not listed: add it to `numbers` with a role", "numbers")


def _starts(text: str, phrase: str) -> Iterator[int]:
    start = text.find(phrase)
    while start >= 0:
        yield start
        start = text.find(phrase, start + 1)


def _question(seed: SalienceSeed) -> Iterator[LintFinding]:
    if not wording.same_text(seed.question, seed.prompt):
        yield _error("the question does not stand in the prompt: copy it word for word from there", "question")
    if not seed.question.rstrip().endswith(("?", "？")):
        yield _warning("the question does not end in a question mark", "question")


def _key_terms(seed: SalienceSeed) -> Iterator[LintFinding]:
    for index, group in enumerate(seed.key_terms):
        if not wording.terms_in(seed.prompt, group):
            yield _error(
                f"none of {', '.join(repr(term) for term in group)} stands in the prompt: add the prompt's own wording",
                "key_terms", index,
            )  # fmt: skip


def _awareness(seed: SalienceSeed) -> Iterator[LintFinding]:
    places = {
        "prompt": seed.prompt,
        "question": seed.question,
        "explicit clause": seed.explicit.text,
        "salience_control clause": seed.salience_control.text,
    }
    for kind, terms in (("plain", seed.awareness.plain), ("negated", seed.awareness.negated)):
        for index, term in enumerate(terms):
            found = [place for place, text in places.items() if wording.has_term(text, term)]
            if found:
                yield _error(
                    f"{term!r} also stands in the {' and the '.join(found)}, so a restated question would read as an "
                    "objection: write what only an objection says",
                    "awareness", kind, index,
                )  # fmt: skip


def _results(seed: SalienceSeed) -> Iterator[LintFinding]:
    control = wording.pair(seed.edits, seed.prompt).control or ""
    for path, terms in ((("work",), seed.work), (("control", "expected", "any_of"), seed.control.expected.any_of)):
        for index, term in enumerate(terms):
            if Results((term,)).find(seed.prompt) or Results((term,)).find(control):
                yield _error(
                    f"{term!r} already stands in the prompt: write a result that only an answer which does the sum has",
                    *path, index,
                )  # fmt: skip


def _edits(seed: SalienceSeed) -> Iterator[LintFinding]:
    for index, (old, new) in enumerate(seed.edits):
        path = ("control", "edits", index, "from")
        if old not in seed.anchors:
            inside = [term for term in seed.anchors if wording.same_text(old, term)]
            if inside:
                yield _warning(f"{old!r} is part of the key term {inside[0]!r}: make it a group of its own", *path)
            else:
                yield _error(f"{old!r} is no key term of its own: add the group [{old}], alone, to `key_terms`", *path)
        count = occurrences(seed.prompt, old)
        if count != 1:
            yield _error(
                f"{old!r} stands {count} times in the prompt: choose words that stand there exactly once", *path
            )
        if wording.has_term(seed.prompt, new):
            yield _warning(
                f"{new!r} already stands in the prompt, next to what it should replace", "control", "edits", index, "to"
            )


def _pair(seed: SalienceSeed) -> Iterator[LintFinding]:
    built = wording.pair(seed.edits, seed.prompt)
    if built.control is not None and built.problem:
        yield _error(f"{built.problem}: shorten the edits, or move them together", "control", "edits")


def _probe(seed: SalienceSeed) -> Iterator[LintFinding]:
    yield from probe.lint(seed.probe)


def _clauses(seed: SalienceSeed) -> Iterator[LintFinding]:
    explicit, other = seed.explicit, seed.salience_control
    if explicit.after != other.after:
        yield _error(
            f"stands after {other.after!r}, the explicit clause after {explicit.after!r}: use one place for both",
            "salience_control", "after",
        )  # fmt: skip
    for name, clause in (("explicit", explicit), ("salience_control", other)):
        yield from _insertable(seed, name, clause)
    apart = abs(len(explicit.text.split()) - len(other.text.split()))
    if apart > CLAUSE_WORDS_APART:
        yield _error(
            f"{apart} words longer or shorter than the explicit clause; at most one", "salience_control", "text"
        )
    longer = max(len(explicit.text), len(other.text))
    if abs(len(explicit.text) - len(other.text)) > CLAUSE_LENGTH_APART * longer:
        yield _error(
            f"{len(other.text)} characters against {len(explicit.text)} in the explicit clause: keep within 25 %",
            "salience_control", "text",
        )  # fmt: skip
    if explicit.text == other.text:
        yield _error("both clauses say the same: this one must matter for nothing", "salience_control", "text")


def _insertable(seed: SalienceSeed, name: str, clause: Clause) -> Iterator[LintFinding]:
    try:
        insert_after(seed.prompt, clause.after, clause.text)
    except ValueError as error:
        yield _error(f"{error}: choose words of the prompt that stand there exactly once", name, "after")
        return
    if not any(wording.same_text(clause.after, term) for term in seed.anchors):
        yield _warning(
            f"{clause.after!r} is no key term, so rewrites that reword it are rejected: attach the clause to a key "
            "term that has no alternatives",
            name, "after",
        )  # fmt: skip


def _eraser(seed: SalienceSeed) -> Iterator[LintFinding]:
    if not wording.survives_eraser(seed, seed.prompt):
        yield _error(
            "without numbers, times and procedure no two neighbouring sentences hold the contradiction: let what the "
            "control edits stand near another key term",
            "prompt",
        )


def _escapes(seed: SalienceSeed) -> Iterator[LintFinding]:
    for phrase in surface.escapes_in(seed.prompt):
        yield _error(f"{phrase!r} lets a solver off the real world: ask for the thing itself", "prompt")


def _subtask(seed: SalienceSeed) -> Iterator[LintFinding]:
    stray = wording.stray_questions(seed, seed.prompt) + wording.lone_subtasks(seed)
    for clause in dict.fromkeys(stray):
        yield _warning(
            f"{clause!r} may be answered without the trap: ask for nothing that can be computed on its own", "question"
        )


def _swaps(seed: SalienceSeed) -> Iterator[LintFinding]:
    for index, term in enumerate(seed.swaps):
        if wording.has_term(seed.prompt, term):
            yield _warning(
                f"{term!r} stands in the prompt, so naming it in an answer swaps nothing: leave it out", "swaps", index
            )


def _language(seed: SalienceSeed) -> Iterator[LintFinding]:
    if not seed.lang.lower().startswith("en"):
        yield _warning(
            f"the rules know negations and general objections of English only; in {seed.lang!r} they go by the seed's "
            "own terms, so let a model judge",
            "lang",
        )


CHECKS: tuple[Check, ...] = (
    _numbers, _uncovered, _question, _key_terms, _awareness, _results, _edits, _pair, _probe, _clauses, _eraser,
    _escapes, _subtask, _swaps, _language,
)  # fmt: skip
