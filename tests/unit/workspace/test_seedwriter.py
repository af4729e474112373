"""Seed files that forge writes: they read back equal, look like what a person writes, and tell when one did."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from unit.families.salience.tables import mini

from forge.families.salience.family import SalienceFamily
from forge.model.ids import digest
from forge.workspace import seedfiles
from forge.workspace.lines import parse
from forge.workspace.seedwriter import DIGEST, WIDTH, seed_file, touched

HEADER = {**mini.HEADER, "set": "D1.scaled", "scaled_from": "D1", "niches": {"setting": {"outdoors": ["garden"]}}}
COMMENT = ["Grown from salience/D1; nobody has read it yet.", "Read every seed before you use it."]
AWKWARD = [
    "9:36", "0:15", "23:59:59", "1.50", "382.80", "1_000", "0x1f", "017", "1e3", ".5", "-3", "+7", "~", "null", "no", "No",
    "yes", "on", "off", "true", "False", "2026-05-01", "2026-05-01 10:00:00", "=", "<<", "", " ", " front", "back ",
    "a: b", "a:", ":a", "a #b", "#", "# a", "'", "''", '"', "it's", "“quoted”", 'say "no"', "- a", "-", "? a", "?", "{x}",
    "{", "[a]", "]", "a, b", ", which is old,", "%", "@", "`", "&a", "*a", "!a", "|", ">", "\\", "\\n", "two\nlines",
    "ends\n", "\n", "a\n\n b", "\t", "a\tb", "€4.50", "£1,260", "½ l", "Grüße", "κύμα", "日本語", "🧺", "e\u0301", "\u00a0",
    "\u0085", "a\u0085b", "a\u2028b", "\ufeff", "\u200b", "\x00", "\x1b[0m", "\x7f", "---", "...", "--- a", "x" * 300,
    "word " * 60, "seeds:", "written: no",
]  # fmt: skip


def seeds() -> list[dict[str, Any]]:
    """Two composed seeds, as plain values."""
    return [mini.draft(mini.document(), which).seed.model_dump(mode="json", by_alias=True) for which in (0, 2)]


def loaded(text: str) -> dict[str, Any]:
    found: dict[str, Any] = parse(text, "made.yaml").data
    return found


def test_a_file_by_hand() -> None:
    rows = [{"id": "a", "work": ["9:36", "no"], "niche": {"setting": "garden"}}, {"id": "b", "work": [], "niche": {}}]
    assert seed_file(["Read it."], {"set": "X", "lang": "en"}, rows) == (
        "# Read it.\n"
        "set: X\n"
        "lang: en\n"
        f"written: {digest(rows)}\n"
        "seeds:\n"
        "- id: a\n"
        "  work: ['9:36', 'no']\n"
        "  niche: {setting: garden}\n"
        "\n"
        "- id: b\n"
        "  work: []\n"
        "  niche: {}\n"
    )


def test_composed_seeds_read_back_equal_and_as_seeds(tmp_path: Path) -> None:
    rows = seeds()
    path = tmp_path / "D1.scaled.yaml"
    path.write_text(seed_file(COMMENT, HEADER, rows), encoding="utf-8")
    data = loaded(path.read_text("utf-8"))
    assert data.pop(DIGEST) == digest(rows)
    assert data == {**HEADER, "seeds": rows}
    read = seedfiles.read(path, SalienceFamily())
    assert read.problems == ()
    assert read.seeds is not None
    assert [seed.model_dump(mode="json", by_alias=True) for seed in read.seeds.seeds] == rows


def test_the_file_is_one_that_a_person_can_read_and_mend() -> None:
    text = seed_file(COMMENT, HEADER, seeds())
    lines = text.splitlines()
    assert lines[:2] == [f"# {line}" for line in COMMENT]
    # A line ends with the first word that reaches the width, and what closes its quotes and brackets.
    assert max(map(len, lines)) <= WIDTH + 20
    assert "seeds:\n- id: D1-wicker" in text
    assert "\n\n- id: D1-feather" in text  # a blank line before every seed but the first
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "&" not in text  # no anchors: what two seeds share is written twice
    assert " × " in text  # no escapes


@pytest.mark.parametrize("value", AWKWARD, ids=ascii)
def test_a_value_reads_back_as_the_text_it_was(value: str) -> None:
    rows = [{"id": "a", "text": value, "list": [value, "b", value], "map": {"of": [{"k": value}]}}, {"id": value}]
    text = seed_file(COMMENT, {**HEADER, "definition": value}, rows)
    data = loaded(text)
    assert data["seeds"] == rows
    assert data["definition"] == value
    assert not touched(data, data["seeds"])
    # The pure Python parser reads the same.
    assert yaml.safe_load(text) == data


@pytest.mark.parametrize("header", [{"set": "X"}, {"set": "X", "lang": "no"}, {}, {"set": "X", "niches": {}}])
def test_a_header_of_single_words_is_not_put_on_one_line(header: dict[str, Any]) -> None:
    rows = [{"id": "a", "work": ["b"]}]
    text = seed_file(COMMENT, header, rows)
    assert loaded(text) == {**header, DIGEST: digest(rows), "seeds": rows}
    assert "\nwritten: " in text


def test_a_file_without_seeds_has_an_empty_list() -> None:
    data = loaded(seed_file(COMMENT, HEADER, []))
    assert data["seeds"] == []
    assert not touched(data, [])


def test_an_earlier_digest_is_replaced() -> None:
    data = loaded(seed_file(COMMENT, {**HEADER, DIGEST: "old"}, seeds()))
    assert data[DIGEST] == digest(seeds())


def test_nothing_is_touched_right_after_writing() -> None:
    data = loaded(seed_file(COMMENT, HEADER, seeds()))
    assert touched(data, data["seeds"]) is False


CHANGES: list[Callable[[list[dict[str, Any]]], object]] = [
    lambda rows: rows.pop(),
    lambda rows: rows.reverse(),
    lambda rows: rows.append(copy.deepcopy(rows[0])),
    lambda rows: rows[0].update(prompt=rows[0]["prompt"] + " "),
    lambda rows: rows[1]["work"].pop(),
    lambda rows: rows[1]["work"].reverse(),
    lambda rows: rows[0]["numbers"][0].update(keep=False),
    lambda rows: rows[0]["author"].update(reviewed_by=["ab"]),
    lambda rows: rows[0].pop("domain"),
    lambda rows: rows[0].update(note="read"),
]


@pytest.mark.parametrize("change", CHANGES)
def test_any_change_touches(change: Callable[[list[dict[str, Any]]], object]) -> None:
    data = loaded(seed_file(COMMENT, HEADER, seeds()))
    change(data["seeds"])
    assert touched(data, data["seeds"]) is True


def test_a_mended_letter_in_the_file_touches_and_a_comment_does_not() -> None:
    text = seed_file(COMMENT, HEADER, seeds())
    with_comment = loaded(text.replace("seeds:\n", "# read by ab\nseeds:\n"))
    assert not touched(with_comment, with_comment["seeds"])
    mended = loaded(text.replace("rainwater", "rain water", 1))
    assert touched(mended, mended["seeds"])


def test_seeds_that_forge_never_wrote_count_as_touched() -> None:
    assert touched(HEADER, seeds()) is True
    assert touched({**HEADER, DIGEST: None}, []) is True


KEYS = st.from_regex(r"[a-z][a-z_]{0,7}", fullmatch=True)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(AWKWARD)
VALUES = st.recursive(
    WORDS | st.booleans() | st.none() | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(st.dictionaries(KEYS, VALUES, min_size=1, max_size=4), max_size=3), VALUES)
def test_whatever_seeds_hold_reads_back_equal(rows: list[dict[str, Any]], definition: Any) -> None:
    data = loaded(seed_file(COMMENT, {**HEADER, "definition": definition}, rows))
    assert data["seeds"] == rows
    assert data["definition"] == definition
    assert not touched(data, data["seeds"])
    assert touched(data, [*rows, {"id": "one more"}])
