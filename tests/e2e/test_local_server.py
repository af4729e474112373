"""The real runtime on real weights: what forge relies on in llama.cpp's server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from forge.llm.catalogue import find
from forge.llm.server import LocalServer
from forge.llm.weights import default_cache, ensure, status

pytestmark = [pytest.mark.model, pytest.mark.asyncio(loop_scope="module")]

MODEL = find("qwen2.5-coder-0.5b")
SCHEMA = {
    "type": "object",
    "properties": {"number": {"type": "integer"}, "word": {"type": "string", "maxLength": 20}},
    "required": ["number", "word"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("run") / "llama.log"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running(log: Path) -> AsyncIterator[LocalServer]:
    pytest.importorskip("xllamacpp", reason="the extra `local` is not installed")
    if status(MODEL, default_cache()).state != "ready":
        pytest.skip(f"the weights of {MODEL.name} are not in the cache: forge models pull {MODEL.name}")
    path = ensure(MODEL, cache=default_cache(), offline=True)
    async with LocalServer(MODEL, path, log=log, n_parallel=2, n_ctx=512) as server:
        yield server


async def ask(server: LocalServer, messages: list[dict[str, str]], **more: Any) -> httpx.Response:
    body = {"model": server.alias, "messages": messages, "max_tokens": 8, "temperature": 0, **more}
    async with httpx.AsyncClient(trust_env=False, timeout=300) as client:
        return await client.post(
            f"{server.base_url}/chat/completions",
            json=body,
            headers={"Authorization": f"Bearer {server.api_key}"},
        )


def user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


async def test_it_answers_under_its_alias(running: LocalServer) -> None:
    answer = (await ask(running, [user("Say hello.")])).json()
    assert answer["model"] == MODEL.name
    assert answer["choices"][0]["message"]["content"]
    assert answer["usage"]["completion_tokens"] <= 8


async def test_without_the_key_nothing_is_answered(running: LocalServer) -> None:
    async with httpx.AsyncClient(trust_env=False) as client:
        body = {"messages": [user("Say hello.")]}
        answer = await client.post(f"{running.base_url}/chat/completions", json=body)
    assert answer.status_code == 401


async def test_a_json_schema_binds_the_answer(running: LocalServer) -> None:
    form = {"type": "json_schema", "json_schema": {"name": "pair", "schema": SCHEMA}}
    answer = await ask(
        running, [user("Give a number and a word.")], max_tokens=80, response_format=form, temperature=0.8
    )
    reply = json.loads(answer.json()["choices"][0]["message"]["content"])
    assert set(reply) == {"number", "word"}
    assert isinstance(reply["number"], int)
    assert isinstance(reply["word"], str)


async def test_a_prompt_longer_than_a_slot_is_a_400(running: LocalServer) -> None:
    answer = await ask(running, [user("word " * 600)])
    assert answer.status_code == 400
    assert answer.json()["error"]["type"] == "exceed_context_size_error"
    assert answer.json()["error"]["n_ctx"] == 512


async def test_an_empty_system_message_keeps_the_templates_own_away(running: LocalServer) -> None:
    bare = (await ask(running, [user("Hi")])).json()["usage"]["prompt_tokens"]
    empty = (await ask(running, [{"role": "system", "content": ""}, user("Hi")])).json()["usage"]["prompt_tokens"]
    # Qwen's template puts a system message of its own where none is given.
    assert empty < bare


async def test_a_shared_prefix_is_read_once(running: LocalServer) -> None:
    prefix = "A long introduction that every request shares. " * 20
    await ask(running, [user(f"{prefix} First question.")])
    again = (await ask(running, [user(f"{prefix} Second question.")])).json()
    assert again["timings"]["cache_n"] > 100
    assert again["timings"]["prompt_n"] < 40


async def test_the_key_is_not_in_the_log(running: LocalServer, log: Path) -> None:
    text = log.read_text(encoding="utf-8", errors="replace")
    assert running.api_key not in text
    assert running.api_key[-4:] not in text


async def test_it_comes_back_after_a_crash(running: LocalServer) -> None:
    assert running._child is not None
    running._child.kill()
    await running._child.wait()
    await running.ensure_alive()
    assert (await ask(running, [user("Say hello.")])).status_code == 200
