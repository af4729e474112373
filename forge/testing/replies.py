"""Deterministic replies for fakes: text and JSON made from the SHA-256 of a request, nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

WORDS = tuple(
    word
    for line in (
        "amber anchor apple arrow basket beacon bottle bridge bronze candle canvas carpet cedar copper cotton",
        "desert drawer engine fabric feather forest garden harbor hammer island jacket kettle ladder lantern",
        "marble meadow mirror needle orchard paper pebble pepper pillow pocket quarry ribbon river saddle shelter",
        "silver spoon stable station summer table thread timber tunnel valley velvet village walnut window winter",
    )
    for word in line.split()
)


class Dice:
    """An endless stream of numbers from one digest: the fake's only source of variety."""

    def __init__(self, seed: bytes) -> None:
        self._state = hashlib.sha256(seed).digest()
        self._used = 0

    def below(self, bound: int) -> int:
        """Return an integer in [0, bound)."""
        if self._used + 4 > len(self._state):
            self._state = hashlib.sha256(self._state).digest()
            self._used = 0
        value = int.from_bytes(self._state[self._used : self._used + 4], "big")
        self._used += 4
        return value % bound

    def words(self, count: int) -> str:
        """Return `count` words with a capital and a full stop."""
        return " ".join(WORDS[self.below(len(WORDS))] for _ in range(count)).capitalize() + "."


def default_reply(body: dict[str, Any]) -> str:
    """Answer a chat request from its own SHA-256: a short text, or JSON that satisfies the schema asked for."""
    dice = Dice(json.dumps(body, sort_keys=True).encode())
    schema = schema_of(body)
    if schema is None:
        return dice.words(8 + dice.below(8))
    return json.dumps(fill(schema, dice), ensure_ascii=False)


def schema_of(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the JSON Schema of a request's response_format, or None."""
    wanted = body.get("response_format") or {}
    schema = (wanted.get("json_schema") or {}).get("schema")
    return dict(schema) if schema is not None else None


def fill(schema: Mapping[str, Any], dice: Dice, root: Mapping[str, Any] | None = None) -> Any:
    """Return a value that satisfies `schema`: enums, constants, bounds, lengths, references and unions."""
    root = schema if root is None else root
    if "$ref" in schema:
        return fill(_resolve(schema["$ref"], root), dice, root)
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return fill(schema[union][dice.below(len(schema[union]))], dice, root)
    if "allOf" in schema:
        return fill(schema["allOf"][0], dice, root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][dice.below(len(schema["enum"]))]
    kind = schema.get("type", "object" if "properties" in schema else "string")
    if isinstance(kind, list):
        kind = kind[dice.below(len(kind))]
    match kind:
        case "object":
            return {name: fill(part, dice, root) for name, part in schema.get("properties", {}).items()}
        case "array":
            least = int(schema.get("minItems", 1))
            count = min(int(schema.get("maxItems", least + 1)), least + dice.below(2))
            return [fill(schema.get("items", {}), dice, root) for _ in range(count)]
        case "boolean":
            return dice.below(2) == 1
        case "null":
            return None
        case "integer" | "number":
            return _number(schema, dice, kind)
        case _:
            return _text(schema, dice)


def _resolve(reference: str, root: Mapping[str, Any]) -> Mapping[str, Any]:
    part: Any = root
    for name in reference.removeprefix("#/").split("/"):
        part = part[name]
    resolved: Mapping[str, Any] = part
    return resolved


def _number(schema: Mapping[str, Any], dice: Dice, kind: str) -> float | int:
    low = schema.get("minimum", schema.get("exclusiveMinimum", 0))
    high = schema.get("maximum", schema.get("exclusiveMaximum", low + 5))
    if kind == "number":
        # Inner points only, so that exclusive bounds hold as well.
        return round(float(low + (high - low) * (1 + dice.below(99)) / 100), 6)
    first = int(low) + (1 if "exclusiveMinimum" in schema else 0)
    last = int(high) - (1 if "exclusiveMaximum" in schema else 0)
    return first + dice.below(last - first + 1)


def _text(schema: Mapping[str, Any], dice: Dice) -> str:
    text = dice.words(6 + dice.below(6))
    while len(text) < int(schema.get("minLength", 0)):
        text += " " + dice.words(6)
    return text[: int(schema["maxLength"])] if "maxLength" in schema else text
