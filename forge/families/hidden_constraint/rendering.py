"""Renders a seed's template: the quartet, the two gradients, the version without conflict. One edit each; pure."""

from __future__ import annotations

import re
from functools import lru_cache

from forge.families.hidden_constraint.labels import ACTIVE, EXPLICIT, NO_CONFLICT, REMOVED, SALIENCE_CONTROL
from forge.families.hidden_constraint.seed import SLOTS, STRENGTHS, HiddenConstraintSeed
from forge.families.terms import Terms, content_words, stem, stems
from forge.text.edits import apply_edits, occurrences

INSTRUCTION = "Answer with the letter on the first line, then one short sentence of reason."
"""Stands under the options of every condition, word for word (Core-100, section 5, Protocol)."""
LETTERS = ("A", "B")
FEWEST_FACT_WORDS = 3
"""A shorter fact is kept with the words in front of it: "night" alone says nothing of a bus."""
FEWEST_ANCHOR_WORDS, MOST_ANCHOR_WORDS = 2, 8

_SLOT = re.compile(rf"\{{({'|'.join(SLOTS)})\}}")
_PIECES = re.compile(rf"(\{{(?:{'|'.join(SLOTS)})\}})")
_CLOSING = frozenset(",.;:!?)")
_MARK = "\x00"


def shown(text: str, options: tuple[str, str]) -> str:
    """What a solver is shown: the text, a blank line, the two options in the order given, the instruction."""
    lines = (f"{letter}. {option}" for letter, option in zip(LETTERS, options, strict=True))
    return "\n".join((text, "", *lines, INSTRUCTION))


def fill(template: str, values: dict[str, str]) -> str:
    """Put each slot's text in its place, all at once; at the start of a sentence with a capital, and without a
    clause's last comma where punctuation follows."""

    def put(match: re.Match[str]) -> str:
        value, before, after = values[match[1]], template[: match.start()].rstrip(), template[match.end() :]
        if not before or before.endswith((".", "?", "!")):
            value = value[:1].upper() + value[1:]
        if value.endswith(",") and (not after.strip() or after[0] in _CLOSING):
            value = value[:-1]
        return value

    return _SLOT.sub(put, template)


def version(seed: HiddenConstraintSeed, *, removed: bool = False, clause: str = "", cue: str = "") -> str:
    """Return one version of the seed's own text.

    Args:
        removed: with the fact that takes the constraint away.
        clause: what stands in the clause's place.
        cue: another strength's cue; the base cue when empty.
    """
    values = {
        "clause": clause,
        "cue": cue or seed.cue.text(seed.base_cue),
        "fact": seed.fact.removed if removed else seed.fact.active,
        "question": seed.question,
    }
    return fill(seed.template, values)


def active(seed: HiddenConstraintSeed) -> str:
    """The active version: c0's text."""
    return version(seed)


def quartet(seed: HiddenConstraintSeed) -> dict[str, str]:
    """The four conditions' texts (Core-100, section 5, Four conditions)."""
    return {
        ACTIVE: version(seed),
        REMOVED: version(seed, removed=True),
        EXPLICIT: version(seed, clause=seed.clause.explicit),
        SALIENCE_CONTROL: version(seed, clause=seed.clause.salience_control),
    }


def hint(seed: HiddenConstraintSeed) -> str:
    """The active version with its hint.

    Raises:
        ValueError: the hint's words do not stand in the active version exactly once.
    """
    edit = seed.gradients.explicitness.hint
    return apply_edits(active(seed), [(edit.old, edit.new)])


def versions(seed: HiddenConstraintSeed) -> dict[str, str]:
    """Every version of a seed by name: the quartet, strength/…, explicitness/…, no_conflict.

    Raises:
        ValueError: the hint cannot be applied.
    """
    four = quartet(seed)
    return {
        **four,
        **{f"strength/{name}": version(seed, cue=seed.cue.text(name)) for name in STRENGTHS},
        "explicitness/implicit": four[ACTIVE],
        "explicitness/hint": hint(seed),
        "explicitness/explicit": four[EXPLICIT],
        NO_CONFLICT: seed.no_conflict.text,
    }


@lru_cache(maxsize=256)
def anchor(seed: HiddenConstraintSeed) -> str | None:
    """The words in front of {clause}, as few as mark one place of the active version; None when there are none.

    A rewrite keeps them, so that both clauses have exactly one place in it (Core-100, appendix C, rule 4).
    """
    text = active(seed)
    before = version(seed, clause=_MARK).partition(_MARK)[0]
    words = before.split()
    if not words or before != before.rstrip():
        return None
    for count in range(min(FEWEST_ANCHOR_WORDS, len(words)), min(MOST_ANCHOR_WORDS, len(words)) + 1):
        chosen = words[-count:]
        if any(word.endswith((".", "?", "!")) for word in chosen):
            return None
        phrase = " ".join(chosen)
        if stems(phrase) and occurrences(text, phrase) == 1:
            return phrase
    return None


@lru_cache(maxsize=256)
def fact_edit(seed: HiddenConstraintSeed) -> tuple[str, str]:
    """The edit of the pair, (from, to): the two facts, a short one with words of its sentence around it.

    A rewrite keeps `from` word for word, so that the fact keeps its place in the sentence.
    """
    before, after = _around(seed.template)
    left, right = 0, 0
    text = active(seed)
    while True:
        head, tail = " ".join(before[len(before) - left :]), " ".join(after[:right])
        edit = _joined(head, seed.fact.active, tail), _joined(head, seed.fact.removed, tail)
        if len(edit[0].split()) >= FEWEST_FACT_WORDS and occurrences(text, edit[0]) == 1:
            return edit
        if left < len(before):
            left += 1
        elif right < len(after):
            right += 1
        else:
            return edit


def _joined(head: str, fact: str, tail: str) -> str:
    return " ".join(part for part in (head, fact, tail) if part)


def _around(template: str) -> tuple[list[str], list[str]]:
    """Words of the fact's sentence before and behind its slot, no further than the next slot or stop."""
    pieces = _PIECES.split(template)
    place = pieces.index("{fact}")
    left, right = pieces[place - 1], pieces[place + 1]
    before = re.split(r"[.?!,;:]\s", left)[-1] if left[-1:].isspace() else ""
    after = re.split(r"[.?!,;:]", right)[0] if right[:1].isspace() else ""
    return before.split(), after.split()


def says(text: str, word: str) -> bool:
    """Whether a text holds a word, in any usual form."""
    return stem(word) in stems(text) or bool(Terms((word,)).find(text))


def lacking(text: str, phrase: str) -> list[str]:
    """The words of a phrase that carry meaning and do not stand in a text, as they are written in the phrase."""
    words = dict.fromkeys(re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", phrase.lower()))
    return [word for word in words if content_words(word) and not says(text, word)]


def own_words(seed: HiddenConstraintSeed) -> list[str]:
    """The words by which the two options differ: whoever says one of them names an option."""
    heavy, quick = seed.options.constraint_heavy, seed.options.heuristic
    return sorted(
        {word for word in content_words(heavy) if not says(quick, word)}
        | {word for word in content_words(quick) if not says(heavy, word)}
    )


@lru_cache(maxsize=256)
def needed(seed: HiddenConstraintSeed) -> tuple[str, ...]:
    """The words of options and constraint that the text says before its question: a rewrite without them may have
    moved the fact to another thing ("the station is across town, and my bicycle is there")."""
    told = active(seed).replace(seed.question, " ")
    words = dict.fromkeys((*own_words(seed), *sorted(content_words(seed.constraint))))
    return tuple(word for word in words if says(told, word))
