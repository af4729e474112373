"""Exact edits and pair measures."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from forge.text.edits import EditSpan, apply_edits, compare, insert_after, occurrences

WORDS = st.lists(st.sampled_from(["milk", "tap", "walk", "net", "can", "trip", "lane", "shop"]), max_size=12)


def levenshtein(a: list[str], b: list[str]) -> int:
    """Textbook dynamic programme, the independent reference."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row, above = [i], row
        for j, y in enumerate(b, 1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y)))
    return row[-1]


def test_compare_by_hand() -> None:
    pair = compare("fill my mesh bag now", "fill my milk can now please")
    assert (pair.words, pair.token_edits) == (1, 3)
    assert pair.spans == (EditSpan(2, 4, 2, 4), EditSpan(5, 5, 5, 6))
    assert pair.similarity == min(pair.indel, pair.difflib)


@given(WORDS, WORDS)
def test_token_edits_and_spans_agree_with_references(a: list[str], b: list[str]) -> None:
    pair = compare(" ".join(a), "  ".join(b))
    assert pair.token_edits == levenshtein(a, b)
    assert pair.words == abs(len(a) - len(b))
    rebuilt, position = [], 0
    for span in pair.spans:
        rebuilt += a[position : span.a_start] + b[span.b_start : span.b_end]
        position = span.a_end
    assert rebuilt + a[position:] == b
    assert bool(pair.spans) == (a != b)


@given(WORDS)
def test_equal_texts_have_no_edits(words: list[str]) -> None:
    pair = compare(" ".join(words), " ".join(words))
    assert (pair.words, pair.token_edits, pair.spans, pair.similarity) == (0, 0, (), 1.0)


@pytest.mark.parametrize(
    ("text", "phrase", "count"),
    [
        ("a person and a son", "son", 1),
        ("Mesh bag, my mesh bag", "mesh bag", 2),
        ("my mesh\n bag’s net", "mesh bag", 1),
        ("MESH BAG", "mesh bag", 0),
        ("don’t", "don't", 1),
        ("13 trips and 1.3 trips", "3 trips", 0),
        ("", "x", 0),
    ],
)
def test_occurrences(text: str, phrase: str, count: int) -> None:
    assert occurrences(text, phrase) == count


def test_apply_edits_by_hand() -> None:
    assert apply_edits("My mesh bag.", [("mesh bag", "milk can")]) == "My milk can."
    assert apply_edits("Mesh bag in hand.", [("mesh bag", "milk can")]) == "Milk can in hand."
    # both at once: what one edit writes is not seen by the other
    assert apply_edits("a cat and a dog", [("cat", "dog"), ("dog", "cat")]) == "a dog and a cat"
    assert apply_edits("as it is", []) == "as it is"


@pytest.mark.parametrize(
    ("text", "edits", "message"),
    [
        ("a bag", [("mesh bag", "can")], "occurs 0 times"),
        ("bag by bag", [("bag", "can")], "occurs 2 times"),
        ("Bag by bag", [("bag", "can")], "occurs 2 times"),
        ("handbag", [("bag", "can")], "occurs 0 times"),
        ("my mesh bag", [("mesh bag", "can"), ("bag", "sack")], "overlap"),
        ("a bag", [(" ", "can")], "empty"),
    ],
)
def test_apply_edits_refuses(text: str, edits: list[tuple[str, str]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        apply_edits(text, edits)


@given(WORDS, WORDS, st.sampled_from(["mesh bag", "windowless cellar"]), st.sampled_from(["milk can", "sunny yard"]))
def test_the_reverse_edit_restores_the_text(before: list[str], after: list[str], old: str, new: str) -> None:
    text = " ".join([*before, old, *after]) + "."
    assume(occurrences(text, new) == 0)
    edited = apply_edits(text, [(old, new)])
    assert occurrences(edited, old) == 0
    assert apply_edits(edited, [(new, old)]) == text
    assert compare(text, edited).token_edits == 2


@given(WORDS, WORDS)
def test_an_inserted_clause_is_one_span_and_can_be_taken_out(before: list[str], after: list[str]) -> None:
    text = " ".join([*before, "mesh bag", *after, "end"])
    longer = insert_after(text, "mesh bag", ", all holes,")
    assert longer.replace(", all holes,", "") == text


@pytest.mark.parametrize(
    ("text", "clause", "expected"),
    [
        ("my bag now", ", open,", "my bag, open, now"),
        ("my bag, now", ", open,", "my bag, open, now"),
        ("my bag.", ", open,", "my bag, open."),
        ("my bag", ", open,", "my bag, open"),
        ("my bag, so", ", open", "my bag, open, so"),
        ("Bag first", ", open,", "Bag, open, first"),
        ("my bag now", "of net", "my bag of net now"),
        ("my bag – now", ", open,", "my bag, open, – now"),
    ],
)
def test_insert_after(text: str, clause: str, expected: str) -> None:
    assert insert_after(text, "bag", clause) == expected


@pytest.mark.parametrize(("text", "message"), [("no", "0 times"), ("bag bag", "2 times"), ("bag's net", "possessive")])
def test_insert_after_refuses(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        insert_after(text, "bag", ", open,")
