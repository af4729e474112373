"""What importing each module of forge.text loads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
STANDARD_ONLY = [
    "normalise",
    "numbers",
    "spelled",
    "units",
    "lexicon",
    "jsontext",
    "shingles",
    "fuzzy",
    "edits",
    "lemmas",
    "fidelity",
]
NUMPY_TOO = ["signatures", "buckets", "overlap", "rowindex", "saved", "index", "greedy"]

SCRIPT = """
import sys
before = set(sys.modules)
import forge.text.{module}
loaded = {{name.partition(".")[0] for name in set(sys.modules) - before}}
foreign = sorted(loaded - set(sys.stdlib_module_names) - {{"forge"}})
sys.stdout.write(" ".join(foreign) + "|" + " ".join(sorted(n for n in sys.modules if n.startswith("forge."))))
"""


@pytest.mark.parametrize("module", STANDARD_ONLY + NUMPY_TOO)
def test_importing_loads_the_standard_library_and_text_alone(module: str) -> None:
    out = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(module=module)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    foreign, _, own = out.partition("|")
    assert foreign == ("numpy" if module in NUMPY_TOO else "")
    assert f"forge.text.{module}" in own.split()
    assert all(name.startswith("forge.text") for name in own.split())


def test_the_list_above_is_complete() -> None:
    files = {path.stem for path in (ROOT / "forge" / "text").glob("*.py")} - {"__init__"}
    assert files == {*STANDARD_ONLY, *NUMPY_TOO}
