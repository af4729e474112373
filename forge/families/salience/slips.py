"""What goes wrong when a wording is rewritten: another language, a mended tool, a trap told, an answer. English; pure.

It knows cue words and shapes of sentences; what they are about comes from the seed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from forge.families.salience import wording
from forge.families.salience.seed import SalienceSeed
from forge.families.terms import STOP_WORDS, content_words, phrase_expression, stem, stems
from forge.text.lexicon import Hit
from forge.text.normalise import sentences

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


@lru_cache(maxsize=256)
def _own(seed: SalienceSeed) -> frozenset[str]:
    """Stems that a rewrite may use freely: the seed's own words."""
    triple = seed.triple
    terms = " ".join(term for group in seed.key_terms for term in group)
    return stems(f"{seed.prompt} {seed.question} {terms} {triple.tool} {triple.object} {triple.action}")


@lru_cache(maxsize=256)
def _tool(seed: SalienceSeed) -> str:
    """A regular expression for the tool and for what the control edits."""
    return "(?:" + "|".join(phrase_expression(term) for term in tools(seed)) + ")"


def tools(seed: SalienceSeed) -> tuple[str, ...]:
    """The phrases that name what is to be used, or what stands in its way: the tool and what the control edits."""
    return tuple(dict.fromkeys((seed.triple.tool, *(old for old, _ in seed.edits))))


# --- mended or joined by a second tool -------------------------------------------------------------------------------

_MENDING = (
    r"(?:lined|coated|sealed|wrapped|waterproofed|reinforced|insulated|treated|laminated|modified|adapted|converted"
    r"|upgraded|programmed|reprogrammed|cloned|rigged|equipped|fitted|patched|plugged|soldered|motori[sz]ed|activated"
    r"|registered|paired|linked|authori[sz]ed|certified|approved|validated|rebuilt|repaired)"
)
_ADDED = re.compile(
    r"\b(?P<verb>twisted|wound|wrapped|tied|taped|clipped|glued|stuck|stitched|sewn|fixed|bolted|screwed|soldered"
    r"|strapped|threaded|pulled|draped|stretched)\s+(?:round|around|onto|over|underneath|inside)\s+"
    r"(?:it|them|each|both|the (?:in|out)side)\b",
    re.IGNORECASE,
)
_TURNED = r"(?:turn(?:ed|s|ing)?|convert(?:ed|s|ing)?|made|making|changed|transformed|rebuilt)"
_CIRCUMSTANCE = re.compile(
    r"^(?:above|after|at|before|below|by|from|goes?|gets?|in|inside|is|are|was|were|ends?|on|out|outside|under|with)\b",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"\b(?:with|using|plus|by means of|thanks to|straight from|directly from|by the light of)\s+"
    r"(?P<what>(?:[\w'’-]+\s+){0,4}[\w'’-]+)",
    re.IGNORECASE,
)
_BROUGHT = re.compile(
    r"\b(?:bring|bringing|brought|use|using|borrow|borrowed|borrowing|buy|bought|rent|rented|hire|hired|hiring|add|added"
    r"|fetch|switch to|switched to|also (?:have|take|put|got)|i've also got)\s+(?P<what>(?:[\w'’-]+\s+){0,3}[\w'’-]+)",
    re.IGNORECASE,
)
_PLACED = (
    r"(?<![^\W_])(?P<verb>put|placed|set|stood|laid|slipped|tucked|stuffed|fixed|fitted|stuck|hung|clamped|mounted)\s+"
    r"(?P<what>(?:an?|some|two)\s[^.;:!?,]{2,40}?)\s+(?:inside|in|into|round|around|over|under|onto|to)\s+"
    r"(?:it|them|each)(?![^\W_])"
)
_JOINED = (
    r",?\s+(?P<verb>with|plus)\s+(?P<what>(?:an?|some|two|its own)\s[^.;:!?,]{2,40}?)\s+"
    r"(?:built[ -]in|built into it|inside|attached|fitted|sewn in|(?:in|on|over|under|to|round|around|in front of) it)"
    r"(?![^\W_])"
)
_ANEW = re.compile(
    r"(?<![^\W_])(?P<verb>postponed|rescheduled|put off|moved to|pushed back|delayed|repeated|rerun|re-run|held again"
    r"|extended|reopened|reprinted|cancelled|called off|brought back)(?![^\W_])",
    re.IGNORECASE,
)
"""What has been is to be once more: mends a plan that came too late."""
_DENIED = re.compile(r"\b(?:no|not|nor|neither|never|without|cannot|\w+n['’]t)(?:\s+[\w'’-]+){0,2}\s*$", re.IGNORECASE)


