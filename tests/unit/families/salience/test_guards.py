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
ASKED = "How many rounds is that, and when will I be done if I start at 10:00"


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


REMARKS = (
    "I know it isn't far, so don't worry.",
    "Of course my husband won't help me with it.",
    "We've been looking forward to it for months, even though it isn't cheap.",
    "With a bit of luck I'll be done before my favourite programme.",
    "I've borrowed a chair from the neighbours and bought a cake.",
    "My neighbour put a note in the letterbox about it.",
    "No bucket here, before you ask.",
    "You should have seen my face!",
    "Okay, here goes.",
    "Here's my plan for this morning:",
    "I was up until half past ten last night over it.",
)


@pytest.mark.parametrize("remark", REMARKS)
def test_an_everyday_remark_is_no_fault(remark: str) -> None:
    assert guards(SEED, f"{remark} {BASE}", None) == []


@pytest.mark.parametrize(
    ("guard", "old", "new"),
    [
        ("patch", "My laundry net", "My laundry net, lined with a sheet of plastic,"),
        ("patch", "My laundry net", "My laundry net, with a plastic bag in it,"),
        ("patch", "5 litres a time", "5 litres a time, since I've put a plastic bag inside it,"),
        ("patch", "5 litres a time", "5 litres a time with some oilcloth wrapped round it"),
        ("patch", "My laundry net takes", "I've turned my laundry net into a sealed sack, and it takes"),
        ("patch", "My laundry net takes", "A big tub instead of my laundry net takes"),
        ("reveals", "before lunch", "before lunch, although I know nets can't haul any water"),
        ("reveals", "before lunch", "before lunch. It drops straight through the mesh"),
        ("reveals", "before lunch", "before lunch (hint: mind the net)"),
        ("reveals", "before lunch", "before lunch, and it obviously won't ever work"),
        (
            "answered",
            BASE,
            BASE.split(" My")[0] + " I'm afraid that won't be possible. You should use a tub.",
        ),
        ("sub_task", "if I start at 10:00?", "if I start at 10:00, and how many litres are left over?"),
        (
            "sub_task",
            ASKED,
            "What colour suits the shed",
        ),
        (
            "question",
            ASKED,
            "What colour suits the shed",
        ),
        ("voice", "my laundry net", "your laundry net"),
        ("eraser", "30 litres of water from the pump", "30 litres from over there"),
        ("eraser", "My laundry net", "As a decoration my laundry net"),
        ("numbers", "six minutes", "six seconds"),
    ],
)
def test_a_slip_of_a_rewriter_is_seen(guard: str, old: str, new: str) -> None:
    text = BASE.replace("My laundry", "my laundry") if old == "my laundry net" else BASE
    assert old in text
    assert guard in names(text.replace(old, new))


FOREIGN = (
    "Ich brauche 30 Liter Wasser von der Pumpe vor dem Mittagessen, und mein laundry net nimmt 5 Liter auf einmal. "
    "Eine Runde dauert sechs Minuten. Wie viele Runden sind das, und wann bin ich fertig, wenn ich um 10:00 anfange?",
    "J'ai besoin de 30 litres de water de the pump avant midi, et mon laundry net prend 5 litres à la fois. Un tour "
    "dure 6 minutes. Combien de tours faut-il, et quand est-ce que je finis si je commence à 10:00 dans le jardin ?",
)


@pytest.mark.parametrize("text", FOREIGN)
def test_another_language_is_one_fault(text: str) -> None:
    assert "language" in names(text)
    assert names(text) <= {"language", "key_terms", "control_applies", "clauses_apply"}


def test_a_mend_is_not_also_told() -> None:
    lined = BASE.replace("My laundry net", "My laundry net, lined with plastic so that it can't leak through,")
    assert names(lined) == {"patch"}


def test_a_renamed_tool_is_lost_not_erased() -> None:
    assert names(BASE.replace("laundry net", "mesh sack")) == {"key_terms", "control_applies", "clauses_apply"}


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
