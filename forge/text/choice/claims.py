"""Finds the sentences that say what is chosen: answer lines, "I chose B", "B is correct". It weighs nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from forge.text.choice.scope import Scope
from forge.text.choice.targets import Target, denied, target
from forge.text.choice.types import ANSWER, LETTERS, WORDS, Claim

_ANSWER = re.compile(
    r"""(?<!\w)(?<!\w')(?P<noun>answers?|ans|choice|option|candidate|selection|pick|decision|verdict|conclusion
      |recommendation
      |solution|response|final|letter|prediction|antwort|respuesta|réponse|resposta|risposta
      |答案|答え|回答|ответ)
    (?:[ ]{1,3}(?:letter|option|choice|selected|here|i[ ](?:choose|chose|pick|picked|selected|would[ ]choose)))?
    (?:["')\]]{0,3}[ ]{0,4}[:=](?!=)
      |[ ]{1,3}(?:is|would[ ]be|should[ ]be|must[ ]be|remains|has[ ]to[ ]be|will[ ]be)(?![\w'])[ ]{0,3}:?
      |[ ]{0,3}(?:->|=>|→|⇒|–|—|-[ ])
      |[ ]{0,3}\n{1,2}(?=[^\w\n]{0,6}[a-z](?:[^\w\n]|$))
      |[ ]{1,3}(?=["'(\[]{0,2}[a-z]["')\]]{0,2}[.!]?[ ]{0,3}(?:\n|\Z)))
    """,
    re.IGNORECASE | re.VERBOSE,
)
_BARE_NOUNS = frozenset({"option", "candidate", "choice", "letter", "response", "pick", "final"})
_MARKED = re.compile(r"\\(?:boxed|fbox)[ ]{0,3}\{|<(?:answer|choice|final|final answer|output)>", re.IGNORECASE)
_CHOSE = re.compile(
    r"(?<![\w'-])(?:choose|chose|chosen|choosing|picked|pick|picking|select|selected|selecting"
    r"|go(?:ing)?[ ](?:with|for)|went[ ]with"
    r"|opt(?:ed|ing)?[ ]for|settled?[ ](?:on|for)|recommend(?:ed)?|suggest|prefer|favou?r|vote[ ]for"
    r"|decided[ ](?:on|for)"
    r"|lean(?:ing)?[ ](?:towards?|to)|i'd[ ]say|i[ ]would[ ]say|i[ ]say|advise|stick(?:ing)?[ ]with"
    r"|conclude)(?![\w'])",
    re.IGNORECASE,
)
_RIGHT = re.compile(
    r"[\"')\]},]{0,4}[ ]{1,3}(?:is|was|seems|remains|would[ ]be|appears|looks)[ ](?:(?:to[ ]be|clearly"
    r"|definitely|therefore|thus|still"
    r"|obviously|indeed|also|likely)[ ]){0,2}(?:(?:the|my|your)[ ])?(?:(?:most|more|only|single|clear|obvious"
    r"|clearly)[ ]){0,2}"
    r"(?:correct|right|best|better|answer|appropriate|sensible|logical|accurate|suitable|choice|winner"
    r"|way[ ]to[ ]go|practical"
    r"|one[ ]i|preferable|valid|reasonable)(?!\w)",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"(?<!\w)(?:choose|chose|pick|picked|select|selected|go with|recommend)(?: [\w'-]{1,20}){1,8}, which (?:is"
    r"|would be) ",
    re.IGNORECASE,
)
# "So B.", "It's B", "No, B": little enough that only a capital letter at the end of a clause counts.
_POINTS = re.compile(
    r"(?<!\w)(?:so|therefore|thus|hence|i think|i believe|it's|it is|it (?:should|must|has to|would) be|that's|probably"
    r"|definitely|certainly|obviously|clearly|actually|no|wait|chosen)"
    r"[ ,:]{1,3}(?:(?:it's|option|candidate|choice) ){0,2}"
    r"[\"'(]{0,2}(?P<letter>(?-i:[A-Z]))(?=[\"')]{0,2}[ ]{0,2}(?:[.!;,\n]|\Z|(?:because|since|not|rather|over)(?!\w)))",
    re.IGNORECASE,
)
# "I chose A, but that is not the right answer."
_RETRACTED = re.compile(
    r"[^.!?\n]{0,60}?(?<!\w)(?:but|however|though)[, ]{1,3}(?:that|this|it)(?:'s|(?: is| was| would be))?"
    r"(?:(?:n't| not| never)(?: \w{1,12}){0,2} (?:correct|right|best|answer)| \w{0,8} ?(?:wrong|incorrect))(?!\w)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"(?<![\w'.])[\"'(\[]{0,2}(?P<letter>[A-Z])(?![\w'])(?P<mark>[)\].:,\"']{0,3})", re.ASCII)
_OTHERWISE = re.compile(r"(?<!\w)(?:otherwise|or else|if not)[, ]{1,3}", re.IGNORECASE)
_AGAINST = re.compile(
    r"(?:(?<!\w)(?:not|never|cannot|rarely|hardly|incorrectly|wrongly|without|avoid|against|why|nor|neither"
    r"|no longer|refuse to"
    r"|unable to)(?!\w)|n't(?!\w))(?:[ \"'(]{1,3}[\w']{1,20}){0,2}[ \"'(]{0,4}$"
    r"|(?<!\w)(?:wrong|incorrect|worse|worst|rejected|bad|other|second|first|old|tempting|trap"
    r"|shortcut"
    r"|alternative|alternate|previous|earlier|initial|original|default|popular)[ \"'(]{0,4}$",
    re.IGNORECASE,
)
_TENTATIVE = re.compile(
    r"(?<!\w)(?:at first|first glance|initial(?:ly)?|originally|earlier|previous(?:ly)?|tempt\w{0,6}"
    r"|instinct\w{0,5}|intuit\w{0,6}"
    r"|naive\w{0,3}|would think|may think|might|whether|some(?:one|body)?|many|others|people|everyone|most|they"
    r"|someone|supposing"
    r"|suppose|assuming|had said|used to|alternatively|trap|claims?|not sure)(?!\w)",
    re.IGNORECASE,
)
_RESET = re.compile(r"(?<!\w)(?:but|however|so|therefore|thus|hence|yet|i|my|final|finally)(?!\w)", re.IGNORECASE)
_IF = re.compile(
    r"(?<!\w)(?:if|unless|when|whenever|in case|only if|provided|assuming"
    r"|depending)(?!\w)",
    re.IGNORECASE,
)
_IDIOM = re.compile(
    r"(?<!\w)if (?:i|you|we|one|i'm|pressed|forced|asked|required)(?: (?:am|are|were|had|have|must|need|needed"
    r"|has|absolutely|really)){0,3}"
    r"(?: (?:to|forced|pressed|made|asked)){0,2}(?: to)?(?: (?:choose|pick|decide|answer|select|commit|say"
    r"|give)(?!\w)|,)",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"(?<!\w)(?:therefore|thus|hence|overall|in conclusion|in summary|in short|so"
    r"|final(?:ly)?|ultimately|to conclude"
                      r"|all in all|in the end|consequently|bottom line"
    r"|on balance)(?!\w)", re.IGNORECASE)  # fmt: skip
# Words that take back what was said before.
CORRECTS = re.compile(
    r"(?<!\w)(?:wait|actually|correction|correcting|on second thought|on reflection|scratch that|i was wrong"
    r"|my mistake|i made a mistake"
    r"|let me (?:re\w{1,12}|correct)|reconsider\w{0,3}|re-evaluat\w{0,3}|reevaluat\w{0,3}|revis\w{1,5}"
    r"|chang\w{1,3} my (?:mind|answer)"
    r"|i retract|hold on|oops|i take that back|that(?:'s| is) (?:wrong|not right|incorrect)|no,)(?!\w)",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(r"^[ ]{0,8}q(?:uestion)?[ ]{0,3}[:.]", re.IGNORECASE | re.MULTILINE)
_SHORT_ANSWER = re.compile(r"^[ ]{0,8}a[ ]{0,3}:", re.IGNORECASE | re.MULTILINE)
_WINDOW = 240


def claims(scope: Scope) -> list[Claim]:
    """Return every claim made in words, in order."""
    others = list(_otherwise(scope))
    # What "otherwise" stands against was no more than a condition's part.
    met = {scope.sentence(one.start)[0] for one in others}
    said = [*_answers(scope), *_chosen(scope), *_right(scope)]
    found = [*others, *(replace(one, conditional=True) if scope.sentence(one.start)[0] in met else one for one in said)]
    return sorted(found, key=lambda claim: (claim.start, claim.end))


def _answers(scope: Scope) -> Iterator[Claim]:
    for match in _MARKED.finditer(scope.soft):
        yield from _claim(scope, match.start(), target(scope, match.end()), ANSWER)
    if _ABBREVIATED.search(scope.soft):
        for match in _SHORT_ANSWER.finditer(scope.soft):
            yield from _claim(scope, match.start(), target(scope, match.end()), ANSWER)
    for match in _ANSWER.finditer(scope.soft):
        aim = target(scope, match.end())
        if aim is None or _broken(scope, match.end(), aim):
            continue
        if aim.reason is not None and match["noun"].casefold() in _BARE_NOUNS and ":" not in match.group():
            continue
        yield from _claim(scope, match.start(), aim, ANSWER)


def _broken(scope: Scope, cue: int, aim: Target) -> bool:
    """Whether a blank line lies between a cue and what is taken for its object."""
    return scope.soft.count("\n", cue, aim.start) > 2


def _chosen(scope: Scope) -> Iterator[Claim]:
    for match in _POINTS.finditer(scope.soft):
        aim = target(scope, match.start("letter"))
        if aim is not None and aim.option is not None:
            yield from _claim(scope, match.start(), aim, WORDS)
    for match in _WHICH.finditer(scope.soft):
        yield from _claim(scope, match.start(), target(scope, match.end()), WORDS)
    for match in _CHOSE.finditer(scope.soft):
        aim = target(scope, match.end())
        if aim is not None and aim.option is not None and "\n" not in scope.soft[match.end() : aim.start]:
            yield from _claim(scope, match.start(), aim, WORDS)


def _right(scope: Scope) -> Iterator[Claim]:
    """Claims whose subject is the option nearest before "is correct"."""
    for match in _RIGHT.finditer(scope.soft):
        start = max(scope.sentence(match.start())[0], match.start() - _WINDOW)
        aim = _subject(scope, start, match.start())
        if aim is not None:
            yield from _claim(scope, aim.start, aim._replace(end=match.end()), WORDS)


def _subject(scope: Scope, start: int, end: int) -> Target | None:
    nearest: Target | None = None
    for match in _SUBJECT.finditer(scope.soft, start, end):
        option = LETTERS.find(match["letter"])
        bare = not match["mark"] and scope.soft[match.start()] not in "(\"'["
        named = re.search(
            r"(?:option|choice|candidate|answer) $",
            scope.soft[max(match.start() - 12, 0) : match.start()],
            re.IGNORECASE,
        )
        if option >= scope.options.count or (bare and not named and match.end() < end):
            continue
        if match["mark"][:1] == "." and scope.soft[match.end() : match.end() + 1] == " " and match.start() > start + 4:
            continue
        nearest = Target(match.start(), match.end(), option)
    at, last = scope.word(start), scope.word(end)
    while at < last:
        hit = scope.options.at(scope.words, at, scope.soft)
        if hit is None or hit.last > last:
            at += 1
            continue
        begin = scope.words[at].start
        if nearest is None or (begin > nearest.end + 4 and nearest.option != hit.option and hit.last == last):
            nearest = Target(begin, scope.words[hit.last - 1].end, hit.option, None, True)
        at = hit.last
    return nearest


def _otherwise(scope: Scope) -> Iterator[Claim]:
    for match in _OTHERWISE.finditer(scope.soft):
        aim = target(scope, match.end())
        if aim is not None and aim.option is not None:
            for claim in _claim(scope, match.start(), aim, WORDS):
                yield replace(claim, conditional=True)


def _claim(scope: Scope, start: int, aim: Target | None, strength: int) -> Iterator[Claim]:
    if aim is None or (aim.option is not None and denied(scope, aim.end)):
        return
    begin, end = scope.sentence(start)
    stop = max(scope.sentence(aim.end - 1)[1], end)
    if scope.soft[max(stop - 4, aim.end) : stop].rstrip(" \n\"')")[-1:] == "?":
        return
    before = scope.soft[max(begin, start - _WINDOW) : start]
    if _AGAINST.search(before[-60:]) or _is_tentative(before) or _RETRACTED.match(scope.soft, aim.end, aim.end + 140):
        return
    yield Claim(
        start,
        aim.end,
        aim.option,
        aim.reason,
        strength,
        aim.titled,
        conditional=conditional(before, scope.soft[aim.end : min(stop, aim.end + _WINDOW)]),
        closing=bool(_CLOSING.search(before) or _CLOSING.match(scope.soft, start)),
    )


def _is_tentative(before: str) -> bool:
    found = [match.end() for match in _TENTATIVE.finditer(before)]
    return bool(found) and _RESET.search(before, found[-1]) is None


def conditional(before: str, after: str) -> bool:
    """Whether a claim between two stretches of its sentence holds only under a condition."""
    if _IF.search(_IDIOM.sub(" ", before)):
        return True
    return _IF.match(after.lstrip(" ,;.)(\"'")) is not None


def closes(text: str) -> bool:
    """Whether a stretch of text announces a conclusion."""
    return _CLOSING.search(text) is not None
