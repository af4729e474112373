"""`forge seeds`: listing, showing, linting, starting and describing seed sets."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from cli.inside import call

from forge.families.salience import SalienceFamily
from forge.session.schema import seed_schema

CHECKOUT = Path(__file__).resolve().parents[2]
SHIPPED = sorted((CHECKOUT / "seeds" / "salience").glob("D*.yaml"))


@pytest.fixture
def workspace(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Path:
    call(capsys, tmp_path, "init")
    return tmp_path


def edit(path: Path, old: str, new: str) -> int:
    """Replace text that stands in a file once, and return its line."""
    text = path.read_text()
    assert text.count(old) == 1, old
    path.write_text(text.replace(old, new))
    return text[: text.index(old)].count("\n") + 1


# ------------------------------------------------------------------------------------------------------------- list


def test_list_shows_own_and_shipped_sets(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    rows = {row["name"]: row for row in call(capsys, workspace, "seeds", "list", "--json").document}
    assert {"salience/D1", "salience/D2", "salience/D3", "salience/D4", "salience/my_first"} <= set(rows)
    mine = rows["salience/my_first"]
    assert mine["family"] == "salience"
    assert mine["dimension"] == "missing_prerequisite"
    assert mine["seeds"] == 1
    assert mine["file"] == str(workspace / "seeds" / "salience" / "my_first.yaml")
    assert mine["problems"] == []
    assert rows["salience/D1"]["seeds"] == 12


def test_list_goes_on_past_a_broken_file(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    (workspace / "seeds" / "salience" / "torn.yaml").write_text("set: torn\nseeds: [\n")
    done = call(capsys, workspace, "seeds", "list", "--json")
    assert done.code == 0
    (torn,) = [row for row in done.document if row["name"] == "salience/torn"]
    assert "not YAML" in torn["problems"][0]["message"]
    shown = call(capsys, workspace, "seeds", "list")
    assert "cannot be read" in shown.out
    assert "salience/D1" in shown.out


# ------------------------------------------------------------------------------------------------------------- show


def test_show_a_set_and_a_seed(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    shown = call(capsys, workspace, "seeds", "show", "my_first", "--json").document
    assert [seed["id"] for seed in shown["seeds"]] == ["my_first-magnets"]
    assert shown["header"]["licence"] == "CC-BY-4.0"
    seed = call(capsys, workspace, "seeds", "show", "my_first-magnets", "--json").document
    assert seed["set"] == "salience/my_first"
    assert seed["seed"]["control"]["edits"] == [{"from": "fridge magnets", "to": "sticky pads"}]
    text = call(capsys, workspace, "seeds", "show", "my_first-magnets").out
    assert "fridge magnets" in text
    assert "is_false: Does a fridge magnet stick to a door of bare pine?" in text


def test_show_names_near_ids(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    done = call(capsys, workspace, "seeds", "show", "my_first-magnet")
    assert done.code == 3
    assert "did you mean my_first-magnets" in done.err


def test_an_id_of_two_sets_asks_which(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    folder = workspace / "seeds" / "salience"
    (folder / "other.yaml").write_text((folder / "my_first.yaml").read_text().replace("set: my_first", "set: other"))
    done = call(capsys, workspace, "seeds", "show", "my_first-magnets")
    assert done.code == 3
    assert "salience/my_first, salience/other" in done.err
    chosen = call(capsys, workspace, "seeds", "show", "my_first-magnets", "--seed-set", "other", "--json")
    assert chosen.document["set"] == "salience/other"


# ------------------------------------------------------------------------------------------------------------- lint


def test_a_clean_set_ends_with_0_and_a_count(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    done = call(capsys, workspace, "seeds", "lint", "my_first")
    assert (done.code, done.out) == (0, "")
    assert done.err.strip() == "1 seed in 1 set: 0 errors, 0 warnings"


def test_an_error_names_file_line_and_seed(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    path = workspace / "seeds" / "salience" / "my_first.yaml"
    line = edit(path, "{from: fridge magnets, to: sticky pads}", "{from: fridge magnet, to: sticky pads}")
    done = call(capsys, workspace, "seeds", "lint", "my_first")
    assert done.code == 3
    assert f"{path}:{line}: error: [my_first-magnets] 'fridge magnet' stands 0 times in the prompt" in done.out
    document = call(capsys, workspace, "seeds", "lint", str(path), "--json").document
    assert document["ok"] is False
    assert document["errors"] == done.out.count(": error: ")
    assert line in [problem["line"] for problem in document["sets"][0]["problems"]]


def test_a_warning_alone_ends_with_0(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    path = workspace / "seeds" / "salience" / "my_first.yaml"
    edit(path, "lang: en\n", "lang: nl\n")
    done = call(capsys, workspace, "seeds", "lint", "my_first")
    assert done.code == 0
    assert ": warning: [my_first-magnets] " in done.out
    assert "0 errors, 1 warning" in done.err


def test_one_broken_file_does_not_hide_the_others(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    torn = workspace / "seeds" / "salience" / "torn.yaml"
    torn.write_text("set: torn\nfamily: salience\nseeds: [a, b\n")
    nobody = workspace / "seeds" / "nobody" / "N1.yaml"
    nobody.parent.mkdir()
    nobody.write_text("set: N1\nfamily: nobody\nlang: en\nlicence: CC0\nseeds: [{id: n-1}]\n")
    done = call(capsys, workspace, "seeds", "lint")
    assert done.code == 3
    assert f"{torn}:" in done.out
    assert f"{nobody}:" in done.out
    assert re.search(r"\d+ seeds in \d+ sets: \d+ errors", done.err)


def test_an_unknown_set_is_named_with_its_neighbours(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    done = call(capsys, workspace, "seeds", "lint", "my_frist")
    assert done.code == 3
    assert "did you mean my_first" in done.err


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_shipped_sets_have_no_errors(capsys: pytest.CaptureFixture[str], tmp_path: Path, path: Path) -> None:
    done = call(capsys, tmp_path, "seeds", "lint", str(path))
    assert done.code == 0, done.out


# -------------------------------------------------------------------------------------------------------------- new


def test_new_opens_with_every_field_and_one_seed(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    done = call(capsys, workspace, "seeds", "new", "kitchen", "--json")
    path = Path(done.document["file"])
    assert path == workspace / "seeds" / "salience" / "kitchen.yaml"
    text = path.read_text()
    assert text.startswith("# ---")
    data = yaml.safe_load(text)
    assert data["set"] == "kitchen"
    (seed,) = data["seeds"]
    assert set(seed) | set(data) >= set(SalienceFamily.Seed.model_fields)
    lint = call(capsys, workspace, "seeds", "lint", "kitchen")
    assert lint.code == 3
    assert "prompt" in lint.out
    assert "unknown field" not in lint.out
    assert "missing" not in lint.out


def test_new_never_overwrites(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    path = workspace / "seeds" / "salience" / "my_first.yaml"
    before = path.read_text()
    done = call(capsys, workspace, "seeds", "new", "my_first")
    assert done.code == 3
    assert path.read_text() == before


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".hidden", "a b", "x\n", "a..b", "n" * 101, "x.yaml"])
def test_an_unsafe_name_never_becomes_a_path(capsys: pytest.CaptureFixture[str], workspace: Path, name: str) -> None:
    before = sorted(workspace.parent.rglob("*"))
    assert call(capsys, workspace, "seeds", "new", name).code == 2
    assert sorted(workspace.parent.rglob("*")) == before


def test_an_unknown_family_is_refused(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    done = call(capsys, workspace, "seeds", "new", "x", "--family", "salient")
    assert done.code == 3
    assert "did you mean salience" in done.err


@pytest.mark.parametrize("name", ["no", "on", "1.5", "2026-05-01", "0x10", "~null"])
def test_a_name_that_yaml_would_misread_is_quoted(
    capsys: pytest.CaptureFixture[str], workspace: Path, name: str
) -> None:
    done = call(capsys, workspace, "seeds", "new", name, "--json")
    if name.startswith("~"):
        assert done.code == 2
        return
    assert yaml.safe_load(Path(done.document["file"]).read_text())["set"] == name


def test_hiding_a_shipped_set_is_said(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    done = call(capsys, workspace, "seeds", "new", "D1")
    assert done.code == 0
    assert "from now on salience/D1 is this file" in done.err


# ----------------------------------------------------------------------------------------------------------- schema


def schema(capsys: pytest.CaptureFixture[str], folder: Path) -> dict[str, Any]:
    document: dict[str, Any] = call(capsys, folder, "seeds", "schema").document
    jsonschema.Draft202012Validator.check_schema(document)
    return document


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_shipped_sets_fit_the_schema(capsys: pytest.CaptureFixture[str], tmp_path: Path, path: Path) -> None:
    validator = jsonschema.Draft202012Validator(schema(capsys, tmp_path))
    assert [error.message for error in validator.iter_errors(yaml.safe_load(path.read_text()))] == []


@pytest.mark.parametrize(
    ("change", "at"),
    [
        (lambda data: data.pop("licence"), "$"),
        (lambda data: data.pop("dimension"), "$"),
        (lambda data: data.update(family="salient"), "$.family"),
        (lambda data: data["seeds"][0].pop("prompt"), "$.seeds[0]"),
        (lambda data: data["seeds"][0].update(promt="x"), "$.seeds[0]"),
        (lambda data: data["seeds"][0]["numbers"][0].update(role="bait"), "$.seeds[0].numbers[0].role"),
        (lambda data: data["seeds"][0]["blocker"].update(kind="mood"), "$.seeds[0].blocker.kind"),
        (lambda data: data.update(seeds=[]), "$.seeds"),
        (lambda data: data["seeds"][0]["control"]["edits"][0].update(to=382.8), "$.seeds[0].control.edits[0].to"),
    ],
)
def test_the_schema_refuses_what_lint_refuses(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, change: Any, at: str
) -> None:
    data = yaml.safe_load(SHIPPED[0].read_text())
    change(data)
    errors = list(jsonschema.Draft202012Validator(schema(capsys, tmp_path)).iter_errors(data))
    assert at in [error.json_path for error in errors]


def test_a_dimension_may_stand_in_each_seed_instead(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = yaml.safe_load(SHIPPED[0].read_text())
    dimension = data.pop("dimension")
    for seed in data["seeds"]:
        seed["dimension"] = dimension
    assert list(jsonschema.Draft202012Validator(schema(capsys, tmp_path)).iter_errors(data)) == []


def test_every_field_is_described() -> None:
    document = seed_schema(SalienceFamily())
    assert [key for key, part in document["properties"].items() if "description" not in part] == []
    seed = document["$defs"]["Seed"]["properties"]
    plain = {"set", "family", "lang", "licence", "dimension"}
    assert [key for key, part in seed.items() if key not in plain and "description" not in part] == []
    json.dumps(document)
