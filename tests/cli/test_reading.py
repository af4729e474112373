"""The commands that read a finished run: runs, items, replay, ledger, audit."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import ROOT
from click.testing import CliRunner, Result
from rich.console import Console

from forge.cli.app import app
from forge.cli.itemview import marked


@pytest.fixture
def call(grown: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(grown)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("FORGE_PROFILE", raising=False)

    def run(*args: str, code: int = 0) -> Result:
        found = CliRunner().invoke(app, list(args))
        assert found.exit_code == code, found.output
        assert "\x1b" not in found.output
        return found

    return run


@pytest.fixture
def document(grown: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((grown / "anneal.json").read_text())
    return read


def test_items_list_prints_the_objects_of_anneal(call: Any, document: dict[str, Any]) -> None:
    listed = json.loads(call("items", "list", "--run", document["run"], "--json").stdout)
    assert [{k: v for k, v in one.items() if k != "run"} for one in listed] == document["items"]
    assert {one["run"] for one in listed} == {document["run"]}


def test_items_list_filters_by_where_and_its_other_name(call: Any, document: dict[str, Any]) -> None:
    seed = document["items"][0]["seed"]
    wanted = [item["id"] for item in document["items"] if item["seed"] == seed]
    for option in ("--where", "--from"):
        found = json.loads(call("items", "list", option, f"seed = '{seed}' and cause = salience", "--json").stdout)
        assert [one["id"] for one in found] == wanted
    assert json.loads(call("items", "list", "--where", "cause = ignorance", "--json").stdout) == []
    assert json.loads(call("items", "list", "--limit", "1", "--json").stdout)[0]["id"] == document["items"][0]["id"]
    assert "did you mean score" in call("items", "list", "--where", "scroe > 1", code=2).stderr


def test_items_list_for_people_has_every_id_and_fits(call: Any, document: dict[str, Any]) -> None:
    text = call("items", "list").stdout
    assert all(item["id"] in text for item in document["items"])
    assert max(map(len, text.splitlines())) <= 100


def test_items_show_holds_the_pair_the_certificate_and_the_answers(call: Any, document: dict[str, Any]) -> None:
    item = document["items"][0]
    text = call("items", "show", item["id"]).stdout
    for part in ("Trap", "Control", "edit: wire birdcage → glass aquarium", "Trap core", "Certificate", "5/5",
                 "0.48 to 1.00", "it knows the fact, is right when told", "probe/trap/is_false", "Lineage", "Answers",
                 "evidence: “"):  # fmt: skip
        assert part in text, part
    shown = json.loads(call("items", "show", item["id"][:8], "--json").stdout)
    assert {key: shown[key] for key in item} == item
    assert shown["certificate"]["counts"]["control"] == {"completes": 3}
    conditions = [answer["condition"] for answer in shown["answers"]]
    # One that selected and five fresh; three controls; three explicit; four questions three times each.
    assert (conditions.count("trap"), conditions.count("control"), len(conditions)) == (6, 3, 24)
    assert shown["lineage"][0]["operator"] == "seed"


def test_items_tree_shows_every_candidate_by_seed_and_by_item(call: Any, document: dict[str, Any]) -> None:
    item = document["items"][0]
    by_seed = json.loads(call("items", "tree", item["seed"], "--json").stdout)
    by_item = json.loads(call("items", "tree", item["id"], "--json").stdout)
    assert by_seed["candidates"] == by_item["candidates"]
    assert by_item["item"] == item["id"]
    text = call("items", "tree", item["seed"]).stdout
    for candidate in by_seed["candidates"]:
        assert candidate["id"] in text
    for part in ("→ certify (", "truth ✓", "naturalness ✓", "certified 5/5, cause salience", f"→ {item['id']}"):
        assert part in text
    assert max(map(len, text.splitlines())) <= 100


def test_items_show_of_a_name_that_is_not_there_says_what_is_near(call: Any, document: dict[str, Any]) -> None:
    wrong = document["items"][0]["id"][:-1] + "x"
    assert document["items"][0]["id"] in call("items", "show", wrong, code=2).stderr


def test_runs_by_prefix_and_last(call: Any, document: dict[str, Any]) -> None:
    listed = json.loads(call("runs", "list", "--json").stdout)
    assert document["run"] in [run["run"] for run in listed]
    shown = json.loads(call("runs", "show", document["run"], "--json").stdout)
    assert shown["summary"]["items"] == document["items"]
    assert shown["settings"]["name"] == "mock"
    assert json.loads(call("runs", "show", "last", "--json").stdout)["run"] == listed[-1]["run"]
    text = call("runs", "show", "last").stdout
    assert "Seeds  2 certified of 2" in text
    assert document["run"] in call("runs", "list").stdout
    assert document["run"] in call("runs", "show", document["run"][:-1] + "zz", code=2).stderr


def test_replay_is_the_same_and_a_changed_item_is_found(
    call: Any, document: dict[str, Any], grown: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(grown, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")
    same = json.loads(call("replay", document["run"], "--json").stdout)
    assert same["same"] is True
    assert same["items"] == len(document["items"])
    assert "byte for byte the same" in call("replay", document["run"]).stdout
    stored = tmp_path / "copy" / "runs" / document["run"] / "items.jsonl"
    stored.write_bytes(stored.read_bytes().replace(b"hard_fail", b"soft_fail", 1))
    differs = json.loads(call("replay", document["run"], "--json", code=3).stdout)
    assert differs["same"] is False
    assert "items.jsonl:1" in differs["difference"]
    told = call("replay", document["run"], code=3)
    assert "items.jsonl:1" in told.stderr
    assert told.stdout == ""


def test_replay_names_the_nearest_run(call: Any, document: dict[str, Any]) -> None:
    assert document["run"] in call("replay", document["run"][:-2] + "zz", code=2).stderr


def test_ledger_stats_count_what_was_answered(call: Any, document: dict[str, Any]) -> None:
    stats = json.loads(call("ledger", "stats", "--json").stdout)
    assert stats["answers"] == document["calls"]["made"]
    assert stats["unpriced"] == stats["answers"]
    assert {row["role"] for row in stats["rows"]} == {"generator", "solver"}
    assert "unknown price" in call("ledger", "stats").stdout


def test_graph_is_mermaid(call: Any) -> None:
    text = call("graph").stdout
    assert text.startswith("flowchart LR\n")
    assert "guards -->|clean| truth" in text


def test_models_list_has_pins_and_licences(call: Any) -> None:
    rows = json.loads(call("models", "list", "--json").stdout)
    assert [row["licence"] for row in rows] == ["Apache-2.0"] * len(rows)
    assert all(len(row["sha256"]) == 64 for row in rows)
    assert "local/qwen2.5-coder-1.5b" in call("models", "list").stdout


def test_models_pull_refuses_what_is_not_the_pinned_file(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORGE_CACHE", str(tmp_path / "cache"))
    wrong = tmp_path / "wrong.gguf"
    wrong.write_bytes(b"GGUF")
    told = call("models", "pull", "qwen2.5-coder-0.5b", "--path", str(wrong), code=3)
    assert "this is not Qwen2.5-Coder 0.5B" in told.stderr
    assert "did you mean qwen2.5-coder-0.5b" in call("models", "pull", "qwen2.5-coder-05b", code=3).stderr


def _answers(path: Path, label: str = "hard_fail") -> Path:
    rows = [
        {"seed": "D1-birdcage-goldfish", "response": "Let me add it up. The answer is 36 minutes.", "label": label},
        {"seed": "D1-birdcage-goldfish", "response": "That cannot work: the water runs out between the bars.",
         "label": "strict_pass"},
        {"seed": "D1-birdcage-goldfish", "condition": "control", "response": "36 minutes.", "label": "completes"},
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_audit_judge_finds_seeds_by_id(call: Any, tmp_path: Path) -> None:
    found = json.loads(call("audit", "judge", "--data", str(_answers(tmp_path / "f.jsonl")), "--json").stdout)
    assert {"n", "kappa", "accuracy", "labels", "unreadable", "disagreements"} <= set(found)
    assert (found["n"], found["accuracy"], found["disagreements"]) == (3, 1.0, [])
    assert found["labels"]["hard_fail"] == {"n": 1, "precision": 1.0, "recall": 1.0}


def test_audit_judge_takes_seeds_as_objects(call: Any, tmp_path: Path) -> None:
    import yaml

    data = yaml.safe_load((ROOT / "seeds" / "salience" / "D1.yaml").read_text())
    seed = {"dimension": data["dimension"], **data["seeds"][0]}
    path = tmp_path / "f.jsonl"
    path.write_text(json.dumps({"seed": seed, "response": "The answer is 36 minutes.", "label": "hard_fail"}))
    assert json.loads(call("audit", "judge", "--data", str(path), "--json").stdout)["accuracy"] == 1.0


def test_audit_judge_prints_disagreements(call: Any, tmp_path: Path) -> None:
    path = _answers(tmp_path / "f.jsonl", label="strict_pass")
    text = call("audit", "judge", "--data", str(path)).stdout
    # Two of three read as labelled.
    assert "accuracy 0.667" in text
    assert "line 1  D1-birdcage-goldfish  trap: labelled strict_pass, read hard_fail" in text
    assert "line 1" not in call("audit", "judge", "--data", str(path), "--show", "0").stdout


def test_audit_says_which_row_is_wrong(call: Any, tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_text(json.dumps({"seed": "D1-birdcage-goldfsh", "response": "x", "label": "hard_fail"}))
    told = call("audit", "judge", "--data", str(path), code=3).stderr
    assert f"{path}:1" in told
    assert "D1-birdcage-goldfish" in told


def test_audit_guards_counts_what_was_caught(call: Any, document: dict[str, Any], tmp_path: Path) -> None:
    good = document["items"][0]
    rows = [
        {"seed": good["seed"], "text": good["text"], "guards": []},
        {"seed": good["seed"], "text": "How many minutes?", "guards": ["numbers"]},
    ]
    path = tmp_path / "f.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = json.loads(call("audit", "guards", "--data", str(path), "--json").stdout)
    assert found["good"] == {"n": 1, "rejected": 0}
    assert found["bad"] == {"n": 1, "passed": 0}
    assert "good rewrites rejected 0 of 1" in call("audit", "guards", "--data", str(path)).stdout


def test_marked_words_are_those_that_differ() -> None:
    trap, control, edits = marked("fill the wire birdcage. Now", "fill the glass aquarium. Now")
    assert edits == [("wire birdcage", "glass aquarium")]
    console = Console(file=io.StringIO(), force_terminal=True, color_system="standard", width=80)
    console.print(trap)
    console.print(control)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "fill the\x1b[1;31m wire\x1b[0m\x1b[1;31m birdcage.\x1b[0m Now" in text
    assert "\x1b[1;32m glass\x1b[0m\x1b[1;32m aquarium.\x1b[0m" in text
