from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from forge.families.salience.lint import lint
from forge.families.salience.seed import SalienceSeed

EXAMPLES = Path(__file__).parents[5] / "shared" / "examples" / "seed_examples.yaml"


def errors(raw: dict[str, Any]) -> list[tuple[tuple[str | int, ...], str]]:
    return [(found.path, found.message) for found in lint(SalienceSeed(**raw)) if found.severity == "error"]


def warnings(raw: dict[str, Any]) -> list[str]:
    return [found.message for found in lint(SalienceSeed(**raw)) if found.severity == "warning"]


def test_a_sound_seed_has_nothing_to_say(seed: SalienceSeed) -> None:
    assert lint(seed) == []


@pytest.mark.skipif(not EXAMPLES.is_file(), reason="the example seeds are not here")
def test_the_example_seeds_have_no_errors() -> None:
    sets = [one for one in yaml.safe_load(EXAMPLES.read_text("utf-8"))["sets"] if one["family"] == "salience"]
    seeds = [{**{k: v for k, v in one.items() if k != "seeds"}, **raw} for one in sets for raw in one["seeds"]]
    assert len(seeds) == 4
    assert [errors(raw) for raw in seeds] == [[], [], [], []]


def _set(raw: dict[str, Any], path: tuple[Any, ...], value: Any) -> None:
    target: Any = raw
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value


@pytest.mark.parametrize(
    ("path", "value", "at", "says"),
    [
        (("numbers", 0, "text"), "41 m", ("numbers", 0, "text"), "does not stand in the prompt"),
        (("question",), "How long?", ("question",), "does not stand in the prompt"),
        (("key_terms", 2), ["the well"], ("key_terms", 2), "add the prompt's own wording"),
        (("awareness", "plain", 0), "before lunch", ("awareness", "plain", 0), "also stands in the prompt"),
        (("awareness", "negated", 0), "nothing but string", ("awareness", "negated", 0), "explicit clause"),
        (("work", 0), "30 litres", ("work", 0), "already stands in the prompt"),
        (("control", "expected", "any_of", 0), "5 litres", ("control", "expected", "any_of", 0), "already stands"),
        (("control", "edits", 0, "from"), "lunch", ("control", "edits", 0, "from"), "no key term"),
        (("control", "edits", 0, "to"), "tin", ("control", "edits"), ""),
        (("probe", "control", "is_true"), "Can a laundry net hold water?", ("probe", "control", "is_true"), "differ"),
        (("probe", "trap", "is_true"), "Water runs out of a net.", ("probe", "trap", "is_true"), "question mark"),
        (("salience_control", "after"), "water", ("salience_control", "after"), "one place"),
        (("salience_control", "text"), ", blue,", ("salience_control", "text"), "words longer or shorter"),
        (("salience_control", "text"), ", he is my ex too,", ("salience_control", "text"), "within 25 %"),
        (("explicit", "after"), "litres", ("explicit", "after"), "exactly once"),
    ],
)
def test_each_fault_is_found_where_it_is(
    raw: dict[str, Any], path: tuple[Any, ...], value: Any, at: tuple[Any, ...], says: str
) -> None:
    _set(raw, path, value)
    found = errors(raw)
    if says:
        assert any(where == at and says in message for where, message in found), found
    else:
        assert found == []  # a shorter word still makes a minimal pair


def test_too_few_distractors(raw: dict[str, Any]) -> None:
    for number in raw["numbers"]:
        number["role"], number["keep"] = "core", False
    messages = [message for _, message in errors(raw)]
    assert any("0 numbers are distractors" in message for message in messages)
    assert any("0 distractors have `keep: true`" in message for message in messages)


def test_a_pair_too_far_apart(raw: dict[str, Any]) -> None:
    raw["control"]["edits"][0]["to"] = "big old metal pail with a good tight lid on top"
    # "laundry net" is two words, the replacement eleven
    assert any("differ by 9 words" in message for _, message in errors(raw))


def test_an_unlisted_number_is_a_warning(raw: dict[str, Any]) -> None:
    del raw["numbers"][0]
    assert any("'40 m' is not listed" in message for message in warnings(raw))


def test_an_escape_phrase(raw: dict[str, Any]) -> None:
    raw["prompt"] = raw["prompt"].replace("I've got", "Hypothetically, I've got")
    assert any("lets a solver off" in message for _, message in errors(raw))


def test_a_sub_task_that_stands_alone_is_a_warning(raw: dict[str, Any]) -> None:
    question = "How many rounds is that, and what does the water cost?"
    raw["prompt"] = raw["prompt"].replace(raw["question"], question)
    raw["question"] = question
    raw["numbers"] = raw["numbers"][:4]
    assert any("may be answered without the trap" in message for message in warnings(raw))


def test_the_eraser(raw: dict[str, Any]) -> None:
    raw["prompt"] = (
        "My laundry net is blue. It hangs by the door. I like it a lot. The pump is 40 m from my beds, 6 minutes there "
        f"and back. I need 30 litres of water, 5 litres a time. {raw['question']}"
    )
    assert any("without numbers" in message for _, message in errors(raw))


def test_another_language_says_what_the_rules_do_not_know(raw: dict[str, Any]) -> None:
    raw["lang"] = "de"
    assert any("let a model judge" in message for message in warnings(raw))


def test_a_clause_behind_no_key_term_is_a_warning(raw: dict[str, Any]) -> None:
    raw["explicit"]["after"] = raw["salience_control"]["after"] = "my beds"
    assert sum("is no key term" in message for message in warnings(raw)) == 2
