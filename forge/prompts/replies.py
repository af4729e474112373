"""Reply schemas: the JSON Schema of a template's front matter as a strict pydantic model."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from forge.model.errors import PromptError
from forge.model.ids import canonical

_SCALARS: dict[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool}


def reply_model(name: str, schema: dict[str, Any]) -> type[BaseModel]:
    """Build the pydantic model of a reply.

    The front matter's subset: an object whose properties are string, integer, number or boolean (with enum,
    minimum, maximum, minLength, maxLength), arrays of strings, or arrays of objects. All properties are required:
    models fill what is required, and structured output of several providers demands it. An array's objects are sent
    with their schema and taken as they come: whoever asked reads them one by one, so that one that is wrong does not
    cost the others.

    Raises:
        PromptError: the schema uses something beyond the subset.
    """
    return _built(name, canonical(schema))


@lru_cache(maxsize=128)
def _built(name: str, source: bytes) -> type[BaseModel]:
    import json

    schema = json.loads(source)
    if schema.get("type") != "object" or not schema.get("properties"):
        raise PromptError("a reply schema is an object with properties", where=name)
    fields: dict[str, Any] = {key: (_type(name, key, part), ...) for key, part in schema["properties"].items()}
    return create_model(
        "Reply", __config__=ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True), **fields
    )


def strict_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema as providers want it: all properties required, nothing else allowed."""
    strict = {name: _strict(part) for name, part in schema["properties"].items()}
    return {"type": "object", "properties": strict, "required": list(strict), "additionalProperties": False}


def _strict(part: dict[str, Any]) -> dict[str, Any]:
    if part.get("type") == "object":
        return strict_schema(part)
    if part.get("type") == "array":
        return {**part, "items": _strict(part["items"])}
    return part


def _type(name: str, key: str, part: dict[str, Any]) -> Any:
    if "enum" in part:
        return Literal[tuple(part["enum"])]
    if part.get("type") == "array" and part.get("items", {}).get("type") == "string":
        return tuple[str, ...]
    if part.get("type") == "array" and part.get("items", {}).get("type") == "object":
        return tuple[dict[str, Any], ...]
    kind = _SCALARS.get(str(part.get("type")))
    if kind is None:
        raise PromptError("unknown type in a reply schema", where=f"{name}: {key}", value=part.get("type"))
    bounds = {
        ours: part[theirs]
        for theirs, ours in (
            ("minimum", "ge"),
            ("maximum", "le"),
            ("minLength", "min_length"),
            ("maxLength", "max_length"),
        )
        if theirs in part
    }
    return Annotated[kind, Field(**bounds)] if bounds else kind
