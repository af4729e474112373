"""What enters the ledger key, and what must not."""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any

import pytest

from forge.llm.keys import decoding, identities, ledger_key
from forge.model.calls import Message, Request
from forge.model.errors import ConfigError
from forge.model.profile import RoleSpec
from forge.model.words import Role

SPEC = RoleSpec(models=("openai/a", "openai/b"), temperature=0.7, top_p=0.9, max_tokens=100)
REQUEST = Request(Role.JUDGE, (Message("system", ""), Message("user", "why?")), {"type": "object"}, sample=2, seed="s1")


def key(spec: RoleSpec = SPEC, request: Request = REQUEST, draw: int = 0, **files: str) -> str:
    return ledger_key(spec, request, draw, files)


def test_the_key_is_the_sha256_of_exactly_these_fields() -> None:
    """Written out by hand: a field that is added, dropped or renamed would make every stored answer unreachable."""
    text = (
        '{"decoding":{"temperature":0.7,"top_p":0.9},"draw":3,"messages":[["system",""],["user","why?"]],'
        '"models":["openai/a","openai/b"],"sample":2,"schema":"{\\"type\\":\\"object\\"}"}'
    )
    assert key(draw=3) == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    "change",
    [
        {"models": ("openai/b", "openai/a")},
        {"models": ("openai/a",)},
        {"temperature": 0.8},
        {"top_p": None},
        {"reasoning_effort": "low"},
    ],
)
def test_what_the_model_is_or_how_it_decodes_changes_the_key(change: dict[str, object]) -> None:
    assert key(SPEC.model_copy(update=change)) != key()


def test_max_tokens_does_not_change_the_key() -> None:
    assert key(SPEC.model_copy(update={"max_tokens": 4000})) == key()


def test_every_field_of_a_request_is_either_in_the_key_or_excluded_on_purpose() -> None:
    changes: dict[str, Any] = {
        "role": Role.TRUTH,
        "messages": (*REQUEST.messages, Message("user", "and?")),
        "schema": {"type": "array"},
        "sample": 3,
        "seed": "another",
    }
    assert set(changes) == {field.name for field in dataclasses.fields(Request)}
    changed = {
        name for name, value in changes.items() if key(request=dataclasses.replace(REQUEST, **{name: value})) != key()
    }
    assert changed == {"messages", "schema", "sample"}


def test_every_field_of_a_role_spec_is_either_in_the_key_or_excluded_on_purpose() -> None:
    decoded = {"models", "temperature", "max_tokens", "top_p", "reasoning_effort"}
    # a solver's system message enters with the messages: the solver puts it there
    assert set(RoleSpec.model_fields) == decoded | {"system"}
    assert key(SPEC.model_copy(update={"system": "Be brief."})) == key()


def test_another_draw_is_another_search() -> None:
    assert key(draw=0) != key(draw=1)


def test_the_order_of_fields_in_a_schema_matters_because_models_fill_them_in_order() -> None:
    first = dataclasses.replace(REQUEST, schema={"properties": {"why": {}, "label": {}}})
    second = dataclasses.replace(REQUEST, schema={"properties": {"label": {}, "why": {}}})
    assert key(request=first) != key(request=second)


def test_role_messages_cannot_be_confused_with_each_other() -> None:
    one = dataclasses.replace(REQUEST, messages=(Message("user", "a"), Message("user", "b")))
    two = dataclasses.replace(REQUEST, messages=(Message("user", 'a"],["user","b'),))
    assert key(request=one) != key(request=two)


def test_a_local_model_is_known_by_its_file() -> None:
    spec = SPEC.model_copy(update={"models": ("local/tiny",)})
    assert identities(("local/tiny", "openai/a"), {"tiny": "ab12"}) == ["sha256:ab12", "openai/a"]
    assert key(spec, tiny="ab12") != key(spec, tiny="cd34")


def test_a_local_model_without_a_pin_is_refused() -> None:
    with pytest.raises(ConfigError, match="without a pinned file") as caught:
        identities(("local/tiny",), {"other": "ab12"})
    assert "other" in (caught.value.fix or "")


def test_unset_parameters_are_left_out() -> None:
    assert decoding(RoleSpec(models=("openai/a",))) == {"temperature": 0.0}


def test_lone_surrogates_in_a_message_have_a_key() -> None:
    assert len(key(request=dataclasses.replace(REQUEST, messages=(Message("user", "\ud800"),)))) == 64
