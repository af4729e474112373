from __future__ import annotations

import pytest

from forge.families import language
from forge.families.voice import artefacts, impersonal

OWN = "I need to have my van inspected. Should I walk there or drive there?"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Sure, here is the message: " + OWN, "opens like an assistant"),
        ("As an AI I would walk. " + OWN, "speaks as a model"),
        ("**" + OWN + "**", "holds markup"),
        ("The user has a van. " + OWN, "speaks about the user"),
        ("message: " + OWN, "holds a field name"),
    ],
)
def test_what_a_rewriter_leaves_behind_is_named(text: str, what: str) -> None:
    assert any(found.startswith(what) for found in artefacts(text, OWN))
    assert list(artefacts(text, text)) == []


def test_a_person_stays_a_person() -> None:
    assert impersonal("A van needs an inspection.", OWN)
    assert not impersonal("We need an inspection.", OWN)
    assert not impersonal("A van needs an inspection.", "A van needs it.")


def test_language_and_script() -> None:
    assert language.other("1 2 3 !", OWN, english=True) == "holds no words"
    assert language.other("这个计划行不通", OWN, english=True) == "is in another script than the seed"
    german = "Ich muss mein Auto prüfen lassen und weiß nicht, ob ich mit dem Auto oder zu Fuß dorthin kommen soll."
    assert language.other(german, OWN, english=True) == "is in another language than the seed"
    assert language.other(german, OWN, english=False) is None
    assert language.other("Should I go there now?", OWN, english=True) is None
