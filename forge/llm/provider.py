"""The only module that imports litellm, and only when first needed. One call, no retries; errors sorted into kinds."""

from __future__ import annotations

import asyncio
import functools
import logging
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from forge.llm.keys import LOCAL
from forge.llm.limits import endpoint_for
from forge.model.calls import FaultKind, Message
from forge.model.errors import ConfigError, ProviderRefused, listed, shorten
from forge.model.profile import Endpoint, Price, Profile

NO_KEY = "none"
GRACE = 5.0
"""Seconds past the timeout after which a call is cut off even if bytes still trickle in."""

_HIDDEN = "[key]"
_KEY_SHAPES = re.compile(r"(?i)\b(?:sk|pk|gsk|xai|hf|key|AIza)[-_][\w*-]{6,}|\bbearer\s+[\w.*-]{6,}|\bAIza[\w-]{10,}")
_SECRET_NAMES = re.compile(r"(?i)(api_?key|token|secret|password|credential)s?$")


@dataclass(frozen=True, slots=True)
class RawReply:
    """A reply with a message, as the provider gave it. Tokens are 0 where it counts none."""

    text: str
    reasoning: str
    finish: str
    model: str
    prompt: int
    completion: int
    cached: int


class Trouble(Exception):
    """A fault that another try may mend.

    Attributes:
        retry_after: seconds that the provider asked to wait, or None.
    """

    def __init__(self, kind: FaultKind, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retry_after = retry_after


class Never(Exception):
    """A request that the provider will never take: too long, malformed, or against its policy."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@functools.cache
def _litellm() -> Any:
    """Import litellm with everything off that would reach the network, retry, or write to the terminal."""
    os.environ["LITELLM_OFFLINE_MODE"] = "True"
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    # Its debug log holds requests whole; forge's own events say what a user needs.
    os.environ["LITELLM_LOG"] = "ERROR"
    import litellm

    litellm.suppress_debug_info = True
    litellm.drop_params = False
    litellm.modify_params = False
    litellm.num_retries = None
    litellm.cache = None
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm


async def complete(
    model: str,
    messages: Sequence[Message],
    params: Mapping[str, Any],
    schema: Mapping[str, Any] | None,
    *,
    api_base: str | None = None,
    api_key: str | None = None,
    timeout: float = 120.0,
    endpoint: str = "",
) -> RawReply:
    """Ask a model once.

    Args:
        model: a litellm model string.
        messages: sent as they are; an empty system message is sent as an empty system message.
        params: temperature, max_tokens and the like.
        schema: a JSON Schema for the reply, sent as response_format.
        api_base: another address than the provider's own.
        api_key: None lets litellm take it from the environment.
        timeout: seconds.
        endpoint: the endpoint's name in the profile, for messages.

    Raises:
        Trouble: no message came; another try may help.
        Never: the provider will never take this request.
        ProviderRefused: 401, 402, 403, 404, or a parameter that the model does not know: the run must stop.
    """
    litellm = _litellm()
    call: dict[str, Any] = {
        "model": model,
        "messages": [{"role": message.role, "content": message.content} for message in messages],
        "timeout": timeout,
        "max_retries": 0,
        "num_retries": 0,
        **params,
    }
    if api_base is not None:
        call["api_base"] = api_base
    if api_key is not None:
        call["api_key"] = api_key
    if schema is not None:
        call["response_format"] = {"type": "json_schema", "json_schema": {"name": "reply", "schema": dict(schema)}}
    try:
        async with asyncio.timeout(timeout + GRACE):
            response = await litellm.acompletion(**call)
    except TimeoutError:
        raise Trouble(FaultKind.TIMEOUT, f"no reply within {timeout:g} s") from None
    except Exception as error:  # noqa: BLE001  litellm raises whatever its dependencies raise; every kind is sorted
        # "from None": the original carries headers, and a traceback of it could show a key.
        raise _sorted(error, model, endpoint or model, api_key, timeout) from None
    return _reply(response, model)


def _reply(response: Any, model: str) -> RawReply:
    choices = getattr(response, "choices", None) or []
    message = getattr(choices[0], "message", None) if choices else None
    if message is None:
        raise Trouble(FaultKind.NO_MESSAGE, "the reply holds no message")
    text = message.content
    extra = getattr(message, "provider_specific_fields", None) or {}
    if not text:
        text = getattr(message, "refusal", None) or extra.get("refusal") or ""
    usage = getattr(response, "usage", None)
    details = getattr(usage, "prompt_tokens_details", None)
    return RawReply(
        text=_utf8(text),
        reasoning=_utf8(getattr(message, "reasoning_content", None) or ""),
        finish=choices[0].finish_reason or "stop",
        model=getattr(response, "model", None) or model,
        prompt=getattr(usage, "prompt_tokens", None) or 0,
        completion=getattr(usage, "completion_tokens", None) or 0,
        cached=getattr(details, "cached_tokens", None) or 0,
    )


def _utf8(text: str) -> str:
    """JSON can spell lone surrogates, UTF-8 cannot: they become question marks before anything is stored or hashed."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        link = link.__cause__ or link.__context__


def _sorted(error: Exception, model: str, endpoint: str, api_key: str | None, timeout: float) -> Exception:
    """Turn what litellm raised into Trouble, Never or ProviderRefused. The HTTP status decides where there is one."""
    import openai

    litellm = _litellm()
    message = scrub(shorten(str(getattr(error, "message", None) or error), 300), api_key)
    headers = getattr(error, "litellm_response_headers", None)
    status = _status(error)
    links = list(_chain(error))
    if isinstance(error, litellm.UnsupportedParamsError):
        return ProviderRefused(
            f"the model does not know a parameter: {message}",
            where=f"endpoint {endpoint}, model {model}",
            fix="take that parameter out of the role in forge.toml",
        )
    if any(isinstance(link, openai.APITimeoutError | TimeoutError) for link in links) or status in (408, 504):
        return Trouble(FaultKind.TIMEOUT, f"no reply within {timeout:g} s" if status == 408 else message)
    if status in _REFUSALS:
        what, fix = _REFUSALS[status]
        return ProviderRefused(
            f"the provider refuses us ({status}, {what}): {message}",
            where=f"endpoint {endpoint}, model {model}",
            fix=fix,
        )
    if any(isinstance(link, UnicodeError) for link in links):
        return Never("the request cannot be written as UTF-8")
    retry_after = _retry_after(error, headers)
    if status == 429:
        return Trouble(FaultKind.RATE_LIMIT, message, retry_after)
    # litellm invents a status where there was none: headers tell a real HTTP error from a 200 that holds an error.
    replied = headers is not None or any(type(link).__name__ == "HTTPStatusError" for link in links)
    if isinstance(error, litellm.ContextWindowExceededError) or (replied and status in (400, 413, 422)):
        return Never(message)
    if replied:
        return Trouble(FaultKind.SERVER, f"{status}: {message}", retry_after)
    if any(isinstance(link, openai.APIConnectionError | OSError) or _transport(link) for link in links[1:]):
        return Trouble(FaultKind.CONNECTION, message)
    if status not in (None, 400, 413, 422, 500):
        return Trouble(FaultKind.SERVER, f"{status}: {message}", retry_after)
    # A 200 that litellm could not read: no choices, no message, no JSON, or an error where the choices should be.
    return Trouble(FaultKind.NO_MESSAGE, f"the reply holds no message: {message}")


_REFUSALS = {
    401: ("the key is not accepted", "set the right API key in the environment; forge config show names the variable"),
    402: ("payment is required", "top up the account, or choose another model"),
    403: ("access is forbidden", "give the key access to this model, or choose another"),
    404: ("no such model or address", "check the model string and api_base in forge.toml"),
}


def _status(error: Exception) -> int | None:
    status = getattr(error, "status_code", None)
    return int(status) if isinstance(status, int) or (isinstance(status, str) and status.isdigit()) else None


def _transport(link: BaseException) -> bool:
    return type(link).__module__.partition(".")[0] in {"aiohttp", "httpx", "httpcore"}


def _retry_after(error: Exception, headers: Mapping[str, str] | None) -> float | None:
    if headers is None:
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
    value = headers.get("retry-after")
    return None if value is None else parse_retry_after(value, datetime.now(UTC))


def parse_retry_after(value: str, now: datetime) -> float | None:
    """Read a Retry-After header (RFC 9110, 10.2.3): seconds, or an HTTP date.

    Returns:
        seconds from `now`, at least 0; None when it cannot be read.
    """
    text = value.strip()
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - now).total_seconds())


