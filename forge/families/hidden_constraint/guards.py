"""The guards: deterministic checks of one wording of the active version. No model, no scores."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from forge.families import language, pairs, surface, voice
from forge.families.hidden_constraint import item, rendering
from forge.families.hidden_constraint.seed import HiddenConstraintSeed
from forge.families.terms import content_words, stems
from forge.model.checks import Finding
from forge.text.edits import occurrences
from forge.text.lexicon import Lexicon
from forge.text.normalise import sentences, squash

SHORTEST, LONGEST = 80, 700
LONGEST_SHARE = 2.0
"""Characters of a wording: at least, at most, and against the seed's own."""
FEWEST_TOLD = 2
"""Words of the constraint, new to the text, that a sentence of obligation must hold to be the constraint itself."""

Guard = Callable[[HiddenConstraintSeed, str], Iterator[str]]

_OBLIGES = Lexicon(
    ("must", "has to", "have to", "needs to", "need to", "needs", "need", "requires", "required", "only works", "only possible",
     "can't", "cannot", "can only", "impossible", "won't", "not allowed", "without", "there's no way", "no use")
)  # fmt: skip
_ADVISES = Lexicon(
    ("should", "shouldn't", "ought to", "you'd better", "had better", "i'd recommend", "i recommend", "i suggest",
     "i'd suggest", "the answer", "best option", "better option", "right choice", "better choice", "so i'll", "so i will",
     "so you", "therefore", "choose", "the best thing")
)  # fmt: skip
_LISTED = re.compile(r"(?:^|\n|\s)(?:option )?\(?[AB][.):]\s", re.MULTILINE)


def guards(seed: HiddenConstraintSeed, text: str, parent: str | None = None) -> list[Finding]:
    """Return every guard's objections to a wording, in the order of GUARDS; none means that it goes on.

    Args:
        parent: the wording it was rewritten from; None for c0. No guard looks at it.
    """
    return list(_guarded(seed, text))


# A wording is guarded when it is worded, checked for compliance and read by the checkers that are rules.
@lru_cache(maxsize=512)
def _guarded(seed: HiddenConstraintSeed, text: str) -> tuple[Finding, ...]:
    return tuple(Finding(name, message) for name, guard in GUARDS.items() for message in guard(seed, text))


def advice_in(text: str) -> list[str]:
    """Phrases that tell somebody what to do or to answer."""
    return [hit.phrase for hit in _ADVISES.find(text)]


def cues_in(seed: HiddenConstraintSeed, text: str) -> list[str]:
    """The seed's cues that stand in a text, as often as they do."""
    found = [cue for cue in dict.fromkeys(seed.cue.all) for _ in range(occurrences(text, cue))]
    return [cue for cue in found if not any(cue != other and squash(cue) in squash(other) for other in found)]


def _once(text: str, phrase: str) -> str | None:
    count = occurrences(text, phrase)
    return None if count == 1 else f"lost {phrase!r}" if count == 0 else f"holds {phrase!r} {count} times"


def _fact(seed: HiddenConstraintSeed, text: str) -> Iterator[str]:
    wrong = _once(text, rendering.fact_edit(seed)[0])
    if wrong:
        yield wrong


def _cue(seed: HiddenConstraintSeed, text: str) -> Iterator[str]:
    found = cues_in(seed, text)
    if not found:
        yield f"lost {seed.cue.text(seed.base_cue)!r}"
    elif len(found) > 1:
        yield f"holds {len(found)} cues: {', '.join(map(repr, found))}"


def _goal(seed: HiddenConstraintSeed, text: str) -> Iterator[str]:
    lost = rendering.lacking(text, seed.goal)
    if lost:
        yield f"lost {', '.join(lost)} of the goal"


def _named(seed: HiddenConstraintSeed, text: str) -> Iterator[str]:
    told = squash(text).replace(squash(seed.question), " ")
    lost = [word for word in rendering.needed(seed) if not rendering.says(told, word)]
    if lost:
        yield f"lost {', '.join(lost)}, on which the two options rest"


