"""What a text must be, what is said of a row that is none, and the same answers from any number of processes."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from forge.model.errors import StorageError
from forge.session import dedupwork
from forge.session.dedupwork import EXCERPT, Batch, Checked, Rules, check, checked, excerpt
from forge.text.greedy import Deduper
from forge.workspace.rowfiles import Fault, FaultKind, Record

SIGNER = Deduper(0.8).signer()
LINES = Rules("prompt", True, 50, SIGNER)
VALUES = Rules("prompt", False, 50, SIGNER)


@pytest.mark.parametrize(
    ("raw", "kind", "reason"),
    [
        (b'{"prompt": ""}\n', FaultKind.EMPTY, "the field is empty"),
        (b'{"prompt": " \\n"}\n', FaultKind.EMPTY, "the field is empty"),
        (b'{"prompt": null}\n', FaultKind.EMPTY, "the field is empty (null)"),
        (b'{"prompt": "?!"}\n', FaultKind.WORDLESS, "no letter and no digit to compare"),
        (b'{"prompt": 5}\n', FaultKind.TYPE, "not text but a number"),
        (b'{"prompt": true}\n', FaultKind.TYPE, "not text but a truth value"),
        (b'{"prompt": ["a"]}\n', FaultKind.TYPE, "not text but a list"),
        (b'{"other": 1, "b": 2}\n', FaultKind.MISSING, "no field 'prompt'; there are: 'other', 'b'"),
        (b"{}\n", FaultKind.MISSING, "no field 'prompt'; there are: none"),
        (b"[1]\n", FaultKind.SYNTAX, "not a JSON object but a list"),
        (b"nonsense\n", FaultKind.SYNTAX, "not JSON: Expecting value at character 1"),
        (b'{"prompt": "a\xff"}\n', FaultKind.ENCODING, "not UTF-8: byte 0xff at byte 14"),
        (b'{"prompt": "' + b"x" * 51 + b'"}\n', FaultKind.LONG, "51 characters, more than 50"),
        (b'{"n": ' + b"1" * 5000 + b"}\n", FaultKind.SYNTAX, "not JSON: Exceeds the limit"),
        (b"[" * 200_000 + b"\n", FaultKind.SYNTAX, "not JSON: maximum recursion depth"),
    ],
)
def test_a_line_that_is_no_text(raw: bytes, kind: FaultKind, reason: str) -> None:
    found = check(LINES, [raw])
    assert found.good == []
    assert found.faults[0].kind is kind
    assert found.faults[0].reason.startswith(reason)


def test_a_line_that_the_file_ends_in() -> None:
    fault = check(LINES, [b'{"prompt": "cut'])
    assert fault.faults[0].reason.startswith("the file ends in the middle of this line: not JSON")
    assert check(LINES, [b'{"prompt": "whole"}']).good == [0]


def test_good_texts_keep_their_places_among_bad_ones() -> None:
    payload = [b'{"prompt": "First 1"}', b"x", b'{"prompt": "..."}', b'\xef\xbb\xbf{"prompt": "second"}', b"{}"]
    found = check(LINES, payload)
    assert found.good == [0, 3]
    assert found.prepared.normals == (b"first #", b"second")
    assert found.excerpts == [b"First 1", b"second"]
    assert found.digests.shape == (2, 2)
    assert sorted(found.faults) == [1, 2, 4]


def test_values_of_a_column_may_be_bytes() -> None:
    found = check(VALUES, ["text", "näher".encode(), b"a\xff", None, 3.5])
    assert found.good == [0, 1]
    assert [found.faults[at].kind for at in (2, 3, 4)] == [FaultKind.ENCODING, FaultKind.EMPTY, FaultKind.TYPE]


def test_half_a_character_is_a_text_like_another() -> None:
    found = check(LINES, [b'{"prompt": "half \\ud800 of it"}'])
    assert found.prepared.normals == (b"half of it",)
    assert found.excerpts == [b"half ? of it"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a  b\n c", "a b c"), (b"a\xff", "a\ufffd"), ("x" * 240, "x" * 240), ("x" * 241, "x" * 239 + "…"), ("", "")],
)
def test_excerpts(text: str | bytes, shown: str) -> None:
    assert excerpt(text) == shown
    assert len(excerpt(text)) <= EXCERPT


def batches(count: int, rows: int = 5) -> Iterator[Batch]:
    for number in range(count):
        batch = Batch()
        for row in range(rows):
            raw = json.dumps({"prompt": f"text {number} and {row} {'é' * row}"}).encode()
            fault = Fault(FaultKind.LONG, "too long") if row == 3 else None
            batch.add(Record(number * rows + row + 1, 1, raw, None, fault), lines=True)
        yield batch


def plain(found: list[tuple[Batch, Checked]]) -> list[tuple[object, ...]]:
    return [
        (batch.records, batch.positions, one.good, one.faults, one.prepared.normals, one.prepared.keys.tolist(),
         one.digests.tolist(), one.excerpts)
        for batch, one in found
    ]  # fmt: skip


def test_worker_processes_give_the_same_in_the_same_order(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = plain(list(checked(batches(8), LINES, 1)))
    monkeypatch.setattr(dedupwork, "_SMALL", 2)
    assert plain(list(checked(batches(8), LINES, 2))) == alone
    assert alone[0][1] == [0, 1, 2, 4]


def test_few_batches_are_in_flight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dedupwork, "_SMALL", 1)
    taken = 0

    def counted() -> Iterator[Batch]:
        nonlocal taken
        for batch in batches(30):
            taken += 1
            yield batch

    ahead = 0
    for given, _ in enumerate(checked(counted(), LINES, 2), 1):
        ahead = max(ahead, taken - given)
    assert 0 < ahead <= 2 + dedupwork._WAITING


def test_a_worker_that_dies_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dedupwork, "_SMALL", 1)
    going = checked(batches(40), LINES, 2)
    next(going)
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    if not children.exists():
        pytest.skip("no list of children here")
    for pid in children.read_text().split():
        if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
            os.kill(int(pid), signal.SIGKILL)
    with pytest.raises(StorageError, match="--workers 1"):
        list(chain(going, going))


def test_an_empty_payload() -> None:
    found = check(LINES, [])
    assert (found.good, found.faults, len(found.prepared)) == ([], {}, 0)
    assert found.digests.shape == (0, 2)
    assert found.digests.dtype == np.uint64