def scrub(text: str, *secrets: str | None) -> str:
    """Return a text without keys: those given, those in the environment, and whatever has the shape of one."""
    known = {secret for secret in secrets if secret and len(secret) >= 4 and secret != NO_KEY}
    known |= {value for name, value in os.environ.items() if _SECRET_NAMES.search(name) and len(value) >= 8}
    for secret in sorted(known, key=len, reverse=True):
        text = text.replace(secret, _HIDDEN)
    return _KEY_SHAPES.sub(_HIDDEN, text)


def api_key_for(model: str, endpoint: Endpoint) -> str | None:
    """Return the key to send, or None to let litellm take the provider's own from the environment.

    An OpenAI-compatible address of the user's own that names no key variable gets no key: the real OpenAI key
    must not travel to an address it was not made for.

    Raises:
        ConfigError: the endpoint names a variable that is not set.
    """
    if endpoint.api_key_env is not None:
        key = os.environ.get(endpoint.api_key_env)
        if not key:
            raise _missing([(model, endpoint.api_key_env)])
        return key
    if endpoint.api_base is not None and model.startswith("openai/"):
        return NO_KEY
    return None


def missing_keys(profile: Profile) -> list[tuple[str, str]]:
    """Return (model, environment variable) for every key that the profile needs and the environment lacks.

    Raises:
        ConfigError: a model string whose provider litellm does not know.
    """
    missing: list[tuple[str, str]] = []
    for model in profile.models:
        if model.startswith(LOCAL):
            continue
        _, endpoint = endpoint_for(profile, model)
        if endpoint.api_key_env is not None:
            if not os.environ.get(endpoint.api_key_env):
                missing.append((model, endpoint.api_key_env))
            continue
        _check_provider(model, endpoint)
        if endpoint.api_base is not None and model.startswith("openai/"):
            continue
        found = _litellm().validate_environment(model=model, api_base=endpoint.api_base)
        missing.extend((model, name) for name in found["missing_keys"])
    return missing


