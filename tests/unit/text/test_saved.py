"""An index as bytes, there and back, and what an earlier version wrote."""

from __future__ import annotations

import json
import zlib

import numpy as np
import pytest

from forge.text.index import settings_of
from forge.text.rowindex import RowIndex
from forge.text.saved import MAGIC, Settings, pack, unpack
from forge.text.signatures import Signer

SETTINGS = settings_of(0.8)


def index(*normals: str) -> RowIndex:
    made = RowIndex(SETTINGS.params[0], 0.8)
    made.add(Signer(*SETTINGS.params, 1).prepare(list(normals)))
    return made


def test_chosen_rows_come_back_as_they_were() -> None:
    texts = ["carry milk", "", "牛奶", "née # litres"]
    digests = np.arange(6, dtype=np.uint64).reshape(3, 2)
    data = pack(SETTINGS, ["a:1", "ü", "c"], index(*texts), np.array([0, 2, 3]), digests)
    saved = unpack(data)
    assert saved.settings == SETTINGS
    assert saved.keys == ["a:1", "ü", "c"]
    assert [text.decode() for text in saved.normals] == ["carry milk", "牛奶", "née # litres"]
    assert saved.digests.tolist() == [[0, 1], [2, 3], [4, 5]]
    expected = Signer(*SETTINGS.params, 1).prepare(["牛奶", "née # litres"])
    got = saved.prepared(1, 3)
    assert got.normals == expected.normals
    for name in ("sizes", "bitmaps", "keys"):
        assert np.array_equal(getattr(got, name), getattr(expected, name))


def test_an_empty_index() -> None:
    saved = unpack(pack(SETTINGS, [], index(), np.zeros(0, dtype=np.int64), np.zeros((0, 2), dtype=np.uint64)))
    assert (saved.keys, saved.normals, len(saved.prepared(0, 0))) == ([], [], 0)


def test_the_first_version_gives_its_texts_and_no_signatures() -> None:
    document = {
        "scheme": "forge-dedup/1 minhash=affine32", "threshold": 0.88, "num_perm": 128, "seed": 1, "params": [13, 9],
        "texts": [["k", "carry # litres"], ["中", "牛奶"]],
    }  # fmt: skip
    saved = unpack(zlib.compress(json.dumps(document).encode()))
    assert saved.settings == Settings("forge-dedup/1 minhash=affine32", 0.88, 128, 1, (13, 9))
    assert saved.keys == ["k", "中"]
    assert saved.normals == [b"carry # litres", "牛奶".encode()]
    assert not saved.digests.any()
    assert saved.arrays is None
    with pytest.raises(ValueError, match="without signatures"):
        saved.prepared(0, 2)


def test_the_first_setting_that_differs_is_named() -> None:
    assert SETTINGS.differs(settings_of(0.8)) is None
    told = SETTINGS.differs(settings_of(0.9))
    assert told is not None
    assert told.startswith("threshold is 0.9, not 0.8")


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_bytes_that_are_cut_are_refused(cut: int) -> None:
    data = pack(SETTINGS, ["a"], index("carry milk"), np.array([0]), np.zeros((1, 2), dtype=np.uint64))
    with pytest.raises(ValueError, match="not a dedup index, or a damaged one"):
        unpack(data[:-cut])
    with pytest.raises(ValueError, match="damaged"):
        unpack(MAGIC + data[len(MAGIC) + cut :])
