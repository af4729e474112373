"""Distinct shingles counted exactly, bitmaps, and band keys that do not depend on how texts are cut into batches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.text.normalise import normalise
from forge.text.shingles import shingles_of
from forge.text.signatures import Prepared, Signer, mix

ALPHABETS = st.sampled_from(
    ["ab ", "abcdefghij 12", "аб вгд", "ạảấầẩ ẫ", "牛奶不能 a", "\U00017000\U00017001\U00017002 x", "éß 3"]
)
TEXTS = ALPHABETS.flatmap(lambda letters: st.text(alphabet=letters, max_size=40)) | st.text(max_size=12)
SIGNER = Signer(6, 3, 1)


def prepare(texts: list[str]) -> Prepared:
    return SIGNER.prepare([normalise(text) for text in texts])


def same(a: Prepared, b: Prepared) -> bool:
    return a.normals == b.normals and all(
        np.array_equal(getattr(a, name), getattr(b, name)) for name in ("sizes", "bitmaps", "keys")
    )


def bitmap(made: Prepared, row: int) -> set[int]:
    return {64 * word + bit for word in range(4) for bit in range(64) if int(made.bitmaps[row, word]) >> bit & 1}


@settings(deadline=None)
@given(st.lists(TEXTS, max_size=12))
def test_sizes_are_those_of_the_shingle_sets(texts: list[str]) -> None:
    made = prepare(texts)
    assert made.sizes.tolist() == [len(shingles_of(normalise(text))) for text in texts]
    assert [normal.decode() for normal in made.normals] == [normalise(text) for text in texts]


@settings(deadline=None)
@given(st.lists(TEXTS, min_size=2, max_size=8))
def test_bitmaps_differ_in_no_more_bits_than_the_sets_in_shingles(texts: list[str]) -> None:
    made = prepare(texts)
    sets = [shingles_of(normalise(text)) for text in texts]
    for i in range(len(texts)):
        for j in range(i):
            assert len(bitmap(made, i) ^ bitmap(made, j)) <= len(sets[i] ^ sets[j])


@settings(deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=10), st.integers(1, 9))
def test_any_way_to_cut_texts_into_batches_gives_the_same(texts: list[str], step: int) -> None:
    whole = prepare(texts)
    for begin in range(0, len(texts), step):
        at = list(range(begin, min(begin + step, len(texts))))
        assert same(prepare([texts[i] for i in at]), whole.take(at))


def test_texts_with_the_same_shingles_have_the_same_keys_and_others_do_not() -> None:
    made = prepare(["abcab abcab abcab", "abcab abcab", "xyzzy plugh", "", "?!"])
    assert shingles_of("abcab abcab abcab") == shingles_of("abcab abcab")
    assert np.array_equal(made.keys[0], made.keys[1])
    assert np.array_equal(made.bitmaps[0], made.bitmaps[1])
    assert not (made.keys[0] == made.keys[2]).any()
    assert np.array_equal(made.keys[3], made.keys[4])
    # abcab bcab_ cab_a ab_ab b_abc _abca, and abcab again
    assert made.sizes.tolist() == [6, 6, 7, 0, 0]


def test_a_short_text_and_a_character_of_a_cjk_text_are_one_shingle() -> None:
    # "牛" alone is one shingle; so is "a"; 牛奶a has k = 1 and holds both
    made = SIGNER.prepare(["牛", "a", "牛奶a"])
    assert made.sizes.tolist() == [1, 1, 3]
    assert len(bitmap(made, 2) & (bitmap(made, 0) | bitmap(made, 1))) == 2


@pytest.mark.parametrize("others", [[], ["plain words that go with it"]])
def test_an_alphabet_too_large_to_number_is_counted_all_the_same(others: list[str]) -> None:
    # 5,000 letters need 13 bits each, five of them 65: more than one number holds
    wide = "".join(chr(0x17000 + i) for i in range(5000))
    made = SIGNER.prepare([wide, *others])
    assert int(made.sizes[0]) == 4996
    assert same(SIGNER.prepare([wide]), made.take([0]))


def test_a_long_text_is_signed_in_more_than_one_block() -> None:
    import random

    rng = random.Random(3)
    long = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=100_000))
    made = SIGNER.prepare(["short one", long, "another short one"])
    assert int(made.sizes[1]) == len(shingles_of(long))
    for row, text in ((0, "short one"), (1, long), (2, "another short one")):
        assert same(SIGNER.prepare([text]), made.take([row]))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**64 - 1))
def test_mix_is_the_finaliser_of_splitmix64(value: int) -> None:
    z, mask = value, 2**64 - 1
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
    z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
    assert int(mix(np.array([value], dtype=np.uint64))[0]) == z ^ z >> 31


@pytest.mark.parametrize(("shared", "alone"), [(100, 50), (180, 20), (50, 150)])
def test_a_key_of_one_permutation_is_shared_as_often_as_the_sets_are_similar(shared: int, alone: int) -> None:
    # P(equal minima) = J (Broder 1997): 4,000 permutations, J ± 4 standard deviations
    signer = Signer(4000, 1, 1)
    a = "".join(chr(0x100 + i) for i in range(shared + 4))
    one, other = (a + "".join(chr(start + i) for i in range(alone)) for start in (0x1000, 0x1200))
    made = signer.prepare([one, other])
    expected = shared / (shared + 2 * alone)
    assert made.sizes.tolist() == [shared + alone] * 2
    got = float((made.keys[0] == made.keys[1]).mean())
    assert abs(got - expected) < 4 * (expected * (1 - expected) / 4000) ** 0.5


def test_another_seed_is_another_set_of_keys() -> None:
    assert not (Signer(6, 3, 2).prepare(["some words"]).keys == SIGNER.prepare(["some words"]).keys).any()
