"""What lint says of a table, each with the file and the line on which it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from unit.families.salience.tables import mini

from forge.families.base import Draft
from forge.families.salience.family import SalienceFamily
from forge.families.salience.tables import lint as lint_module
from forge.families.salience.tables.ingredients import Table
from forge.families.salience.tables.lint import MOST_SHARE, lint
from forge.families.salience.tables.pairing import Combination, combinations
from forge.workspace import tablefiles
from forge.workspace.seedfiles import Problem

TEXT = {name: mini.text(name) for name in ("mini", "pairs")}
SOFT = "{fact: is soft all over, clause: which is soft all over}"


def problems(path: Path, text: str, header: dict[str, str] | None = None) -> list[Problem]:
    """Everything that is said of a table with this text, by the reader of table files."""
    path.write_text(text, encoding="utf-8")
    found = tablefiles.read(path, SalienceFamily(), header or mini.HEADER).problems
    assert all(problem.path == str(path) for problem in found)
    return list(found)


def replaced(text: str, old: str, new: str) -> str:
    assert text.count(old) >= 1, f"the fixture no longer holds {old!r}"
    return text.replace(old, new, 1)


def line_of(text: str, part: str) -> int:
    assert text.count(part) >= 1, f"{part!r} is not in the changed text"
    return text[: text.index(part)].count("\n") + 1


def test_the_small_tables_have_no_errors(tmp_path: Path) -> None:
    for name, header in (("mini", mini.HEADER), ("pairs", mini.PAIRS_HEADER)):
        found = problems(tmp_path / f"{name}.yaml", TEXT[name], header)
        assert {problem.severity for problem in found} == {"warning"}
        assert all("few truths make few clusters" in problem.message for problem in found)


@pytest.mark.parametrize(
    ("old", "new", "at", "says"),
    [
        # steps and numbers
        ("op: quotient", "op: divide", "{name: trips", "op: Input should be 'sum', 'difference'"),
        ("of: [n, m]", "of: [n, k]", "{name: trips", "'k' is no number and no earlier step"),
        ("of: [n, m]", "of: [n, total]", "{name: trips", "'total' is no number and no earlier step"),
        ('text: "{trips} trips"', 'text: "some trips"', "{name: trips", "its text must hold {trips}"),
        ('"{m} litres at a time"', '"{m} litres each"', "    m: {text", "'{m} litres each' stands in no piece"),
        ('"{m} litres at a time"', '"5 litres"', "    m: {text", "its text must hold {m}"),
        ("draw: [4, 5, 6, 8]", "draw: [7, 11]", "  numbers:", "none of 24 combinations of the drawn numbers fits"),
        ("draw: [3, 7]", "draw: [3, true]", "    u: {text", "True is no number: write 12, 1.5 or a time of day"),
        ("draw: [3, 7]", "draw: [3, 'noon']", "  numbers:", "'noon' is no time of day such as '9:00'"),
        # without quotes YAML reads 9:00 as 9 x 60
        ('draw: ["9:00", "14:30"]', "draw: [9:00]", "  numbers:\n    n: {text: \"{n} loaves", "clock takes a time of day and minutes"),
        # needs, classes and things
        ("needs: [watertight]", "needs: [airtight]", "needs: [airtight]", "no need 'airtight' in `needs`"),
        ("has: {watertight: is closed", "has: {airtight: is closed", "{name: plastic bucket", "no need 'airtight'"),
        ("classes: [water carrier]", "classes: [carrier]", "classes: [carrier]", "no class 'carrier' in `classes`"),
        ("  class: water carrier", "  class: carrier", "  class: carrier", "no class 'carrier' in `classes`"),
        (
            "as: a wicker basket\n", "as: a basket\n", "as: a basket\n", "`as` must hold the name 'wicker basket'",
        ),
        ("{name: paper bag, as: a paper bag", "{name: string bag, as: a string bag", "{name: string bag",
         "'string bag' stands here twice"),
        ("clause: which is soft all round", "clause: which sags", "sharp edge: {fact", "has 2 words; 3 to 10"),
        ("clause: which is soft all round", "clause: 'which is soft all round,'", "sharp edge: {fact", "by itself"),
        # the pieces
        ("bind: with my {x} and nothing else", "bind: on its own", "bind: on its own", "'on its own' does not stand"),
        ("  bind: with my {x} and nothing else\n", "", "- id: loaves", "bind: Field required"),
        ("  question: How long", "  question: How long {x} or", "  plan: I'll dip", "{x} must stand exactly once"),
        ("my {x} straight", "my basket straight", "  plan: I'll dip", "{x} must stand exactly once"),
        ("each round takes {u}", "each round takes {v} or {u}", "  pace: each", "{v} is no number of the row"),
        ("plan: I'll slice", "plan: They slice", "  plan: They", "the plan must begin with I or We"),
        ("  pace: each round takes {u} minutes", "  pace: each round takes {u} minutes.", "  plan: I'll dip",
         "plan and pace end without a stop"),
        ("for the street party.", "for the street party", "  scene: There", "end it with a stop"),
        ("done that way?", "done that way", "  question: When", "without a question mark"),
        ("[slice, slicing]", "[cut, cutting]", "  keep: [[loaves]", "none of 'cut', 'cutting' stands in the pieces"),
        ("- id: loaves", "- id: barrel", "- id: barrel", "the id barrel stands here 2 times"),
        ("  cannot: it cannot slice loaves\n", "", "- id: loaves", "`cannot` is missing"),
        ("  swaps: [watering can, hose]", "  without: [tea chest]", "  without: [tea chest]", "no thing 'tea chest'"),
        # the frames
        ('- "{scene} {plan} this time, and {pace}. {question}"', '- "{scene} {plan} this time. {question}"',
         '- "{scene} {plan} this time. {question}"', "look at pace"),
        ('- "{scene} {plan} this time, and {pace}. {question}"', '- "{scene} {plan}, {time}, {pace}. {question}"',
         '- "{scene} {plan}, {time}', "look at time"),
        ('- "{scene} So {plan}; {pace}. {question}"\n', "", "frames:", "7 frames: write at least 8"),
        # the neutral clauses
        ("- which I bought last May\n", "", "neutral:", "no neutral clause is as long as 'which is soft all round'"),
    ],
)  # fmt: skip
def test_each_fault_is_named_with_its_line(tmp_path: Path, old: str, new: str, at: str, says: str) -> None:
    text = replaced(TEXT["mini"], old, new)
    found = problems(tmp_path / "D1.yaml", text)
    errors = [problem for problem in found if problem.severity == "error"]
    assert any(says in problem.message and problem.line == line_of(text, at) for problem in errors), found


def test_a_thing_with_two_unmet_needs_gives_no_trap_and_is_named_at_the_row(tmp_path: Path) -> None:
    text = replaced(TEXT["mini"], "needs: [watertight]", "needs: [watertight, sharp edge]")
    text = replaced(
        text,
        "lacks:\n    watertight: {fact: is woven",
        f"lacks:\n    sharp edge: {SOFT}\n    watertight: {{fact: is woven",
    )
    text = replaced(
        text, "has: {watertight: is closed plastic and holds water}", "has: {watertight: holds, sharp edge: cuts}"
    )
    text = replaced(
        text,
        "lacks:\n    watertight: {fact: is a net",
        "has: {sharp edge: cuts}\n  lacks:\n    watertight: {fact: is a net",
    )
    found = problems(tmp_path / "D1.yaml", text)
    (told,) = [problem for problem in found if "unmet needs" in problem.message]
    assert told.message == "wicker basket has two unmet needs (watertight, sharp edge) and gives no trap here"
    assert (told.severity, told.seed, told.line) == ("warning", "barrel", line_of(text, "needs: [watertight, sharp"))
    assert not [problem for problem in found if problem.severity == "error"]  # the string bag is still a trap


def test_a_row_that_nothing_is_a_trap_for_is_an_error(tmp_path: Path) -> None:
    text = replaced(
        TEXT["mini"], "needs: [watertight]", "needs: [watertight, sharp edge]"
    )  # its second need is unknown
    found = problems(tmp_path / "D1.yaml", text)
    errors = [problem for problem in found if problem.severity == "error"]
    assert [(problem.seed, problem.line) for problem in errors] == [("barrel", line_of(text, "needs: [watertight, sh"))]
    assert errors[0].message.startswith("no thing of its classes is a trap with a control")


def test_a_curated_row_with_two_unmet_needs_is_an_error(tmp_path: Path) -> None:
    text = replaced(TEXT["pairs"], "  need: hearing beyond 20 kHz", "  needs: [hearing beyond 20 kHz, seeing at night]")
    found = [one for one in problems(tmp_path / "D3.yaml", text, mini.PAIRS_HEADER) if one.severity == "error"]
    assert [(problem.seed, problem.line) for problem in found] == [("bat-calls", line_of(text, "  needs: [hearing"))]
    assert found[0].message.startswith("2 unmet needs (hearing beyond 20 kHz, seeing at night)")


def test_a_thing_that_has_and_lacks_at_once(tmp_path: Path) -> None:
    text = replaced(
        TEXT["mini"], "has: {watertight: is closed", f"lacks: {{watertight: {SOFT}}}, has: {{watertight: is closed"
    )
    errors = [one for one in problems(tmp_path / "D1.yaml", text) if "both has and lacks" in one.message]
    assert [(problem.line, problem.severity) for problem in errors] == [(line_of(text, "{name: plastic"), "error")]
    assert "plastic bucket both has and lacks 'watertight': keep the true one" in errors[0].message


@pytest.mark.parametrize("piece", ["scene", "plan", "pace", "question"])
def test_a_missing_piece_of_a_row_is_named_at_the_row(tmp_path: Path, piece: str) -> None:
    lines = TEXT["mini"].splitlines(keepends=True)
    first = next(index for index, line in enumerate(lines) if line.startswith(f"  {piece}: "))
    text = "".join(lines[:first] + lines[first + 1 :])
    (problem,) = problems(tmp_path / "D1.yaml", text)
    assert (problem.line, problem.seed) == (line_of(text, "- id: barrel"), "barrel")
    assert problem.message == f"tasks.0.{piece}: Field required"


@pytest.mark.parametrize("piece", ["scene", "plan", "pace", "question"])
def test_a_frame_without_a_piece_or_with_one_twice(tmp_path: Path, piece: str) -> None:
    frame = '- "{scene} {plan} this time, and {pace}. {question}"'
    for other in (frame.replace(f"{{{piece}}}", "there"), frame.replace(f"{{{piece}}}", f"{{{piece}}} {{{piece}}}")):
        text = replaced(TEXT["mini"], frame, other)
        errors = [one for one in problems(tmp_path / "D1.yaml", text) if one.severity == "error"]
        assert [(problem.line, problem.message.rpartition(" ")[2]) for problem in errors] == [
            (line_of(text, other), piece)
        ]


def test_two_rows_with_one_doing_are_told_at_both(tmp_path: Path) -> None:
    text = replaced(replaced(TEXT["mini"], "object: loaves", "object: rainwater"), "action: slice", "action: carry")
    told = [one for one in problems(tmp_path / "D1.yaml", text) if "same object and action" in one.message]
    assert [(problem.seed, problem.severity) for problem in told] == [("barrel", "error"), ("loaves", "error")]


def test_a_number_that_stands_nowhere(tmp_path: Path) -> None:
    text = replaced(TEXT["mini"], "carry {m} litres at a time", "carry a bit at a time")
    (problem,) = [one for one in problems(tmp_path / "D1.yaml", text) if one.severity == "error"]
    assert (problem.seed, problem.line) == ("barrel", line_of(text, "    m: {text"))
    assert problem.message == "'{m} litres at a time' stands in no piece as it is written here"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("  core: A bat's hunting calls lie far above the highest note that a human ear takes in.\n", "", "core"),
        ("  blocker: body\n", "", "blocker"),
        (", clause: which stop at 20 kilohertz", "", "trap.clause"),
        ("  neutral: [which are red from the cold, which are both quite cold]\n", "", "neutral"),
    ],
)
def test_a_curated_row_says_what_it_also_needs(tmp_path: Path, old: str, new: str, says: str) -> None:
    text = replaced(TEXT["pairs"], old, new)
    (problem,) = problems(tmp_path / "D3.yaml", text, mini.PAIRS_HEADER)
    assert (problem.line, problem.seed) == (line_of(text, "- id: bat-calls"), "bat-calls")
    assert problem.message == f"pairs.1: Value error, a curated pair also needs {says}"


def test_a_curated_clause_is_held_to_the_same_words(tmp_path: Path) -> None:
    text = replaced(TEXT["pairs"], "clause: which stop at 20 kilohertz", "clause: all deaf")
    found = [one for one in problems(tmp_path / "D3.yaml", text, mini.PAIRS_HEADER) if one.severity == "error"]
    assert ("'all deaf' has 2 words; 3 to 10", line_of(text, "  trap: {name: my bare ears")) in [
        (problem.message, problem.line) for problem in found
    ]


def shares(counts: dict[str, int]) -> list[str]:
    """What is said of a table whose needs carry so many combinations: one task and one control a need."""
    raw = mini.document()
    task, lack = raw["tasks"][0], raw["things"][0]["lacks"]["watertight"]
    raw["needs"] = dict.fromkeys(counts, raw["needs"]["watertight"])
    raw["classes"] = list(counts)
    raw["things"], raw["tasks"] = [], []
    for need, count in counts.items():
        raw["tasks"].append({**task, "id": f"row-{need}", "needs": [need], "classes": [need], "object": need})
        raw["things"].append({"name": f"{need} pail", "as": f"a {need} pail", "class": need, "has": {need: "is whole"}})
        for n in range(count):
            name = f"{need} {chr(97 + n)}"
            raw["things"].append({"name": name, "as": f"a {name}", "class": need, "lacks": {need: lack}})
    found = lint(Table.model_validate(raw), mini.HEADER)
    return [one.message for one in found if "few clusters" in one.message and one.severity == "warning"]


def test_a_need_on_which_more_than_15_percent_rest_is_a_warning() -> None:
    assert MOST_SHARE == 0.15
    even = dict.fromkeys("abcdef", 3)
    assert shares({**even, "g": 2}) == []  # 3 of 20 are 15 %
    assert shares({**dict.fromkeys("abcde", 3), "g": 4, "h": 1}) == [
        "4 of 20 combinations rest on 'g', more than 15%: few truths make few clusters"
    ]


def test_seeds_are_composed_only_of_a_sound_table_and_held_against_the_rules_for_seeds() -> None:
    def messages(change: Callable[[dict[str, Any]], object]) -> list[tuple[tuple[str | int, ...], str, str]]:
        raw = mini.document()
        change(raw)
        found = lint(Table.model_validate(raw), mini.HEADER)
        return [(one.path, one.severity, one.message) for one in found if "few clusters" not in one.message]

    # A swap in the place of the tool: the control's name stands in the prompt already.
    ((path, severity, message),) = messages(
        lambda raw: raw["tasks"][1].update(pace="they take {u} minutes each, beside a bread knife, starting at {h}")
    )
    assert (path, severity) == (("tasks", 1), "warning")
    assert "with feather pillow: 'bread knife' already stands in the prompt" in message
    # A prompt that lets the solver off the real world is graded C.
    ((path, severity, message),) = messages(
        lambda raw: raw["tasks"][1].update(scene="Hypothetically, there are {n} loaves for the street party.")
    )
    assert (path, severity) == (("tasks", 1), "error")
    assert message.startswith("with feather pillow: graded C: ")
    # A seed that is no seed: every word of awareness stands in the prompt.
    ((path, severity, message),) = messages(
        lambda raw: (
            raw["needs"]["sharp edge"].update(aware={"plain": ["street party"], "negated": []}),
            raw["things"][4]["lacks"]["sharp edge"].update(aware=[]),
        )
    )
    assert (path, severity) == (("tasks", 1), "error")
    assert message.startswith("with feather pillow: ")
    assert "awareness.plain" in message
    # With another error nothing is composed.
    ((path, _, _),) = messages(
        lambda raw: (
            raw["tasks"][1].update(scene="Hypothetically, there are {n} loaves for the street party."),
            raw["frames"].pop(),
        )
    )
    assert path == ("frames",)


def test_a_sample_composes_fewer_combinations_and_finds_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    composed: list[str] = []
    real = lint_module.compose

    def counted(table: Table, combination: Combination, header: Mapping[str, Any]) -> Draft:
        composed.append(combination.id)
        return real(table, combination, header)

    monkeypatch.setattr(lint_module, "compose", counted)
    table = mini.table()
    whole = lint_module.lint(table, mini.HEADER)
    every = [one.id for one in combinations(table)]
    assert composed == every
    composed.clear()
    assert set(lint_module.lint(table, mini.HEADER, 2)) <= set(whole)
    assert composed == every[::2]
