"""`forge check`: guards and checkers on a wording written by hand, by rules and by models."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from cli.inside import call
from cli.world import Served

GOOD = (
    "I'm putting Mum's recipe cards, all 48 of them, up on the pantry door with fridge magnets, right on bare pine. "
    "There go 4 cards under each, and they come in packs of 6. How many packs do I have to buy to get all of the cards "
    "up there that way?"
)
TOML = """\
profile = "judged"
[profiles.judged]
extends = "local"
[profiles.judged.roles]
truth = {{ model = "openai/mock-checker", max_tokens = 100 }}
naturalness = {{ model = "openai/mock-checker", max_tokens = 100 }}
[endpoints.openai]
api_base = "{base}"
retries = 0
[prices."openai/mock-checker"]
input = 1.0
output = 1.0
"""


@pytest.fixture
def workspace(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("FORGE_PROFILE", raising=False)
    call(capsys, tmp_path, "init")
    return tmp_path


def check(capsys: pytest.CaptureFixture[str], folder: Path, *args: str) -> Any:
    return call(capsys, folder, "check", "--seed", "my_first-magnets", *args)


def test_the_seeds_own_wording_is_the_default(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    done = check(capsys, workspace, "--json")
    document = done.document
    assert done.code == 0
    assert document["text"].startswith("Our pantry door")
    assert document["findings"] == []
    assert document["route"] == "solve"
    assert document["solved"] is True
    assert document["control"] == document["text"].replace("fridge magnets", "sticky pads")
    # Two words replaced by two, in one place: 2 substitutions, no difference in length.
    assert document["pair"]["words"] == 0
    assert document["pair"]["token_edits"] == 2
    assert document["pair"]["spans"] == 1
    assert [verdict["check"] for verdict in document["verdicts"]] == ["truth", "alignment", "naturalness"]
    assert document["calls"] == {"made": 0, "replayed": 0}


def test_a_good_wording_goes_on(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    done = check(capsys, workspace, GOOD)
    assert done.code == 0, done.out
    assert "✓ no objections" in done.out
    assert "✓ solve (ready to solve)" in done.out
    assert not (workspace / "runs").exists()


def test_a_bad_wording_ends_with_3_and_why(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    done = check(capsys, workspace, GOOD.replace("fridge magnets", "strong glue"))
    assert done.code == 3
    assert "key_terms: lost fridge magnets" in done.out
    assert "archive (a guard failed)" in done.out
    assert "none: an edit cannot be applied" in done.out


def test_it_reads_standard_input(
    capsys: pytest.CaptureFixture[str], workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(GOOD + "\n"))
    document = check(capsys, workspace, "-", "--json").document
    assert document["text"] == GOOD


def test_an_empty_wording_is_wrong_use(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    assert check(capsys, workspace, "  ").code == 2


def test_text_is_data(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    done = check(capsys, workspace, GOOD + " {{ 7 * 7 }} [bold]x[/bold] \x1b[31m")
    assert "{{ 7 * 7 }} [bold]x[/bold]" in done.out
    assert "\x1b[31m" not in done.out


def test_an_unknown_seed_and_profile(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    done = call(capsys, workspace, "check", "--seed", "my_first-magnet")
    assert (done.code, "my_first-magnets" in done.err) == (3, True)
    done = check(capsys, workspace, "--profile", "hostde")
    assert (done.code, "hosted" in done.err) == (3, True)


def reply(body: dict[str, Any]) -> str:
    fields = body["response_format"]["json_schema"]["schema"]["properties"]
    kinds = {"boolean": True, "integer": 4, "number": 4.0, "string": "fine"}
    return json.dumps({name: part.get("enum", [kinds[part["type"]]])[0] for name, part in fields.items()})


@pytest.fixture
def judged(workspace: Path) -> Any:
    with Served(reply) as served:  # type: ignore[arg-type]
        (workspace / "forge.toml").write_text(TOML.format(base=served.server.base_url))
        yield served


def test_model_checkers_are_asked_once_and_replayed(
    capsys: pytest.CaptureFixture[str], workspace: Path, judged: Served
) -> None:
    first = check(capsys, workspace, GOOD, "--json", "--max-usd", "0.5")
    assert first.code == 0, first.err
    assert first.document["calls"] == {"made": 2, "replayed": 0}
    assert first.document["usd"] > 0
    by = {verdict["check"]: verdict["by"] for verdict in first.document["verdicts"]}
    assert by["alignment"] == "rules"
    assert "mock-checker" in by["truth"]
    assert "check: 2 calls (at most 4)" in first.err
    again = check(capsys, workspace, GOOD, "--json", "--max-usd", "0.5")
    assert again.document["calls"] == {"made": 0, "replayed": 2}
    assert again.document["verdicts"] == first.document["verdicts"]


def test_a_budget_that_stops_it_ends_with_4(
    capsys: pytest.CaptureFixture[str], workspace: Path, judged: Served
) -> None:
    done = check(capsys, workspace, GOOD, "--max-calls", "1", "--max-usd", "1")
    assert done.code == 4
    assert "undecided" in done.out
    assert "limit of 1 call" in done.out


def test_a_missing_price_refuses_a_limit_in_dollars(
    capsys: pytest.CaptureFixture[str], workspace: Path, judged: Served
) -> None:
    path = workspace / "forge.toml"
    path.write_text(path.read_text().partition("[prices")[0])
    done = check(capsys, workspace, GOOD, "--max-usd", "1")
    assert done.code == 3
    assert "mock-checker" in done.err