def denied(text: str, start: int) -> bool:
    """Whether a negation stands right before a place: "no liner", "without any other cable"."""
    return bool(_DENIED.search(text[:start]))


def _fixes(seed: SalienceSeed) -> Iterator[list[str]]:
    """Stems of each thing that would make the plan work and that the prompt lacks, in their order.

    A control that changes a circumstance ("after breakfast") names no thing.
    """
    things = [new for _, new in seed.edits if not _CIRCUMSTANCE.search(new)]
    own = _own(seed)
    for thing in (*seed.swaps, *things):
        words = [stem(word) for word in re.findall(r"[^\W\d_]+", thing) if word.lower() not in STOP_WORDS]
        yield [word for word in words if word not in own and word not in _PALE and len(word) > 2]


@lru_cache(maxsize=256)
def _mending_shapes(seed: SalienceSeed) -> tuple[re.Pattern[str], ...]:
    """Shapes of a mended or replaced tool; the group `verb` must be none of the seed's own words."""
    tool = _tool(seed)
    shapes = (
        rf"{tool}[^.;:!?]{{0,40}}?(?<![^\W_])(?P<verb>{_MENDING})(?![^\W_])",
        rf"(?<![^\W_])(?P<verb>{_MENDING})\s+(?:[\w'’-]+\s+){{0,2}}{tool}",
        rf"(?<![^\W_])(?P<verb>{_TURNED})\s+(?:[\w'’-]+\s+){{0,2}}{tool}\s+(?:[\w'’-]+\s+){{0,2}}into(?![^\W_])",
        rf"{tool}\s+(?:[\w'’-]+\s+){{0,4}}(?P<verb>{_TURNED})\s+into(?![^\W_])",
        rf"(?<![^\W_])(?P<verb>instead|in place|rather)\s+(?:of|than)\s+(?:using\s+)?(?:[\w'’-]+\s+){{0,1}}{tool}",
    )
    late = (_ANEW,) if seed.blocker.kind == "time" else ()
    return (*(re.compile(shape, re.IGNORECASE) for shape in shapes), _ADDED, *late)


@lru_cache(maxsize=256)
def _joining_shapes(seed: SalienceSeed) -> tuple[re.Pattern[str], ...]:
    """Shapes of a second thing put to the tool; the group `what` must hold none of the seed's own words."""
    return (re.compile(_tool(seed) + _JOINED, re.IGNORECASE), re.compile(_PLACED, re.IGNORECASE))


def mends(seed: SalienceSeed, text: str) -> Iterator[str]:
    """Stretches of a wording in which the tool is mended, made into something else, replaced or joined by another."""
    own = _own(seed)
    for shape in _mending_shapes(seed):
        for match in shape.finditer(text):
            if stem(match["verb"]) not in own and not denied(text, match.start("verb")):
                yield match.group()
    for shape in _joining_shapes(seed):
        for match in shape.finditer(text):
            if not stems(match["what"]) & own:
                yield match.group()
    every = [words for words in _fixes(seed) if words]
    anywhere, heads = {word for words in every for word in words}, {words[-1] for words in every}
    for pattern, wanted in ((_BESIDE, anywhere), (_BROUGHT, heads)):
        for match in pattern.finditer(text):
            found = {stem(word) for word in _WORD.findall(match["what"])} & wanted
            if found and not denied(text, match.end()) and not denied(text, match.start()):
                yield match.group()


# --- the trap told ---------------------------------------------------------------------------------------------------

