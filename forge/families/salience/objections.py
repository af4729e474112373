"""Finds where an answer objects to the plan, and where it only cautions. Knows nothing of work or of labels.

Standard library only, because exported readers ship it. General patterns are English; a seed's own terms any language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from forge.families.answers import Answer, Clause
from forge.families.salience import phrases_en as en
from forge.families.salience.idle import idle_spans
from forge.families.salience.key import TrapKey
from forge.families.terms import Terms, content_words, word_pattern

_VAGUE = frozenset(
    ("question", "answer", "plan", "time", "day", "number", "last", "next", "thing", "way", "use", "using", "right")
)
_PRONOUN = re.compile(r"(?<![^\W_])(?:it|that|this|they|those|these|there|plan|idea|one|ones|approach|setup)(?![^\W_])")
_NEVER = re.compile(r"(?!)")
_BUT = re.compile(r"(?<![^\W_])but(?![^\W_])")
_OWN = re.compile(r"(?<![^\W_])(?:i|we)(?:'m| am|'d|'ll| \w+ly)? *$")
_DENIAL = re.compile(rf"(?<![^\W_])(?:{en.NOT} (?:\w+ ){{0,2}}|(?:no|prevents?|stops?) (?:\w+ ){{0,3}})$")
_FORBIDDEN = re.compile(r"(?:don't|do not|never)(?! (?:bother|buy)(?![^\W_]))(?![^\W_])")
_OPEN = re.compile(r"(?:^|[,;:(]|(?<![^\W_])(?:so|but|and|please|just|also|or|tip|tips))\W*$")
_DENIABLE = re.compile(r"too late|(?:be|get|is|are) ")
_NEGATED_WINDOW = 70
_SUBJECT_WINDOW = 70
_MOST_NOVEL = 2
_GENERIC_NOVEL = frozenset(
    ("need", "give", "make", "work", "already", "done", "thing", "come", "practically", "cannot", "can't",
    "nothing", "none"
     "speak", "anything", "real", "well", "really", "ever", "even", "since", "person", "people", "one", "no",
     "any", "have")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Objection:
    """Where an answer objects: the clause it stands in, and what says so.

    Attributes:
        start, end: the clause, offsets in the scope.
        at: the offset of the words that object.
        by: plain, negated, needs, core, kind (specific to the trap), general; in an answer without work also
            implied and swap.
        caution: it warns in passing and objects to nothing.
    """

    start: int
    end: int
    at: int
    by: str
    caution: bool = False

    @property
    def specific(self) -> bool:
        """Whether it speaks of the trap itself, not just of something that will not work."""
        return self.by != "general"


def _either(patterns: Iterable[str]) -> re.Pattern[str]:
    joined = "|".join(patterns)
    return re.compile(rf"(?<![^\W_])(?:{joined})(?![^\W_])") if joined else _NEVER


def _after(front: str, words: list[str]) -> re.Pattern[str]:
    """Any of some words behind a pattern; without words, nothing."""
    return re.compile(rf"(?<![^\W_]){front}(?:{'|'.join(words)})(?![^\W_])") if words else _NEVER


def _zeros(work: Iterable[str]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Zero of what the results count ("0 trips"), and a bare zero that opens an answer; neither when zero is right."""
    terms = [term.lower() for term in work]
    if any(re.search(r"(?<![\w.,])(?:0|zero|no)(?![\w.,])", term) for term in terms):
        return _NEVER, _NEVER
    nouns = sorted({word for term in terms for word in re.findall(r"(?<=\d )[a-z]{3,}", term)})
    return (
        _after(r"(?:0|zero|no|none of the) ", [word_pattern(noun) for noun in nouns]),
        re.compile(r"\W*(?:the answer is |answer: )?(?:zero|none|nothing|nil|0)(?=\s*(?:[.,:;!(-]|$))"),
    )


def _words(*texts: str) -> list[str]:
    found = sorted(frozenset[str]().union(*(content_words(text) for text in texts)) - _VAGUE)
    return [word_pattern(word) for word in found]


