"""A workspace whose models live on a mock server on loopback, and a forge process in it."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CONFIG = """
profile = "mock"

[profiles.mock]
extends = "local"
workers = {workers}

[profiles.mock.roles]
generator = {{ models = ["openai/writer"], temperature = 0.8, max_tokens = 400 }}
annealer = {{ models = ["openai/writer"], temperature = 0.8, max_tokens = 400 }}
enhancer = {{ models = ["openai/writer"], temperature = 0.8, max_tokens = 400 }}
solver = {{ models = ["openai/solver"], temperature = 0.7, max_tokens = 400 }}

[profiles.mock.limits]
top_k = 2
certify_tries = 3

[profiles.all]
extends = "mock"
roles.viability = "openai/checker"
roles.truth = "openai/checker"
roles.alignment = "openai/checker"
roles.naturalness = "openai/checker"
roles.compliance = "openai/checker"
roles.judge = "openai/judge"

[endpoints.openai]
api_base = "{base}"
api_key_env = "FORGE_MOCK_KEY"
concurrency = {concurrency}
timeout = 20.0

[prices."openai/writer"]
input = 1.0
output = 2.0
[prices."openai/solver"]
input = 1.0
output = 2.0
[prices."openai/checker"]
input = 1.0
output = 2.0
[prices."openai/judge"]
input = 1.0
output = 2.0
"""


@dataclass(frozen=True)
class Workspace:
    """One folder with a forge.toml."""

    root: Path

    @property
    def ledger(self) -> Path:
        return self.root / "runs" / "ledger.sqlite"

    def answers(self) -> int:
        """How many answers are committed, read while others may write."""
        if not self.ledger.exists():
            return 0
        with sqlite3.connect(f"{self.ledger.as_uri()}?mode=ro", uri=True) as connection:
            try:
                return int(connection.execute("SELECT count(*) FROM answers").fetchone()[0])
            except sqlite3.OperationalError:
                return 0


def make(root: Path, base: str, *, workers: int = 8, concurrency: int = 8) -> Workspace:
    """Write the workspace."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "forge.toml").write_text(CONFIG.format(base=base, workers=workers, concurrency=concurrency))
    return Workspace(root)


def environment(**more: str) -> dict[str, str]:
    """The child's environment: the checkout on the path, the mock's key, no colours."""
    code = str(Path(__file__).resolve().parents[2])
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("LANGSMITH", "OPENAI", "FORGE"))}
    return {**kept, "PYTHONPATH": code, "FORGE_MOCK_KEY": "mock-key-never-seen", "NO_COLOR": "1", **more}


async def start(workspace: Workspace, *args: str, **env: str) -> asyncio.subprocess.Process:
    """Start forge in the workspace."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "forge",
        *args,
        cwd=workspace.root,
        env=environment(**env),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def forge(workspace: Workspace, *args: str, **env: str) -> tuple[int, str, str]:
    """Run forge to its end; return exit code, standard output and standard error."""
    process = await start(workspace, *args, **env)
    out, err = await asyncio.wait_for(process.communicate(), 240)
    return process.returncode or 0, out.decode(), err.decode()


async def anneal(workspace: Workspace, *args: str, **env: str) -> dict[str, Any]:
    """Run `forge anneal --seed-set D1 --json` and return its document."""
    code, out, err = await forge(
        workspace, "anneal", "--seed-set", "D1", "--json", "--yes", "--max-usd", "5", *args, **env
    )
    assert code == 0, err
    document: dict[str, Any] = json.loads(out)
    return document
