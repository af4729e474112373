"""The ledger key: what makes two requests the same request. It must know nothing of stores or providers."""

from __future__ import annotations

import json
from collections.abc import Mapping

from forge.model.calls import Request
from forge.model.errors import ConfigError, listed
from forge.model.ids import digest
from forge.model.profile import RoleSpec

LOCAL = "local/"


def identities(models: tuple[str, ...], files: Mapping[str, str]) -> list[str]:
    """Return what a pool's models are known by, in order: the model string, or a local file's SHA-256.

    Args:
        models: litellm model strings or `local/NAME`.
        files: SHA-256 by NAME for local models.

    Raises:
        ConfigError: a local model whose file has no known SHA-256.
    """
    named = []
    for model in models:
        if not model.startswith(LOCAL):
            named.append(model)
            continue
        sha256 = files.get(model.removeprefix(LOCAL))
        if sha256 is None:
            raise ConfigError(
                "a local model without a pinned file cannot be asked: its answers could not be told apart",
                where="the model of a role",
                value=model,
                fix=f"name one of: {listed(sorted(files)) or 'none is pinned; see forge models list'}",
            )
        named.append(f"sha256:{sha256}")
    return named


def decoding(spec: RoleSpec) -> dict[str, float | str]:
    """Return the decoding parameters that enter the key and the call. One that is not set is left out, so that a
    parameter added to forge later does not change the keys of profiles that do not use it."""
    params: dict[str, float | str] = {"temperature": spec.temperature}
    if spec.top_p is not None:
        params["top_p"] = spec.top_p
    if spec.reasoning_effort is not None:
        params["reasoning_effort"] = spec.reasoning_effort
    return params


def ledger_key(spec: RoleSpec, request: Request, draw: int, files: Mapping[str, str]) -> str:
    """Return the SHA-256 that addresses the answer to `request`, 64 hex digits.

    In it: the declared models in order (a local model by its file's SHA-256), the messages, the decoding
    parameters, the reply schema, the draw and the sample index.

    Left out, and why:
        max_tokens: an answer that ended by itself serves any limit above its length; the ledger holds that rule.
        system: the solver's system message stands among the messages.
        role and seed: they only say on whose behalf it is asked; the same question has the same answer.
        api_base, api_key_env, keys: the same model behind another address, or paid by another account.
        timeout, retries, concurrency, rates, breaker, prices, workers: how it is asked, not what.
        forge's version and the prompt template's: what they change shows in the messages.

    The schema enters as text in its own order of properties: models fill fields in the order they are given.

    Raises:
        ConfigError: a local model whose file has no known SHA-256.
    """
    schema = None if request.schema is None else json.dumps(request.schema, ensure_ascii=False, separators=(",", ":"))
    return digest(
        {
            "models": identities(spec.models, files),
            "messages": [[message.role, message.content] for message in request.messages],
            "decoding": decoding(spec),
            "schema": schema,
            "draw": draw,
            "sample": request.sample,
        }
    )