class Objector:
    """Finds objections to one trap."""

    def __init__(self, key: TrapKey) -> None:
        self._key = key
        self._told = " ".join(key.prompt.lower().replace("’", "'").split())
        self._plain = Terms(key.plain)
        self._negated = Terms(key.negated)
        named, tool, needs = (
            _words(key.tool, *key.edited),
            _words(key.tool, *key.edited, *key.anchors),
            _words(key.needs),
        )
        self._named = _either(named)
        self._tool = _either(tool)
        self._subject = _either([*tool, *_words(key.object, key.action)])
        self._needs = _either(needs)
        self._needed = content_words(key.needs)
        self._kind = en.KINDS.get(key.kind, _NEVER)
        self._novel = _novel(key)
        self._zero, self._nothing = _zeros(key.work)
        actions = [*_words(key.action), *(word_pattern(term.split()[0]) for term in key.negated)]
        self._incapable = _either([rf"{en.MODAL_NOT} (?:\w+ ){{0,2}}?(?:{'|'.join([en.CAPABLE, *actions])})"])
        self._rejected = _either([en.REJECTS_TOOL])
        self._replaced = _after(rf"{en.INSTEAD_OF} (?:\w+ing )?(?:(?:the|a|an|your|that|this) )?(?:\w+ )?", named)
        self._needing = (
            _after(rf"(?:{en.NEEDS}|{en.LACKS}) (?:\w+ ){{0,3}}", needs),
            _after(r"(?:non|un|not)-?", needs),
        )

    def find(self, answer: Answer) -> list[Objection]:
        """All objections and cautions, in order; a general one stands only where the answer speaks of the plan."""
        found: list[Objection] = []
        for clause in answer.clauses:
            found.extend(self._in_clause(answer, clause))
        if not any(objection.specific and not objection.caution for objection in found):
            found = [one for one in found if one.caution or not _wrong_reason(answer, one, self._named)]
        return sorted(found, key=lambda objection: (objection.start, objection.at))

    def implied(self, answer: Answer) -> list[Objection]:
        """For an answer that works nothing out: sentences that deny something of the tool, the place or what is
        lacking, with no excuse, limit, warning or reason of another kind."""
        found: list[Objection] = []
        for clause in answer.clauses if self._key.english else ():
            text = answer.soft[clause.start : clause.end]
            first, last = answer.spans[clause.sentence]
            sentence = answer.soft[first:last]
            idle = idle_spans(text)
            if en.RHETORICAL.match(sentence) and self._named.search(sentence) and clause.start == first:
                found.append(Objection(*answer.trimmed(first, last), first, "implied"))
                continue
            for match in en.NEGATION.finditer(text):
                inside = clause.start + match.start() - first
                named = self._subject.search(sentence) or (_PRONOUN.search(text) and self._related(answer, clause))
                free = not any(low < match.end() and match.start() < high for low, high in idle)
                if (
                    not named
                    or not free
                    or _forbids(text, match.start())
                    or _OWN.search(text[: match.start()])
                    or en.REFUSES.search(sentence)
                ):
                    continue
                if en.LIMIT.search(text, match.end()) or _cautions(sentence, inside, text, match.start()):
                    continue
                ends = answer.trimmed(clause.start, clause.end)
                objection = Objection(*ends, clause.start + match.start(), "implied")
                if not _wrong_reason(answer, objection, self._named):
                    found.append(objection)
        return found

    def about(self, text: str) -> bool:
        """Whether lower-case text names the tool, the place or what the control edits."""
        return bool(self._tool.search(text))

    def _in_clause(self, answer: Answer, clause: Clause) -> Iterator[Objection]:
        text = answer.soft[clause.start : clause.end]
        first, last = answer.spans[clause.sentence]
        sentence = answer.soft[first:last]
        for at, by in self._hits(answer, clause, text):
            inside = at + clause.start - first
            yield Objection(
                *answer.trimmed(clause.start, clause.end), clause.start + at, by, _cautions(sentence, inside, text, at)
            )

    def _hits(self, answer: Answer, clause: Clause, text: str) -> Iterator[tuple[int, str]]:
        for hit in self._plain.find(text):
            if not self._denied(text, hit.start, hit.phrase):
                yield hit.start, "plain"
        for hit in self._negated.find(text):
            if _negates(text, hit.start, hit.end):
                yield hit.start, "negated"
        if not self._key.english:
            return
        for found in (match for pattern in self._needing for match in pattern.finditer(text)):
            if self._subject.search(text) or _PRONOUN.search(text) or en.NEGATION.search(text):
                yield found.start(), "needs"
        for match in self._kind.finditer(text):
            denied = _DENIABLE.match(match.group()) and _DENIAL.search(text[max(0, match.start() - 40) : match.start()])
            if not denied and match.group() not in self._told:
                yield match.start(), "kind"
        novel = [first.start() for pattern in self._novel if (first := pattern.search(text))]
        if len(novel) >= _MOST_NOVEL and (self._subject.search(text) or _PRONOUN.search(text)):
            yield min(novel), "core"
        for start in self._general(answer, clause, text):
            yield start, "general"

    def _denied(self, text: str, start: int, phrase: str) -> bool:
        """Whether a plain term is itself denied: "it won't leak through", but not "it is not watertight"."""
        before = text[max(0, start - 40) : start]
        return bool(_DENIAL.search(before)) and not content_words(phrase) & self._needed

    def _general(self, answer: Answer, clause: Clause, text: str) -> Iterator[int]:
        idle = idle_spans(text)

        def free(match: re.Match[str]) -> bool:
            own = _OWN.search(text[: match.start()]) or _forbids(text, match.start())
            return not own and not any(low < match.end() and match.start() < high for low, high in idle)

        related = self._related(answer, clause)
        for match in en.PLAN_DENIED.finditer(text):
            if related and free(match) and match.group() not in self._told:
                yield match.start()
        for match in self._zero.finditer(text):
            yield match.start()
        if clause.sentence == 0 and (nothing := self._nothing.match(text)):
            yield nothing.start()
        for match in self._incapable.finditer(text):
            near = text[max(0, match.start() - _SUBJECT_WINDOW) : match.end() + _SUBJECT_WINDOW]
            limited = en.LIMIT.search(text, match.end(), min(len(text), match.end() + 45))
            if free(match) and not limited and (self._subject.search(near) or (_PRONOUN.search(near) and related)):
                yield match.start()
        for match in self._rejected.finditer(text):
            before = text[max(0, match.start() - _SUBJECT_WINDOW) : match.start()]
            if free(match) and self._named.search(before):
                yield match.start()
        for match in en.ONLY.finditer(text):
            if related and self._subject.search(text):
                yield match.start()
        for match in self._replaced.finditer(text):
            yield match.start()

    def _related(self, answer: Answer, clause: Clause) -> bool:
        """Whether the sentence or a neighbour names the tool, the place, or what is lacking."""
        low = answer.spans[max(0, clause.sentence - 1)][0]
        high = answer.spans[min(len(answer.spans) - 1, clause.sentence + 1)][1]
        around = answer.soft[low:high]
        return bool(self._tool.search(around) or self._needs.search(around))


