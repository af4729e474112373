"""Starts the local models that a profile names, once each, and tells the gateway where they answer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from forge.model.errors import Interrupted
from forge.model.events import Event, EventKind
from forge.model.profile import Profile

PREFIX = "local/"


@dataclass
class LocalModels:
    """The running servers. Weights are fetched and a server is started when first needed.

    Attributes:
        log_folder: where each server's standard error goes.
        paths: GGUF files that the user gives, by model name.
    """

    log_folder: Path
    cache: Path
    paths: Mapping[str, Path]
    emit: Callable[[Event], None]
    parallel: int = 6
    context: int = 1024
    _servers: dict[str, Any] = field(default_factory=dict)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def address(self, name: str) -> tuple[str, str, str, str]:
        """Return (api_base, api_key, SHA-256, alias) of a running local model.

        Raises:
            ConfigError: no such model.
            ModelError: the weights or the runtime cannot be had, or the server does not stay up.
        """
        from forge.llm.catalogue import find

        model = find(name)
        async with self._turn:
            server = self._servers.get(name)
            if server is None:
                server = self._servers[name] = await self._start(model)
        await server.ensure_alive()
        return server.base_url, server.api_key, model.sha256, server.alias

    async def stop(self) -> None:
        """End all servers."""
        servers, self._servers = list(self._servers.values()), {}
        await asyncio.gather(*(server.stop() for server in servers))

    async def _start(self, model: Any) -> Any:
        from forge.llm import weights
        from forge.llm.server import LocalServer

        over = threading.Event()

        def progress(now: Any) -> None:
            # A thread cannot be cancelled: the pull ends itself at its next report. What was loaded is kept.
            if over.is_set():
                raise Interrupted("the pull was stopped; it goes on where it stopped", value=model.name)
            self.emit(download_event(now))

        try:
            path = await asyncio.to_thread(
                weights.ensure, model, path=self.paths.get(model.name), cache=self.cache, progress=progress
            )
        finally:
            over.set()
        self._say(f"starting {model.title}")
        server = LocalServer(
            model,
            path,
            log=self.log_folder / f"{model.name}.log",
            n_parallel=self.parallel,
            n_ctx=self.context,
        )
        await server.start()
        return server

    def _say(self, text: str) -> None:
        self.emit(Event(EventKind.NOTICE, data={"text": text}))


def download_event(progress: Any) -> Event:
    """Return the event that tells how far a pull of weights has come."""
    return Event(
        EventKind.DOWNLOAD,
        data={
            "model": progress.model,
            "source": progress.source,
            "stage": progress.stage,
            "done": progress.done_bytes,
            "total": progress.total_bytes,
            "rate": progress.rate,
            "note": progress.note,
        },
    )


def named(profile: Profile) -> list[str]:
    """Return the local models that a profile may call."""
    return [model.removeprefix(PREFIX) for model in profile.models if model.startswith(PREFIX)]
