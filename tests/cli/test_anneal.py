"""`forge anneal` as a real process against a real server: output, exit codes, money, resuming, interrupts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli.conftest import environment, forge, inside
from cli.world import Served, World, workspace

KEYS = {"run", "seed_set", "profile", "draw", "seeds", "items", "causes", "calls", "usd", "seconds"}
ITEM_KEYS = {"id", "seed", "text", "control", "label", "tier", "cause", "score", "naturalness", "stable", "operator"}


def test_json_is_one_document_and_the_rest_is_on_standard_error(grown: Path) -> None:
    document = json.loads((grown / "anneal.json").read_text())
    assert set(document) >= KEYS
    assert document["seeds"] == {"total": 2, "certified": 2, "exhausted": 0, "failed": 0, "pending": 0}
    assert document["items"]
    for item in document["items"]:
        assert set(item) >= ITEM_KEYS
        assert (item["label"], item["cause"], item["stable"]) == ("hard_fail", "salience", "5/5")
    # Nobody knows the mock's price.
    assert document["usd"] is None
    told = (grown / "anneal.err").read_text()
    assert told.startswith(f"workspace: {grown} (forge.toml)\n")
    assert "estimate: about " in told
    assert "D1-birdcage-goldfish: certified" in told
    assert "\x1b" not in told


def test_the_same_command_again_replays_free(grown: Path, served: Served) -> None:
    before = served.server.total
    done = inside("anneal", "--seed-set", "D1", "--limit", "2", cwd=grown)
    assert done.returncode == 0, done.stderr
    assert served.server.total == before
    assert "Seeds  2 certified of 2" in done.stdout
    assert "calls: 0 made, " in done.stdout
    assert "Only cause salience shows" in done.stdout
    assert "forge items show i-" in done.stdout
    assert "chance: 100 % of" in done.stdout


def test_dry_run_sends_nothing_writes_nothing_and_needs_no_key(served: Served, tmp_path: Path) -> None:
    folder = workspace(tmp_path, served.server.base_url, more='api_key_env = "NO_SUCH_KEY"\n')
    before = served.server.total
    done = inside("anneal", "--seed-set", "D1", "--dry-run", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert [one["role"] for one in document["messages"]] == ["generator", "solver", "annealer", "enhancer"]
    solver = next(one for one in document["messages"] if one["role"] == "solver")
    assert "wire birdcage" in solver["messages"][1]["content"]
    assert document["estimate"]["seeds"] == 12
    assert served.server.total == before
    assert [path.name for path in folder.iterdir()] == ["forge.toml"]
    plain = inside("anneal", "--seed-set", "D1", "--dry-run", cwd=folder)
    assert "generator ← openai/mock-writer" in plain.stdout
    refused = inside("anneal", "--seed-set", "D1", cwd=folder)
    assert refused.returncode == 3
    assert "NO_SUCH_KEY" in refused.stderr


PRICED = (
    '[prices."openai/mock-writer"]\ninput = 5\noutput = 10\n[prices."openai/mock-solver"]\ninput = 5\noutput = 10\n'
)


def test_a_price_needs_a_limit_where_nobody_can_be_asked(served: Served, tmp_path: Path) -> None:
    folder = workspace(tmp_path, served.server.base_url, more=PRICED)
    before = served.server.total
    refused = inside("anneal", "--seed-set", "D1", "--limit", "1", "--json", cwd=folder)
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert "--max-usd" in refused.stderr
    assert served.server.total == before
    assert [path.name for path in folder.iterdir()] == ["forge.toml"]


def test_a_budget_in_dollars_is_kept_and_exits_4(served: Served, tmp_path: Path) -> None:
    folder = workspace(tmp_path, served.server.base_url, more=PRICED)
    done = inside("anneal", "--seed-set", "D1", "--limit", "2", "--max-usd", "0.01", "--json", cwd=folder)
    assert done.returncode == 4, done.stderr
    document = json.loads(done.stdout)
    assert document["seeds"]["pending"] > 0
    assert document["usd"] <= 0.01
    assert all(one["reason"] for one in document["ends"])


def test_a_budget_in_calls_exits_4_and_the_next_run_goes_on(tmp_path: Path) -> None:
    with Served(World()) as served:
        folder = workspace(tmp_path, served.server.base_url)
        done = inside("anneal", "--seed-set", "D1", "--limit", "1", "--max-calls", "5", cwd=folder)
        assert done.returncode == 4, done.stderr
        assert served.server.total == 5
        assert "1 pending of 1" in done.stdout
        assert "--seed-set D1 --limit 1 --max-calls 5" in " ".join(done.stdout.split())
        assert "takes up the pending seeds" in " ".join(done.stdout.split())
        again = inside("anneal", "--seed-set", "D1", "--limit", "1", "--json", cwd=folder)
        assert again.returncode == 0, again.stderr
        calls = json.loads(again.stdout)["calls"]
        assert calls["replayed"] == 5
        assert served.server.total == 5 + calls["made"]


def test_an_unknown_price_and_a_limit_in_dollars_refuse_to_start(served: Served, tmp_path: Path) -> None:
    folder = workspace(tmp_path, served.server.base_url)
    done = inside("anneal", "--seed-set", "D1", "--max-usd", "1", "--json", cwd=folder)
    assert (done.returncode, done.stdout) == (3, "")
    assert "price of every model" in done.stderr


def test_a_refusal_stops_the_run_with_exit_3_and_a_document(tmp_path: Path) -> None:
    with Served(World()) as served:
        served.server.api_key = "the-right-key"
        folder = workspace(tmp_path, served.server.base_url)
        done = inside("anneal", "--seed-set", "D1", "--limit", "1", "--json", cwd=folder)
    assert done.returncode == 3, done.stderr
    assert json.loads(done.stdout)["seeds"]["pending"] == 1
    assert "Traceback" not in done.stderr


def test_overlap_is_refused_and_marks_every_table_when_allowed(served: Served, tmp_path: Path) -> None:
    settings = ("--set", 'roles.judge.models=["openai/mock-solver"]')
    folder = workspace(tmp_path, served.server.base_url)
    refused = inside("anneal", "--seed-set", "D1", "--limit", "1", *settings, cwd=folder)
    assert refused.returncode == 3
    assert "--allow-overlap" in refused.stderr
    allowed = inside(
        "anneal", "--seed-set", "D1", "--limit", "1", "--allow-overlap", *settings, "--max-calls", "3", cwd=folder
    )
    assert "[overlap: judge and solver are openai/mock-solver]" in allowed.stdout


def _start(folder: Path, *args: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "forge", "anneal", "--seed-set", "D1", *args],
        cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def _wait_for_calls(served: Served, child: subprocess.Popen[str], count: int) -> None:
    until = time.monotonic() + 90
    while served.server.total < count:
        assert child.poll() is None
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_the_work_and_says_how_to_go_on(number: signal.Signals, tmp_path: Path) -> None:
    with Served(World(), latency=0.1) as served:
        folder = workspace(tmp_path, served.server.base_url)
        child = _start(folder, "--json")
        _wait_for_calls(served, child, 12)
        child.send_signal(number)
        out, err = child.communicate(timeout=60)
        assert child.returncode == 130, err
        document = json.loads(out)
        assert document["seeds"]["pending"] > 0
        assert document["stopped"] == "interrupted"
        assert "stopping: " in err
        assert "Traceback" not in err
        # Every answer that was paid for is in the ledger: none is asked again.
        asked = served.server.total
        assert document["calls"]["made"] == asked
        again = inside("anneal", "--seed-set", "D1", "--max-calls", "1", "--json", cwd=folder)
        assert again.returncode == 4, again.stderr
        assert json.loads(again.stdout)["calls"]["replayed"] >= 1
        assert served.server.total == asked + 1


def test_a_second_interrupt_leaves_at_once(tmp_path: Path) -> None:
    # Each answer takes a minute: only the second interrupt can end this in time.
    with Served(World(), latency=60) as served:
        folder = workspace(tmp_path, served.server.base_url)
        child = _start(folder)
        _wait_for_calls(served, child, 1)
        child.send_signal(signal.SIGINT)
        line = ""
        while "stopping" not in line:
            line = child.stderr.readline()  # type: ignore[union-attr]
            assert line
        began = time.monotonic()
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=30) == 130
        assert time.monotonic() - began < 30
        child.communicate()


def test_readers_work_while_a_run_goes_on(tmp_path: Path) -> None:
    with Served(World(), latency=0.15) as served:
        folder = workspace(tmp_path, served.server.base_url)
        child = _start(folder)
        _wait_for_calls(served, child, 4)
        listed = inside("runs", "list", "--json", cwd=folder)
        assert listed.returncode == 0, listed.stderr
        run = json.loads(listed.stdout)[0]
        assert run["ended"] is None
        shown = inside("runs", "show", "last", cwd=folder)
        assert "has not ended" in shown.stdout
        assert inside("ledger", "stats", "--json", cwd=folder).returncode == 0
        assert child.poll() is None
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=60)


def test_no_terminal_colour_even_when_the_environment_has_a_terminal_type(grown: Path) -> None:
    done = forge("anneal", "--seed-set", "D1", "--limit", "2", cwd=grown, TERM="xterm-256color", NO_COLOR="1")
    assert "\x1b" not in done.stdout + done.stderr
    assert os.sep in done.stderr
