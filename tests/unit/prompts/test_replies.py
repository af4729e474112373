"""Reply schemas as strict models, and the shipped templates' schemas."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest
from pydantic import ValidationError

from forge.families.salience import SalienceFamily
from forge.model.errors import PromptError
from forge.model.words import Role
from forge.prompts.collection import PromptLibrary
from forge.prompts.replies import reply_model, strict_schema

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = {
    "type": "object",
    "properties": {
        "label": {"type": "string", "enum": ["a", "b"]},
        "score": {"type": "integer", "minimum": 1, "maximum": 5},
        "reason": {"type": "string", "maxLength": 5},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
}
GOOD = {"label": "a", "score": 5, "reason": "short", "tags": ["x"]}


def test_a_good_reply_passes_and_extra_fields_are_dropped() -> None:
    assert reply_model("toy", SCHEMA).model_validate({**GOOD, "more": 1}).model_dump(mode="json") == GOOD


@pytest.mark.parametrize(
    "change", [{"label": "c"}, {"score": 0}, {"score": 6}, {"score": 2.5}, {"reason": "too long"}, {"tags": "x"}]
)
def test_a_bad_value_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        reply_model("toy", SCHEMA).model_validate({**GOOD, **change})


@pytest.mark.parametrize("gone", list(GOOD))
def test_every_field_is_required(gone: str) -> None:
    with pytest.raises(ValidationError):
        reply_model("toy", SCHEMA).model_validate({key: value for key, value in GOOD.items() if key != gone})


def test_the_strict_schema_agrees_with_the_model() -> None:
    strict = strict_schema(SCHEMA)
    jsonschema.validate(GOOD, strict)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**GOOD, "more": 1}, strict)


@pytest.mark.parametrize("schema", [{"type": "string"}, {"type": "object", "properties": {"x": {"type": "null"}}}])
def test_what_is_beyond_the_subset_is_refused(schema: dict[str, object]) -> None:
    with pytest.raises(PromptError):
        reply_model("toy", schema)


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.SOLVER])
def test_every_role_of_the_shipped_family_has_a_template_with_a_usable_schema(role: Role) -> None:
    template = PromptLibrary([ROOT / "prompts"]).get(SalienceFamily.templates[role])
    assert template.role == role.value
    assert template.reply is not None
    assert reply_model(template.id, template.reply).model_fields
