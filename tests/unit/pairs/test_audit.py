"""The pair audit: known pairs, closed forms, and agreement with the plain measures."""

from __future__ import annotations

import math
import statistics
from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.families.salience import wording
from forge.pairs.audit import CRITERIA, PAPER, Gate, Place, Tally, failures, measure, places, summarise
from forge.text.edits import EditSpan, PairEdits, compare

# HOB's A1-001, base and constraint removed, as Core-100 prints it (appendix B.1, table 7).
WASH = (
    "I need to get my car washed before a road trip tomorrow. The car wash is only 5 minutes away from my apartment. "
    "Should I walk there or drive?"
)
GIFT_CARD = (
    "I need to pick up a gift card from the car wash counter for my friend’s birthday. The car wash is only 5 minutes "
    "away. Should I walk there or drive?"
)
# HOB's B2-001 (appendix A, table 3).
SAFE = (
    "I need to move a 500-pound gun safe to the upstairs bedroom. What’s the quickest way—should I just carry it up "
    "myself or hire movers?"
)
DESK_LAMP = "I need to move a desk lamp upstairs. Quickest way?"
# Core-100's edit (section 5): couch to lamp, all else equal.
COUCH = "I bought a couch at the thrift store two blocks from my flat. Should I walk it home or rent a van?"
# A quartet whose car is either at home or at the shop already.
HEADLIGHTS = (
    "I have a 9 o'clock slot tomorrow to have my headlights realigned. The repair shop is just 150 metres from my front "
    "door, and my car has been in my driveway since Friday. Should I walk over or drive?"
)
IN_THE_YARD = HEADLIGHTS.replace("my driveway", "their yard")

WORDS = st.lists(st.sampled_from(["milk", "tap", "walk", "net", "can", "trip", "a", "an", "the"]), max_size=12)
TEXTS = st.one_of(WORDS.map(" ".join), WORDS.map("  ".join), st.text(max_size=40))
PAIRS = st.tuples(TEXTS, TEXTS)


def measures(pair: tuple[str, str], gate: Gate = PAPER) -> set[str]:
    return {one.measure for one in failures(measure(*pair), gate)}


def test_the_gift_card_rewrite_fails() -> None:
    found = measure(WASH, GIFT_CARD)
    assert (found.words, round(found.similarity, 2), found.token_edits) == (2, 0.71, 17)
    assert (round(found.indel, 2), len(found.spans)) == (0.71, 3)
    assert [(one.measure, one.limit) for one in failures(found, PAPER)] == [
        ("similarity", 0.80),
        ("spans", 1),
        ("token_edits", 7),
    ]
    assert [one.reason for one in failures(found, PAPER)] == [
        "the characters are 0.71 similar; at least 0.80",
        "the texts differ in 3 places; at most 1",
        "it takes 17 token edits; at most 7",
    ]


def test_the_gun_safe_rewrite_fails_by_its_words_too() -> None:
    found = failures(measure(SAFE, DESK_LAMP), PAPER)
    assert (len(SAFE.split()), len(DESK_LAMP.split())) == (25, 10)
    assert found[0].reason == "the numbers of words differ by 15; at most 2"
    assert [one.measure for one in found] == ["words", "similarity", "token_edits"]


def test_couch_and_lamp_pass() -> None:
    found = measure(COUCH, COUCH.replace("couch", "lamp"))
    assert (found.words, found.token_edits, found.spans) == (0, 1, (EditSpan(3, 4, 3, 4),))
    assert found.similarity == SequenceMatcher(None, COUCH, COUCH.replace("couch", "lamp"), autojunk=False).ratio()
    assert failures(found, PAPER) == ()


def test_the_headlights_pair() -> None:
    found = measure(HEADLIGHTS, IN_THE_YARD)
    assert (found.words, found.token_edits, len(found.spans)) == (0, 2, 1)
    assert failures(found, PAPER) == ()
    (place,) = places(HEADLIGHTS, IN_THE_YARD, found)
    assert HEADLIGHTS[slice(*place.active_chars)] == "my driveway"
    assert IN_THE_YARD[slice(*place.removed_chars)] == "their yard"
    assert HEADLIGHTS.split()[slice(*place.active_tokens)] == ["my", "driveway"]


@pytest.mark.parametrize("new", ["lamp", "big oak table", "very big oak table", "thing " * 3 + "or so", "c" * 30])
@pytest.mark.parametrize("text", [COUCH, "Should I walk my couch home?"])
def test_the_default_gate_is_the_one_that_guards_hold_rewrites_against(text: str, new: str) -> None:
    built = wording.pair([("couch", new)], text)
    assert built.control is not None
    assert (built.problem is None) == (not measures((text, built.control)))


