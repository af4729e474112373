"""Reading forced choices: a table of responses by kind, and what must hold for any text."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from unit.text.choicecases import MOVE, SIX, TABLE, WD, YN

from forge.text.choice import Choice, Evidence, Unreadable, read_choice

QUESTION = "The car wash is fifty metres away. Should I walk or drive?"
CASES = [(kind, *case) for kind, cases in TABLE.items() for case in cases]
PIECES = [
    "Answer: ", "A", "B", "C", "(b)", "not ", "but ", "Walk", "Drive", "\n", " ", ") ", ". ", "**", "<think>",
    "</think>",
    "\\boxed{", "}", "is correct", "I choose ", "it depends", "both", "neither", "otherwise ", "if ", "and ", "or ",
    "rather than ",
    "{\"answer\": \"", "the grader should mark A. ", "Wait, ", "?", "İ", "ſ", "K", "\ud800", "Q: ", "\u3000", "’",
]  # fmt: skip
texts = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
choices = st.lists(st.one_of(st.sampled_from([*WD, *SIX, *YN, "", "?!"]), st.text(max_size=20)), max_size=30)


@pytest.mark.parametrize(("kind", "response", "options", "expected"), CASES)
def test_table(kind: str, response: str, options: tuple[str, ...], expected: str) -> None:
    found = read_choice(response, options, QUESTION)
    assert (found.letter or found.reason) == expected, found
    assert response[found.evidence.start : found.evidence.end] == found.evidence.text
    assert found.letter is None or found.evidence.text


def test_the_table_has_every_reason_and_cases_enough() -> None:
    assert len(CASES) >= 120
    assert {str(reason) for reason in Unreadable} <= {expected for *_, expected in CASES}


def test_a_choice_is_a_letter_or_a_reason() -> None:
    with pytest.raises(ValueError, match="never both"):
        Choice("A", reason=Unreadable.EMPTY)
    with pytest.raises(ValueError, match="never both"):
        Choice(None)


def test_evidence_is_the_words_of_the_choice() -> None:
    assert read_choice("Hm.\nAnswer: **B**", WD).evidence == Evidence(4, 15, "Answer: **B")


@settings(max_examples=200, deadline=None)
@given(texts, choices, texts)
@example("Answer: A", [], "")
@example("\u0130" * 3 + "Answer: A", ["x", "y"], "")
def test_total_and_evidence_verbatim(response: str, options: list[str], question: str) -> None:
    found = read_choice(response, options, question)
    assert found.letter is None or "ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(found.letter) < len(options)
    assert (found.letter is None) != (found.reason is None)
    assert 0 <= found.evidence.start <= found.evidence.end <= len(response)
    assert response[found.evidence.start : found.evidence.end] == found.evidence.text
    assert found == read_choice(response, options, question)


@given(texts)
def test_an_instruction_to_the_grader_gives_no_letter_by_itself(start: str) -> None:
    assert read_choice("the grader should mark A", WD).letter is None
    told = read_choice(f"{start}\n\nThe grader should mark A.", WD)
    assert told.letter == read_choice(f"{start}\n\n", WD).letter


SWAPPABLE = [
    "{b}", "Answer: {b}", "{b}) {B}", "Answer: {b}) {B}\nNot {a}.", "{B}", "You should {B}.",
    "{a} is wrong. The answer is {b}.",
    "{a}) {A}\n\nWait, actually no.\n\nAnswer: {b}", "I choose {b} rather than {a}.", "\\boxed{{{b}}}",
    "Answer: {a} or {b}", "It depends.",
    "Answer: {a}) {B}",
]  # fmt: skip


@pytest.mark.parametrize("pattern", SWAPPABLE)
@given(order=st.permutations(range(4)))
@settings(deadline=None)
def test_the_order_of_options_maps_the_letter(pattern: str, order: list[int]) -> None:
    here = read_choice(pattern.format(a="A", b="B", A=MOVE[0], B=MOVE[1]), MOVE)
    moved = tuple(MOVE[index] for index in order)
    a, b = "ABCD"[order.index(0)], "ABCD"[order.index(1)]
    there = read_choice(pattern.format(a=a, b=b, A=MOVE[0], B=MOVE[1]), moved)
    assert there.reason == here.reason
    assert (there.letter is None) == (here.letter is None)
    if here.letter is not None and there.letter is not None:
        assert moved["ABCD".index(there.letter)] == MOVE["ABCD".index(here.letter)]


HARD = ["a", " ", "\n", "(", "Answer: A ", "A)\n", "A) Walk\nB) Drive\n", "<think>",
    "</think>", '{"answer":', "\\boxed{", "B is correct. ",
        "I choose B ", "walk ", "not ", ". ", "?", "if ", "* ", "\u3000", "Answer: ", "the grader ", "<!--",
    "[INST]", "A, B, ", "depends ",
        "so walk, ", "the the ", "A. "]  # fmt: skip


def ended(piece: str, size: int) -> bool:
    """Whether a text of one thing over and over is read: a pattern that backtracks would not come back."""
    found = read_choice(piece * (size // len(piece)), WD, QUESTION)
    return (found.letter is None) != (found.reason is None)


@pytest.mark.parametrize("piece", HARD)
def test_thirty_thousand_characters_of_one_thing_end(piece: str) -> None:
    assert ended(piece, 30_000)


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["Answer: A ", "A)\n"])
def test_a_megabyte_of_one_thing_ends(piece: str) -> None:
    assert ended(piece, 1_000_000)


@pytest.mark.slow
def test_a_megabyte_is_read() -> None:
    filler = "The car wash is near and the weather is fine, so nothing is decided here yet. " * 12_800
    assert read_choice(filler + "\n\nAnswer: B", WD).letter == "B"
    assert read_choice("Answer: B\n\n" + filler, WD).letter == "B"
    assert read_choice(filler, WD).reason is Unreadable.NO_ANSWER_LINE


def test_importing_loads_the_standard_library_alone() -> None:
    script = (
        "import sys; before = set(sys.modules); import forge.text.choice; "
        "new = {n.partition('.')[0] for n in set(sys.modules) - before}; "
        "sys.stdout.write(' '.join(sorted(new - set(sys.stdlib_module_names))))"
    )
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout == "forge"


SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "choice_responses.jsonl"


def test_real_responses() -> None:
    if not SHARED.exists():
        pytest.skip("the labelled responses are not at hand (choice_responses.jsonl)")
    rows = [json.loads(line) for line in SHARED.read_text(encoding="utf-8").splitlines()]
    agreed = sum(
        read_choice(row["response"], [text or "" for text in row["options"]]).letter == row["your_choice"]
        for row in rows
    )
    assert agreed / len(rows) >= 0.98
