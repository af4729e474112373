"""Capitals, number agreement, and the commas of a clause behind a name."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.families.salience.tables.phrases import agreed, asked, capitalised, with_clause
from forge.text.edits import insert_after


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("each round takes 5 minutes", "Each round takes 5 minutes"),
        ("“so be it”", "“So be it”"),
        ("élan", "Élan"),
        ("I'll go", "I'll go"),
        ("30 posters", "30 posters"),
        ("", ""),
    ],
)
def test_the_first_letter_is_large(text: str, expected: str) -> None:
    assert capitalised(text) == expected


@pytest.mark.parametrize(
    ("clause", "plural"),
    [
        ("it cannot carry rainwater", "they cannot carry rainwater"),
        ("it does not float", "they do not float"),
        ("it is no money", "they are no money"),
        ("it has no edge", "they have no edge"),
        ("it isn't magnetic", "they aren't magnetic"),
        ("no chick comes out of it", "no chick comes out of them"),
        ("it cannot hold what is put into it", "they cannot hold what is put into them"),
        ("it cannot hold what it is given", "they cannot hold what they are given"),
        ("it", "they"),
        ("nothing fits its lid", "nothing fits its lid"),  # only `it` itself is agreed
    ],
)
def test_a_clause_about_several_things(clause: str, plural: str) -> None:
    assert agreed(clause, True) == plural
    assert agreed(clause, False) == clause


@pytest.mark.parametrize(
    ("question", "one", "many"),
    [
        ("Does {x} float?", "Does a cork float?", "Do corks float?"),
        ("Is {x} money?", "Is a cork money?", "Are corks money?"),
        ("Has {x} an edge?", "Has a cork an edge?", "Have corks an edge?"),
        ("Can {x} be cut?", "Can a cork be cut?", "Can corks be cut?"),
        ("Would a shop turn {x} away?", "Would a shop turn a cork away?", "Would a shop turn corks away?"),
        (
            "Does {x} stay dry when it is dipped?",
            "Does a cork stay dry when it is dipped?",
            "Do corks stay dry when they are dipped?",
        ),
        ("Does {x} keep its form?", "Does a cork keep its form?", "Do corks keep their form?"),
        (
            "Does water that {x} has in it stay?",
            "Does water that a cork has in it stay?",
            "Does water that corks have in them stay?",
        ),
        (
            "Does water run out where {x} is?",
            "Does water run out where a cork is?",
            "Does water run out where corks are?",
        ),
    ],
)
def test_a_question_about_one_thing_and_about_several(question: str, one: str, many: str) -> None:
    assert asked(question, "a cork", False) == one
    assert asked(question, "corks", True) == many


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'll use my net to carry it.", "I'll use my net, which is old, to carry it."),
        ("I'll use my net.", "I'll use my net, which is old."),
        ("I'll use my net, the blue one.", "I'll use my net, which is old, the blue one."),
        ("I'll use my net; it is blue.", "I'll use my net, which is old; it is blue."),
        ("Shall I use my net? It is blue.", "Shall I use my net, which is old? It is blue."),
        ("I'll carry it (in my net) home.", "I'll carry it (in my net, which is old) home."),
        ("I'll use my net", "I'll use my net, which is old"),
        ("Net in hand, I go.", "Net, which is old, in hand, I go."),
        ("A planet. My net is blue.", "A planet. My net, which is old, is blue."),
        ("Is this planet ours? Net in hand, I go.", "Is this planet ours? Net, which is old, in hand, I go."),
    ],
)
def test_a_clause_is_put_between_commas_unless_a_stop_follows(text: str, expected: str) -> None:
    assert insert_after(text, "net", with_clause(text, "net", "which is old")) == expected


@given(
    st.text(alphabet="abe planto.,?", max_size=20),
    st.sampled_from(["", ".", ", and so", "; so", "?", "!", ") we", " and so", " is blue."]),
)
def test_no_two_marks_ever_meet_and_no_word_goes_without_a_comma(before: str, after: str) -> None:
    text = f"{before} my net{after}"
    clause = with_clause(text, "net", "which is old")
    made = insert_after(text, "net", clause)
    assert made.startswith(f"{before} my net, which is old")
    behind = made[len(f"{before} my net, which is old") :]
    assert behind == (f",{after}" if after.startswith(" ") else after)
    assert not re.match(r"[,.;:!?]{2}", behind)