@given(PAIRS)
def test_it_is_what_compare_measures(pair: tuple[str, str]) -> None:
    fast, plain = measure(*pair), compare(*pair)
    assert (fast.words, fast.token_edits, fast.spans) == (plain.words, plain.token_edits, plain.spans)
    assert fast.difflib == plain.difflib
    assert math.isclose(fast.indel, plain.indel, abs_tol=1e-12)


@given(PAIRS)
def test_bounds(pair: tuple[str, str]) -> None:
    a, b = (len(text.split()) for text in pair)
    found = measure(*pair)
    assert 0 <= found.difflib <= found.indel <= 1
    assert found.similarity == found.difflib
    assert found.words <= found.token_edits <= max(a, b)
    assert len(found.spans) <= found.token_edits
    assert (found.token_edits == 0) == (not found.spans) == (pair[0].split() == pair[1].split())


@given(PAIRS)
def test_what_does_not_depend_on_the_order(pair: tuple[str, str]) -> None:
    one, two = measure(*pair), measure(*pair[::-1])
    assert (one.words, one.token_edits, one.indel) == (two.words, two.token_edits, two.indel)


def test_what_does_depend_on_the_order() -> None:
    assert (measure("tide", "diet").difflib, measure("diet", "tide").difflib) == (0.25, 0.5)
    one, two = "c c a a c", "b b b c b c"
    assert (len(measure(one, two).spans), len(measure(two, one).spans)) == (2, 1)


@given(TEXTS)
def test_a_text_against_itself(text: str) -> None:
    assert measure(text, text) == PairEdits(words=0, token_edits=0, spans=(), indel=1.0, difflib=1.0)
    assert [one.reason for one in failures(measure(text, text), PAPER)] == [
        "no word differs; at least one place has to"
    ]


def test_white_space_alone_is_no_edit() -> None:
    found = measure("a  b c", "a b c")
    assert (found.words, found.token_edits, found.spans, found.similarity) == (0, 0, (), 10 / 11)
    assert measures(("a  b c", "a b c")) == {"spans"}


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 30), st.integers(0, 30))
def test_one_foreign_stretch_in_closed_form(before: int, after: int, old: int, new: int) -> None:
    # All characters differ, so nothing can be aligned but what is common: 2 common / all.
    fresh = iter(map(chr, range(0x4E00, 0x4E00 + 200)))
    head, tail, gone, come = ("".join(next(fresh) for _ in range(n)) for n in (before, after, old, new))
    found = measure(head + gone + tail, head + come + tail)
    assert found.indel == found.difflib == 2 * (before + after) / (2 * (before + after) + old + new)


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12), st.integers(0, 12))
def test_a_replaced_stretch_of_words_in_closed_form(before: int, after: int, old: int, new: int) -> None:
    a = [f"b{n}" for n in range(before)] + [f"o{n}" for n in range(old)] + [f"a{n}" for n in range(after)]
    b = [f"b{n}" for n in range(before)] + [f"n{n}" for n in range(new)] + [f"a{n}" for n in range(after)]
    found = measure(" ".join(a), " ".join(b))
    assert (found.words, found.token_edits) == (abs(old - new), max(old, new))
    assert found.spans == ((EditSpan(before, before + old, before, before + new),) if old or new else ())


@given(PAIRS)
def test_places_are_the_words_of_the_spans(pair: tuple[str, str]) -> None:
    active, removed = pair
    rebuilt, at = "", 0
    found = measure(active, removed)
    for span, place in zip(found.spans, places(active, removed, found), strict=True):
        assert (place.active_tokens, place.removed_tokens) == ((span.a_start, span.a_end), (span.b_start, span.b_end))
        assert active[slice(*place.active_chars)].split() == active.split()[span.a_start : span.a_end]
        assert removed[slice(*place.removed_chars)].split() == removed.split()[span.b_start : span.b_end]
        rebuilt += f"{active[at : place.active_chars[0]]} {removed[slice(*place.removed_chars)]} "
        at = place.active_chars[1]
    assert (rebuilt + active[at:]).split() == removed.split()


def test_the_place_of_words_put_in_or_taken_out() -> None:
    longer, shorter = "take my red bag", "take my bag"
    assert places(longer, shorter, measure(longer, shorter)) == (Place((2, 3), (2, 2), (8, 11), (8, 8)),)
    assert places("go", "go now", measure("go", "go now")) == (Place((1, 1), (1, 2), (2, 2), (3, 6)),)
    assert places("go", "go", measure("go", "go")) == ()


def words(count: int, letter: str = "w") -> str:
    return " ".join(f"{letter}{n}" for n in range(count))


