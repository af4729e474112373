"""The compiled graph, its Mermaid picture, the README's copy of it, and silence towards tracing services."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest
from graph.test_machine import Model
from graph.tiny_world import run

from forge.grow.graph import EDGES, NODES, build, labels, mermaid, steps
from forge.model.profile import Limits

ROOT = Path(__file__).resolve().parents[2]


def compiled() -> set[tuple[str, str]]:
    drawn = build(Limits()).get_graph()
    rename = {"__end__": "finish"}
    return {
        (rename.get(edge.source, edge.source), rename.get(edge.target, edge.target))
        for edge in drawn.edges
        if edge.source != "__start__"
    }


def test_the_picture_is_the_compiled_graph() -> None:
    pictured = set(re.findall(r"^    (\w+) -->(?:\|[^|]*\|)? (\w+)$", mermaid(), re.MULTILINE))
    assert pictured == compiled()
    assert {source for source, _ in pictured} == set(NODES)


def test_the_readme_shows_the_same_picture() -> None:
    shown = re.search(r"```mermaid\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    assert shown.group(1) == mermaid()


def test_every_label_of_every_router_is_an_edge() -> None:
    assert set(labels(Limits())) == {name for name, edges in EDGES.items() if set(edges) != {""}}


async def test_the_longest_search_stays_within_the_recursion_limit(tmp_path: Path) -> None:
    limits = Limits(max_candidates=30, max_steps=40, generator_rounds=30, patience=40, enhance_rounds=30, top_k=1)
    outcome, _, _ = await run(tmp_path, Model(solver="NO"), limits=limits)
    assert len(outcome.records) > 11
    assert steps(limits) > 10 * limits.max_candidates


async def test_tracing_in_the_users_shell_sends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[bytes] = []

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read(200))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(listen, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
        monkeypatch.setenv(name, "true")
    monkeypatch.setenv("LANGSMITH_API_KEY", "none")
    monkeypatch.setenv("LANGSMITH_ENDPOINT", f"http://127.0.0.1:{port}")
    async with server:
        await run(tmp_path, Model())
        from langsmith import utils

        utils.get_env_var.cache_clear()
        await run(tmp_path, Model())
        await asyncio.sleep(0.5)
    assert heard == []


def test_states_are_reduced_by_key() -> None:
    from forge.grow.state import merged

    assert merged({("a", "truth"): 1}, {("b", "truth"): 2}) == {("a", "truth"): 1, ("b", "truth"): 2}
    assert list(merged({"a": 1, "b": 1}, {"a": 2})) == ["a", "b"]
    assert json.dumps(merged({"a": 1}, {"a": 2})) == '{"a": 2}'
