"""The near-duplicate index: recall, precision, determinism, storage."""

from __future__ import annotations

import json
import os
import random
import string
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from unit.text.made import pairs, texts

from forge.text.index import RECALL, DedupIndex, Match, choose_bands
from forge.text.saved import MAGIC
from forge.text.shingles import jaccard, shingles

ROOT = Path(__file__).resolve().parents[3]


def proposal(similarity: float, bands: int, rows: int) -> float:
    return 1 - (1 - similarity**rows) ** bands


def pair(shared: int, alone: int, rng: random.Random) -> tuple[str, str]:
    """Two texts with `shared` common 5-shingles and `alone` more each: J = shared / (shared + 2 alone)."""
    while True:
        head = "".join(rng.choices(string.ascii_lowercase, k=shared + 4))
        # different first letters, so that the tails share nothing from their first shingle on
        a = head + "a" + "".join(rng.choices(string.ascii_lowercase, k=alone - 1))
        b = head + "b" + "".join(rng.choices(string.ascii_lowercase, k=alone - 1))
        one, other = shingles(a), shingles(b)
        if len(one) == len(other) == shared + alone and len(one & other) == shared:
            return a, b


@pytest.mark.parametrize(("permutations", "recall"), [(128, 0.99), (256, RECALL)])
@pytest.mark.parametrize("threshold", [0.5, 0.8, 0.88, 0.95, 0.985])
def test_bands_reach_the_recall_with_the_fewest_candidates(threshold: float, permutations: int, recall: float) -> None:
    bands, rows = choose_bands(threshold, permutations, recall)
    assert bands >= 2
    assert bands * rows <= permutations
    assert proposal(threshold, bands, rows) >= recall
    # one band fewer would miss the recall: no needless candidates
    assert bands == 2 or proposal(threshold, bands - 1, rows) < recall
    # and more rows, which are stricter, cannot reach it at all
    more_rows = range(rows + 1, permutations // 2)
    assert all(proposal(threshold, permutations // more, more) < recall for more in more_rows)


def test_bands_by_hand() -> None:
    # 0.88^9 = 0.3165; 1 - 0.6835^13 = 0.9929, 1 - 0.6835^12 = 0.9896; with r = 10 at most 12 bands: 0.9802
    assert choose_bands(0.88, 128, 0.99) == (13, 9)
    # 0.8^7 = 0.2097; 0.7903^33 = 0.000424, 0.7903^32 = 0.000537; 0.8^8 = 0.1678, and 0.8322^32 = 0.0028 is too much
    assert choose_bands(0.8, 256, 0.9995) == (33, 7)
    assert choose_bands(1.0, 128) == (2, 64)


def test_pairs_of_unlike_texts_are_seldom_proposed() -> None:
    bands, rows = choose_bands(0.8, 256)
    # of the 5e11 pairs of a million texts: 2e8 when all had similarity 0.2, 2 million at 0.1, none to speak of at 0.02
    assert 5e11 * proposal(0.2, bands, rows) < 2.2e8
    assert 5e11 * proposal(0.1, bands, rows) < 2e6
    assert 5e11 * proposal(0.02, bands, rows) < 100


@pytest.mark.parametrize(("threshold", "num_perm"), [(0.01, 128), (0.0, 128), (1.1, 128), (0.9, 1)])
def test_bands_that_cannot_be_had(threshold: float, num_perm: int) -> None:
    with pytest.raises(ValueError):
        choose_bands(threshold, num_perm)


# J = 220/250 = 0.88 exactly, and 180/225 = 0.8 exactly
@pytest.mark.parametrize(("threshold", "shared", "alone"), [(0.88, 220, 15), (0.8, 200, 25)])
def test_recall_at_the_threshold(threshold: float, shared: int, alone: int) -> None:
    rng = random.Random(7)
    index = DedupIndex(threshold)
    made = [pair(shared, alone, rng) for _ in range(400)]
    for number, (text, _) in enumerate(made):
        index.add(str(number), text)
    found = sum(any(match.key == str(n) for match in index.query(other)) for n, (_, other) in enumerate(made))
    # 0.9995 of 400 leaves 0.2 unfound; four would be a chance of 1 in 10,000
    assert found >= 397


@pytest.mark.parametrize("threshold", [0.7, 0.8])
def test_recall_and_precision_against_brute_force(threshold: float) -> None:
    rows = texts(3000, seed=int(10 * threshold))
    index = DedupIndex(threshold)
    index.add_many((str(number), text) for number, text in enumerate(rows))
    found = {
        (int(match.key), number): match.similarity
        for number, text in enumerate(rows)
        for match in index.query(text)
        if int(match.key) < number
    }
    expected = pairs(rows, threshold)
    near_by = sum(similarity < threshold + 0.05 for similarity in expected.values())
    assert len(expected) > 400
    assert near_by > 80
    assert found.items() <= expected.items()
    assert len(found) / len(expected) >= 0.999 - 1 / len(expected)


def test_memory_for_each_text() -> None:
    index = DedupIndex(0.8)
    rows = texts(1000, seed=3)
    # 2,048 entries of 33 bands: the table of heads, a power of two, is at its fullest and at its emptiest between these
    for count in range(1, 21):
        index.add_many((f"{count}-{number}", f"{text} {count}") for number, text in enumerate(rows[:200]))
        if count > 10:
            assert index.nbytes / len(index) <= 900
    assert len(index) == 4000
    # four bytes a key and four a link, four for the size, 32 of bitmap, and the heads
    assert index.nbytes >= 4000 * (33 * 8 + 36)


def test_many_at_once_is_one_by_one() -> None:
    rows = texts(60, seed=9)
    one, many = DedupIndex(0.8), DedupIndex(0.8)
    for number, text in enumerate(rows):
        one.add(str(number), text)
    many.add_many((str(number), text) for number, text in enumerate(rows))
    assert one.to_bytes() == many.to_bytes()
    with pytest.raises(ValueError, match="'x'"):
        many.add_many([("x", "a"), ("x", "b")])
    assert "x" not in many


def test_everything_returned_is_at_the_threshold_and_exact() -> None:
    rng = random.Random(11)
    index = DedupIndex(0.88)
    texts: dict[str, str] = {}
    # similarities from 0.6 to 0.98 around the threshold: J = s / (s + 2a)
    for number in range(200):
        a, b = pair(200, rng.randint(2, 60), rng)
        texts[f"a{number}"], texts[f"b{number}"] = a, b
    for key, text in texts.items():
        index.add(key, text)
    returned = below = 0
    for key, text in texts.items():
        matches = index.query(text, exclude=key)
        twin = jaccard(shingles(text), shingles(texts[("b" if key[0] == "a" else "a") + key[1:]]))
        below += twin < 0.88
        returned += len(matches)
        for match in matches:
            assert match.similarity == jaccard(shingles(text), shingles(texts[match.key])) >= 0.88
    assert returned > 20
    assert below > 20


def test_query_order_exclude_nearest_and_keys() -> None:
    index = DedupIndex(0.5)
    assert index.nearest("carry the milk home in a bag") is None
    index.add("b", "carry the milk home in a bag")
    index.add("a", "Carry the milk home, in a bag!")
    index.add("c", "carry the milk home in a bag today")
    index.add("empty", "")
    assert len(index) == 4
    assert "a" in index
    assert "z" not in index
    wanted = "carry the milk home in a bag"
    assert index.query(wanted)[:2] == [Match("a", 1.0), Match("b", 1.0)]
    # 28 characters give 24 shingles, six more letters six more: 24 / 30
    assert index.query(wanted)[2] == Match("c", 24 / 30)
    assert index.nearest(wanted, exclude="a") == Match("b", 1.0)
    assert [match.key for match in index.query(wanted, exclude=["a", "b"])] == ["c"]
    assert index.query("...") == [Match("empty", 1.0)]
    with pytest.raises(ValueError, match="'a'"):
        index.add("a", "again")


def test_many_equal_texts_share_their_buckets() -> None:
    index = DedupIndex(0.9)
    for number in range(5):
        index.add(str(number), "the very same text")
    assert [match.key for match in index.query("The very same text.")] == ["0", "1", "2", "3", "4"]


def test_bytes_round_trip() -> None:
    index = DedupIndex(0.88, num_perm=64, seed=5)
    index.add("k", "Carry 12 litres, née “milk”")
    index.add("中", "牛奶不能装在网袋里")
    again = DedupIndex.from_bytes(index.to_bytes())
    assert (again.threshold, again.num_perm, again.seed, again.params) == (0.88, 64, 5, index.params)
    assert again.to_bytes() == index.to_bytes()
    assert again.nearest("牛奶不能装在网袋里") == Match("中", 1.0)
    assert again.nearest("carry 13 litres nee milk") == index.nearest("carry 13 litres nee milk")
    assert len(again) == 2


def test_other_bytes_are_refused() -> None:
    index = DedupIndex(0.88)
    index.add("k", "carry the milk home")
    data = index.to_bytes()
    head, body = data[len(MAGIC) :].split(b"\n", 1)
    document = json.loads(head)
    for change, message in [
        ({"scheme": "other/1"}, "other/1"),
        ({"params": [33, 2]}, "damaged"),
        ({"seed": 9, "params": [document["params"][0], 2]}, "bands"),
        ({"threshold": "x"}, "damaged"),
        ({"parts": document["parts"][1:]}, "damaged"),
    ]:
        with pytest.raises(ValueError, match=message):
            DedupIndex.from_bytes(MAGIC + json.dumps(document | change).encode() + b"\n" + body)
    for broken in (b"", b"junk", zlib.compress(b"[]"), zlib.compress(b"{}"), zlib.compress(b"\xff"), data[:-1], MAGIC):
        with pytest.raises(ValueError, match="not a dedup index"):
            DedupIndex.from_bytes(broken)


def test_an_index_of_the_first_version_is_another_scheme() -> None:
    first = {"scheme": "forge-dedup/1", "threshold": 0.88, "num_perm": 128, "seed": 1, "params": [13, 9], "texts": []}
    with pytest.raises(ValueError, match="build it anew"):
        DedupIndex.from_bytes(zlib.compress(json.dumps(first).encode()))


SCRIPT = """
import sys
from forge.text.index import DedupIndex
index = DedupIndex(0.5)
for n in range(40):
    index.add(f"k{n}", f"carry the {'very ' * (n % 7)}fresh milk home number {chr(97 + n % 26) * 4}")
sys.stdout.write(index.to_bytes().hex() + repr(index.query("carry the very very fresh milk home number bbbb")))
"""


def test_bytes_and_answers_do_not_depend_on_the_hash_seed() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    ]
    assert "Match(key='k" in outputs[0]
    assert outputs[0] == outputs[1]