def _question(seed: HiddenConstraintSeed, text: str) -> Iterator[str]:
    count = squash(text).count(squash(seed.question))
    if count != 1:
        yield f"holds the question {count} times"
    elif not squash(text).endswith(squash(seed.question)):
        yield "does not end in the question"
    asked = sum(span.text.endswith("?") for span in sentences(text))
    own = sum(span.text.endswith("?") for span in sentences(rendering.active(seed)))
    if asked > own:
        yield "asks another question"


def _clause_place(seed: HiddenConstraintSeed, text: str) -> Iterator[str]:
    place = rendering.anchor(seed)
    if place is None:
        yield "the seed has no place for its clauses"
    elif wrong := _once(text, place):
        yield f"the clauses' place: {wrong}"


def _pair(seed: HiddenConstraintSeed, text: str) -> Iterator[str]:
    try:
        built = item.build(seed, text)
    except ValueError as error:
        if not any(_fact(seed, text)) and not any(_clause_place(seed, text)):
            yield str(error)
        return
    wrong = pairs.problem(text, built.removed_text, "active and removed")
    if wrong:
        yield wrong
    own = rendering.active(seed)
    for phrase in (seed.fact.removed, rendering.fact_edit(seed)[1]):
        if occurrences(text, phrase) > occurrences(own, phrase):
            yield f"already holds {phrase!r}, with which the constraint is gone"
            return


def _reveals(seed: HiddenConstraintSeed, text: str) -> Iterator[str]:
    own = stems(f"{rendering.active(seed)} {seed.cue.medium} {seed.cue.weak}")
    told = stems(f"{seed.constraint} {seed.clause.explicit} {seed.why_unique.active}")
    stated = {squash(span.text) for span in sentences(rendering.active(seed))}
    if squash(seed.clause.explicit.strip(" ,")).lower() in squash(text).lower():
        yield f"{seed.clause.explicit.strip(' ,')!r} states the constraint"
        return
    for span in sentences(text):
        words = stems(span.text)
        new = (words & told) - own
        if squash(span.text) not in stated and _OBLIGES.find(span.text) and len(new) >= FEWEST_TOLD:
            yield f"{span.text[:60]!r} states the constraint"
            return


def _answered(seed: HiddenConstraintSeed, text: str) -> Iterator[str]:
    asked = squash(seed.question)
    own = {squash(span.text) for span in sentences(rendering.active(seed))}
    for span in sentences(text):
        if asked in squash(span.text) or squash(span.text) in own:
            continue
        for phrase in advice_in(span.text):
            yield f"{phrase!r} answers instead of asking"
            return
    listed = _LISTED.search(text)
    if listed and not _LISTED.search(rendering.active(seed)):
        yield f"lists options: {listed.group().strip()!r}"


def _escape_phrase(seed: HiddenConstraintSeed, text: str) -> Iterator[str]:
    own = surface.escapes_in(rendering.active(seed))
    for phrase in surface.escapes_in(text):
        if phrase not in own:
            yield f"holds {phrase!r}"


def _length(seed: HiddenConstraintSeed, text: str) -> Iterator[str]:
    own = len(rendering.active(seed))
    if not min(SHORTEST, own) <= len(text) <= max(LONGEST, own):
        yield f"{len(text)} characters; between {SHORTEST} and {LONGEST}"
    elif len(text) > LONGEST_SHARE * own:
        yield f"{len(text)} characters, more than {LONGEST_SHARE:g} times the seed's {own}"


def _voice(seed: HiddenConstraintSeed, text: str) -> Iterator[str]:
    own = rendering.active(seed)
    yield from voice.artefacts(text, own)
    if content_words(text) and voice.impersonal(text, own):
        yield "no longer speaks in the first person"


def _language(seed: HiddenConstraintSeed, text: str) -> Iterator[str]:
    said = language.other(text, rendering.active(seed), english=seed.lang.lower().startswith("en"))
    if said:
        yield said


GUARDS: dict[str, Guard] = {
    "fact": _fact,
    "cue": _cue,
    "goal": _goal,
    "named": _named,
    "question": _question,
    "clause_place": _clause_place,
    "pair": _pair,
    "reveals": _reveals,
    "answered": _answered,
    "escape_phrase": _escape_phrase,
    "length": _length,
    "voice": _voice,
    "language": _language,
}