def _novel(key: TrapKey) -> list[re.Pattern[str]]:
    """Words of the trap core that the prompt lacks, in any form of theirs."""
    told = content_words(key.prompt)
    words = frozenset[str]().union(*(content_words(text) for text in key.core)) - _GENERIC_NOVEL - _VAGUE
    fresh = [
        word
        for word in sorted(words)
        if not any(word.startswith(old[:5]) or word[:5] in old for old in told if len(old) > 3)
    ]
    return [re.compile(rf"(?<![^\W_]){word_pattern(word)}(?![^\W_])") for word in fresh]


def _negates(text: str, start: int, end: int) -> bool:
    """Whether a negation or an impossibility stands beside start..end, and no mere limit ("no more than 4 litres")."""
    if en.LIMIT.search(text, end, min(len(text), end + 40)):
        return False
    low = max(0, start - _NEGATED_WINDOW)
    idle = idle_spans(text)
    before = list(en.NEGATION.finditer(text, low, start))
    if any(not any(left < match.end() and match.start() < right for left, right in idle) for match in before):
        return True
    return bool(
        re.search(r"(?<![^\W_])(?:impossible|not possible|not feasible|no longer)(?![^\W_])", text[end : end + 40])
    )


def _forbids(text: str, at: int) -> bool:
    """Whether a negation tells the reader what to leave: "so don't let it dry", "never leave it alone"."""
    return bool(_FORBIDDEN.match(text, at) and _OPEN.search(text[:at]))


def _cautions(sentence: str, inside: int, clause: str, at: int) -> bool:
    """Whether words at an offset only warn: under "make sure" or "if", or a "may" that asks for care."""
    before, after = sentence[:inside], sentence[inside:]
    care = _last(en.CARE, before)
    if care and not en.BECAUSE.search(before, care.end()) and not _BUT.search(before, care.end()):
        return True
    if _conditional(before):
        return True
    if en.MAYBE.search(clause[:at]):
        return bool(
            en.CARE_AFTER.search(after) or en.CARE.search(after) or re.match(r"\W*(?:some|a little|a bit)\b", clause)
        )
    return False


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    return max(pattern.finditer(text), key=re.Match.start, default=None)


def _conditional(before: str) -> bool:
    """Whether an if-clause is still open: no comma and no new subject with a verb since its "if"."""
    last = _last(en.CONDITION, before)
    if last is None:
        return False
    rest = before[last.end() :]
    opened = re.search(
        r",|;|(?<![^\W_])(?:then|will|it'll|would|it just|it simply|you'll|can't|cannot|won't)(?![^\W_])", rest
    )
    return opened is None


def _wrong_reason(answer: Answer, objection: Objection, tool: re.Pattern[str]) -> bool:
    """Whether a general objection gives a reason of its own that has nothing to do with the trap: time, size, money.

    The reason stands in the same sentence, or in the next one when the objection does not name the tool.
    """
    for index, (start, end) in enumerate(answer.spans):
        if start <= objection.start < end:
            if en.WRONG_REASON.search(answer.soft[start:end]):
                return True
            later = answer.spans[index + 1 : index + 2]
            unnamed = not tool.search(answer.soft[start:end])
            return bool(later and unnamed and en.WRONG_REASON.search(answer.soft[later[0][0] : later[0][1]]))
    return False
