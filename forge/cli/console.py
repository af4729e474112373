"""The two streams: standard output for results, standard error for everything else. It decides no content."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

# Text of models and files is data: no escape sequence, no direction override and no half character of it reaches a
# terminal. Line feed and tab stay.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
PIPE_WIDTH = 100


def out() -> Console:
    """Return a console on standard output."""
    return _console(stderr=False)


def err() -> Console:
    """Return a console on standard error."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False, soft_wrap=False, width=width)


def say(text: str = "") -> None:
    """Write one plain line to standard error, never wrapped."""
    sys.stderr.write(clean(text) + "\n")
    sys.stderr.flush()


def write(text: str) -> None:
    """Write text to standard output as it is, with one line feed at its end."""
    sys.stdout.write(clean(text).rstrip("\n") + "\n")


def write_json(document: Any) -> None:
    """Write the one document of `--json`. ASCII only, so that no terminal or pipe can spoil it."""
    sys.stdout.write(json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False) + "\n")


def clean(text: str) -> str:
    """Return text of unknown origin with everything that could steer a terminal made visible as `�`."""
    return _UNSAFE.sub("\ufffd", text.replace("\r\n", "\n"))


def short(text: str, limit: int) -> str:
    """Return one clean line of at most `limit` characters, with an ellipsis when cut."""
    flat = " ".join(clean(text).split())
    return flat if len(flat) <= limit else flat[: max(limit - 1, 0)].rstrip() + "…"


def interactive() -> bool:
    """Whether somebody can be asked: standard input and standard error are both a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()
