"""`forge audit parser`: agreement, the confusion table, disagreements, and rows that cannot be measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from forge.cli.app import app
from forge.session.parseraudit import audit_parser

ROW = {"question": "Walk or drive?", "options": ["Walk", "Drive"], "response": "Answer: B", "choice": "B"}
ROWS = [
    ROW,
    {**ROW, "response": "A) Walk", "choice": "A"},
    {**ROW, "response": "It depends.", "choice": None},
    {**ROW, "response": "Answer: B\n\nIt is \x1b[31mnear.", "choice": "A"},
]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*args: str, code: int = 0) -> Result:
        found = CliRunner().invoke(app, ["audit", "parser", *args])
        assert found.exit_code == code, found.output
        assert "\x1b" not in found.output
        return found

    return run


def written(path: Path, rows: list[Any]) -> str:
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(path)


def test_json_holds_the_promised_keys(call: Any, tmp_path: Path) -> None:
    found = json.loads(call("--data", written(tmp_path / "f.jsonl", ROWS), "--json").stdout)
    assert {"n", "agreement", "unreadable", "disagreements"} <= set(found)
    assert (found["n"], found["agreement"], found["unreadable"]) == (4, 0.75, 1)
    assert found["interval"] == pytest.approx([0.194, 0.994], abs=1e-3)
    assert found["confusion"] == {"A": {"A": 1, "B": 1}, "B": {"B": 1}, "none": {"none": 1}}
    (one,) = found["disagreements"]
    assert (one["line"], one["expected"], one["read"], one["evidence"]["text"]) == (4, "A", "B", "Answer: B")


def test_an_option_whose_text_is_unknown_is_null(call: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "f.jsonl", [{**ROW, "options": ["Walk", None]}])
    assert json.loads(call("--data", path, "--json").stdout)["agreement"] == 1.0


def test_text_names_every_disagreement(call: Any, tmp_path: Path) -> None:
    text = call("--data", written(tmp_path / "f.jsonl", [*ROWS, {**ROW, "response": "Both.", "choice": "A"}])).stdout
    assert "n 5 · agreement 0.600 [0.147, 0.947] · unreadable 2 (both 1 · depends 1)" in text
    assert "labelled \\ read" in text
    for part in ("2 disagreements", "line 4: expected A, read B", "evidence: “Answer: B”",
                 "line 5: expected A, read unreadable (both)"):  # fmt: skip
        assert part in text, part
    assert max(map(len, text.splitlines())) <= 100


def test_strict_ends_with_3_only_when_something_disagrees(call: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "f.jsonl", ROWS)
    told = call("--data", path, "--json", "--strict", code=3)
    assert json.loads(told.stdout)["n"] == 4
    assert "1 of 4 records" in told.stderr
    call("--data", written(tmp_path / "g.jsonl", ROWS[:3]), "--strict")


@pytest.mark.parametrize(
    ("change", "said", "fix"),
    [
        ({"choice": ...}, "lacks `choice`", "null"),
        ({"question": 7}, "`question` is no text", '""'),
        ({"options": ...}, "lacks `options`", "in order"),
        ({"response": ...}, "lacks `response`", "what the model wrote"),
        ({"response": None}, "`response` is no text", "what the model wrote"),
        ({"options": None}, "no list of texts", "in order"),
        ({"options": ["Walk", 3]}, "no list of texts", "in order"),
        ({"options": ["Walk"]}, "holds 1", "2 to 26"),
        ({"choice": "C"}, "`choice` is 'C'", "from A to B"),
        ({"choice": "b"}, "`choice` is 'b'", "capital"),
        ({"choice": ""}, "`choice` is ''", "null"),
        ({"choice": 1}, "`choice` is 1", "null"),
    ],
)
def test_a_bad_row_is_named(call: Any, tmp_path: Path, change: dict[str, Any], said: str, fix: str) -> None:
    row = {key: value for key, value in {**ROW, **change}.items() if value is not ...}
    path = written(tmp_path / "f.jsonl", [ROW, row])
    told = call("--data", path, code=3).stderr
    assert f"{path}:2" in told
    assert said in told
    assert fix in told


def test_every_bad_row_is_named(call: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "f.jsonl", [{**ROW, "choice": "Z"}, ROW, {**ROW, "options": []}])
    told = call("--data", path, "--json", code=3)
    assert told.stdout == ""
    assert f"{path}:1" in told.stderr
    assert f"{path}:3" in told.stderr
    many = written(tmp_path / "g.jsonl", [{**ROW, "choice": "Z"}] * 30)
    assert "and 10 more" in call("--data", many, code=3).stderr


@pytest.mark.parametrize("line", ["[1]", "{", "\xff"])
def test_a_line_that_is_no_object_is_named(call: Any, tmp_path: Path, line: str) -> None:
    path = tmp_path / "f.jsonl"
    path.write_bytes(json.dumps(ROW).encode() + b"\n" + line.encode("latin-1") + b"\n")
    assert str(path) in call("--data", str(path), code=3).stderr


def test_an_empty_file_is_refused(call: Any, tmp_path: Path) -> None:
    assert "no labelled records" in call("--data", written(tmp_path / "f.jsonl", []), code=3).stderr
    assert audit_parser(Path(written(tmp_path / "g.jsonl", [ROW])))["agreement"] == 1.0
