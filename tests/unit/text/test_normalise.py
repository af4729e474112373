"""normalise, squash, sentences, without_copied."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forge.text.normalise import Span, normalise, numerals, sentences, squash, without_copied

TEXTS = st.text(max_size=80) | st.text(alphabet="aB1 .,'’#-½ſßİ\u0345\u0300\u00a0\n!?e.g", max_size=40)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("  \n\t ", ""),
        ("The MESH bag.", "the mesh bag"),
        ("It costs £1,400.50 today", "it costs # today"),
        ("100W and 100 W", "# w and # w"),
        ("1 400 people, 3 of them", "# people # of them"),
        ("rock’n’roll — now", "rock n roll now"),
        ("Straße", "strasse"),
        ("ﬁne", "fine"),
        ("9:30", "# #"),
        ("5.", "#"),
        ("mesh_bag", "mesh bag"),
    ],
)
def test_normalise_by_hand(text: str, expected: str) -> None:
    assert normalise(text) == expected


@given(TEXTS)
@example("ͅ\u0301a")
@example("a\u200d\u0308")
def test_normalise_is_idempotent(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@given(TEXTS, st.sampled_from(["", "num", "#", "*"]))
def test_any_allowed_placeholder_is_idempotent(text: str, numeral: str) -> None:
    once = normalise(text, numeral)
    assert normalise(once, numeral) == once


@given(TEXTS)
def test_normalised_text_has_single_spaces_and_no_digits(text: str) -> None:
    normal = normalise(text)
    assert normal == " ".join(normal.split())
    assert not any(character.isdecimal() for character in normal)


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_numerals_do_not_matter(a: int, b: int) -> None:
    assert normalise(f"take {a} litres") == normalise(f"take {b:,} litres") == "take # litres"


@pytest.mark.parametrize("numeral", ["NUM", "n1", "##", " ", "7"])
def test_placeholder_that_would_not_survive_is_refused(numeral: str) -> None:
    with pytest.raises(ValueError, match="placeholder"):
        normalise("a", numeral)


def test_squash_folds_typography_and_keeps_case() -> None:
    assert squash(" It’s “so”\u00a0—  re‑use ") == 'It\'s "so" - re-use'


@given(TEXTS)
def test_squash_is_idempotent(text: str) -> None:
    assert squash(squash(text)) == squash(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("No end", ["No end"]),
        ("One. Two? Three!", ["One.", "Two?", "Three!"]),
        ("It is 3.5 km at £1.20. Go.", ["It is 3.5 km at £1.20.", "Go."]),
        ("Come at 9 a.m. on Friday. Then go.", ["Come at 9 a.m. on Friday.", "Then go."]),
        ("I leave at 9 a.m. You stay.", ["I leave at 9 a.m.", "You stay."]),
        ("Use a can, e.g. Milk cans, i.e. closed ones.", ["Use a can, e.g. Milk cans, i.e. closed ones."]),
        ("Ask Dr. Lee. Soon.", ["Ask Dr. Lee.", "Soon."]),
        ('He said "no." She left.', ['He said "no."', "She left."]),
        ("Wait... Really?!", ["Wait...", "Really?!"]),
        ("Plan:\n- fill it\n* walk\n2. carry 1.5 l\n\n## End", ["Plan:", "fill it", "walk", "carry 1.5 l", "End"]),
        ("你好。再见！", ["你好。", "再见！"]),
    ],
)
def test_sentences_by_hand(text: str, expected: list[str]) -> None:
    assert [span.text for span in sentences(text)] == expected


def test_span_offsets() -> None:
    assert sentences(" Hi. \n- Go") == (Span("Hi.", 1, 4), Span("Go", 8, 10))


@given(TEXTS)
def test_sentence_spans_are_exact_ordered_and_stripped(text: str) -> None:
    position = 0
    for span in sentences(text):
        assert text[span.start : span.end] == span.text
        assert span.text
        assert span.text == span.text.strip()
        assert span.start >= position
        position = span.end


@given(st.text(alphabet="ab?! ", max_size=40))
def test_sentences_lose_nothing_where_there_is_no_list(text: str) -> None:
    assert "".join("".join(span.text for span in sentences(text)).split()) == "".join(text.split())


PROMPT = "I'll be filling my mesh bag straight from the tap. I can carry about 4 litres a trip. How many trips?"


@pytest.mark.parametrize(
    ("response", "kept"),
    [
        ("How many trips? Three.", "Three."),
        ("how many TRIPS! Three.", "Three."),
        ("- How many trips?\n- Three.", "-  - Three."),
        # 9 of the 9 words, none of them new
        (
            "You fill: be filling my mesh bag straight from the tap.",
            "You fill: be filling my mesh bag straight from the tap.",
        ),
        ("Be filling my mesh bag straight from the tap. Ok.", "Ok."),
        # 10 of 11 words, but the eleventh denies it
        ("I'll not be filling my mesh bag straight from the tap.", None),
        # another number is another sentence
        ("I can carry about 12 litres a trip.", None),
        # fewer than five words and not a whole sentence of the prompt
        ("My mesh bag.", None),
        ("", None),
    ],
)
def test_without_copied_by_hand(response: str, kept: str | None) -> None:
    result = without_copied(response, PROMPT)
    assert len(result) == len(response)
    assert result.split() == (response if kept is None else kept).split()


@given(TEXTS, TEXTS)
def test_without_copied_keeps_every_offset(response: str, prompt: str) -> None:
    result = without_copied(response, prompt)
    assert len(result) == len(response)
    assert all(after in (before, " ") for before, after in zip(response, result, strict=True))


@given(st.lists(st.sampled_from(["milk", "bag", "tap", "walk", "net", "can"]), min_size=1, max_size=9))
def test_a_prompt_repeated_is_blanked(words: list[str]) -> None:
    text = " ".join(words) + "."
    assert without_copied(text, text).strip() == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("no numeral", []),
        ("3 bags at £99.50, 1,200 m and 12 000 steps", ["3", "99.50", "1,200", "12 000"]),
        ("step # 4", ["#", "4"]),
        ("٣ and ½", ["٣", "1", "2"]),
    ],
)
def test_numerals_in_order(text: str, found: list[str]) -> None:
    assert numerals(text) == found


@given(TEXTS)
def test_there_is_a_numeral_for_each_placeholder(text: str) -> None:
    # dropping a character can bring two numerals together: never more placeholders than numerals
    assert normalise(text).count("#") <= len(numerals(text))