def require_keys(profile: Profile) -> None:
    """Check, before anything is spent, that every key is there.

    Raises:
        ConfigError: a key is missing, or a provider is unknown.
    """
    missing = missing_keys(profile)
    if missing:
        raise _missing(missing)


def _missing(missing: list[tuple[str, str]]) -> ConfigError:
    names = sorted({name for _, name in missing})
    return ConfigError(
        "an API key is missing from the environment",
        where=f"profile models: {listed(sorted({model for model, _ in missing}))}",
        value=listed(names),
        fix=f"export {names[0]}=…, or choose a profile that needs no key (local)",
    )


def _check_provider(model: str, endpoint: Endpoint) -> None:
    litellm = _litellm()
    try:
        litellm.get_llm_provider(model=model, api_base=endpoint.api_base)
    except litellm.BadRequestError:
        raise ConfigError(
            "litellm does not know this model's provider",
            where="the model of a role",
            value=model,
            fix="write PROVIDER/MODEL, such as openai/gpt-4o-mini, or local/NAME for a local model",
        ) from None


def table_price(model: str) -> Price | None:
    """Return litellm's own price for a model, from the table that its wheel carries, or None.

    Steps by prompt length or by service tier are not followed: set the price in forge.toml where they matter.
    """
    row = _litellm().model_cost.get(model) or _litellm().model_cost.get(model.partition("/")[2])
    if not row or row.get("input_cost_per_token") is None or row.get("output_cost_per_token") is None:
        return None
    cached = row.get("cache_read_input_token_cost")
    return Price(
        input=row["input_cost_per_token"] * 1e6,
        output=row["output_cost_per_token"] * 1e6,
        cached_input=None if cached is None else cached * 1e6,
    )


async def aclose() -> None:
    """Close litellm's connections of this event loop, if it was ever loaded."""
    if "litellm" in sys.modules:
        litellm = _litellm()
        await litellm.close_litellm_async_clients()
        litellm.in_memory_llm_clients_cache.flush_cache()