@pytest.mark.parametrize(
    ("active", "removed", "gate", "missed"),
    [
        (words(50), words(48), Gate(), set()),
        (words(50), words(47), Gate(), {"words"}),
        (words(50), words(47), Gate(max_words=3), set()),
        ("abcdefghij", "abcdefghXY", Gate(), set()),
        ("abcdefghij", "abcdefgXYZ", Gate(), {"similarity"}),
        ("abcdefghij", "abcdefgXYZ", Gate(min_similarity=0.7), set()),
        (words(60), words(53) + " " + words(7, "W"), Gate(min_similarity=0.7), set()),
        (words(60), words(52) + " " + words(8, "W"), Gate(min_similarity=0.7), {"token_edits"}),
        (words(60), words(52) + " " + words(8, "W"), Gate(min_similarity=0.7, max_token_edits=8), set()),
        (words(60), words(60).replace("w10", "x").replace("w30", "x"), Gate(), {"spans"}),
        (words(60), words(60).replace("w10", "x").replace("w30", "x"), Gate(max_spans=2), set()),
        (words(60), words(60), Gate(max_spans=2), {"spans"}),
    ],
)
def test_every_bound_is_included(active: str, removed: str, gate: Gate, missed: set[str]) -> None:
    assert measures((active, removed), gate) == missed


def test_a_near_miss_is_told_with_enough_digits() -> None:
    found = PairEdits(0, 1, (EditSpan(0, 1, 0, 1),), 0.7999, 0.7996)
    assert failures(found, PAPER)[0].reason == "the characters are 0.7996 similar; at least 0.8000"


@pytest.mark.parametrize(
    "bad",
    [{"min_similarity": 1.01}, {"min_similarity": -0.1}, {"min_similarity": math.nan}, {"max_words": -1},
     {"max_token_edits": -1}, {"max_spans": -1}],
)  # fmt: skip
def test_a_gate_that_holds_nothing(bad: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"0\.\.1|below 0"):
        Gate(**bad)  # type: ignore[arg-type]


def test_no_pairs_have_no_figures() -> None:
    found = summarise([])
    assert (found.n, found.words.mean, found.similarity.worst, found.median_token_edits) == (0, None, None, None)
    assert {name: found.share(name) for name in CRITERIA} == dict.fromkeys(CRITERIA)


def test_the_summary_of_four_known_pairs() -> None:
    known = [(WASH, GIFT_CARD), (SAFE, DESK_LAMP), (COUCH, COUCH.replace("couch", "lamp")), (HEADLIGHTS, IN_THE_YARD)]
    found = summarise(measure(*pair) for pair in known)
    assert (found.words.mean, found.words.worst) == (17 / 4, 15)
    assert found.token_edits.worst == max(measure(*pair).token_edits for pair in known)
    assert found.median_token_edits == (2 + 17) / 2
    assert found.met == {
        "words": 3, "similarity": 2, "token_edits": 2, "spans": 3, "both": 2, "gate": 2, "paper": 2,
    }  # fmt: skip
    assert found.share("gate") == 0.5


@given(
    st.lists(PAIRS, min_size=1, max_size=8), st.integers(0, 3), st.floats(0, 1), st.integers(0, 5), st.integers(0, 3)
)
def test_a_summary_is_its_definition(
    pairs: list[tuple[str, str]], most: int, least: float, edits: int, spans: int
) -> None:
    gate = Gate(most, least, edits, spans)
    tally = Tally(gate)
    measured = [measure(*pair) for pair in pairs]
    told = [tally.add(one) for one in measured]
    found = tally.summary()
    assert told == [failures(one, gate) for one in measured]
    assert found.n == len(pairs)
    for name in ("words", "token_edits"):
        values = [getattr(one, name) for one in measured]
        assert (getattr(found, name).mean, getattr(found, name).worst) == (statistics.mean(values), max(values))
    for name in ("indel", "difflib", "similarity"):
        values = [getattr(one, name) for one in measured]
        assert math.isclose(getattr(found, name).mean, statistics.fmean(values))
        assert getattr(found, name).worst == min(values)
    assert found.spans.worst == max(len(one.spans) for one in measured)
    assert found.median_token_edits == statistics.median(one.token_edits for one in measured)
    both = [one.words <= most and one.similarity >= least for one in measured]
    assert found.met["both"] == sum(both)
    assert found.met["gate"] == sum(not one for one in told)
    assert found.met["gate"] <= min(found.met[name] for name in ("words", "similarity", "token_edits", "spans", "both"))
    assert found.met["paper"] == sum(one.words <= 2 and one.similarity >= 0.8 for one in measured)
