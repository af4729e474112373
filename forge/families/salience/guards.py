"""The guards: deterministic checks of one wording, each a small function in one table. No model, no scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from forge.families import language, surface, voice
from forge.families.salience import kept, slips, wording
from forge.families.salience.results import Results
from forge.families.salience.seed import SalienceSeed
from forge.families.terms import Terms
from forge.model.checks import Finding
from forge.text.edits import insert_after
from forge.text.lexicon import Hit, Lexicon, negated
from forge.text.normalise import Span, sentences
from forge.text.shingles import ALPHABETIC_SIZE, shingle_size

FEWEST_DISTRACTORS = 2
SHORTEST, LONGEST = 80, 700
SHORTEST_CJK, LONGEST_CJK = 30, 300
LONGEST_SHARE = 2.2
"""Characters of a wording: at least, at most (alphabetic; Chinese, Japanese, Korean), and against the seed's own."""

Guard = Callable[[SalienceSeed, str, str | None], Iterator[str]]

_MENDED = Lexicon(
    ("waterproof", "waterproofed", "watertight", "leakproof", "leak-proof", "lined with", "coated with", "modified to",
     "specially made", "specially designed", "specially adapted", "magic", "magical", "futuristic")
)  # fmt: skip


def guards(seed: SalienceSeed, text: str, parent: str | None = None) -> list[Finding]:
    """Return every guard's objections to a wording, in the order of GUARDS; none means that it goes on.

    A text in another language than an English seed's says nothing to the guards that read English: it is one fault.

    Args:
        parent: the wording it was rewritten from; None for c0.
    """
    return list(_guarded(seed, text, parent))


# A wording is guarded when it is worded, checked for compliance and read by the checkers that are rules.
@lru_cache(maxsize=512)
def _guarded(seed: SalienceSeed, text: str, parent: str | None) -> tuple[Finding, ...]:
    found = {name: list(guard(seed, text, parent)) for name, guard in GUARDS.items()}
    silent = _READ_ENGLISH if found["language"] else frozenset[str]()
    return tuple(
        Finding(name, message) for name, messages in found.items() if name not in silent for message in messages
    )


def _numbers(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    lost = [number for number in seed.kept if not kept.keeps(text, number)]
    if lost:
        yield f"lost {', '.join(lost)}"
    distractors = [number.text for number in seed.numbers if number.role == "distractor"]
    held = sum(kept.keeps(text, number) for number in distractors)
    if held < FEWEST_DISTRACTORS:
        yield f"holds {held} of the seed's {len(distractors)} distractors; at least {FEWEST_DISTRACTORS}"
    for one, two in kept.exchanged(seed, text):
        yield f"{one} and {two} stand in each other's place"


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
    for phrase in surface.escapes_in(text):
        yield f"holds {phrase!r}"


def _patch(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    found = [hit.phrase for hit in _repairs(seed, text)]
    for term in dict.fromkeys((*found, *slips.mends(seed, text))):
        yield f"{term!r} mends the trap"


def _repairs(seed: SalienceSeed, text: str) -> list[Hit]:
    """Where a repaired tool or one of the seed's ways out is named; "no liner" names none."""
    ways_out = _lexicon((*seed.swaps, *(new for _, new in seed.edits)))
    hits = [Hit(*hit) for hit in (*ways_out.find(text), *_MENDED.find(text))]
    return [hit for hit in hits if not wording.has_term(seed.prompt, hit.phrase) and not slips.denied(text, hit.start)]


@lru_cache(maxsize=256)
def _lexicon(phrases: tuple[str, ...]) -> Lexicon:
    return Lexicon(phrases)


@lru_cache(maxsize=256)
def _terms(phrases: tuple[str, ...]) -> Terms:
    return Terms(phrases)


def _mended_sentences(seed: SalienceSeed, text: str) -> list[Span]:
    """Sentences in which the trap is mended: that "nothing leaks through" the liner is the patch's fault alone."""
    starts = [hit.start for hit in _repairs(seed, text)] + [text.find(found) for found in slips.mends(seed, text)]
    return [span for span in sentences(text) if any(span.start <= start < span.end for start in starts)]


def _reveals(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    plain = [Hit(*hit) for hit in _terms(seed.awareness.plain).find(text)]
    denied = [Hit(*hit) for hit in _terms(seed.awareness.negated).find(text) if negated(text, Hit(*hit))]
    mended = _mended_sentences(seed, text) if plain or denied else []
    for hits, how in ((plain, ""), (denied, " beside a negation")):
        for hit in hits:
            inside = any(span.start <= hit.start < span.end for span in mended)
            if not inside and slips.about_plan(seed, text, hit):
                yield f"{text[hit.start : hit.end]!r}{how} explains the trap"
    for stretch in slips.tells(seed, text):
        yield f"{stretch[:60]!r} gives the trap away"


def _answered(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    for hit in Results((*seed.work, *seed.control.expected.any_of)).find(text):
        yield f"{hit.text!r} answers the question it asks"
        return
    reply = slips.replies(text)
    if reply:
        yield f"{reply!r} replies instead of asking"


def _length(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    alphabetic = shingle_size(text) == ALPHABETIC_SIZE
    least, most = (SHORTEST, LONGEST) if alphabetic else (SHORTEST_CJK, LONGEST_CJK)
    if not least <= len(text) <= most:
        yield f"{len(text)} characters; between {least} and {most}"
    elif len(text) > LONGEST_SHARE * len(seed.prompt):
        yield f"{len(text)} characters, more than {LONGEST_SHARE} times the seed's {len(seed.prompt)}"


def _eraser(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    kept_groups = len(wording.groups_in(seed, text))
    if kept_groups < min(2, len(seed.key_terms)):
        yield "the contradiction is gone"
    elif not any(wording.has_term(text, old) for old, _ in seed.edits):
        return  # renamed, not gone: key_terms says so
    elif not wording.survives_eraser(seed, text, wording.REWRITE_CONTEXT):
        yield "without numbers, times and procedure the contradiction no longer stands in one place"
    elif slips.action_gone(seed, text):
        yield "the impossible action is gone"
    else:
        idle = slips.idle_use(seed, text)
        if idle:
            yield f"{idle!r} leaves nothing impossible"


def _sub_task(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    for clause in wording.stray_questions(seed, text):
        yield f"{clause!r} can be answered from the numbers alone"
    asked = wording.questions(text)
    if asked and not any(wording.on_target(seed, question) for question in asked):
        yield f"{asked[-1]!r} has nothing to do with the plan's question"


def _question(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    asked = wording.requests(text)
    if not asked:
        yield "asks for nothing"
    elif not any(wording.on_target(seed, question) for question in asked):
        yield "asks for something else than the seed"
    elif (other := wording.other_quantity(seed.question, asked)) is not None:
        yield f"asks how many {other!r}: the control's result answers another question"


def _voice(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    yield from voice.artefacts(text, seed.prompt)
    if any(_length(seed, text, None)) and len(text) < len(seed.prompt):
        return  # what is cut so short names nobody
    yours = slips.speaks_to_asker(seed, text)
    if yours:
        yield f"speaks to the asker: {yours!r}"
    if voice.impersonal(text, seed.prompt):
        yield "no longer speaks in the first person"


def _language(seed: SalienceSeed, text: str, _: str | None) -> Iterator[str]:
    said = language.other(text, seed.prompt, english=seed.lang.lower().startswith("en"))
    if said:
        yield said


_READ_ENGLISH = frozenset({"numbers", "patch", "reveals", "answered", "eraser", "sub_task", "question", "voice"})

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
