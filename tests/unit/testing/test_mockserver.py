"""The mock server is itself a piece of software: a wire format, counts and deterministic replies."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from typing import Any

import jsonschema
import pytest

from forge.testing.mockserver import MockServer, Reply, completion
from forge.testing.replies import default_reply

BODY: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "12345"}]}

SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["label", "score", "ratio", "ok", "why", "parts", "maybe", "kind", "inner"],
    "properties": {
        "label": {"$ref": "#/$defs/Label"},
        "score": {"type": "integer", "minimum": 1, "maximum": 5},
        "ratio": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        "ok": {"type": "boolean"},
        "why": {"type": "string", "minLength": 80, "maxLength": 90},
        "parts": {"type": "array", "minItems": 2, "maxItems": 3, "items": {"type": "string"}},
        "maybe": {"anyOf": [{"type": "null"}, {"type": "string"}]},
        "kind": {"const": "verdict"},
        "inner": {"type": "object", "required": ["n"], "properties": {"n": {"type": ["integer", "null"]}}},
    },
    "$defs": {"Label": {"enum": ["good", "bad", "unclear"], "type": "string"}},
}


async def post(url: str, body: Any, key: str = "") -> tuple[int, Any]:
    def send() -> tuple[int, Any]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(f"{url}/chat/completions", data, {"Authorization": f"Bearer {key}"})
        try:
            with urllib.request.urlopen(request, timeout=10) as reply:
                return reply.status, json.loads(reply.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())

    return await asyncio.to_thread(send)


@pytest.mark.parametrize("turn", range(25))
def test_the_default_reply_satisfies_the_schema_that_was_asked_for(turn: int) -> None:
    wanted = {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA}}
    body = {**BODY, "turn": turn, "response_format": wanted}
    reply = json.loads(default_reply(body))
    jsonschema.validate(reply, SCHEMA)
    assert default_reply(body) == default_reply(json.loads(json.dumps(body)))


def test_other_requests_get_other_replies() -> None:
    assert len({default_reply({**BODY, "turn": turn}) for turn in range(50)}) == 50


def test_tokens_are_four_characters_rounded_up() -> None:
    usage = completion(BODY, "123456789", cached=1)["usage"]
    assert (usage["prompt_tokens"], usage["completion_tokens"], usage["total_tokens"]) == (2, 3, 5)
    assert usage["prompt_tokens_details"] == {"cached_tokens": 1}


async def test_it_answers_and_counts_repeats_over_http() -> None:
    async with MockServer() as server:
        status, first = await post(server.base_url, BODY)
        _, second = await post(server.base_url, BODY)
        await post(server.base_url, {**BODY, "model": "other"})
        with await asyncio.to_thread(urllib.request.urlopen, f"{server.base_url}/stats") as reply:
            stats = json.loads(reply.read())
    assert status == 200
    assert first == second
    assert first["choices"][0]["message"] == {"role": "assistant", "content": default_reply(BODY)}
    assert (stats["total"], stats["distinct"], stats["repeats"]) == (3, 2, 1)
    assert sorted(stats["counts"].values()) == [1, 2]
    assert server.bodies[0] == BODY


async def test_replies_may_be_texts_objects_or_whole_http_replies() -> None:
    replies: list[Any] = ["text", completion(BODY, "object"), Reply(503, {"error": {"message": "no"}})]
    async with MockServer(lambda _: replies.pop(0)) as server:
        results = [await post(server.base_url, BODY) for _ in range(3)]
    assert [status for status, _ in results] == [200, 200, 503]
    assert [results[n][1]["choices"][0]["message"]["content"] for n in (0, 1)] == ["text", "object"]


async def test_a_key_may_be_required() -> None:
    async with MockServer(api_key="right") as server:
        assert (await post(server.base_url, BODY, "wrong"))[0] == 401
        assert (await post(server.base_url, BODY, "right"))[0] == 200
    with pytest.raises(RuntimeError):
        _ = MockServer().base_url


async def test_requests_in_pieces_and_in_a_row_are_read() -> None:
    async with MockServer(lambda body: body["model"]) as server:
        port = int(server.base_url.split(":")[2].removesuffix("/v1"))
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        raw = json.dumps(BODY).encode()
        whole = b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(raw) + raw
        for piece in (whole[:10], whole[10:60], whole[60:] + whole + whole[:5], whole[5:]):
            writer.write(piece)
            await asyncio.sleep(0.005)
        for _ in range(3):
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200 OK")
            length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
            await reader.readexactly(length)
        writer.close()
        await writer.wait_closed()
    assert server.total == 3


def test_as_a_child_it_prints_its_address() -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}
    process = subprocess.Popen(
        [sys.executable, "-m", "forge.testing.mockserver", "--port", "0"], stdout=subprocess.PIPE, env=env, text=True
    )
    assert process.stdout is not None
    try:
        url = json.loads(process.stdout.readline())["base_url"]
        status, reply = asyncio.run(post(url, BODY))
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    assert status == 200
    assert reply["choices"][0]["message"]["content"] == default_reply(BODY)
