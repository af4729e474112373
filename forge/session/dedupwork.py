"""Checks the texts of a batch of rows and signs them, here or in worker processes. It decides nothing about repeats."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import chain, islice
from multiprocessing import connection, get_context, parent_process

from forge.model.errors import StorageError
from forge.text.greedy import signed
from forge.text.signatures import U64, Prepared, Signer
from forge.workspace.rowfiles import Fault, FaultKind, Record, not_utf8

BATCH_ROWS = 2000
BATCH_BYTES = 1 << 20
EXCERPT = 240
# A file of fewer batches is done before worker processes have started.
_SMALL = 10
_WAITING = 2


@dataclass(frozen=True)
class Rules:
    """What a text must be, and how it is signed. Small, for it goes to every worker.

    Attributes:
        field: the name of the field or column.
        lines: whether rows come as lines of JSON, else as the values of the column.
        max_chars: a longer text is a fault.
    """

    field: str
    lines: bool
    max_chars: int
    signer: Signer


@dataclass
class Batch:
    """Rows in order.

    Attributes:
        payload: what is to be checked, of the rows that the reader found no fault with.
        positions: which rows those are.
        done: how much of the file had been read at its end, in the reader's measure.
    """

    records: list[Record] = field(default_factory=list)
    payload: list[object] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    size: int = 0
    done: int = 0

    def add(self, record: Record, *, lines: bool) -> None:
        """Append a row."""
        if record.fault is None:
            self.positions.append(len(self.records))
            self.payload.append(record.raw if lines else record.value)
        self.records.append(record)
        held = record.value
        self.size += len(record.raw) + (len(held) if isinstance(held, (str, bytes)) else 0)

    @property
    def full(self) -> bool:
        """Whether it should be handed on."""
        return len(self.records) >= BATCH_ROWS or self.size >= BATCH_BYTES


@dataclass(frozen=True)
class Checked:
    """What became of a payload of n.

    Attributes:
        faults: position in the payload → what is wrong.
        good: the other positions, in order; the rest belongs to them.
        excerpts: the beginning of each text, UTF-8.
    """

    faults: dict[int, Fault]
    good: list[int]
    prepared: Prepared
    digests: U64
    excerpts: list[bytes]


def check(rules: Rules, payload: Sequence[object]) -> Checked:
    """Check and sign the texts of a payload."""
    faults: dict[int, Fault] = {}
    texts: dict[int, str] = {}
    for position, given in enumerate(payload):
        value = _field(rules.field, given) if rules.lines and isinstance(given, bytes) else _decoded(given)
        text = value if isinstance(value, Fault) else _text(value, rules.max_chars)
        if isinstance(text, Fault):
            faults[position] = text
        else:
            texts[position] = text
    prepared, digests = signed(list(texts.values()), rules.signer)
    bare = [number for number, normal in enumerate(prepared.normals) if not normal]
    good = list(texts)
    if bare:
        for number in bare:
            text = texts[good[number]]
            faults[good[number]] = Fault(FaultKind.WORDLESS, "no letter and no digit to compare", excerpt(text))
        wordful = [number for number, normal in enumerate(prepared.normals) if normal]
        prepared, digests = prepared.take(wordful), digests[wordful]
        good = [good[number] for number in wordful]
    return Checked(faults, good, prepared, digests, [excerpt(texts[at]).encode("utf-8") for at in good])


def excerpt(text: str | bytes) -> str:
    """Return the beginning of a text on one line, without halves of characters."""
    shown = text[: 4 * EXCERPT].decode("utf-8", "replace") if isinstance(text, bytes) else text[: 2 * EXCERPT]
    flat = " ".join(shown.split())
    cut = flat if len(flat) <= EXCERPT and len(text) <= len(shown) else flat[: EXCERPT - 1] + "…"
    return cut if cut.isascii() else cut.encode("utf-8", "replace").decode("utf-8")


def _field(name: str, raw: bytes) -> object:
    """The value of a field of a line of JSON, or a fault."""
    try:
        line = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return not_utf8(raw, error.start)._replace(excerpt=excerpt(raw))
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        cut = "" if raw.endswith(b"\n") else "the file ends in the middle of this line: "
        said = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        at = f" at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else ""
        return Fault(FaultKind.SYNTAX, f"{cut}not JSON: {said}{at}", excerpt(raw))
    if not isinstance(row, dict):
        return Fault(FaultKind.SYNTAX, f"not a JSON object but {_kind(row)}", excerpt(raw))
    if name not in row:
        there = ", ".join(repr(key) for key in islice(row, 8)) or "none"
        return Fault(FaultKind.MISSING, f"no field {name!r}; there are: {there}", excerpt(raw))
    value: object = row[name]
    return value


def _decoded(value: object) -> object:
    if not isinstance(value, bytes):
        return value
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError as error:
        return not_utf8(value, error.start)._replace(excerpt=excerpt(value))


def _text(value: object, max_chars: int) -> str | Fault:
    if value is None:
        return Fault(FaultKind.EMPTY, "the field is empty (null)", "")
    if not isinstance(value, str):
        return Fault(FaultKind.TYPE, f"not text but {_kind(value)}", excerpt(str(value)[: 2 * EXCERPT]))
    if len(value) > max_chars:
        return Fault(FaultKind.LONG, f"{len(value):,} characters, more than {max_chars:,}", excerpt(value))
    if not value or value.isspace():
        return Fault(FaultKind.EMPTY, "the field is empty", "")
    return value


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")


_RULES: list[Rules] = []


def _start(rules: Rules) -> None:
    """Begin a worker: it leaves interrupts to its parent, and ends when the parent does, however that ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _RULES[:] = [rules]
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


def _check(payload: Sequence[object]) -> Checked:
    return check(_RULES[0], payload)


def checked(batches: Iterator[Batch], rules: Rules, workers: int) -> Iterator[tuple[Batch, Checked]]:
    """Check batches and give them back in order.

    Args:
        workers: processes to use; 1 is this one alone. A small file needs no other either. Only a few batches more
            than there are workers are in memory at a time.

    Raises:
        StorageError: a worker process died.
    """
    first = list(islice(batches, _SMALL))
    if workers < 2 or len(first) < _SMALL:
        for batch in chain(first, batches):
            yield batch, check(rules, batch.payload)
        return
    # Started afresh, not forked: the caller may have threads, and its memory is not the workers'.
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _start, (rules,))
    flying: deque[tuple[Batch, Future[Checked]]] = deque()
    try:
        for batch in chain(first, batches):
            flying.append((batch, _submit(pool, batch)))
            if len(flying) >= workers + _WAITING:
                yield _landed(flying)
        while flying:
            yield _landed(flying)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _landed(flying: deque[tuple[Batch, Future[Checked]]]) -> tuple[Batch, Checked]:
    batch, future = flying.popleft()
    try:
        return batch, future.result()
    except BrokenProcessPool as error:
        raise _died() from error


def _submit(pool: ProcessPoolExecutor, batch: Batch) -> Future[Checked]:
    # A process started here inherits the mask: Ctrl-C, which the terminal sends to all, is this process's to handle.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        return pool.submit(_check, batch.payload)
    except BrokenProcessPool as error:
        raise _died() from error
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _died() -> StorageError:
    return StorageError(
        "a worker process died; the system may have run out of memory", fix="run again with --workers 1"
    )
