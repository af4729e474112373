from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from forge.families import loading
from forge.families.base import Family
from forge.families.hidden_constraint.family import HiddenConstraintFamily
from forge.families.hidden_constraint.item import HiddenConstraintItem
from forge.families.hidden_constraint.rendering import INSTRUCTION
from forge.families.hidden_constraint.seed import HiddenConstraintSeed
from forge.model.checks import Response
from forge.model.words import Role
from forge.prompts.collection import PromptLibrary
from forge.session.checking import shown
from forge.testing import assert_family_contract

ROOT = Path(__file__).resolve().parents[4]


def test_it_keeps_the_protocol_and_is_found_by_name(family: HiddenConstraintFamily) -> None:
    assert isinstance(family, Family)
    assert type(loading.load("hidden_constraint")) is HiddenConstraintFamily
    assert HiddenConstraintFamily("near_misses").name == "near_misses"


@pytest.mark.slow
def test_it_keeps_the_contract(family: HiddenConstraintFamily, seed: HiddenConstraintSeed) -> None:
    assert_family_contract(family, [seed], ["A", "B\nIt is near.", "Answer: A", "It depends.", "Drive there."])


def test_the_package_hands_out_the_family_lazily() -> None:
    code = (
        "import sys, forge.families.hidden_constraint as h\n"
        "assert 'pydantic' not in sys.modules\n"
        "assert h.HiddenConstraintFamily().name == 'hidden_constraint'"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    import forge.families.hidden_constraint as package

    with pytest.raises(AttributeError, match="Nothing"):
        _ = package.Nothing


def test_conditions_differ_in_text_or_order_and_in_nothing_else(
    family: HiddenConstraintFamily, item: HiddenConstraintItem
) -> None:
    prompts = {condition: family.render(item, condition) for condition in family.conditions}
    assert len({prompt.user for prompt in prompts.values()}) == len(family.conditions)
    for condition, prompt in prompts.items():
        text, _, rest = prompt.user.partition("\n\n")
        lines = rest.split("\n")
        assert text == item.version(condition.removesuffix("_swapped"))
        assert lines[2:] == [INSTRUCTION]
        assert lines[:2] == [f"A. {item.listed(condition)[0]}", f"B. {item.listed(condition)[1]}"]
        assert (prompt.system, prompt.fixed) == ("", True)


def test_one_solve_asks_active_and_removed_in_both_orders(
    family: HiddenConstraintFamily, seed: HiddenConstraintSeed
) -> None:
    assert family.trials(seed, "") == ("active", "active_swapped", "removed", "removed_swapped")
    assert family.diagnosis == ("explicit", "explicit_swapped", "no_conflict", "no_conflict_swapped")
    assert not set(family.diagnosis) & set(family.trials(seed, ""))


def test_the_control_is_the_removed_text(family: HiddenConstraintFamily, item: HiddenConstraintItem) -> None:
    assert family.control(item) == item.text.replace("my carport", "their yard")
    assert HiddenConstraintItem.model_validate_json(item.model_dump_json(by_alias=True)) == item
    with pytest.raises(ValueError, match="exactly once"):
        family.item(HiddenConstraintSeed.model_construct(**dict(_seed(family))), "no van here")


def _seed(family: HiddenConstraintFamily) -> HiddenConstraintSeed:
    from forge.workspace import seedfiles

    loaded = seedfiles.read(ROOT / "tests" / "fixtures" / "hidden_constraint" / "A1.yaml", family)
    assert loaded.seeds is not None
    made: HiddenConstraintSeed = loaded.seeds.seeds[0]
    return made


def test_a_judge_is_told_nothing_of_what_is_right(family: HiddenConstraintFamily, item: HiddenConstraintItem) -> None:
    for condition in family.conditions:
        told = repr(family.judge_context(item, condition, Response("B")))
        assert item.constraint not in told
        assert item.why_unique.active not in told
        assert family.judge_template(condition) == "hidden_constraint/judge"
    assert family.judge_labels("active") == ("constraint_heavy", "heuristic")


def test_a_judges_label_is_held_against_the_answer_line(
    family: HiddenConstraintFamily, item: HiddenConstraintItem
) -> None:
    response = Response("Answer: Walk there")
    assert family.consistent(item, "active", response, "heuristic") is None
    assert "other option" in (family.consistent(item, "active", response, "constraint_heavy") or "")
    assert family.consistent(item, "active", Response("Hm."), "constraint_heavy") is None


def test_every_template_is_rendered_with_what_the_family_gives(
    family: HiddenConstraintFamily, seed: HiddenConstraintSeed
) -> None:
    library = PromptLibrary([ROOT / "prompts"])
    assert set(family.templates) == set(Role) - {Role.SOLVER}
    for role in Role:
        said = "\n".join(message.content for message in shown(family, library, role, seed, "active"))
        assert "{{" not in said
        if role is not Role.SOLVER:
            assert library.get(family.templates[role]).reply is not None
    again = library.get("hidden_constraint/generator").extra["again"]
    filled = library.fill("hidden_constraint/generator", str(again), family.context(Role.GENERATOR, seed, "x", None))
    assert '"in my carport", "just 200 metres from my gate", "van inspected"' in filled


def test_a_rewriter_is_told_what_to_keep(family: HiddenConstraintFamily, seed: HiddenConstraintSeed) -> None:
    context = family.context(Role.GENERATOR, seed, family.wording(seed), None)
    assert context["keep"] == ["in my carport", "just 200 metres from my gate", "van inspected"]
    assert context["goal_words"] == ["test", "centre"]
    weaker = family.wording(seed).replace(seed.cue.strong, seed.cue.weak)
    assert seed.cue.weak in family.context(Role.GENERATOR, seed, weaker, None)["keep"]
