"""The hidden-constraint family on the command line: lint's lines, what is sent, a whole run, its items, its replay."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import inside
from cli.world import Served, workspace

from forge.families.hidden_constraint.family import HiddenConstraintFamily
from forge.workspace import seedfiles

FILE = Path(__file__).resolve().parents[1] / "fixtures" / "hidden_constraint" / "A1.yaml"
FAMILY = HiddenConstraintFamily()


def scenario() -> Any:
    loaded = seedfiles.read(FILE, FAMILY)
    assert loaded.seeds is not None
    return loaded.seeds.seeds[0]


class Distracted:
    """Follows the cue unless the prerequisite is told, and knows every fact; or always says one letter."""

    def __init__(self, letter: str | None = None) -> None:
        self.letter, self.seed = letter, scenario()
        self.truths = {question.text: question.truth for question in FAMILY.probe(self.seed)}

    def __call__(self, body: dict[str, Any]) -> str:
        said = str(body["messages"][-1]["content"])
        if body.get("response_format"):
            return json.dumps({"message": f"Before I forget. {FAMILY.wording(self.seed)}"})
        if said in self.truths:
            return "Yes." if self.truths[said] else "No."
        wanted = self.seed.options.heuristic
        if self.seed.clause.explicit in said:
            wanted = self.seed.options.constraint_heavy
        found = re.search(rf"^([AB])\. {re.escape(wanted)}$", said, re.MULTILINE)
        return f"{self.letter or (found.group(1) if found else 'A')}\nIt is close by."


def one_seed(folder: Path) -> None:
    text = FILE.read_text("utf-8")
    path = folder / "seeds" / "hidden_constraint" / "near.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text[: text.index("\n- id: A1-bent-glasses")].replace("set: A1", "set: near"), "utf-8")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("fact: {active: my carport, removed: their yard}",
         "fact: {active: my carport by day, removed: their carport by night}", "removed: the edit touches 2 places"),
        ("fact: {active: my carport, removed: their yard}", "fact: {active: my carport, removed: my carport too}",
         "removed: keeps the constraint"),
        ("gold: {active: constraint_heavy, removed: heuristic,", "gold: {active: heuristic, removed: constraint_heavy,",
         "active: the labels are swapped"),
        ("explicit: ', which needs the whole vehicle on their ramp'", "explicit: ', so it is better to drive it there'",
         "explicit: gives the answer away"),
        ("goal: have the van inspected at the test centre", "goal: have the van in the carport inspected",
         "removed: the edit changes the goal"),
    ],
)  # fmt: skip
def test_lint_names_scenario_condition_and_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = FILE.read_text("utf-8")
    place = text.index(old)
    path = tmp_path / "A1.yaml"
    path.write_text(text[:place] + new + text[place + len(old) :], "utf-8")
    key = "fact: {" if "goal" in old else old[:8]
    line = text[: text.index(key)].count("\n") + 1
    done = inside("seeds", "lint", str(path), cwd=tmp_path)
    assert done.returncode == 3
    assert re.search(rf"A1\.yaml:{line}: error: \[A1-van-inspection\] {re.escape(message)}", done.stdout), done.stdout


def test_a_dry_run_finds_the_shipped_set_by_its_bare_name(served: Served, tmp_path: Path) -> None:
    folder = workspace(tmp_path, served.server.base_url)
    done = inside("anneal", "--seed-set", "A1", "--dry-run", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["estimate"]["seeds"] == 5
    solver = next(one for one in document["messages"] if one["role"] == "solver")
    assert re.search(r"\?\n\nA\. .+\nB\. .+\nAnswer with the letter", solver["messages"][1]["content"])


def test_a_run_its_items_and_its_replay(tmp_path: Path) -> None:
    with Served(Distracted()) as running:  # type: ignore[arg-type]
        folder = workspace(tmp_path, running.server.base_url)
        one_seed(folder)
        done = inside("anneal", "--seed-set", "near", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["causes"] == {"salience": len(document["items"])}
    item = document["items"][0]
    assert (item["label"], item["tier"], item["dimension"]) == ("under_activation", "strong", "H-prox x C-pres")
    measures = document["measures"]
    assert (measures["rates"]["consistency"], measures["rates"]["under_activation"]) == (1.0, 1.0)
    listed = json.loads(inside("items", "list", "--where", "label = under_activation", "--json", cwd=folder).stdout)
    assert [one["id"] for one in listed] == [one["id"] for one in document["items"]]
    shown = inside("items", "show", item["id"], cwd=folder).stdout
    assert "my carport → their yard" in shown
    assert "The van has to be at the test centre" in shown
    replayed = inside("replay", document["run"], cwd=folder)
    assert replayed.returncode == 0, replayed.stderr


def test_an_always_a_solver_certifies_nothing_and_the_run_says_why(tmp_path: Path) -> None:
    with Served(Distracted("A")) as running:  # type: ignore[arg-type]
        folder = workspace(tmp_path, running.server.base_url)
        one_seed(folder)
        done = inside("anneal", "--seed-set", "near", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "1 exhausted of 1" in done.stdout
    assert "order: option A in 100% of" in done.stdout
    assert "-50 points against the 50% of their marginal null" in done.stdout
    assert "follow the letter and certify nothing" in done.stdout