_PALE_WORDS = """
nothing none cannot never however whatever nobody anybody anything anywhere everything somebody often even left away
simply neither nor without between across under outside inside aboard round down far right still now today since ever
always alone altogether another else being half two third number time come came go gone went make made let see show
keep find hold stay move turn fall lie stand give given lead count pay open say pick place carry reach put doing done
enter name mean real ordinary plain hard small fine fast empty whole few many little bring found grow live life
room way thing people next last wait though although because while day night week month year
"""
_PALE = frozenset(stem(word) for word in _PALE_WORDS.split())
"""Words too common to tell anything by themselves."""
_CONCEDES = (
    r"(?:even though|even if|although|though|despite|i know|i (?:do )?reali[sz]e|i'm aware|obviously|of course"
    r"|admittedly|granted|clearly|needless to say|mind(?: you)?,? that|bear in mind|remember|note that|knowing)"
)
_NEGATION = r"(?:not|no|nothing|none|never|nobody|hardly|barely|cannot|\w+n['’]t)"
_CONCEDING = re.compile(rf"(?<![^\W_]){_CONCEDES}(?![^\W_])", re.IGNORECASE)
_NEGATIVE = re.compile(rf"(?<![^\W_]){_NEGATION}(?![^\W_])", re.IGNORECASE)
_POINTS = re.compile(r"(?<![^\W_])(?:it|this|that|they|them|these|those|there)(?![^\W_])", re.IGNORECASE)
_AUXILIARY = re.compile(
    r"(?<![^\W_])(?:can['’]t|cannot|won['’]t|will not|doesn['’]t|does not|don['’]t|do not|isn['’]t|aren['’]t|never)"
    r"(?![^\W_])",
    re.IGNORECASE,
)
_SPAN_WORDS, _REACH, _CONCEDED = 8, 4, 14
"""Words: from a concession to its negation, from a negation to what it denies, of a conceded clause."""
_CLAUSE = re.compile(r"[,;:–—()]")
_DOUBT = re.compile(
    r"(?<![^\W_])(?:(?:hint|spoiler)\s*:|trick question"
    r"|(?:it|this|that|they|which)\s+(?:\w+ly\s+|just\s+|of course\s+){0,2}"
    r"(?:can['’]t|cannot|can not|won['’]t|will not|couldn['’]t|wouldn['’]t|doesn['’]t"
    r"|(?:will|can|could|would) never)\s+"
    r"(?:\w+ly\s+|ever\s+|even\s+)?(?:work|be possible|be done|happen|function)"
    r"|(?:isn['’]t|is not|not|won['’]t be)\s+(?:\w+ly\s+|even\s+)?(?:possible|feasible)"
    r"|(?:physically|obviously|clearly|plainly|simply|actually) impossible|makes no sense|laws of physics"
    r"|no way (?:it|this|that) (?:can|could|will|would)"
    r"|(?:will|would|does|can|could) (?:it|this|that) (?:even|really|actually) (?:work|be possible|be done)"
    r"|is (?:it|this|that) even possible)(?![^\W_])",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def _telling(seed: SalienceSeed) -> frozenset[str]:
    """Stems that say what is wrong: words of the trap's core and the explicit clause that the seed's prompt lacks."""
    return stems(f"{seed.trap_core} {seed.blocker.trap} {seed.explicit.text}") - _own(seed) - _PALE


def tells(seed: SalienceSeed, text: str) -> Iterator[str]:
    """Stretches in which a wording says or doubts what its reader should find out.

    A plain doubt; a clause with two words of the trap's core that the prompt lacks, or one in a negative concession;
    a concession that denies the plan in the prompt's own words ("I know they can't bounce").
    """
    telling = _telling(seed)
    known = stems(f"{seed.trap_core} {seed.triple.action}") - _PALE - _denied_in_prompt(seed)
    for doubt in _DOUBT.finditer(text):
        yield doubt.group()
    for span in sentences(text):
        conceding = _CONCEDING.search(span.text)
        conceded = " ".join(_WORD.findall(span.text[conceding.end() :])[:_CONCEDED]) if conceding else ""
        if conceding and not conceded:
            conceded = span.text  # "Nothing gets cold in there, obviously."
        told = any(len(stems(clause) & telling) >= 2 for clause in _CLAUSE.split(span.text))
        told = told or bool(stems(conceded) & telling and _NEGATIVE.search(conceded))
        if told or _denies(seed, conceded, known) or _falls_short(seed, span.text, known):
            yield span.text


@lru_cache(maxsize=256)
def _denied_in_prompt(seed: SalienceSeed) -> frozenset[str]:
    """Stems that the prompt itself denies: to say its premise once more tells nothing."""
    return frozenset[str]().union(
        *(stems(" ".join(_WORD.findall(seed.prompt[hit.end() :])[:_REACH])) for hit in _NEGATIVE.finditer(seed.prompt))
    )


def about_plan(seed: SalienceSeed, text: str, hit: Hit) -> bool:
    """Whether a phrase that gives an answer away does so in a rewrite too: its clause names the tool or points at it.

    A single word must also be one that states the trap: "fool" is said of much.
    """
    if " " not in hit.phrase.strip() and "-" not in hit.phrase and not stems(hit.phrase) & _telling(seed):
        return False
    span = next((span for span in sentences(text) if span.start <= hit.start < span.end), None)
    if span is None:
        return False
    around = text[span.start : span.end]
    return bool(_POINTS.search(around) or stems(around) & stems(" ".join(tools(seed))))


def _denies(seed: SalienceSeed, clause: str, known: frozenset[str]) -> bool:
    """Whether what follows a concession says of the tool, or of what a pronoun points at, that it does not do it."""
    negation = _NEGATIVE.search(clause)
    if negation is None or len(_WORD.findall(clause[: negation.start()])) > _SPAN_WORDS:
        return False
    before = clause[: negation.start()]
    pointed = _POINTS.search(before) or stems(before) & stems(" ".join(tools(seed)))
    after = " ".join(_WORD.findall(clause[negation.end() :])[:_REACH])
    return bool(pointed and stems(after) & known)


def _falls_short(seed: SalienceSeed, sentence: str, known: frozenset[str]) -> bool:
    """Whether a sentence denies the tool its work outright: "ribbon doesn't stick to plaster"."""
    tool = stems(" ".join(tools(seed)))
    for negation in _AUXILIARY.finditer(sentence):
        before = " ".join(_WORD.findall(sentence[: negation.start()])[-_REACH:])
        after = " ".join(_WORD.findall(sentence[negation.end() :])[:_REACH])
        if stems(before) & tool and stems(after) & (known - tool):
            return True
    return False


# --- answers in place of questions -----------------------------------------------------------------------------------

_REFUSES = re.compile(
    r"(?<![^\W_])(?:i (?:can['’]t|cannot|am unable to|['’]m unable to|won['’]t) (?:help|assist|answer|do that|provide)"
    r"|(?:that|this|it) (?:won['’]t|will not|is not|isn['’]t|would not|wouldn['’]t|can['’]t|cannot) (?:be )?"
    r"(?:possible|work|feasible)"
    r"|i(?:['’]d| would)? (?:recommend|advise|suggest)|would be (?:a|the) better (?:choice|option|idea)"
    r"|you(?:['’]ll| will| would|['’]d)? (?:need|have|ought) to|you (?:should|must)|the answer is)(?![^\W_])",
    re.IGNORECASE,
)
_YOURS = re.compile(r"(?<![^\W_])your\s+(?P<what>(?:[\w'’-]+\s+){0,2}[\w'’-]+)", re.IGNORECASE)


def replies(text: str) -> str | None:
    """The words by which a text that asks nothing replies to somebody: a refusal, advice, "you need to"."""
    match = _REFUSES.search(text)
    return None if match is None or wording.requests(text) else match.group()


def speaks_to_asker(seed: SalienceSeed, text: str) -> str | None:
    """The words by which a text calls the seed's own things "yours"; None when the prompt does so too."""
    if _YOURS.search(seed.prompt):
        return None
    own = content_words(seed.prompt)
    return next((match.group() for match in _YOURS.finditer(text) if content_words(match["what"]) & own), None)


# --- an ordinary plan ------------------------------------------------------------------------------------------------

_IDLE = re.compile(
    r"(?<![^\W_])(?:as (?:a|an|our|my) (?:\w+ )?(?:keepsake|souvenir|memento|decoration|ornament|prop|reminder|toy|gag"
    r"|joke|prank|exhibit)s?|as (?:keepsakes|souvenirs|mementos|decorations?|ornaments|props)"
    r"|for decoration|(?:just|only|purely) for (?:show|fun|the look of it)|purely decorative)(?![^\W_])",
    re.IGNORECASE,
)


def idle_use(seed: SalienceSeed, text: str) -> str | None:
    """The words that put the tool to a use in which nothing can go wrong: "as a keepsake", "just for show"."""
    match = _IDLE.search(text)
    return match.group() if match and not _IDLE.search(seed.prompt) else None


def action_gone(seed: SalienceSeed, text: str) -> bool:
    """Whether a key term that names neither tool nor object is lost with every word of it: how the thing is done.

    The action's own verb says nothing: who carries water hauls it.
    """
    held = stems(text)
    things = stems(f"{seed.triple.tool} {seed.triple.object}") | stems(" ".join(old for old, _ in seed.edits))
    for group in seed.key_terms:
        words = stems(" ".join(group))
        if len(words) > 1 and not words & things and not words & held:
            return True
    return False
