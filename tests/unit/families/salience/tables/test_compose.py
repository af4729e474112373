"""Seeds made of a table's rows: sound by the family's own rules, with pieces that are checked by hand."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pytest
from unit.families.salience.tables import mini

from forge.families.salience import wording
from forge.families.salience.checks import viability
from forge.families.salience.family import SalienceFamily
from forge.families.salience.lint import lint
from forge.families.salience.seed import SalienceSeed
from forge.families.salience.tables.compose import Uncomposable, clauses, compose, joined, template
from forge.families.salience.tables.drawing import chooser
from forge.families.salience.tables.ingredients import Table
from forge.families.salience.tables.pairing import Combination, combinations
from forge.text.edits import apply_edits, compare, insert_after
from forge.text.normalise import normalise

CASES = [(name, table, one) for name in ("mini", "pairs") for table, one in mini.cases(name)]
EVERY = pytest.mark.parametrize(("name", "table", "one"), CASES, ids=[one.id for _, _, one in CASES])
DRAWS = range(8)
FIRST = "{scene} {plan}, and {pace}. {question}"


def seeds(name: str, table: Table, one: Combination) -> list[SalienceSeed]:
    return [compose(table, one, mini.header(name), draw).seed for draw in DRAWS]


def fixed(raw: dict[str, Any], **draws: list[Any]) -> dict[str, Any]:
    """The small table with one frame, and with one value for each number of its first task."""
    raw["frames"] = [FIRST]
    for number, values in draws.items():
        raw["tasks"][0]["numbers"][number]["draw"] = values
    return raw


def plurals() -> dict[str, Any]:
    """The small table with things of several pieces in its first class."""
    raw = fixed(mini.document(), n=[48], m=[6], u=[7])
    lack = {"fact": "are tied in open loops", "clause": "which are tied in loops", "aware": ["open loops"]}
    raw["things"] = [
        {"name": "rope loops", "as": "rope loops", "class": "water carrier", "many": True, "lacks": {"watertight": lack}},
        {"name": "steel pails", "as": "steel pails", "class": "water carrier", "many": True,
         "has": {"watertight": "are whole and hold water"}},
    ]  # fmt: skip
    del raw["tasks"][1]
    raw["tasks"][0] |= {"cannot": "it is no use, and no water stays in it", "objection": "none"}
    raw["needs"]["watertight"]["probe"]["fails"] = "Does water poured into {x} run out when it is lifted?"
    return raw


def test_a_seed_by_hand() -> None:
    made = mini.draft(fixed(mini.document(), n=[48], m=[6], u=[7]))
    scene = "I have to get 48 litres of rainwater from the barrel to the greenhouse."
    core = "A wicker basket is woven with gaps between its canes, so it cannot carry rainwater."
    seed = made.seed.model_dump(mode="json", by_alias=True)
    clause = seed.pop("salience_control")
    assert seed == {
        **mini.HEADER,
        "id": "D1-wicker-basket-barrel",
        "tags": [],
        "name": "wicker basket for rainwater (carry)",
        "author": seed["author"],
        "source": "table D1/barrel",
        "domain": "garden",
        "niche": {"setting": "garden", "class": "water carrier", "quantity": "minutes"},
        "triple": {"tool": "wicker basket", "object": "rainwater", "action": "carry"},
        "blocker": {
            "kind": "property",
            "needs": "watertight",
            "trap": "a wicker basket is woven with gaps between its canes",
            "control": "a plastic bucket is closed plastic and holds water",
        },
        "prompt": f"{scene} I'll dip my wicker basket straight into the barrel and carry 6 litres at a time, and each "
        "round takes 7 minutes. How long will I be at it this way?",
        "question": "How long will I be at it this way?",
        "trap_core": core,
        "ground_truth": f"{core} A good answer says so and does not work out the minutes. Naming a plastic bucket "
        "instead is fine.",
        "numbers": [
            {"text": "48 litres", "unit": "l", "role": "distractor", "keep": True},
            {"text": "6 litres at a time", "unit": "l per trip", "role": "distractor", "keep": True},
            {"text": "7 minutes", "unit": "min", "role": "distractor", "keep": True},
        ],
        "key_terms": [["wicker basket"], ["rainwater"], ["carry", "carrying"]],
        "awareness": {
            "plain": ["leak through", "leaks through", "run out through", "runs right out", "watertight", "drain away",
                      "sieve", "through the gaps", "between the canes"],
            "negated": ["hold water", "hold any water", "keep water in"],
        },
        "swaps": ["watering can", "hose", "plastic bucket"],
        # 48 / 6 is 8 trips, 8 x 7 is 56 minutes.
        "work": ["56 minutes", "fifty-six minutes", "8 trips", "eight trips"],
        "probe": {
            "trap": {
                "is_false": "Does a wicker basket keep water in without any running out?",
                "is_true": "Does water poured into a wicker basket run straight out of it?",
            },
            "control": {
                "is_false": "Does water poured into a plastic bucket run straight out of it?",
                "is_true": "Does a plastic bucket keep water in without any running out?",
            },
        },
        "control": {
            "edits": [{"from": "wicker basket", "to": "plastic bucket"}],
            "core": "A plastic bucket is closed plastic and holds water.",
            "ground_truth": "48 / 6 = 8 trips; 8 × 7 = 56 minutes.",
            "expected": {"any_of": ["56 minutes", "fifty-six minutes"]},
        },
        "explicit": {"after": "wicker basket", "text": ", which is woven with open gaps,"},
        "hints": {
            "preserve": ["wicker basket, word for word", "dip my wicker basket straight into the barrel"],
            "avoid": ["a lined or tarred basket", "plastic bucket"],
        },
    }  # fmt: skip
    assert seed["author"]["kind"] == "table"
    assert clause["after"] == "wicker basket"
    assert made.opening == scene
    assert made.keep == ("48 litres", "rainwater")


def test_a_curated_seed_says_what_its_row_says() -> None:
    made = mini.draft(mini.document("pairs"), which=0)
    seed = made.seed
    row = mini.document("pairs")["pairs"][0]
    assert (seed.id, seed.name) == ("D3-choir-contest", "choir contest, was last Friday (win)")
    assert seed.trap_core == row["core"]
    assert seed.probe.model_dump() == row["probe"]
    assert seed.blocker.kind == "time"
    assert seed.blocker.trap == "the choir contest was held last Friday"
    assert seed.control.core == "The choir contest is held next Friday."
    assert seed.triple.tool == "evening rehearsals"
    assert set(seed.awareness.plain) <= set(row["aware"]["plain"])
    assert seed.swaps == ("another contest", "a return match")
    assert seed.explicit.text == ", and the prizes are all given"
    assert "singers" in made.opening
    assert set(made.keep) == {next(one.text for one in seed.numbers if "singers" in one.text), "was last Friday",
                              "choir contest"}  # fmt: skip


@EVERY
def test_a_composed_seed_passes_the_familys_lint_and_is_graded_a(name: str, table: Table, one: Combination) -> None:
    for seed in seeds(name, table, one):
        found = viability(seed)
        # "one" in a frame is a number that the seed does not list: so a frame costs a grade, and another is tried.
        if seed.prompt.startswith("Quick one"):
            assert [finding.message for finding in lint(seed)] == [
                "the prompt's 'one' is not listed: add it to `numbers` with a role"
            ]
            assert found.grade == "A-"
        else:
            assert lint(seed) == []
            assert found.grade == "A", found.details


@EVERY
def test_the_control_is_built_by_the_edit(name: str, table: Table, one: Combination) -> None:
    family = SalienceFamily()
    for seed in seeds(name, table, one):
        ((old, new),) = seed.edits
        assert (old, new) == (one.trap.name, seed.hints.avoid[-1])
        assert new in [control.name for control in one.controls]
        assert seed.prompt.count(old) == 1
        control = family.control(family.item(seed, seed.prompt))
        assert control == apply_edits(seed.prompt, seed.edits) == seed.prompt.replace(old, new)
        assert compare(seed.prompt, control).words <= 2
        assert len(compare(seed.prompt, control).spans) == 1


@EVERY
def test_every_draw_satisfies_the_steps(name: str, table: Table, one: Combination) -> None:
    for seed in seeds(name, table, one):
        numbers = {text: Decimal(text.split()[0].replace(",", "")) for text in seed.kept if ":" not in text.split()[0]}
        steps = [step.strip(" .") for step in seed.control.ground_truth.split(";")]
        assert len(steps) == len(one.task.steps)
        for step in steps:
            match = re.fullmatch(r"([\d,:]+) ([/×+]) ([\d,]+)(?: minutes)? = ([\d,:]+).*", step)
            assert match, step
            a, sign, b, end = match.groups()
            right = Decimal(b.replace(",", ""))
            if ":" in a:
                hours, minutes = map(int, a.split(":"))
                total = 60 * hours + minutes + int(right)
                assert end == f"{total // 60 % 24}:{total % 60:02d}"
                continue
            left = Decimal(a.replace(",", ""))
            value = {"/": left / right, "×": left * right, "+": left + right}[sign]
            assert Decimal(end.replace(",", "")) == value
            assert value >= 2
            assert value not in numbers.values()
        assert all(text in seed.prompt for text in seed.kept)
        # The last step's result is what the control should reach, and stands in no prompt.
        assert steps[-1].endswith(seed.control.expected.any_of[0])
        assert not any(wording.has_term(seed.prompt, text) for text in (*seed.work, *seed.control.expected.any_of))


@EVERY
def test_the_probe_asks_four_different_questions(name: str, table: Table, one: Combination) -> None:
    for seed in seeds(name, table, one)[:2]:
        trap, control = seed.probe.trap, seed.probe.control
        asked = (trap.is_false, trap.is_true, control.is_false, control.is_true)
        assert len({question.lower() for question in asked}) == 4
        assert all(question.endswith("?") and question[0].isupper() for question in asked)
        assert "{" not in "".join(asked)


@EVERY
def test_awareness_terms_are_never_in_the_prompt_or_a_clause(name: str, table: Table, one: Combination) -> None:
    for seed in seeds(name, table, one):
        terms = (*seed.awareness.plain, *seed.awareness.negated)
        said = (seed.prompt, seed.explicit.text, seed.salience_control.text)
        assert len(terms) >= 8
        assert [term for term in terms for text in said if term.lower() in text.lower()] == []


def test_an_awareness_term_that_the_prompt_says_is_left_out() -> None:
    raw = fixed(mini.document())
    raw["needs"]["watertight"]["aware"] = {"plain": ["sieve", "at a time"], "negated": ["be at it", "hold water"]}
    raw["things"][0]["lacks"]["watertight"]["aware"] = ["woven", "canes"]  # "woven" is in the clause
    awareness = mini.draft(raw).seed.awareness
    assert awareness.plain == ("sieve", "canes")
    assert awareness.negated == ("hold water",)


def test_a_seed_whose_every_awareness_term_is_said_cannot_be_made() -> None:
    raw = fixed(mini.document())
    raw["needs"]["watertight"]["aware"] = {"plain": ["at a time"], "negated": []}
    raw["things"][0]["lacks"]["watertight"]["aware"] = ["woven"]
    with pytest.raises(Uncomposable, match=r"awareness\.plain"):
        mini.draft(raw)


@EVERY
def test_the_clauses_have_one_length_and_the_right_commas(name: str, table: Table, one: Combination) -> None:
    for seed in seeds(name, table, one):
        explicit, other = seed.explicit.text, seed.salience_control.text
        assert seed.explicit.after == seed.salience_control.after == one.trap.name
        assert explicit != other
        assert abs(len(explicit.split()) - len(other.split())) <= 1
        assert abs(len(explicit) - len(other)) <= 0.25 * max(len(explicit), len(other))
        behind = seed.prompt[seed.prompt.index(one.trap.name) + len(one.trap.name)]
        for clause in (explicit, other):
            assert clause.startswith(", ")
            assert clause.endswith(",") is (behind == " ")
            text = insert_after(seed.prompt, one.trap.name, clause)
            assert not re.search(r",[.,;:!?)]", text)


@pytest.mark.parametrize(
    ("frame", "comma"),
    [
        (FIRST, False),
        ("{scene} {plan}; {pace}. {question}", False),
        ("{scene} {plan}. {Pace}. {question}", False),
        ("{scene} ({plan}) {Pace}. {question}", False),
        ("{scene} {plan} as ever, and {pace}. {question}", True),
    ],
)
def test_a_clause_closes_with_a_comma_before_a_word_and_never_before_a_stop(frame: str, comma: bool) -> None:
    raw = fixed(mini.document())
    raw["frames"] = [frame]
    raw["tasks"][0] |= {"plan": "I'll carry {m} litres at a time in my {x}", "bind": "none needed"}
    seed = mini.draft(raw).seed
    assert seed.explicit.text.endswith(",") is comma
    assert seed.salience_control.text.endswith(",") is comma
    assert seed.hints.preserve == ("wicker basket, word for word",)


def test_without_a_neutral_clause_of_the_length_no_seed_is_made() -> None:
    raw = fixed(mini.document())
    raw["neutral"] = ["which I have", "which my neighbour across the road lent me in the spring of last year"]
    with pytest.raises(
        Uncomposable, match="no neutral clause is as long as 'which is woven with open gaps': write one of 6 words"
    ):
        mini.draft(raw)


def test_the_explicit_clause_is_no_twin_of_itself() -> None:
    raw = fixed(mini.document())
    raw["neutral"] = ["which is woven with open gaps", "which is green with red dots"]
    assert {mini.draft(raw, draw=draw).seed.salience_control.text for draw in DRAWS} == {
        ", which is green with red dots,"
    }


def test_a_way_out_that_the_prompt_names_is_no_swap() -> None:
    raw = fixed(mini.document())
    raw["tasks"][0]["swaps"] = ["greenhouse", "hose", "plastic bucket"]
    assert mini.draft(raw).seed.swaps == ("hose", "plastic bucket")
    raw["tasks"][0]["swaps"] = [f"way {letter}" for letter in "abcdefghij"]
    assert mini.draft(raw).seed.swaps == tuple(f"way {letter}" for letter in "abcdefgh")  # eight at most


def test_a_class_and_a_row_bring_their_own_neutral_clauses() -> None:
    def neutral(raw: dict[str, Any]) -> tuple[str, str]:
        table = Table.model_validate(raw)
        return clauses(table, combinations(table)[0], chooser(["x"]))

    raw = mini.document()
    raw["classes"]["water carrier"] = {"neutral": ["which is green with red dots"]}
    assert neutral(raw) == ("which is woven with open gaps", "which is green with red dots")
    raw["classes"]["water carrier"] = {"neutral": ["which is green"]}  # too short: the table's own are taken
    assert neutral(raw)[1] in raw["neutral"]
    raw["tasks"][0]["neutral"] = ["which hangs on the back door"]
    assert neutral(raw)[1] == "which hangs on the back door"
    raw["tasks"][0]["neutral"] = ["which is green"]  # the row's own are never left for others
    with pytest.raises(Uncomposable, match="no neutral clause"):
        neutral(raw)


def test_a_seed_about_several_things_agrees_in_number() -> None:
    seed = mini.draft(plurals()).seed
    assert seed.trap_core == ("Rope loops are tied in open loops, so they are no use, and no water stays in them.")
    assert seed.control.core == "Steel pails are whole and hold water."
    assert seed.probe.model_dump() == {
        "trap": {
            "is_false": "Do rope loops keep water in without any running out?",
            "is_true": "Does water poured into rope loops run out when they are lifted?",
        },
        "control": {
            "is_false": "Does water poured into steel pails run out when they are lifted?",
            "is_true": "Do steel pails keep water in without any running out?",
        },
    }
    assert seed.hints.avoid == ("steel pails",)  # an objection of "none" is none


def test_another_draw_has_other_numbers_and_another_variant_another_frame() -> None:
    raw = mini.document()
    prompts = {mini.draft(raw, draw=draw).seed.prompt for draw in DRAWS}
    assert len(prompts) >= 6
    variants = [mini.draft(raw, variant=variant).seed for variant in range(len(raw["frames"]) + 1)]
    assert len({seed.prompt for seed in variants}) == len(raw["frames"])  # all of them, then the first again
    assert variants[0] == variants[-1]
    assert len({tuple(seed.numbers) for seed in variants}) == 1


def test_numbers_that_never_fit_are_said() -> None:
    with pytest.raises(Uncomposable, match="numbers: none of 1 combinations"):
        mini.draft(fixed(mini.document(), n=[23], m=[5], u=[7]))


def test_the_pieces_are_joined_as_the_frame_says() -> None:
    pieces = {"scene": "It rains.", "plan": "I wait", "pace": "a shower takes 5 minutes", "question": "How long?"}
    assert joined("So:  {scene} {plan} ({pace}). {question}", pieces) == (
        "So: It rains. I wait (a shower takes 5 minutes). How long?"
    )
    assert joined("{scene} {plan}. {Pace}. {question}", pieces) == (
        "It rains. I wait. A shower takes 5 minutes. How long?"
    )


@EVERY
def test_template_words_leave_tool_object_and_action_and_nothing_of_the_frame(
    name: str, table: Table, one: Combination
) -> None:
    for seed in seeds(name, table, one):
        owed = template(table, one.task, seed)
        telling = (one.trap.name, seed.triple.tool, seed.triple.object, seed.triple.action, *seed.anchors,
                   *(term for group in one.task.keep for term in group))  # fmt: skip
        told = set(normalise(" ".join(telling)).split())
        rest = [word for word in normalise(seed.prompt).split() if word not in owed and word != "#"]
        assert set(rest) <= told
        assert set(normalise(one.trap.name).split()) <= set(rest)
        frames = set(normalise(re.sub(r"\{\w+\}", " ", " ".join(table.frames))).split())
        assert frames - told <= owed
        assert not told & owed
        core = set(normalise(seed.trap_core).split()) - owed
        if not one.task.curated:
            assert core <= told


def test_template_words_by_hand() -> None:
    table, one = mini.cases()[0]
    seed = compose(table, one, mini.HEADER).seed
    owed = template(table, one.task, seed)
    rest = [word for word in normalise(seed.prompt).split() if word not in owed]
    # The scene has rainwater, the plan the basket and what it is to do; all else is the table's.
    assert [word for word in rest if word != "#"] == ["rainwater", "wicker", "basket", "carry"]
    assert {"checked", "twice", "greenhouse", "barrel", "gaps", "cannot", "so", "it"} <= owed
    assert "#" not in owed
    raw = mini.document()
    raw["tasks"][0]["scene"] = "Within 2 days I have to get {n} litres of rainwater out of the barrel."
    changed = Table.model_validate(raw)
    owed = template(changed, changed.tasks[0], mini.draft(raw).seed)
    assert "days" in owed
    assert "#" not in owed  # a number stays as what a seed says, also where its row always has the same


def test_a_placeholder_that_the_row_lacks_makes_the_combination_uncomposable_and_not_a_crash() -> None:
    table = mini.table()
    task = table.tasks[0]
    broken = table.model_copy(update={"tasks": (task.model_copy(update={"pace": "each round takes {w} minutes"}),)})
    with pytest.raises(ValueError, match=r"\{w\} is no number"):
        compose(broken, combinations(broken)[0], mini.header())
    framed = table.model_copy(update={"frames": ("{scene} {plan}, {price}. {question}",)})
    with pytest.raises(ValueError, match=r"\{price\} in the frame"):
        compose(framed, combinations(framed)[0], mini.header())
