"""`forge pairs audit`: files, seed sets and items; the table, the document, the exit codes, and rows that are no pairs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli.conftest import ROOT, Done, inside

from forge.session import pairrows

WASH = (
    "I need to get my car washed before a road trip tomorrow. The car wash is only 5 minutes away from my apartment. "
    "Should I walk there or drive?"
)
GIFT_CARD = (
    "I need to pick up a gift card from the car wash counter for my friend’s birthday. The car wash is only 5 minutes "
    "away. Should I walk there or drive?"
)
COUCH = "I bought a couch at the thrift store two blocks from my flat. Should I walk it home or rent a van?"
LAMP = COUCH.replace("couch", "lamp")
PROMISED = {
    "pairs", "within_words", "within_similarity", "within_both", "within_gate", "words", "similarity", "token_edits",
    "failures",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def audit(folder: Path, *args: str, code: int = 0) -> Done:
    done = inside("pairs", "audit", *args, cwd=folder)
    assert done.returncode == code, done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    return done


def document(folder: Path, *args: str, code: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(audit(folder, *args, "--json", code=code).stdout)
    return found


def write(name: str, *rows: dict[str, Any]) -> str:
    Path(name).write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    return name


def two() -> str:
    return write("pairs.jsonl", {"id": "gift", "active": WASH, "removed": GIFT_CARD},
                 {"id": "couch", "active": COUCH, "removed": LAMP})  # fmt: skip


def test_the_document_has_what_is_promised(tmp_path: Path) -> None:
    found = document(tmp_path, two())
    assert set(found) >= PROMISED
    assert (found["pairs"], found["within_words"], found["within_similarity"]) == (2, 1.0, 0.5)
    assert (found["within_both"], found["within_gate"], found["within_paper"]) == (0.5, 0.5, 0.5)
    assert found["words"] == {"mean": 1.0, "max": 2}
    assert found["token_edits"] == {"mean": 9.0, "median": 9.0, "max": 17}
    assert round(found["similarity"]["min"], 2) == 0.71
    assert found["gate"] == {"max_words": 2, "min_similarity": 0.8, "max_token_edits": 7, "max_spans": 1}
    (failure,) = found["failures"]
    assert (failure["id"], failure["where"], failure["token_edits"]) == ("gift", "pairs.jsonl:1", 17)
    assert [one["measure"] for one in failure["reasons"]] == ["similarity", "spans", "token_edits"]
    for reason in failure["reasons"]:
        assert str(reason["limit"]) in reason["reason"]
    spans = failure["spans"]
    assert [WASH[slice(*span["active_chars"])] for span in spans][2] == "away from my apartment."
    assert [GIFT_CARD[slice(*span["removed_chars"])] for span in spans][2] == "away."


def test_the_table_the_gate_and_the_marked_texts(tmp_path: Path) -> None:
    text = audit(tmp_path, two()).stdout
    flat = " ".join(text.split())
    for part in ("n = 2 pairs", "mean median min/max limit within", "words 1.000 2 ≤ 2 2 of 2 (100.0 %)",
                 "≥ 0.8 1 of 2 (50.0 %)", "token edits 9.000 9 17 ≤ 7 1 of 2 (50.0 %)",
                 "gate: words ≤ 2, similarity ≥ 0.8, token edits ≤ 7, spans = 1: 1 of 2 (50.0 %)",
                 "published criterion: words ≤ 2, similarity ≥ 0.80 (Core-100, appendix C): 1 of 2 (50.0 %)",
                 "1 failing", "gift pairs.jsonl:1", "the characters are 0.71 similar; at least 0.80",
                 "the texts differ in 3 places; at most 1", "it takes 17 token edits; at most 7",
                 "[-get my-] car [-washed before", "{+pick up a gift card from the+} car {+wash counter"):  # fmt: skip
        assert part in flat, part
    for row in ("similarity, indel", "similarity, difflib", "similarity, lower", "spans"):
        assert row in text
    assert max(map(len, text.splitlines())) <= 100


def test_bounds_are_overridden_and_printed(tmp_path: Path) -> None:
    name = two()
    wide = ("--max-words", "3", "--min-similarity", "0.7", "--max-token-edits", "17", "--max-spans", "3")
    flat = " ".join(audit(tmp_path, name, *wide).stdout.split())
    assert "gate: words ≤ 3, similarity ≥ 0.7, token edits ≤ 17, spans 1 to 3: 2 of 2 (100.0 %)" in flat
    assert "(Core-100, appendix C): 1 of 2" in flat
    assert "the gate's words and similarity: 2 of 2" in flat
    assert "failing" not in flat
    found = document(tmp_path, name, *wide)
    assert (found["within_both"], found["within_gate"], found["within_paper"], found["failures"]) == (1.0, 1.0, 0.5, [])
    assert found["gate"] == {"max_words": 3, "min_similarity": 0.7, "max_token_edits": 17, "max_spans": 3}


@pytest.mark.parametrize(
    ("option", "value"),
    [("--max-words", "-1"), ("--min-similarity", "1.1"), ("--min-similarity", "nan"), ("--max-spans", "0"),
     ("--max-token-edits", "x"), ("--show", "-1"), ("--map", "active"), ("--map", "text=trap"), ("--map", "active=")],
)  # fmt: skip
def test_options_that_make_no_sense(tmp_path: Path, option: str, value: str) -> None:
    assert "fix:" in audit(tmp_path, two(), option, value, code=2).stderr


def test_strict_ends_with_three_when_a_pair_fails(tmp_path: Path) -> None:
    assert document(tmp_path, two(), "--strict", code=3)["pairs"] == 2
    good = write("good.jsonl", {"id": 1, "active": COUCH, "removed": LAMP})
    assert document(tmp_path, good, "--strict")["within_gate"] == 1.0


def test_bad_rows_are_named_and_the_rest_is_audited(tmp_path: Path) -> None:
    rows = [
        json.dumps({"id": "couch", "active": COUCH, "removed": LAMP}).encode(),
        b'{"id": 2, "active": "a"}',
        b'{"id": 3, "active": "a", "removed": " \\t "}',
        b"not json",
        b"",
        b'{"id": 4, "active": "\xff", "removed": "b"}',
        b'["a", "b"]',
        b'{"id": 5, "active": null, "removed": "b"}',
        b'{"id": 6, "active": ["a"], "removed": "b"}',
        b"[" * 100_000,
        json.dumps({"id": 7, "active": "a", "removed": "b" * (pairrows.LONGEST + 1)}).encode(),
    ]
    Path("rows.jsonl").write_bytes(b"\xef\xbb\xbf" + b"\n".join(rows))
    told = [
        "rows.jsonl:2: no field `removed`; there are: id, active",
        "rows.jsonl:3: `removed` is empty",
        "rows.jsonl:4: not JSON: Expecting value at character 1",
        "rows.jsonl:6: not UTF-8: byte 0xff at byte 22",
        "rows.jsonl:7: a row is a JSON object, not a list",
        "rows.jsonl:8: `active` is null, not text",
        "rows.jsonl:9: `active` is a list, not text",
        "rows.jsonl:11: `removed` has 100,001 characters; at most 100,000",
    ]
    done = audit(tmp_path, "rows.jsonl")
    assert "n = 1 pair; 9 left out, no pair" in done.stdout
    for line in told:
        assert f"warning: {line}\n" in done.stderr
    found = document(tmp_path, "rows.jsonl", "--strict", code=3)
    assert (found["pairs"], found["within_gate"], found["failures"]) == (1, 1.0, [])
    assert [one["where"] for one in found["rejected"]] == [f"rows.jsonl:{n}" for n in (2, 3, 4, 6, 7, 8, 9, 10, 11)]


def test_when_nothing_is_a_pair_the_shares_are_null(tmp_path: Path) -> None:
    name = write("trap.jsonl", *[{"id": n, "trap": COUCH, "control": LAMP} for n in range(30)])
    done = audit(tmp_path, name)
    assert "–" in done.stdout
    assert "10 more are no pairs; --json names them all" in done.stderr
    assert "nothing was audited; --map says what the fields are called" in done.stderr
    found = document(tmp_path, name)
    assert (found["pairs"], found["within_gate"], found["words"]) == (0, None, {"mean": None, "max": None})
    assert len(found["rejected"]) == 30


def test_other_names_through_map(tmp_path: Path) -> None:
    name = write("trap.jsonl", {"key": "k1", "trap": WASH, "control": GIFT_CARD})
    found = document(tmp_path, name, "--map", "active=trap", "--map", "removed=control", "--map", "id=key")
    assert [one["id"] for one in found["failures"]] == ["k1"]
    assert "given twice" in audit(tmp_path, name, "--map", "id=a", "--map", "id=b", code=2).stderr
    missing = audit(tmp_path, name, "--map", "active=trap").stderr
    assert "trap.jsonl:1: no field `removed`; there are: key, trap, control" in missing


def test_a_row_without_an_id_goes_by_its_line(tmp_path: Path) -> None:
    name = write("pairs.jsonl", {"active": WASH, "removed": GIFT_CARD}, {"id": 7, "active": WASH, "removed": GIFT_CARD},
                 {"id": None, "active": WASH, "removed": GIFT_CARD})  # fmt: skip
    assert [one["id"] for one in document(tmp_path, name)["failures"]] == ["line 1", "7", "line 3"]


@pytest.mark.parametrize(("suffix", "tab"), [("csv", ","), ("tsv", "\t")])
def test_tables(tmp_path: Path, suffix: str, tab: str) -> None:
    quoted = 'He said "walk"\nor drive?'.replace('"', '""')
    rows = [["id", "trap", "control"], ["a", WASH.replace(",", ""), GIFT_CARD], ["b", f'"{quoted}"', f'"{quoted} ok"'],
            ["c", "", "x"], ["d", "only one"]]  # fmt: skip
    Path(f"t.{suffix}").write_text("\n".join(tab.join(row) for row in rows) + "\n", encoding="utf-8")
    found = document(tmp_path, f"t.{suffix}", "--map", "active=trap", "--map", "removed=control", "--max-spans", "9")
    assert found["pairs"] == 2
    assert [one["id"] for one in found["failures"]] == ["a"]
    assert [one["where"] for one in found["rejected"]] == [f"t.{suffix}:6", f"t.{suffix}:7"]
    assert "`trap` is empty" in found["rejected"][0]["reason"]
    refused = audit(tmp_path, f"t.{suffix}", code=2).stderr
    assert "no column 'active' and no column 'removed'" in refused
    assert "--map active=trap" in refused


def test_what_cannot_be_audited(tmp_path: Path) -> None:
    assert "neither WHAT nor --where" in audit(tmp_path, code=2).stderr
    assert "both given" in audit(tmp_path, two(), "--where", "stable >= 1", code=2).stderr
    assert "nope.jsonl" in audit(tmp_path, "nope.jsonl", code=3).stderr
    Path("folder.jsonl").mkdir()
    assert "folder.jsonl" in audit(tmp_path, "folder.jsonl", code=3).stderr
    Path("pairs.txt").write_text("x")
    assert "name it .jsonl" in audit(tmp_path, "pairs.txt", code=2).stderr
    Path("empty.jsonl").write_text("\n")
    assert "there are no pairs to audit" in audit(tmp_path, "empty.jsonl", code=3).stderr
    assert "did you mean" in audit(tmp_path, "salience/D9", code=3).stderr
    assert "--map is for files" in audit(tmp_path, "salience/D1", "--map", "active=trap", code=2).stderr
    assert "--map is for files" in audit(tmp_path, "--where", "stable >= 1", "--map", "active=trap", code=2).stderr
    assert "there are no pairs to audit" in audit(tmp_path, "--where", "stable >= 1", code=3).stderr


@pytest.mark.parametrize("name", ["salience/D1", "D2", "salience/D3", "D4"])
def test_every_seed_of_a_shipped_set_passes(tmp_path: Path, name: str) -> None:
    found = document(tmp_path, name, "--strict")
    assert (found["pairs"], found["within_gate"], found["rejected"]) == (12, 1.0, [])
    assert found["source"] == name


def test_a_seed_whose_control_cannot_be_built_is_named(tmp_path: Path) -> None:
    data = yaml.safe_load((ROOT / "seeds" / "salience" / "D1.yaml").read_text(encoding="utf-8"))
    broken, *_ = data["seeds"]
    broken["control"]["edits"][0]["from"] = "wooden spoon"
    Path("mine.yaml").write_text(yaml.safe_dump(data, allow_unicode=True), encoding="utf-8")
    done = audit(tmp_path, "mine.yaml", "--strict", code=3)
    assert "n = 11 pairs; 1 left out, no pair" in done.stdout
    assert f"mine.yaml: seed {broken['id']}: it has no control: " in done.stderr
    data["seeds"][0].pop("prompt")
    Path("mine.yaml").write_text(yaml.safe_dump(data, allow_unicode=True), encoding="utf-8")
    assert "cannot be used" in audit(tmp_path, "mine.yaml", code=3).stderr


def test_items_of_the_registry(grown: Path) -> None:
    items = json.loads((grown / "anneal.json").read_text())["items"]
    found = document(grown, "--where", "stable >= 1")
    assert (found["pairs"], found["within_gate"]) == (len(items), 1.0)
    assert found["source"] == "items where stable >= 1"
    narrow = document(grown, "--where", "stable >= 1", "--max-token-edits", "0")
    assert {one["id"] for one in narrow["failures"]} == {item["id"] for item in items}
    assert all(one["where"] == f"item {one['id']}" for one in narrow["failures"])
    assert "did you mean stable" in audit(grown, "--where", "stabel >= 1", code=2).stderr


def test_only_so_many_failing_pairs_are_shown(tmp_path: Path) -> None:
    name = write("many.jsonl", *[{"id": f"p{n}", "active": WASH, "removed": GIFT_CARD} for n in range(12)])
    text = audit(tmp_path, name).stdout
    assert "12 failing, 10 shown (--show N)" in text
    assert "p9  many.jsonl:10" in text
    assert "p10  " not in text
    assert "active:" not in audit(tmp_path, name, "--show", "0").stdout


def test_text_of_a_file_steers_no_terminal(tmp_path: Path) -> None:
    name = write(
        "evil.jsonl", {"id": "\x1b[2Jx", "active": "go \x1b[31m[bold]now\u202e", "removed": "go \ud800 there {x}"}
    )
    text = audit(tmp_path, name).stdout
    assert "[bold]now" in text
    assert "\u202e" not in text
    assert document(tmp_path, name)["failures"][0]["id"] == "\x1b[2Jx"
