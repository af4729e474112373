"""A fake world for whole runs: one reply function that plays every role of the salience family, from the body alone."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from forge.testing.replies import schema_of

_QUOTED = re.compile(r'"""\n(.*?)\n"""', re.DOTALL)
_OPENERS = (
    "Right, here is where I stand this week. ",
    "Nobody at home has time to think about this, so I'm asking you. ",
    "My sister says I plan too much, but anyway. ",
    "Quick one before the shop closes on me. ",
    "I've been turning this over since breakfast and want it settled. ",
    "The others left the sums to me, as always. ",
    "Sorry for the long message, my break is nearly over. ",
    "It has been a long day and I want to get this planned. ",
)
_CLOSERS = (
    "",
    " I'd like to tell the others tonight.",
    " Just so that I can write it down.",
    " Thanks a lot in advance, really.",
)
_WORK = (
    "Sure! Working it through step by step, that comes to {n} in total, so plan for {n} and a little to spare.",
    "You'll need {n}. First get everything ready, then go through it one round after the other until it is done.",
    "**Answer:** {n}\n\n1. Set it up the evening before.\n2. Go through the rounds.\n3. Finish after {n}.",
)
_OBJECTION = (
    "I'm afraid that cannot work at all: it is simply not possible that way, so there is nothing to work out here.",
    "That won't work, because what you describe is impossible. No number would mean anything.",
)


def world_reply(body: Mapping[str, Any]) -> str:
    """Return what the fake world answers: a pure function of the request's body.

    Rewriters put a line before and after the quoted message, so that guards let it through; checkers agree; the
    solver falls for most traps; the judge labels by chance; the probe is answered by a coin.
    """
    seed = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).digest()
    schema = schema_of(body)
    content = str(body["messages"][-1]["content"])
    if schema is None:
        return _solve(content, seed)
    fields = schema["properties"]
    if "message" in fields:
        return json.dumps({"message": _rewrite(body, seed)})
    return json.dumps({name: _field(name, part, seed) for name, part in fields.items()})


def _rewrite(body: Mapping[str, Any], seed: bytes) -> str:
    quoted = [text for message in body["messages"] for text in _QUOTED.findall(str(message["content"]))]
    text = " ".join(quoted[-1].split()) if quoted else ""
    return f"{_OPENERS[seed[0] % len(_OPENERS)]}{text}{_CLOSERS[seed[1] % len(_CLOSERS)]}"


def _solve(content: str, seed: bytes) -> str:
    if content.rstrip().lower().endswith("answer yes or no."):
        return "Yes." if seed[0] % 2 else "No."
    if seed[0] % 10 < 7:
        return _WORK[seed[1] % len(_WORK)].format(n=f"{seed[2] + 600} minutes")
    return _OBJECTION[seed[1] % len(_OBJECTION)]


def _field(name: str, part: Mapping[str, Any], seed: bytes) -> Any:
    if "enum" in part:
        good = [value for value in ("strong", "A") if value in part["enum"]]
        return good[0] if good else part["enum"][seed[3] % len(part["enum"])]
    if part.get("type") == "boolean":
        return name not in ("normal_subtask_escape", "trap_core_eroded", "subtask_escape")
    if part.get("type") in ("integer", "number"):
        return 4 + seed[4] % 2
    return "" if name == "quote" else "as the fake world has it"
