"""Calls the command line inside the test's own process: quick, and with coverage."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from forge.cli.app import main


@dataclass(frozen=True)
class Done:
    """How a call ended."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """What --json printed."""
        return json.loads(self.out)


def call(capsys: pytest.CaptureFixture[str], folder: Path, *args: str) -> Done:
    """Run `forge -C FOLDER ARGS`."""
    capsys.readouterr()
    code = main(["-C", str(folder), *args])
    out, err = capsys.readouterr()
    return Done(code, out, err)
