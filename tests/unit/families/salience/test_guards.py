from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.families.salience.guards import GUARDS, guards
from forge.families.salience.seed import SalienceSeed

SEED = SalienceSeed(**yaml.safe_load((Path(__file__).parent / "seed.yaml").read_text("utf-8")))
GOOD = (
    "Quick one: I need 30 litres of water from the pump before lunch. My laundry net takes 5 litres a time and a round "
    "is about six minutes. How many rounds is that, and when will I be done if I start at 10:00?",
    "I'm watering the beds this morning. It's a six minute walk to the pump and back, and I'm using the laundry net "
    "for the water, 5 litres in it each time, 30 litres in all. If I set off at 10, how many times do I have to go?",
    "hey! 30 litres of water needed, the pump's 40 m off so 6 minutes a go. i'll carry it in my laundry net, about 5 "
    "litres at once. how many rounds till i'm finished??",
)


def names(text: str, parent: str | None = None) -> set[str]:
    return {finding.guard for finding in guards(SEED, text, parent)}


def test_the_seeds_own_prompt_passes() -> None:
    assert guards(SEED, SEED.prompt, None) == []


@pytest.mark.parametrize("text", GOOD[:2])
def test_a_rewrite_that_keeps_all_passes(text: str) -> None:
    assert guards(SEED, text, SEED.prompt) == []


def test_a_missing_key_term_is_all_that_is_said() -> None:
    assert guards(SEED, GOOD[2], None) == []


BASE = GOOD[0]


@pytest.mark.parametrize(
    ("guard", "text"),
    [
        ("numbers", BASE.replace("30 litres", "some")),
        ("numbers", BASE.replace("six minutes", "seven minutes")),
        ("key_terms", BASE.replace("laundry net", "net")),
        ("key_terms", BASE.replace("the pump", "the well")),
        ("control_applies", BASE.replace("Quick one", "My laundry net is ready")),
        ("clauses_apply", BASE.replace("Quick one", "My laundry net is ready")),
        ("escape_phrase", BASE.replace("Quick one", "Assume this is possible")),
        ("escape_phrase", BASE.replace("Quick one", "Just compute the numbers")),
        ("patch", BASE.replace("takes", "with a liner in it takes")),
        ("patch", BASE.replace("My laundry net", "My waterproof laundry net")),
        ("patch", BASE.replace("before lunch", "before lunch, there is a fire pail too")),
        ("reveals", BASE.replace("before lunch", "before lunch, though it may leak through")),
        ("reveals", BASE.replace("before lunch", "before lunch; the net won't hold water")),
        ("answered", BASE.replace("How many", "I think it's 6 rounds. How many")),
        ("length", "I need 30 litres of water from the pump in my laundry net. How many rounds?"),
        ("length", BASE + " I like gardens." * 40),
        ("sub_task", BASE + " And what does the water cost me?"),
        ("question", BASE.split(" How many")[0] + "."),
        ("voice", BASE.replace("Quick one", "Here is the rewritten message")),
        ("voice", "Here is it: " + BASE),
        ("voice", '{"message": "' + BASE + '"}'),
        ("voice", BASE.replace("Quick one", "The user asks")),
        (
            "voice",
            BASE.replace("I need", "You need")
            .replace("My", "Your")
            .replace("I be", "you be")
            .replace("I start", "you start"),
        ),
        ("voice", "**Plan** " + BASE),
        (
            "language",
            "Мне нужно тридцать литров воды из колодца до обеда, и у меня есть сетка для белья, сколько раз ходить?",
        ),
    ],
)
def test_each_guard_catches_its_fault(guard: str, text: str) -> None:
    assert guard in names(text)


def test_the_eraser_wants_the_contradiction_in_one_place() -> None:
    apart = (
        "My laundry net hangs by the door. I like it a lot. It was a gift, and I've got others. I need 30 litres of "
        "water from the pump, 5 litres a time, 6 minutes a go. How many rounds is that?"
    )
    assert "eraser" in names(apart)


@pytest.mark.parametrize(
    "text",
    [
        BASE.replace("Quick one", "The dripping's no trouble"),
        BASE.replace("Quick one", "I'm an assistant gardener"),
        BASE.replace("before lunch", "before the virtuous hour of lunch"),
    ],
)
def test_cue_words_inside_other_words_are_no_cue(text: str) -> None:
    assert guards(SEED, text, None) == []


def test_numbers_may_be_spelled_out() -> None:
    assert "numbers" not in names(BASE.replace("30 litres", "thirty litres").replace("5 litres", "five litres"))


def test_every_guard_has_a_name_of_its_own() -> None:
    assert list(GUARDS) == [
        "numbers", "key_terms", "control_applies", "clauses_apply", "escape_phrase", "patch", "reveals", "answered",
        "length", "eraser", "sub_task", "question", "voice", "language",
    ]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300))
def test_no_text_raises(text: str) -> None:
    guards(SEED, text, None)
