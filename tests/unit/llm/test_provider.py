"""Reading headers, hiding keys, checking them at start-up, and what importing costs."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from forge.llm.provider import api_key_for, missing_keys, parse_retry_after, require_keys, scrub, table_price
from forge.model.errors import ConfigError
from forge.model.profile import Endpoint, Profile, RoleSpec
from forge.model.words import Role

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


def profile(model: str, **endpoints: Endpoint) -> Profile:
    return Profile(name="p", roles={role: RoleSpec(models=(model,)) for role in Role}, endpoints=endpoints)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        (" 0 ", 0.0),
        ("1.5", 1.5),
        ("Sun, 01 Mar 2026 12:00:42 GMT", 42.0),
        ("Sun, 01 Mar 2026 11:59:00 GMT", 0.0),
        ("soon", None),
        ("", None),
        ("-5", None),
    ],
)
def test_retry_after_is_read_in_both_forms(value: str, seconds: float | None) -> None:
    assert parse_retry_after(value, NOW) == seconds


def test_keys_are_scrubbed_by_value_by_environment_and_by_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOMEBODY_API_KEY", "a-very-plain-value")
    text = "given zq81xx, env a-very-plain-value, OpenAI sk-proj-abc***xyz, header Bearer abcdef123456 end"
    assert scrub(text, "zq81xx") == "given [key], env [key], OpenAI [key], header [key] end"


def test_scrubbing_leaves_ordinary_text_alone() -> None:
    text = "the model's maximum context length is 2048 tokens, see key-value stores"
    assert scrub(text, None, "") == text


def test_a_missing_key_is_named_before_anything_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert missing_keys(profile("openai/gpt-4o-mini")) == [("openai/gpt-4o-mini", "OPENAI_API_KEY")]
    with pytest.raises(ConfigError, match="API key is missing") as caught:
        require_keys(profile("openai/gpt-4o-mini"))
    assert "OPENAI_API_KEY" in str(caught.value)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-something-long")
    require_keys(profile("openai/gpt-4o-mini"))


def test_an_endpoint_may_name_its_own_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = profile("openai/m", openai=Endpoint(api_base="http://127.0.0.1:1/v1", api_key_env="MY_KEY"))
    monkeypatch.delenv("MY_KEY", raising=False)
    assert missing_keys(mine) == [("openai/m", "MY_KEY")]
    with pytest.raises(ConfigError, match="missing"):
        api_key_for("openai/m", mine.endpoints["openai"])
    monkeypatch.setenv("MY_KEY", "value")
    assert missing_keys(mine) == []
    assert api_key_for("openai/m", mine.endpoints["openai"]) == "value"


def test_the_openai_key_does_not_travel_to_an_address_of_the_users_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-something-long")
    assert api_key_for("openai/m", Endpoint(api_base="http://127.0.0.1:1/v1")) == "none"
    assert api_key_for("openai/m", Endpoint()) is None


def test_local_models_and_own_addresses_need_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert missing_keys(profile("local/tiny")) == []
    assert missing_keys(profile("openai/m", openai=Endpoint(api_base="http://127.0.0.1:1/v1"))) == []


def test_an_unknown_provider_is_a_configuration_error() -> None:
    with pytest.raises(ConfigError, match="does not know this model's provider") as caught:
        missing_keys(profile("nosuchprovider/m"))
    assert caught.value.value == "nosuchprovider/m"


def test_a_model_that_the_table_lacks_has_no_price() -> None:
    assert table_price("openai/no-such-model-at-all") is None


def test_importing_the_gateway_does_not_import_litellm() -> None:
    code = "import sys, forge.llm.gateway; sys.exit('litellm' in sys.modules or 'openai' in sys.modules)"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}
    assert subprocess.run([sys.executable, "-c", code], env=env, check=False).returncode == 0
