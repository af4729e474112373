"""What scaling asks of the family: facets, seeds from a proposer's reply, and seeds with another wording."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from pydantic import ValidationError
from unit.families.salience.tables import mini

from forge.families.base import Scalable
from forge.families.salience import scaling
from forge.families.salience.family import SalienceFamily
from forge.families.salience.lint import lint
from forge.families.salience.seed import SalienceSeed
from forge.text.edits import insert_after

SCALED = {**mini.HEADER, "set": "D1.scaled", "scaled_from": "D1"}
LAST = "How long will I be at it this way?"


def barrel() -> SalienceSeed:
    """48 litres, 6 at a time, 7 minutes each, in the first frame."""
    raw = mini.document()
    raw["frames"] = ["{scene} {plan}, and {pace}. {question}"]
    for name, value in (("n", 48), ("m", 6), ("u", 7)):
        raw["tasks"][0]["numbers"][name]["draw"] = [value]
    seed = mini.draft(raw).seed
    assert isinstance(seed, SalienceSeed)
    return seed


def choir() -> SalienceSeed:
    """22 singers, who are no part of the sum."""
    raw = mini.document("pairs")
    raw["frames"] = ["{scene} {plan}, and {pace}. {question}"]
    for name, value in (("s", 22), ("n", 4), ("t", 5), ("u", 7)):
        raw["pairs"][0]["numbers"][name]["draw"] = [value]
    seed = mini.draft(raw).seed
    assert isinstance(seed, SalienceSeed)
    return seed


WORDED = (
    "My sister wants 48 litres of rainwater out of the barrel for her greenhouse. I'll dip my wicker basket straight "
    f"into the barrel and carry 6 litres at a time, and each round takes 7 minutes. {LAST}"
)


def reply(seed: SalienceSeed) -> dict[str, Any]:
    """A seed as a model would send it: through JSON."""
    loaded: dict[str, Any] = json.loads(json.dumps(scaling.exemplar(seed)))
    return loaded


def test_the_family_can_be_scaled() -> None:
    assert isinstance(SalienceFamily(), Scalable)


def test_facets_are_what_the_filters_compare(seed: SalienceSeed) -> None:
    found = scaling.facets(seed)
    assert (found.name, found.core, found.need) == ("water in a laundry net", seed.trap_core, "watertight")
    assert found.prompt == seed.prompt
    assert found.triple == ("laundry net", "water", "haul")
    assert found.niche == {"setting": "garden", "class": "carrier", "quantity": "rounds"}


def test_a_document_without_the_tables_form_is_refused() -> None:
    raw = mini.document()
    del raw["frames"]
    with pytest.raises(ValidationError, match="frames"):
        scaling.composer(raw, mini.HEADER)
    assert len(scaling.composer(mini.document(), mini.HEADER).options) == 3


def test_a_proposed_seed_is_the_one_in_the_reply_with_an_id_and_an_author_of_forges_own(seed: SalienceSeed) -> None:
    made = scaling.drafted(reply(seed), SCALED, 7)
    about = ("id", "set", "dimension", "author", "source", "licence")
    assert made.id == "D1-m007-water-in-a-laundry-net"
    assert (made.set, made.lang, made.licence) == ("D1.scaled", "en", "CC-BY-4.0")
    assert (made.author.kind, made.source) == ("model", "proposed by a model")
    kept = {key: value for key, value in made.model_dump(by_alias=True).items() if key not in about}
    assert kept == {key: value for key, value in seed.model_dump(by_alias=True).items() if key not in about}
    assert lint(made) == []


def test_a_reply_decides_neither_its_author_nor_its_licence_nor_its_set(seed: SalienceSeed) -> None:
    forged = {"id": "D1-stolen", "author": {"kind": "human"}, "licence": "proprietary", "set": "D4", "tags": ["x"],
              "source": "original", "lang": "de", "family": "tiny", "remark": "best one"}  # fmt: skip
    assert scaling.drafted({**reply(seed), **forged}, SCALED, 7) == scaling.drafted(reply(seed), SCALED, 7)


@pytest.mark.parametrize(
    ("header", "name", "expected"),
    [
        (mini.HEADER, "Sand, in a sieve!", "D1-m012-sand-in-a-sieve"),
        (SCALED, "… … …", "D1-m012-seed"),
        (SCALED, "a" * 47 + " b", "D1-m012-" + "a" * 47),  # no dash at the end of what is cut off
    ],
)
def test_an_id_is_made_of_set_ordinal_and_name(
    seed: SalienceSeed, header: dict[str, str], name: str, expected: str
) -> None:
    assert scaling.drafted({**reply(seed), "name": name}, header, 12).id == expected


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (("prompt",), "", "prompt"),
        (("work",), [], "work"),
        (("work",), [36], "work.0"),
        (("numbers", 0, "text"), "some metres", "numbers.0.text"),
        (("numbers", 0, "role"), "bait", "numbers.0.role"),
        (("key_terms",), [[]], "key_terms"),
        (("awareness", "plain"), [], "awareness.plain"),
        (("probe", "trap"), {"is_false": "Can it be done?"}, "probe.trap.is_true"),
        (("control", "edits"), [{"from": "net", "to": "net"}], "control.edits.0"),
        (("explicit", "text"), "which leaks", "explicit.text"),
        (("blocker", "kind"), "magic", "blocker.kind"),
        (("triple", "colour"), "blue", "triple.colour"),
        (("niche",), "garden", "niche"),
        (("swaps",), "bucket", "swaps"),
    ],
)
def test_an_invalid_entry_is_refused_by_the_name_of_its_field(
    seed: SalienceSeed, path: tuple[Any, ...], value: Any, field: str
) -> None:
    entry = reply(seed)
    target: Any = entry
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    with pytest.raises(ValueError, match=rf"^{re.escape(field)}: "):
        scaling.drafted(entry, SCALED, 1)


@pytest.mark.parametrize(
    "field", ["name", "prompt", "question", "trap_core", "numbers", "probe", "control", "explicit"]
)
def test_an_entry_without_a_field_is_refused_by_its_name(seed: SalienceSeed, field: str) -> None:
    entry = reply(seed)
    del entry[field]
    with pytest.raises(ValueError, match=rf"^{field}: Field required$"):
        scaling.drafted(entry, SCALED, 1)


def test_a_good_wording_is_taken_and_all_else_stays() -> None:
    seed = barrel()
    other = scaling.reworded(seed, WORDED)
    assert other.prompt == WORDED
    assert lint(other) == []
    before, after = seed.model_dump(), other.model_dump()
    assert {key for key in before if before[key] != after[key]} == {"prompt"}


def test_white_space_is_one_space() -> None:
    assert scaling.reworded(barrel(), WORDED.replace(". ", ".\n\n  ")).prompt == WORDED


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("48 litres", "plenty", "numbers: lost 48 litres"),
        ("7 minutes", "8 minutes", "numbers: lost 7 minutes"),
        ("takes 7 minutes", "takes seven minutes", "numbers: 7 minutes written otherwise"),
        (LAST, "How long will I be busy with it?", "question: not word for word"),
        ("wicker basket", "old basket", "key_terms: lost wicker basket"),
        ("rainwater", "water", "key_terms: lost rainwater"),
        ("carry 6 litres", "take 6 litres", "key_terms: lost carry / carrying"),
        ("My sister", "My wicker basket is old. My sister", "control_applies: "),
        ("My sister", "Hypothetically, my sister", "escape_phrase: "),
        ("at a time,", "at a time, though it may leak through,", "reveals: "),
    ],
)
def test_a_wording_that_loses_what_the_seed_is_built_on_is_refused(old: str, new: str, says: str) -> None:
    assert WORDED.count(old) == 1
    with pytest.raises(ValueError) as caught:
        scaling.reworded(barrel(), WORDED.replace(old, new))
    assert str(caught.value).startswith(says)


def test_another_wording_of_a_key_term_will_do() -> None:
    other = scaling.reworded(barrel(), WORDED.replace("and carry 6 litres", "carrying 6 litres"))
    assert "carrying 6 litres at a time" in other.prompt


@pytest.mark.parametrize(
    ("text", "explicit"),
    [
        (WORDED, ", which is woven with open gaps,"),
        (
            "My sister wants 48 litres of rainwater. Carrying 6 litres at a time, 7 minutes a round, I'll dip it out of "
            f"the barrel with my wicker basket. {LAST}",
            ", which is woven with open gaps",
        ),
        (
            "My sister wants 48 litres of rainwater; with my wicker basket, dipped straight into the barrel, I'll carry "
            f"6 litres at a time, and each round takes 7 minutes. {LAST}",
            ", which is woven with open gaps",
        ),
        (
            "Wicker basket in hand, I'll carry 48 litres of rainwater from the barrel to the greenhouse, 6 litres at a "
            f"time, and each round takes 7 minutes. {LAST}",
            ", which is woven with open gaps,",
        ),
    ],
)
def test_the_clauses_get_the_commas_of_their_new_place(text: str, explicit: str) -> None:
    other = scaling.reworded(barrel(), text)
    assert other.explicit.text == explicit
    assert other.salience_control.text.endswith(",") is explicit.endswith(",")
    for clause in (other.explicit, other.salience_control):
        # No comma is missing before a word, and none stands before a stop or another comma.
        made = insert_after(text, clause.after, clause.text)
        behind = made[made.index(clause.text) + len(clause.text) :]
        assert behind[0] in (" " if clause.text.endswith(",") else ".,;")


def test_a_wording_may_go_to_and_fro() -> None:
    text = (
        "My sister wants 48 litres of rainwater. Carrying 6 litres at a time, 7 minutes a round, I'll dip it out of the "
        f"barrel with my wicker basket. {LAST}"
    )
    seed = barrel()
    assert scaling.reworded(scaling.reworded(seed, text), seed.prompt) == seed


def test_a_number_that_the_sum_does_not_need_may_be_written_in_words_and_is_no_longer_listed() -> None:
    seed = choir()
    assert [number.text for number in seed.numbers if not number.keep] == ["22 singers"]
    other = scaling.reworded(seed, seed.prompt.replace("22 singers", "twenty-two singers"))
    assert other.numbers == tuple(number for number in seed.numbers if number.keep)
    with pytest.raises(ValueError, match="numbers: 4 songs written otherwise"):
        scaling.reworded(seed, seed.prompt.replace("4 songs", "four songs"))


def test_the_family_hands_its_seeds_through() -> None:
    family, seed = SalienceFamily(), barrel()
    assert family.facets(seed) == scaling.facets(seed)
    assert family.exemplar(seed) == scaling.exemplar(seed)
    assert family.drafted(reply(seed), SCALED, 3) == scaling.drafted(reply(seed), SCALED, 3)
    assert family.reworded(seed, WORDED) == scaling.reworded(seed, WORDED)
    assert (
        family.composer(mini.document(), mini.HEADER).options == scaling.composer(mini.document(), mini.HEADER).options
    )
