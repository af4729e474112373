"""Starts, watches and stops the child process that serves a local model; it sends it no requests of its own."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import secrets
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from forge.llm.catalogue import LocalModel
from forge.llm.serve import MISSING_EXTRA
from forge.llm.weights import need_memory
from forge.model.errors import ModelError

RUNTIME = "xllamacpp"
MODULE = "forge.llm.serve"
START_SECONDS = 180.0
STOP_SECONDS = 5.0
RESTARTS = 1
LOG_LINES = 8
# llama.cpp would let its store of old prompts grow to 8 GiB.
OPTIONS: Mapping[str, Any] = {"cache_ram_mib": 256}
# OpenMP's threads wait for each other by spinning. With the stock count (300,000) one busy neighbour on a core
# cuts llama.cpp to a fraction of its share; a short spin costs little when the cores are free.
OPENMP = {"GOMP_SPINCOUNT": "2000"}


def cores() -> int:
    """Physical cores this process may run on, and no more than a container's CPU quota; at least 1."""
    if hasattr(os, "sched_getaffinity"):
        allowed = sorted(os.sched_getaffinity(0))
    else:
        allowed = list(range(os.cpu_count() or 1))
    siblings = set()
    for number in allowed:
        topology = Path(f"/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list")
        try:
            siblings.add(topology.read_text(encoding="ascii").strip())
        except OSError:
            siblings.add(str(number))
    return max(1, min(len(siblings), _quota(Path("/sys/fs/cgroup/cpu.max"))))


def _quota(file: Path) -> int:
    try:
        limit, period = file.read_text(encoding="ascii").split()
        return max(1, round(int(limit) / int(period)))
    except (OSError, ValueError):  # no control group, or "max": no limit
        return sys.maxsize


