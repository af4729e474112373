"""The JSON Schema of a whole seed file, for editors, and a skeleton of one, both from the family's own seed model."""

from __future__ import annotations

import json
from typing import Any

import yaml

from forge.families.base import Family

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_HEADER = {
    "format": ("integer", "the version of this format: 1"),
    "set": ("string", "the set's name, as in --seed-set NAME; the file's name without .yaml"),
    "family": ("string", "the kind of trap"),
    "extends": ("string", "for a family without code: the family whose code it uses"),
    "definition": ("string", "what all seeds of the set have in common, for people and for the data card"),
    "lang": ("string", "the language of the prompts, such as en"),
    "licence": ("string", "under which others may use the seeds, such as CC-BY-4.0"),
}
_FROM_HEADER = ("set", "family", "lang", "licence")
_REQUIRED = ("set", "family", "lang", "licence", "seeds")
_COMMON = {
    "id": "unique in the file; letters, digits, dots, dashes and underscores; never changed once items have grown",
    "name": "a few words for lists",
    "author": "who wrote the seed (human, model or table), and the initials of people who read it",
    "source": "`original`, or where the seed comes from",
    "domain": "home, cooking, travel, work, ...",
    "tags": "what was found out about the seed, such as viral: close to an item published elsewhere",
    "hints": "what rewrites should preserve and avoid",
    "probe": "yes/no questions on the trap fact and the control fact; is_false: the right answer is no, is_true: yes",
}


def seed_schema(family: Family) -> dict[str, Any]:
    """Return the JSON Schema of a seed file of a family: the header's keys, then the list of seeds.

    What the header gives for all seeds need not be repeated in a seed.
    """
    seed = family.Seed.model_json_schema(by_alias=True)
    definitions = seed.pop("$defs", {})
    properties = seed["properties"]
    for key, text in _COMMON.items():
        if key in properties:
            properties[key].setdefault("description", text)
    shared = {key: field for key, field in family.Seed.inherits.items() if field in properties}
    given = {*_FROM_HEADER, *shared.values()}
    needed = {key: field for key, field in shared.items() if field in seed["required"]}
    seed["required"] = [key for key in seed["required"] if key not in given]
    header: dict[str, Any] = {key: {"type": kind, "description": text} for key, (kind, text) in _HEADER.items()}
    header["family"]["const"] = family.name
    header.update({key: properties[field] for key, field in shared.items()})
    document: dict[str, Any] = {
        "$schema": DIALECT,
        "title": f"A seed set of the family {family.name}",
        "type": "object",
        "properties": {
            **header,
            "seeds": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/Seed"}, "description": "the seeds"},
        },
        "required": list(_REQUIRED),
        "$defs": {**definitions, "Seed": seed},
    }
    if needed:
        document["allOf"] = [
            {"anyOf": [{"required": [key]}, {"properties": {"seeds": {"items": {"required": [field]}}}}]}
            for key, field in needed.items()
        ]
    return document


def skeleton(family: Family, name: str, extends: str | None = None) -> str:
    """Return a seed file with one seed to fill in: every field of the family, with what its model says of it."""
    schema = seed_schema(family)
    definitions = schema["$defs"]
    lines = [
        f"# The seed set {family.name}/{name}. Fill in what is empty; `forge seeds lint {name}` names what is left.",
        "format: 1",
        f"set: {scalar(name)}",
        f"family: {family.name}",
        *([f"extends: {extends}"] if extends else []),
        *(
            line
            for key, field in family.Seed.inherits.items()
            if field in definitions["Seed"]["properties"]
            for line in _field(key, schema["properties"][key], definitions)
        ),
        "lang: en",
        "licence: CC-BY-4.0",
        "seeds:",
    ]
    filled = {"id": f"{name[:60]}-one", "source": "original"}
    first = "- "
    for key, part in definitions["Seed"]["properties"].items():
        if key in _FROM_HEADER or key in family.Seed.inherits.values():
            continue
        value = filled.get(key)
        for line in [f"{key}: {value}"] if value else _field(key, part, definitions):
            lines.append(first + line)
            first = "  "
    return "\n".join(lines) + "\n"


def scalar(name: str) -> str:
    """Return a name as YAML that reads back as the same text: `no` and `1.5` come out quoted."""
    return name if yaml.safe_load(name) == name else json.dumps(name)


def _field(key: str, part: dict[str, Any], definitions: dict[str, Any]) -> list[str]:
    """Return the YAML lines of one field, its description first."""
    said = part.get("description")
    part = _resolved(part, definitions)
    said = said or part.get("description")
    comment = f"  # {' '.join(said.split())}" if said else ""
    if part.get("type") == "object" and part.get("properties"):
        below = [line for name, inner in part["properties"].items() for line in _field(name, inner, definitions)]
        return [f"{key}:{comment}", *(f"  {line}" for line in below)]
    if part.get("type") == "object":
        return [f"{key}: {{}}{comment}"]
    if part.get("type") == "array":
        inner = _resolved(part.get("items", {}), definitions)
        if inner.get("type") == "object" and inner.get("properties"):
            below = [line for name, each in inner["properties"].items() for line in _field(name, each, definitions)]
            return [f"{key}:{comment}", f"- {below[0]}", *(f"  {line}" for line in below[1:])]
        return [f"{key}: []{comment}"]
    if "enum" in part:
        return [f"{key}: {part['enum'][0]}  # {', '.join(map(str, part['enum'][:-1]))} or {part['enum'][-1]}"]
    if part.get("type") in ("integer", "number"):
        return [f"{key}: 0{comment}"]
    if part.get("type") == "boolean":
        return [f"{key}: {str(bool(part.get('default'))).lower()}{comment}"]
    return [f'{key}: ""{comment}']


def _resolved(part: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Follow a reference; of alternatives, take the first that is not null."""
    if "$ref" in part:
        found: dict[str, Any] = definitions[part["$ref"].rsplit("/", 1)[1]]
        return found
    for choice in part.get("anyOf", ()):
        if choice.get("type") != "null":
            return _resolved(choice, definitions)
    return part
