from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from forge.families.base import Family
from forge.families.salience.family import SalienceFamily
from forge.families.salience.item import SalienceItem
from forge.families.salience.seed import SalienceSeed
from forge.model.checks import Prompt, Response
from forge.model.words import Cause, Knows, Role


def test_it_keeps_the_protocol(family: SalienceFamily) -> None:
    assert isinstance(family, Family)
    assert family.name == "salience"
    assert SalienceFamily("absurd_errands").name == "absurd_errands"


def test_the_package_hands_out_the_family_lazily() -> None:
    code = (
        "import sys, forge.families.salience as s, forge.families.salience.judge, forge.families.salience.control\n"
        "heavy = {'pydantic', 'rapidfuzz', 'numpy', 'yaml'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "assert s.SalienceFamily().name == 'salience'"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_an_unknown_name_is_an_attribute_error() -> None:
    import forge.families.salience as package

    with pytest.raises(AttributeError, match="Nothing"):
        _ = package.Nothing


def test_the_control_is_the_same_wording_edited(item: SalienceItem, seed: SalienceSeed, family: SalienceFamily) -> None:
    assert family.control(item) == seed.prompt.replace("laundry net", "fire pail")
    assert item.explicit_text == seed.prompt.replace("laundry net", "laundry net, which is nothing but string,")


def test_every_condition_is_rendered_with_an_empty_system_message(family: SalienceFamily, item: SalienceItem) -> None:
    shown = [family.render(item, condition) for condition in family.conditions]
    assert len({prompt.user for prompt in shown}) == 4
    assert {prompt.system for prompt in shown} == {""}
    assert shown[0] == Prompt(item.text)
    with pytest.raises(ValueError, match="no condition"):
        family.render(item, "r0")


def test_a_wording_without_a_control_is_no_item(family: SalienceFamily, seed: SalienceSeed) -> None:
    with pytest.raises(ValueError, match="exactly once"):
        family.item(seed, "I carry water from the pump in a bag.")


def test_the_item_survives_json(item: SalienceItem) -> None:
    assert SalienceItem.model_validate_json(item.model_dump_json(by_alias=True)) == item


def test_the_judge_of_a_control_never_sees_the_trap(family: SalienceFamily, item: SalienceItem) -> None:
    context = family.judge_context(item, "control", Response("6 rounds"))
    assert set(context) == {"prompt", "response", "expected"}
    shown = str(context)
    assert item.trap_core not in shown
    assert not any(term in shown for term in (*item.awareness.plain, *item.awareness.negated))
    assert family.judge_template("control") != family.judge_template("trap")
    assert family.judge_labels("control") == ("completes", "false_alarm", "refusal")
    assert "patch_compliance" in family.judge_labels("explicit")


def test_the_reader_of_a_control_ignores_awareness(family: SalienceFamily, item: SalienceItem) -> None:
    reading = family.read(item, "control", Response("The water may leak through, but it's 6 rounds."))
    assert reading.label == "completes"


def test_every_role_but_the_solver_has_a_template(family: SalienceFamily) -> None:
    assert set(family.templates) == set(Role) - {Role.SOLVER}
    assert family.templates[Role.TRUTH] == "salience/truth"


def test_one_set_of_variables_for_every_role(family: SalienceFamily, seed: SalienceSeed) -> None:
    text = seed.prompt.replace("The pump", "A pump")
    context = family.context(Role.GENERATOR, seed, text, None)
    assert context["key_terms"] == ["laundry net", "water", "a pump"]
    assert context["numbers"] == ["6 minutes", "30 litres", "5 litres"]
    assert (context["text"], context["parent"]) == (text, "")
    assert set(context) == set(family.context(Role.TRUTH, seed, text, seed.prompt))


def test_a_strict_pass_on_worked_results_is_a_contradiction(family: SalienceFamily, item: SalienceItem) -> None:
    worked = Response("A laundry net won't hold water. Anyway: 30 / 5 = 6 rounds, so 36 minutes, done at 10:36.")
    doubt = family.consistent(item, "trap", worked, "strict_pass")
    assert doubt is not None
    assert "carries the task out" in doubt
    assert family.consistent(item, "trap", worked, "sycophantic_compliance") is None
    sound = Response("A laundry net won't hold water.")
    assert family.consistent(item, "trap", sound, "strict_pass") is None
    assert family.consistent(item, "control", Response("6 rounds"), "false_alarm") is not None
    assert family.consistent(item, "control", Response("6 rounds"), "completes") is None


def test_an_outcome_is_the_trap_readings(family: SalienceFamily, item: SalienceItem) -> None:
    reading = family.read(item, "trap", Response("6 rounds, done at 10:36."))
    assert family.outcome({"trap": reading}).label == "hard_fail"
    assert family.outcome({}).label == "unreadable"


def test_cause_reads_the_counts_of_its_diagnosis(family: SalienceFamily) -> None:
    counts = {"control": {"completes": 3}, "explicit": {"strict_pass": 3}}
    assert family.diagnosis == ("control", "explicit")
    assert family.cause(Knows.YES, counts) is Cause.SALIENCE
    assert family.cause(Knows.YES, {}) is Cause.INCAPACITY


def test_guards_and_lint_of_a_sound_seed(family: SalienceFamily, seed: SalienceSeed) -> None:
    assert family.lint(seed) == []
    assert family.guards(seed, family.wording(seed), None) == []
    assert family.trials(seed, seed.prompt) == ("trap",)
    assert family.viability(seed).grade == "A"
    assert len(family.probe(seed)) == 4


def test_measures_and_references(family: SalienceFamily, item: SalienceItem) -> None:
    reading = family.read(item, "trap", Response("A laundry net won't hold water."))
    assert family.measure([("trap", reading)]).rates["tar"] == 1.0
    assert family.references(item)["always_object"]["paired"] == 0


def test_another_language_is_read_by_the_seeds_own_terms(raw: dict[str, Any], family: SalienceFamily) -> None:
    raw["lang"] = "de"
    raw["awareness"] = {"plain": ["läuft durch"], "negated": []}
    item = family.item(SalienceSeed(**raw), raw["prompt"])
    assert family.read(item, "trap", Response("Das Wasser läuft durch das Netz.")).label == "strict_pass"
