"""The whole of it on a real model: one seed, grown on the 0.5B weights through the command line, then replayed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from forge.llm.catalogue import find
from forge.llm.weights import default_cache, status

pytestmark = [pytest.mark.model, pytest.mark.slow]

MODEL = "qwen2.5-coder-0.5b"
CONFIG = """
profile = "small"

[profiles.small]
extends = "local"
roles.generator = { model = "local/qwen2.5-coder-0.5b", temperature = 0.8, max_tokens = 200 }
roles.annealer = { model = "local/qwen2.5-coder-0.5b", temperature = 0.8, max_tokens = 200 }
roles.enhancer = { model = "local/qwen2.5-coder-0.5b", temperature = 0.8, max_tokens = 200 }

[profiles.small.roles.solver]
model = "local/qwen2.5-coder-0.5b"
temperature = 0.7
max_tokens = 64
system = "Answer in one or two short sentences."

[profiles.small.limits]
generator_rounds = 1
max_candidates = 2
max_steps = 1
certify_tries = 1
"""


def forge(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    root = str(Path(__file__).resolve().parents[2])
    return subprocess.run(
        [sys.executable, "-m", "forge", *args],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": root, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


def weights() -> None:
    """Skip without weights; where they are required (in CI), their absence is a failure."""
    state = status(find(MODEL), default_cache()).state
    if state == "ready":
        pytest.importorskip("xllamacpp", reason="the extra `local` is not installed")
        return
    why = f"the weights of {MODEL} are {state}: forge models pull {MODEL}"
    if os.environ.get("FORGE_REQUIRE_MODEL"):
        pytest.fail(why)
    pytest.skip(why)


def test_a_seed_grows_on_a_real_model_and_replays_byte_for_byte(tmp_path: Path) -> None:
    weights()
    (tmp_path / "forge.toml").write_text(CONFIG)
    run = forge(tmp_path, "anneal", "--seed-set", "D1", "--limit", "1", "--json")
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    assert document["seeds"]["total"] == 1
    assert document["seeds"]["certified"] + document["seeds"]["exhausted"] == 1
    assert document["calls"]["made"] >= 2
    assert document["usd"] == 0.0
    ledger = json.loads(forge(tmp_path, "ledger", "stats", "--json").stdout)
    assert "qwen2.5-coder-0.5b" in json.dumps(ledger)
    tree = forge(tmp_path, "items", "tree", document["ends"][0]["seed"])
    assert tree.returncode == 0, tree.stderr
    assert "seed" in tree.stdout
    again = forge(tmp_path, "replay", document["run"], "--json")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["same"] is True
    second = json.loads(forge(tmp_path, "anneal", "--seed-set", "D1", "--limit", "1", "--json").stdout)
    assert second["calls"]["made"] == 0
    assert second["items"] == document["items"]