class LocalServer:
    """An OpenAI-compatible server for one local model, on loopback, behind a random key.

    Use it as an async context manager, or call `start` and `stop`. The child dies with this process, however
    this process ends. Read `base_url` for every request: a restart changes it.

    Args:
        model: the listed model; its name becomes the alias under which the server answers.
        path: the file of weights, as `weights.ensure` gave it.
        log: the file that takes the child's standard error; appended to.
        n_parallel: requests served at once; more wait in the server's queue.
        n_ctx: tokens each request may use, prompt and answer together; default: the model's.
        n_threads: llama.cpp's threads; default: `cores()`.
        options: further fields of llama.cpp's CommonParams, by name.
        command: the child's command line, for tests.
    """

    def __init__(
        self,
        model: LocalModel,
        path: Path,
        *,
        log: Path,
        n_parallel: int = 4,
        n_ctx: int | None = None,
        n_threads: int | None = None,
        options: Mapping[str, Any] | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        self.model = model
        self.path = path
        self.log = log
        self.n_parallel = n_parallel
        self.n_ctx = n_ctx or model.n_ctx_default
        self.n_threads = n_threads or cores()
        self._options = {**OPTIONS, **(options or {})}
        self._command = command
        self._key = secrets.token_urlsafe(32)
        self._address: str | None = None
        self._child: asyncio.subprocess.Process | None = None
        self._restarts_left = RESTARTS
        self._turn = asyncio.Lock()

    def __repr__(self) -> str:
        return f"LocalServer({self.model.name!r}, address={self._address!r})"

    @property
    def base_url(self) -> str:
        """The address for OpenAI-compatible clients, ending in /v1.

        Raises:
            ModelError: the server is not running.
        """
        if self._address is None:
            raise ModelError("the local model's server has not been started", where=self.model.name)
        return f"{self._address}/v1"

    @property
    def api_key(self) -> str:
        """The random key of this server. It must reach no log and no error."""
        return self._key

    @property
    def alias(self) -> str:
        """The model name to ask for, and the one the server answers with."""
        return self.model.name

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Load the model and wait until the server answers; nothing happens when it runs already.

        Raises:
            ModelError: the runtime is not installed, or the model cannot be loaded.
            WeightsError: too little memory is free.
        """
        async with self._turn:
            if self._child is None:
                await self._launch()

    async def ensure_alive(self) -> None:
        """Return at once while the server runs; start it again, once in its life, when it died.

        Raises:
            ModelError: it died a second time, or cannot be started; with the last lines of its log.
        """
        async with self._turn:
            if self._child is None:
                raise ModelError("the local model's server has not been started", where=self.model.name)
            if self._child.returncode is None:
                return
            if not self._restarts_left:
                raise self._failed(f"the local model's server died again (exit {self._child.returncode})")
            self._restarts_left -= 1
            await self._launch()

    async def stop(self) -> None:
        """End the child: its input is closed, and it is killed if that does not end it."""
        async with self._turn:
            child, self._child, self._address = self._child, None, None
            if child is not None:
                await _end(child)

    async def _launch(self) -> None:
        if self._command is None and importlib.util.find_spec(RUNTIME) is None:
            raise _missing_extra()
        need_memory(self.model)
        self.log.parent.mkdir(parents=True, exist_ok=True)
        command = self._command or (sys.executable, "-P", "-m", MODULE)
        with self.log.open("ab") as log:
            # A session of its own: Ctrl-C must end forge in order, not this server under its hands.
            child = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                env=child_environment(os.environ),
                start_new_session=True,
            )
        try:
            async with asyncio.timeout(START_SECONDS):
                address = await self._greet(child)
                await self._answers(child, address)
        except TimeoutError as error:
            await _end(child)
            raise self._failed(f"the local model was not ready after {START_SECONDS:.0f} s") from error
        except BaseException:
            await _end(child)
            raise
        self._child, self._address = child, address

    async def _greet(self, child: asyncio.subprocess.Process) -> str:
        """Hand the settings over and return the address the child answers with."""
        assert child.stdin is not None
        assert child.stdout is not None
        settings = {
            "path": str(self.path),
            "alias": self.alias,
            "api_key": self._key,
            "n_ctx": self.n_ctx * self.n_parallel,  # llama.cpp divides it among the slots
            "n_parallel": self.n_parallel,
            "n_threads": self.n_threads,
            "options": self._options,
        }
        try:
            child.stdin.write(json.dumps(settings).encode() + b"\n")
            await child.stdin.drain()
        except ConnectionError:
            pass  # it died first: the empty line below says so
        line = await child.stdout.readline()
        try:
            said = json.loads(line)
        except ValueError as error:
            raise self._failed("the local model's server ended before it was ready") from error
        if said.get("kind") == MISSING_EXTRA:
            raise _missing_extra()
        if "address" not in said:
            raise self._failed(f"the local model could not be loaded: {said.get('error', 'no reason given')}")
        return str(said["address"])

    async def _answers(self, child: asyncio.subprocess.Process, address: str) -> None:
        """Wait until the server says that it is healthy."""
        # Without trust_env=False a proxy in the user's environment would be asked for a loopback address.
        async with httpx.AsyncClient(trust_env=False, timeout=5.0) as client:
            while child.returncode is None:
                try:
                    if (await client.get(f"{address}/health")).status_code == 200:
                        return
                except httpx.TransportError:
                    pass
                await asyncio.sleep(0.05)
        raise self._failed("the local model's server ended before it was ready")

    def _failed(self, what: str) -> ModelError:
        return ModelError(
            what,
            where=f"{self.model.name}, {self.path}",
            value=self._tail() or None,
            fix=f"read {self.log}; fewer n_parallel or a smaller n_ctx needs less memory",
        )

    def _tail(self) -> str:
        try:
            with self.log.open("rb") as log:
                log.seek(max(0, self.log.stat().st_size - 8192))
                text = log.read().decode("utf-8", errors="replace")
        except OSError:
            return ""
        return " | ".join(text.replace(self._key, "***").splitlines()[-LOG_LINES:])


def _missing_extra() -> ModelError:
    return ModelError("local models need the extra: pip install 'trapforge[local]'", where=sys.executable)


def child_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The child's environment: this copy of forge first on its path, and a short spin unless the user chose."""
    root = str(Path(__file__).resolve().parents[2])
    before = environ.get("PYTHONPATH")
    path = f"{root}{os.pathsep}{before}" if before else root
    spin = {} if "OMP_WAIT_POLICY" in environ else OPENMP
    return {**spin, **environ, "PYTHONPATH": path}


async def _end(child: asyncio.subprocess.Process) -> None:
    if child.stdin is not None:
        child.stdin.close()
    try:
        await asyncio.wait_for(child.wait(), STOP_SECONDS)
    except TimeoutError:
        child.kill()
        await child.wait()
