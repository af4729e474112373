"""A table as `forge scale` sees it: options, their seeds, the words they owe; the same bytes in every process."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from unit.families.salience.tables import mini

from forge.families.salience.seed import SalienceSeed
from forge.families.salience.tables.compose import Uncomposable, compose, template
from forge.families.salience.tables.composer import SalienceComposer
from forge.families.salience.tables.ingredients import Table
from forge.families.salience.tables.pairing import combinations

ROOT = Path(__file__).resolve().parents[5]

SCRIPT = """
import sys
from unit.families.salience.tables import mini
from forge.families.salience.tables.composer import SalienceComposer

for name in ("mini", "pairs"):
    composer = SalienceComposer(mini.table(name), mini.header(name))
    for option in composer.options:
        for draw in range(4):
            draft = composer.compose(option, draw, draw % 2)
            words = " ".join(sorted(composer.template(draft.seed)))
            sys.stdout.write(f"{option}|{draft.seed.model_dump_json()}|{draft.opening}|{draft.keep}|{words}\\n")
    sys.stdout.write(f"{composer.lint()}\\n")
"""


@pytest.fixture
def composer() -> SalienceComposer:
    return SalienceComposer(mini.table(), mini.HEADER)


def test_options_are_the_combinations_in_table_order(composer: SalienceComposer) -> None:
    assert [(one.id, one.seed, one.need, one.task, one.thing) for one in composer.options] == [
        ("wicker-basket-barrel", "D1-wicker-basket-barrel", "watertight", "barrel", "wicker basket"),
        ("string-bag-barrel", "D1-string-bag-barrel", "watertight", "barrel", "string bag"),
        ("feather-pillow-loaves", "D1-feather-pillow-loaves", "sharp edge", "loaves", "feather pillow"),
    ]
    assert composer.options[2].niche == {"setting": "kitchen", "class": "cutter", "quantity": "clock time"}


def test_an_option_gives_its_own_seed(composer: SalienceComposer) -> None:
    for option, (table, one) in zip(composer.options, mini.cases(), strict=True):
        made = composer.compose(option, 3, 1)
        assert made == compose(table, one, mini.HEADER, 3, 1)
        assert made.seed.id == option.seed
        niche = made.seed.niche
        assert {"setting": niche.setting, "class": niche.class_, "quantity": niche.quantity} == option.niche


def test_what_cannot_be_composed_is_a_value_error() -> None:
    raw = mini.document()
    raw["neutral"] = ["which I have"]
    composer = SalienceComposer(Table.model_validate(raw), mini.HEADER)
    assert issubclass(Uncomposable, ValueError)
    with pytest.raises(ValueError, match="no neutral clause"):
        composer.compose(composer.options[0], 0, 0)


def test_the_opening_stands_in_the_prompt_once_and_holds_what_is_to_be_kept(composer: SalienceComposer) -> None:
    for option in composer.options:
        for draw in range(6):
            made = composer.compose(option, draw, 0)
            assert made.seed.prompt.count(made.opening) == 1
            assert made.keep
            assert all(term in made.opening for term in made.keep)
            # The plan, its question and most numbers lie outside it.
            assert made.seed.question not in made.opening
            assert option.thing not in made.opening
            assert sum(number.text in made.opening for number in made.seed.numbers) <= 1


def test_template_words_are_those_of_the_row_and_none_for_a_stranger(
    composer: SalienceComposer, seed: SalienceSeed
) -> None:
    table = mini.table()
    for option, one in zip(composer.options, combinations(table), strict=True):
        made = composer.compose(option, 0, 0).seed
        assert composer.template(made) == template(table, one.task, made)
        assert composer.template(made) == composer.template(composer.compose(option, 5, 2).seed)
    assert composer.template(seed) == frozenset()


def test_two_processes_with_other_hash_seeds_compose_the_same_bytes() -> None:
    def run(hash_seed: str) -> bytes:
        path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
        env = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": hash_seed}
        return subprocess.run([sys.executable, "-c", SCRIPT], env=env, capture_output=True, check=True).stdout

    first, second = run("1"), run("4711")
    assert first.count(b"\n") == (3 + 2) * 4 + 2
    assert hashlib.sha256(first).hexdigest() == hashlib.sha256(second).hexdigest()
