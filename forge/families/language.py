"""Whether a text is still in its seed's language and script. It knows function words, and no seed."""

from __future__ import annotations

import re
import unicodedata

from forge.families.terms import STOP_WORDS

SAME_SCRIPT = 0.9
FEWEST_FOREIGN = 4
FOREIGN_WEIGHT = 2
"""A foreign function word counts double, since an English text of any length has next to none."""
FEWEST_WORDS = 12
LEAST_FUNCTION_SHARE = 0.08
"""English prose has 0.35 to 0.55; what falls below this, in twelve words or more, is no English sentence."""

_FOREIGN_WORDS = """
aber alle auch auf aus bei das dass dem der des durch ein eine einem einen einer für habe haben ich ihr immer ist
jeden jeder kann mein meine meinen mit nach nicht noch nur oder sich sie sind über und uns unser unsere unseren vom
von vor wann wenn werden wie wieder wir wird zum zur
au aux avec ce cette chaque combien dans du elle est et il je jusque la le les leur mes nos notre nous où par pas
quand que qui sera ses sont sur tous une
cada como cuando cuántas cuántos cómo del el ella en es esta este hasta las los más mis muy nuestra nuestro para
pero por sin su sus tengo todo todos una uno y ya
alla anche che delle dei della di gli ho lo mio nel nella non ogni più quando quanti quanto sono tutti un
com ela ele eu mais meu minha não nossa nosso os quantas quantos são também um uma você
aan bij dat een het hoe hoeveel ik maar mijn moet naar niet om onze ook te voor wij zijn
"""
_FOREIGN = frozenset(_FOREIGN_WORDS.split())
_SHARED_WORDS = "a an as do he i in me no on so was will her up over also must all want of for at is it am"
_SHARED = frozenset(_SHARED_WORDS.split())
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def foreign(text: str) -> bool:
    """Whether an alphabetic text is not English: more function words of other languages, or almost none at all."""
    words = [match.group().lower().replace("’", "'") for match in _WORD.finditer(text)]
    own = sum(word in STOP_WORDS for word in words)
    english = sum(word in STOP_WORDS and word not in _SHARED for word in words)
    other = sum(word in _FOREIGN for word in words)
    if other >= FEWEST_FOREIGN and FOREIGN_WEIGHT * other > english:
        return True
    return len(words) >= FEWEST_WORDS and own < LEAST_FUNCTION_SHARE * len(words)


def other(text: str, own: str, *, english: bool) -> str | None:
    """Say that a text has no words, another script than the seed's own wording, or, for English, another language."""
    scripts = {_script(char) for char in own if char.isalpha()}
    letters = [char for char in text if char.isalpha()]
    if not letters:
        return "holds no words"
    if sum(_script(char) in scripts for char in letters) < SAME_SCRIPT * len(letters):
        return "is in another script than the seed"
    return "is in another language than the seed" if english and foreign(text) else None


def _script(char: str) -> str:
    return unicodedata.name(char, "UNKNOWN").split(" ")[0]
