"""Filters f1 to f5, in order: what each rejects, with its score and the seed it collided with; and their thresholds."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from unit.grow.scaling.small import TEXTS, facets

from forge.families.base import Facets
from forge.grow.scaling.filters import Filters, Published, Rejection, Thresholds, thresholds, without
from forge.model.errors import SeedError
from forge.text.normalise import normalise
from forge.text.shingles import similarity

NONE: frozenset[str] = frozenset()
PAIRS = Path(__file__).resolve().parents[3] / "data" / "dedup" / "pairs.jsonl"
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def filled(*accepted: Facets, limits: Thresholds | None = None) -> Filters:
    """Filters that have accepted facets under the ids of their names."""
    made = Filters(limits or Thresholds())
    for one in accepted:
        made.accept(f"id-{one.name}", one, NONE)
    return made


def word(windows: int) -> str:
    """One word of so many different 5-character windows; a shorter one's windows are all among a longer one's."""
    return LETTERS[: windows + 4]


# ------------------------------------------------------------------------------------------------------------ f1


@pytest.mark.parametrize("name", ["Goldfish in a birdcage", "goldfish, in a  BIRDCAGE!", "ｇoldfish in a birdcage"])
def test_f1_rejects_a_name_that_is_there_however_it_is_written(name: str) -> None:
    made = filled(facets("goldfish in a birdcage", TEXTS[0]))
    assert made.reject(facets(name, TEXTS[1]), NONE) == Rejection(
        "f1", 1.0, "id-goldfish in a birdcage", f"the name {name!r}"
    )


def test_f1_asks_for_the_whole_name() -> None:
    made = filled(facets("goldfish in a birdcage", TEXTS[0], core=TEXTS[1]))
    assert made.reject(facets("goldfish in a bird cage", TEXTS[2], core=TEXTS[3]), NONE) is None


# ------------------------------------------------------------------------------------------------------- f2 and f3


@pytest.mark.parametrize(("part", "filter_"), [("prompt", "f2"), ("core", "f3")])
@pytest.mark.parametrize(
    ("threshold", "ours", "theirs", "score"),
    [
        # The shorter word's windows are all in the longer one: similarity = ours / theirs.
        (0.5, 10, 20, 0.5),
        (0.5, 10, 21, None),
        (0.35, 7, 20, 0.35),
        (0.35, 7, 21, None),
        (1.0, 12, 12, 1.0),
        (1.0, 12, 13, None),
        (0.3, 6, 20, 0.3),
    ],
)
def test_f2_and_f3_reject_from_their_threshold_on(
    part: str, filter_: str, threshold: float, ours: int, theirs: int, score: float | None
) -> None:
    made = filled(facets("there", **{part: word(theirs)}), limits=replace(Thresholds(), **{filter_: threshold}))
    found = made.reject(facets("new", **{part: word(ours)}), NONE)
    if score is None:
        assert found is None
        return
    assert found is not None
    assert (found.filter, found.other) == (filter_, "id-there")
    assert found.score == pytest.approx(score)


def test_f2_and_f3_do_not_see_case_punctuation_and_other_numbers() -> None:
    made = filled(facets("there", TEXTS[0], core=TEXTS[1]))
    shouted = facets("new", TEXTS[0].upper().replace(".", "!!"))
    assert made.reject(shouted, NONE) == Rejection("f2", 1.0, "id-there", "prompt too similar")
    numbered = filled(facets("there", core="It takes 3 hours and 1,250.50 litres."))
    found = numbered.reject(facets("new", core="it takes 47 hours and 8 litres"), NONE)
    assert found == Rejection("f3", 1.0, "id-there", "trap core too similar")


def test_the_closest_accepted_seed_is_the_one_that_is_named() -> None:
    # 10/20, 10/16 and 10/16: the second and third are closer than the first, and of those the id decides.
    made = filled(facets("a", word(20)), facets("c", word(16)), facets("b", word(16)))
    found = made.reject(facets("new", word(10)), NONE)
    assert found == Rejection("f2", 10 / 16, "id-b", "prompt too similar")


# ------------------------------------------------------------------------------------------------------------ f4


@pytest.mark.parametrize(
    "triple",
    [
        ("wicker basket", "rainwater", "carry to a trough"),
        ("Wicker baskets", "the rainwater", "carrying to a trough"),
        ("a wicker basket", "our rainwater", "carries to the trough"),
    ],
)
def test_f4_rejects_a_triple_that_is_there_in_any_form_of_its_words(triple: tuple[str, str, str]) -> None:
    made = filled(facets("there", TEXTS[0], triple=("wicker basket", "rainwater", "carry to a trough")))
    found = made.reject(facets("new", TEXTS[1], triple=triple), NONE)
    assert found == Rejection("f4", 1.0, "id-there", "wicker basket, rainwater, carry to trough")


@pytest.mark.parametrize(
    "triple",
    [
        ("wire basket", "rainwater", "carry"),
        ("wicker basket", "milk", "carry"),
        ("wicker basket", "rainwater", "store"),
        # The same words in other places are another triple.
        ("rainwater", "wicker basket", "carry"),
        ("wicker", "basket rainwater", "carry"),
    ],
)
def test_f4_lets_a_triple_pass_that_differs_in_one_part(triple: tuple[str, str, str]) -> None:
    made = filled(facets("there", TEXTS[0], triple=("wicker basket", "rainwater", "carry")))
    assert made.reject(facets("new", TEXTS[1], triple=triple), NONE) is None


# --------------------------------------------------------------------------------------------------------- in order


def test_a_proposal_that_would_fail_several_is_counted_under_the_first() -> None:
    there = facets("there", TEXTS[0], core=TEXTS[1], triple=("cart", "hay", "pull"))
    made = filled(there)
    other = facets("new", TEXTS[2], core=TEXTS[3])
    # One part after the other is changed, and with it the filter that speaks.
    steps = [
        ("f1", there),
        ("f2", replace(there, name=other.name)),
        ("f3", replace(there, name=other.name, prompt=other.prompt)),
        ("f4", replace(there, name=other.name, prompt=other.prompt, core=other.core)),
    ]
    for filter_, one in steps:
        found = made.reject(one, NONE)
        assert found is not None
        assert (found.filter, found.score, found.other) == (filter_, 1.0, "id-there")
    assert made.reject(other, NONE) is None


def test_each_filter_names_its_own_seed() -> None:
    made = filled(
        facets("one", TEXTS[0], triple=("cart", "hay", "pull")),
        facets("two", TEXTS[1], core="the ice melts before it gets there"),
        facets("three", TEXTS[2]),
    )
    for filter_, other, one in (
        ("f1", "id-three", facets("THREE", TEXTS[0], triple=("cart", "hay", "pull"))),
        ("f2", "id-two", facets("new", TEXTS[1], triple=("cart", "hay", "pull"))),
        ("f3", "id-two", facets("new", core="the ice melts before it gets there", triple=("cart", "hay", "pull"))),
        ("f4", "id-one", facets("new", triple=("cart", "hay", "pull"))),
    ):
        found = made.reject(one, NONE)
        assert found is not None
        assert (found.filter, found.other) == (filter_, other)


def test_what_is_rejected_is_not_remembered() -> None:
    made = filled(facets("there", TEXTS[0]))
    assert made.reject(facets("new", TEXTS[0], triple=("cart", "hay", "pull")), NONE) is not None
    assert made.reject(facets("new", TEXTS[1], triple=("cart", "hay", "pull")), NONE) is None


def test_of_two_accepted_seeds_with_one_name_and_triple_the_first_is_named() -> None:
    twins = [facets("there", text, core=core, triple=("cart", "hay", "pull")) for text, core in (TEXTS[:2], TEXTS[2:4])]
    made = Filters(Thresholds())
    made.accept("first", twins[0], NONE)
    made.accept("second", twins[1], NONE)
    assert made.reject(facets("there", TEXTS[4]), NONE) == Rejection("f1", 1.0, "first", "the name 'there'")
    found = made.reject(facets("new", TEXTS[4], triple=("cart", "hay", "pull")), NONE)
    assert found is not None
    assert found.other == "first"


# ------------------------------------------------------------------------------------------- composed seeds: f2, f3

FRAME = (
    "Could you check my sum? I have to fetch {} from the barrel, and each round takes {} minutes. How long, this way?"
)
GLUE = frozenset(normalise(FRAME.format("", "")).split())
MILK, COAL = FRAME.format("milk with a wicker basket", 4), FRAME.format("coal in a velvet sleeve", 9)


def composed(part: str, text: str, name: str) -> Facets:
    return facets(name, **{part: text})


@pytest.mark.parametrize(("part", "filter_"), [("prompt", "f2"), ("core", "f3")])
def test_between_two_composed_seeds_the_words_of_the_template_do_not_count(part: str, filter_: str) -> None:
    assert similarity(MILK, COAL) >= 0.5  # As whole texts they are one item.
    made = Filters(Thresholds())
    made.accept("milk", composed(part, MILK, "milk"), GLUE)
    assert made.reject(composed(part, COAL, "coal"), GLUE) is None
    # Without a template, on either side, whole texts are compared.
    found = made.reject(composed(part, COAL, "coal"), NONE)
    assert found is not None
    assert (found.filter, found.other) == (filter_, "milk")
    assert found.score == pytest.approx(similarity(MILK, COAL))
    by_hand = Filters(Thresholds())
    by_hand.accept("milk", composed(part, MILK, "milk"), NONE)
    found = by_hand.reject(composed(part, COAL, "coal"), GLUE)
    assert found is not None
    assert found.filter == filter_
    assert found.score == pytest.approx(similarity(MILK, COAL))


@pytest.mark.parametrize(("part", "filter_"), [("prompt", "f2"), ("core", "f3")])
def test_two_composed_seeds_with_the_same_rest_collide_whatever_frames_they_have(part: str, filter_: str) -> None:
    other = "My plan is simple: milk with a wicker basket."
    glue = frozenset({"my", "plan", "is", "simple"})
    assert similarity(MILK, other) < 0.35  # As whole texts they are two items.
    made = Filters(Thresholds())
    made.accept("milk", composed(part, MILK.replace(" 4 ", " "), "milk"), GLUE)
    found = made.reject(composed(part, other, "again"), glue)
    assert found is not None
    assert (found.filter, found.score, found.other) == (filter_, 1.0, "milk")


@pytest.mark.parametrize(("theirs", "score"), [(20, 14 / 20), (21, None)])
def test_what_is_left_of_two_composed_seeds_is_held_against_its_own_threshold(theirs: int, score: float | None) -> None:
    # 14 of 20 windows shared are 0.7, and 14 of 21 are less; the low f2 counts for whole texts alone.
    glue = frozenset({"please", "sort", "out", "today"})
    made = Filters(Thresholds(f2=0.3, slots=0.7))
    made.accept("there", facets("there", f"Please sort out {word(theirs)} today"), glue)
    found = made.reject(facets("new", f"Please sort out {word(14)} today"), glue)
    assert found == (None if score is None else Rejection("f2", score, "there", "prompt too similar"))


def test_a_composed_seed_is_held_against_those_by_hand_and_composed_ones_at_once() -> None:
    by_hand = FRAME.format("coal in a velvet sleeve", 9)
    made = Filters(Thresholds())
    made.accept("milk", facets("milk", MILK), GLUE)
    made.accept("hand", facets("hand", by_hand), NONE)
    # Word for word the seed by hand; what it shares with the composed one is the template.
    assert made.reject(facets("new", by_hand), GLUE) == Rejection("f2", 1.0, "hand", "prompt too similar")
    # Word for word the composed one, of which the seed by hand shares only part.
    assert 0.5 <= similarity(MILK, by_hand) < 1
    assert made.reject(facets("new", MILK), GLUE) == Rejection("f2", 1.0, "milk", "prompt too similar")
    # And a rest of its own is still too close to the seed by hand as a whole.
    found = made.reject(facets("new", FRAME.format("soup in a felt hat", 5)), GLUE)
    assert found is not None
    assert (found.filter, found.other) == ("f2", "hand")


def test_words_without_their_template_are_normalised_and_in_order() -> None:
    # Numerals become one placeholder, which a template may or may not hold.
    text = "Could you fetch 12 Wicker-Baskets, this way?"
    assert without(text, frozenset({"could", "you", "this", "way"})) == "fetch # wicker baskets"
    assert without(text, frozenset({"could", "you", "fetch", "#", "wicker", "baskets", "this", "way"})) == ""


# ------------------------------------------------------------------------------------------------------------ f5

WASH = Published("papers/wash", "I want to wash my car at the car wash. Should I walk or drive there?", "a paper")
BARE = Published("papers/sum", TEXTS[7], "another paper", core="A goat drinks what a guest would have drunk.")


@pytest.mark.parametrize(
    ("prompt", "core", "key", "score"),
    [
        (WASH.text, TEXTS[0], "papers/wash", 1.0),
        ("I want to wash my car at the car wash: should I walk or drive?", TEXTS[0], "papers/wash", None),
        (TEXTS[1], "A goat drinks what a guest would have drunk!", "papers/sum", 1.0),
        (TEXTS[1], TEXTS[2], None, None),
        # The trap core is held against cores, and the prompt against texts, never crosswise.
        (BARE.core, TEXTS[2], None, None),
        (TEXTS[1], WASH.text, None, None),
    ],
)
def test_f5_finds_what_is_published_and_rejects_nothing(
    prompt: str, core: str, key: str | None, score: float | None
) -> None:
    made = Filters(Thresholds(), [WASH, BARE])
    one = facets("new", prompt, core=core)
    assert made.reject(one, NONE) is None
    found = made.viral(one)
    if key is None:
        assert found is None
        return
    assert found is not None
    published, closeness = found
    assert published.key == key
    assert closeness == pytest.approx(score if score is not None else similarity(prompt, published.text))


def test_f5_names_the_closest_by_prompt_or_core() -> None:
    made = Filters(Thresholds(f5=0.3), [WASH, BARE])
    near = "I want to wash my car at the car wash today; should I walk or drive there?"
    assert similarity(near, WASH.text) < 1
    found = made.viral(facets("new", near, core=BARE.core))
    assert found is not None
    assert (found[0].key, found[1]) == ("papers/sum", 1.0)


def test_f5_has_a_threshold_of_its_own() -> None:
    item = Published("x/1", word(20), "x")
    for ours, found in ((10, True), (9, False)):
        assert (Filters(Thresholds(f5=0.5), [item]).viral(facets("new", word(ours))) is not None) is found


def test_published_items_without_words_are_left_out() -> None:
    made = Filters(Thresholds(), [Published("x/1", "?!", "x"), Published("x/2", TEXTS[0], "x", core=" … ")])
    found = made.viral(facets("new", TEXTS[0]))
    assert found is not None
    assert found[0].key == "x/2"


# ------------------------------------------------------------------------------------------------------ thresholds


def test_what_the_header_leaves_out_keeps_its_default() -> None:
    assert thresholds({}, "T1.yaml") == Thresholds()
    given = thresholds({"thresholds": {"f2": 0.6, "slots": 1}}, "T1.yaml")
    assert given == replace(Thresholds(), f2=0.6, slots=1.0)
    everything = {"f2": 0.3, "f3": 0.4, "f5": 0.9, "slots": 0.95}
    assert thresholds({"thresholds": everything}, "T1.yaml") == Thresholds(0.3, 0.4, 0.9, 0.95)


@pytest.mark.parametrize(
    ("given", "said", "shown"),
    [
        ([0.5], "`thresholds` is no mapping", "[0.5]"),
        (0.5, "`thresholds` is no mapping", "0.5"),
        ({"f1": 0.5}, "no threshold f1", "f2, f3, f5 and slots have one"),
        ({"f4": 1.0}, "no threshold f4", "f1 and f4 are exact"),
        ({"prompt": 0.5}, "no threshold prompt", "f2, f3, f5 and slots have one"),
        ({"f2": 0.29}, "the threshold f2 must lie in 0.3 to 1", "0.29"),
        ({"f3": 1.01}, "the threshold f3 must lie in 0.3 to 1", "1.01"),
        ({"f3": -0.5}, "the threshold f3 must lie in 0.3 to 1", "-0.5"),
        ({"f5": 50}, "the threshold f5 must lie in 0.3 to 1", "50"),
        ({"slots": "0.5"}, "the threshold slots must lie in 0.3 to 1", "0.5"),
        ({"slots": True}, "the threshold slots must lie in 0.3 to 1", "True"),
        ({"f2": None}, "the threshold f2 must lie in 0.3 to 1", "f2"),
        ({"f2": float("nan")}, "the threshold f2 must lie in 0.3 to 1", "nan"),
    ],
)
def test_a_threshold_that_cannot_be_is_an_error_that_names_file_and_value(given: Any, said: str, shown: str) -> None:
    with pytest.raises(SeedError, match=said) as caught:
        thresholds({"thresholds": given}, "seeds/tiny/T1.yaml")
    assert caught.value.where == "seeds/tiny/T1.yaml"
    assert shown in str(caught.value)


@pytest.mark.parametrize("threshold", [0.3, 0.35, 0.5, 0.7, 1.0])
def test_every_threshold_that_may_be_set_proposes_its_pairs(threshold: float) -> None:
    # A pair at similarity s is proposed with probability 1 - (1 - s^r)^b.
    bands, rows = Filters(Thresholds(f2=threshold)).prompts.params
    assert 1 - (1 - threshold**rows) ** bands >= 0.9995


# --------------------------------------------------------------------------------- the defaults, against the labels


def labelled(split: str, what: str, label: str) -> list[tuple[str, str]]:
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    kept = [row for row in rows if (row["split"], row["what"], row["label"]) == (split, what, label)]
    assert len(kept) == 21
    return [(row["a"], row["b"]) for row in kept]


def limit(what: str) -> float:
    return Thresholds().f2 if what == "prompt" else Thresholds().f3


@pytest.mark.parametrize("split", ["develop", "measure"])
@pytest.mark.parametrize("what", ["prompt", "core"])
def test_the_defaults_call_no_far_pair_the_same(split: str, what: str) -> None:
    same = [pair for pair in labelled(split, what, "far") if similarity(*pair) >= limit(what)]
    assert same == []


@pytest.mark.parametrize(("what", "least"), [("prompt", 14), ("core", 15)])
def test_the_defaults_find_most_near_pairs_of_the_measured_half(what: str, least: int) -> None:
    assert sum(similarity(*pair) >= limit(what) for pair in labelled("measure", what, "near")) >= least


@pytest.mark.parametrize("label", ["near", "far"])
@pytest.mark.parametrize("what", ["prompt", "core"])
def test_the_filters_decide_labelled_pairs_as_exact_similarity_does(what: str, label: str) -> None:
    for first, second in labelled("measure", what, label):
        found = filled(facets("there", **{what: first})).reject(facets("new", **{what: second}), NONE)
        exact = similarity(first, second)
        assert (found is not None) is (exact >= limit(what))
        if found is not None:
            assert (found.filter, found.other) == ("f2" if what == "prompt" else "f3", "id-there")
            assert found.score == pytest.approx(exact)
