"""A provider for runs of `forge scale`: it words openings, invents seeds and grades them. It is a fake.

Its seeds are composed of the table that is shipped for D1, so that they are sound; its mistakes are made on purpose.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import yaml
from cli.world import Served, World

from forge.families.salience import SalienceFamily
from forge.testing.mockserver import Reply, ReplyFn, completion
from forge.testing.replies import schema_of

CHECKOUT = Path(__file__).resolve().parents[2]
SEEDS = CHECKOUT / "seeds" / "salience"
CONFIG = """\
profile = "mock"

[profiles.mock]
extends = "local"

[profiles.mock.roles]
generator = {{ model = "openai/mock-writer", temperature = 0.8, max_tokens = 400 }}

[profiles.mock.scaling]
wave = {wave}
batch = {batch}

[endpoints.openai]
api_base = "{base}"
concurrency = {concurrency}
retries = {retries}
timeout = 20.0
{more}"""


def workspace(
    folder: Path, base: str, *, wave: int = 2, batch: int = 2, concurrency: int = 8, retries: int = 0, more: str = ""
) -> Path:
    """Write a forge.toml whose generator is the fake."""
    folder.mkdir(parents=True, exist_ok=True)
    text = CONFIG.format(base=base, wave=wave, batch=batch, concurrency=concurrency, retries=retries, more=more)
    (folder / "forge.toml").write_text(text)
    return folder


def small(folder: Path, **header: Any) -> Path:
    """Put a small D1 in the place of the shipped one: its first seed, and a table of three combinations.

    Args:
        header: further keys of the seed set's header.
    """
    seeds = folder / "seeds" / "salience"
    (seeds / "tables").mkdir(parents=True)
    data = yaml.safe_load((SEEDS / "D1.yaml").read_text(encoding="utf-8"))
    data = {**data, **header, "seeds": data["seeds"][:1]}
    (seeds / "D1.yaml").write_text(yaml.safe_dump(data, sort_keys=False, allow_unicode=True), encoding="utf-8")
    shutil.copyfile(CHECKOUT / "tests" / "fixtures" / "tables" / "mini.yaml", seeds / "tables" / "D1.yaml")
    return folder


@lru_cache(maxsize=1)
def stock() -> tuple[dict[str, Any], ...]:
    """Finished seeds, as a proposer's reply holds them: every fifth combination of D1's table."""
    family = SalienceFamily()
    data = yaml.safe_load((SEEDS / "D1.yaml").read_text(encoding="utf-8"))
    table = yaml.safe_load((SEEDS / "tables" / "D1.yaml").read_text(encoding="utf-8"))
    composer = family.composer(table, {key: value for key, value in data.items() if key != "seeds"})
    return tuple(family.exemplar(composer.compose(option, 7, 0).seed) for option in composer.options[::5])


def serve(reply: ReplyFn, latency: float = 0.0) -> Served:
    """Any reply function behind a real server, in a thread."""
    return Served(cast(World, reply), latency)


class ScaleWorld:
    """Answers as a function of the request's body.

    Args:
        slowest: seconds that the slowest reply takes; each request has a delay of its own, so that replies come in
            another order than they were asked for.
        grade: what it grades every seed, where it is asked.
    """

    def __init__(self, slowest: float = 0.0, grade: str = "A") -> None:
        self.slowest = slowest
        self.grade = grade

    def __call__(self, body: dict[str, Any]) -> Reply:
        """Answer a request for an opening, for seeds, or for a grade."""
        fields = (schema_of(body) or {})["properties"]
        # A request for a mended reply still holds what was asked first.
        user, dice = "\n".join(str(one["content"]) for one in body["messages"]), digest(body)
        reply: Mapping[str, Any]
        if "sentence" in fields:
            reply = {"sentence": reworded(user, dice[0])}
        elif "seeds" in fields:
            reply = {"seeds": invented(user, dice)}
        else:
            reply = {name: self.grade if "enum" in part else filler(part) for name, part in fields.items()}
        return Reply(body=completion(body, json.dumps(reply)), delay=self.delay(body))

    def delay(self, body: Mapping[str, Any]) -> float:
        """Seconds that the reply to a request takes."""
        return self.slowest * digest(body)[1] / 255


def digest(body: Mapping[str, Any]) -> bytes:
    """The only source of variety."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).digest()


def filler(part: Mapping[str, Any]) -> Any:
    """A value for a checker's other fields."""
    return {"boolean": True, "integer": 5, "number": 5}.get(str(part.get("type")), "as the fake has it")


def reworded(user: str, dice: int) -> str:
    """The opening with another first word; one in four lacks its second half, so that it is not taken."""
    opening = re.findall(r"Opening: (.*)\nVoice:", user)[-1]
    return f"{opening[: len(opening) // 2]}." if dice % 4 == 0 else f"{('So', 'Now', 'Well,')[dice % 3]} {opening}"


def invented(user: str, dice: bytes) -> list[dict[str, Any]]:
    """As many seeds of the stock as were asked for; one entry in six has lost its prompt."""
    entries = []
    for place in range(int(re.findall(r"Write (\d+) seeds", user)[-1])):
        entry = dict(stock()[int.from_bytes(dice[2 * place : 2 * place + 2], "big") % len(stock())])
        if dice[16 + place] % 6 == 0:
            del entry["prompt"]
        entries.append(entry)
    return entries
