"""A small real HTTP server that speaks the OpenAI chat protocol. It is a fake: its replies come from a function.

`async with MockServer() as server` in process, or `python -m forge.testing.mockserver` as a child that prints its
address. It must not import anything of forge but the model layer, so that a benchmark's server stays cheap.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from forge.testing.replies import default_reply

REASONS = {
    200: "OK",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    413: "Payload Too Large",
    422: "Unprocessable Entity",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Unavailable",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """One HTTP reply in full.

    Attributes:
        status: the HTTP status.
        body: a dict sent as JSON, or bytes sent as they are.
        headers: further headers.
        delay: seconds before it is sent.
        drop: close the connection instead of replying.
        content_type: what the body claims to be.
    """

    status: int = 200
    body: Mapping[str, Any] | bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drop: bool = False
    content_type: str = "application/json"


ReplyFn = Callable[[dict[str, Any]], "str | Mapping[str, Any] | Reply"]


def completion(
    body: Mapping[str, Any],
    text: str | None,
    *,
    finish: str = "stop",
    reasoning: str = "",
    cached: int = 0,
    model: str | None = None,
) -> dict[str, Any]:
    """Return a chat completion object that answers `body` with `text`.

    A token is four characters, rounded up, in the prompt and in the answer: enough for tests to compute by hand.
    """
    prompt = sum(_tokens(str(message.get("content") or "")) for message in body.get("messages", []))
    answer = _tokens(text or "") + _tokens(reasoning)
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if reasoning:
        message["reasoning_content"] = reasoning
    return {
        "id": "chatcmpl-mock",
        "object": "chat.completion",
        "created": 0,
        "model": model or body.get("model", "mock"),
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": answer,
            "total_tokens": prompt + answer,
            "prompt_tokens_details": {"cached_tokens": cached},
        },
    }


def _tokens(text: str) -> int:
    return -(-len(text) // 4)


class MockServer:
    """The server. `reply(body)` returns a text, a whole completion object, or a Reply.

    Args:
        reply: a function of the request's JSON body; the default answers from its SHA-256.
        latency: seconds added to every reply.
        port: 0 takes a free one.
        api_key: when set, a request without it gets 401.
        keep: how many request bodies to keep in `bodies`, for tests.
    """

    def __init__(
        self,
        reply: ReplyFn = default_reply,
        *,
        latency: float = 0.0,
        port: int = 0,
        api_key: str | None = None,
        keep: int = 1000,
    ) -> None:
        self.reply = reply
        self.latency = latency
        self.api_key = api_key
        self.keep = keep
        self.bodies: list[dict[str, Any]] = []
        self.counts: Counter[str] = Counter()
        self._port = port
        self._server: asyncio.Server | None = None
        self._connections: set[_Connection] = set()

    @property
    def base_url(self) -> str:
        """The address to give as api_base."""
        if self._server is None:
            raise RuntimeError("the mock server has not been started")
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    @property
    def total(self) -> int:
        """How many chat requests came."""
        return self.counts.total()

    def stats(self) -> dict[str, Any]:
        """Return `total`, `distinct` bodies, `repeats` (requests beyond the first of each body) and `counts`."""
        return {
            "total": self.total,
            "distinct": len(self.counts),
            "repeats": self.total - len(self.counts),
            "counts": dict(self.counts),
        }

    async def start(self) -> None:
        """Bind and listen on loopback."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Connection(self), "127.0.0.1", self._port, backlog=512)

    async def stop(self) -> None:
        """Close every connection and the socket."""
        if self._server is not None:
            self._server.close()
            for connection in list(self._connections):
                connection.close()
            await self._server.wait_closed()

    async def serve(self) -> None:
        """Serve until cancelled."""
        if self._server is None:
            await self.start()
        assert self._server is not None
        await self._server.serve_forever()

    async def __aenter__(self) -> MockServer:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def answer(self, method: str, path: str, headers: bytes, raw: bytes) -> Reply:
        """Return the reply to one HTTP request."""
        if method == "GET" and path.endswith("/stats"):
            return Reply(body=self.stats())
        if method != "POST" or not path.endswith("/chat/completions"):
            return Reply(404, body={"error": {"message": f"no such path: {path}"}})
        self.counts[hashlib.sha256(raw).hexdigest()] += 1
        if self.api_key is not None and f"bearer {self.api_key}".encode().lower() not in headers.lower():
            return Reply(401, body={"error": {"message": "Incorrect API key", "code": "invalid_api_key"}})
        body = json.loads(raw)
        if len(self.bodies) < self.keep:
            self.bodies.append(body)
        made = self.reply(body)
        if isinstance(made, Reply):
            return made
        return Reply(body=completion(body, made) if isinstance(made, str) else made)


class _Connection(asyncio.Protocol):
    """One keep-alive connection; requests are answered in the order they came."""

    def __init__(self, server: MockServer) -> None:
        self._owner = server
        self._buffer = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._owner._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._owner._connections.discard(self)
        self._transport = None

    def close(self) -> None:
        """Drop the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while True:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            head = self._buffer[:end]
            length = _content_length(head)
            if len(self._buffer) < end + 4 + length:
                return
            raw = self._buffer[end + 4 : end + 4 + length]
            self._buffer = self._buffer[end + 4 + length :]
            method, path, _ = head[: head.find(b"\r\n")].decode("latin-1").split(" ", 2)
            self._respond(self._owner.answer(method, path, head, raw))

    def _respond(self, reply: Reply) -> None:
        delay = reply.delay + self._owner.latency
        if delay > 0:
            asyncio.get_running_loop().call_later(delay, self._send, reply)
        else:
            self._send(reply)

    def _send(self, reply: Reply) -> None:
        if self._transport is None:
            return
        if reply.drop:
            self._transport.abort()
            return
        body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        lines = [
            f"HTTP/1.1 {reply.status} {REASONS.get(reply.status, 'Status')}",
            f"content-type: {reply.content_type}",
        ]
        lines += [f"{name}: {value}" for name, value in reply.headers.items()]
        lines.append(f"content-length: {len(body)}\r\n\r\n")
        self._transport.write("\r\n".join(lines).encode("latin-1") + body)


def _content_length(head: bytes) -> int:
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return int(value)
    return 0


async def _main(args: argparse.Namespace) -> None:
    reply: ReplyFn = default_reply
    if args.world:
        from forge.testing.world import world_reply

        reply = world_reply
    server = MockServer(reply, latency=args.latency, port=args.port, api_key=args.api_key, keep=0)
    await server.start()
    sys.stdout.write(json.dumps({"base_url": server.base_url}) + "\n")
    sys.stdout.flush()
    await server.serve()


def main(argv: list[str] | None = None) -> None:
    """Run the server as a child process: one line of JSON with its address, then serve until killed."""
    parser = argparse.ArgumentParser(prog="python -m forge.testing.mockserver", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free port")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each reply")
    parser.add_argument("--world", action="store_true", help="play every role of the salience family")
    parser.add_argument("--api-key", default=None, help="refuse requests without this key")
    try:
        asyncio.run(_main(parser.parse_args(argv)))
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main()
