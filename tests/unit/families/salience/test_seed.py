from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from forge.families.salience.seed import SalienceSeed


def test_a_seed_keeps_its_fields(raw: dict[str, Any]) -> None:
    seed = SalienceSeed(**raw)
    assert seed.edits == (("laundry net", "fire pail"),)
    assert seed.kept == ("6 minutes", "30 litres", "5 litres")
    assert seed.anchors == ("laundry net", "water")
    assert seed.niche.class_ == "carrier"


def test_the_content_id_follows_the_content(raw: dict[str, Any]) -> None:
    first = SalienceSeed(**raw).content
    raw["trap_core"] += " Always."
    assert SalienceSeed(**raw).content != first


def test_round_trip_by_alias(raw: dict[str, Any]) -> None:
    seed = SalienceSeed(**raw)
    assert SalienceSeed(**seed.model_dump(mode="json", by_alias=True)) == seed


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("work",), [382.80], "between quotes"),
        (("explicit", "text"), "no comma", "comma or a space"),
        (("control", "edits"), [{"from": "net", "to": "net"}], "both"),
        (("numbers", 0, "text"), "some metres", "holds no number"),
        (("key_terms", 0), [], "is empty"),
        (("blocker", "kind"), "magic", "property"),
        (("surprise",), 1, "Extra inputs"),
    ],
)
def test_a_wrong_field_says_what_to_write(raw: dict[str, Any], path: tuple[Any, ...], value: Any, says: str) -> None:
    target: Any = raw
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    with pytest.raises(ValidationError, match=says):
        SalienceSeed(**raw)


def test_every_field_of_the_schema_is_described() -> None:
    schema = SalienceSeed.model_json_schema()
    own = set(SalienceSeed.__annotations__)
    assert own
    assert all("description" in schema["properties"][name] for name in own)


def test_a_prompt_of_several_lines_is_one_line(raw: dict[str, Any]) -> None:
    raw["prompt"] = raw["prompt"].replace(". ", ".\n  ")
    assert "\n" not in SalienceSeed(**raw).prompt
