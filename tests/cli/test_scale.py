"""`forge scale`: what it prints and writes, what it refuses, how it stops and goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli.conftest import environment, inside
from cli.scaleworld import ScaleWorld, serve, small, stock, workspace
from cli.world import Served

from forge.testing.mockserver import Reply

KEYS = {"proposed", "accepted", "rejected", "coverage", "calls", "usd", "seconds"}
FILTERS = ["f1", "f2", "f3", "f4", "f5", "viability", "invalid"]
SHARE = ("--set", "scaling.need_share=1.0")
SCALED = Path("seeds") / "salience" / "D1.scaled.yaml"
# Of the small table, without a model: a basket and a bag for rainwater, a pillow for loaves.
BASKET, BAG, PILLOW = "D1-wicker-basket-barrel", "D1-string-bag-barrel", "D1-feather-pillow-loaves"


@pytest.fixture(scope="module")
def provider() -> Iterator[Served]:
    with serve(ScaleWorld()) as running:
        yield running


def scaled(folder: Path) -> dict[str, Any]:
    """The scaled set as it was written."""
    loaded: dict[str, Any] = yaml.safe_load((folder / SCALED).read_text(encoding="utf-8"))
    return loaded


def ids(folder: Path) -> list[str]:
    return [one["id"] for one in scaled(folder)["seeds"]]


def grow(folder: Path, *args: str, code: int = 0) -> dict[str, Any]:
    """Scale D1 and return the document."""
    done = inside("scale", "--seed-set", "D1", *args, "--json", cwd=folder)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


# ------------------------------------------------------------------------------------------------------- what it prints


def test_json_is_one_document_with_the_promised_keys(tmp_path: Path) -> None:
    document = grow(small(tmp_path), "-n", "3", "--no-model", *SHARE)
    assert set(document) >= KEYS
    assert list(document["rejected"]) == FILTERS
    assert (document["proposed"], document["accepted"]) == (3, 3)
    assert document["rejected"] == dict.fromkeys(FILTERS, 0)
    assert document["calls"] == {"made": 0, "replayed": 0}
    assert document["usd"] == 0.0
    assert document["profile"] is None
    assert sorted(one["id"] for one in document["seeds"]) == sorted([BASKET, BAG, PILLOW])
    assert document["file"] == str(tmp_path / SCALED)


def test_coverage_counts_the_sets_own_seeds_and_the_new_ones(tmp_path: Path) -> None:
    niches = {
        "setting": {"home": ["kitchen"], "travel": []},
        "quantity": {"time": ["minutes"], "clock": ["clock time"]},
    }
    document = grow(small(tmp_path, niches=niches), "-n", "3", "--no-model", *SHARE)
    # The set's own seed is for minutes on a veranda, which no group lists; so is the garden of the rainwater.
    assert document["coverage"] == {
        "rows": {"axis": "setting", "groups": ["home", "travel", "other"]},
        "columns": {"axis": "quantity", "groups": ["time", "clock"]},
        "before": [[0, 0], [0, 0], [1, 0]],
        "after": [[0, 1], [0, 0], [3, 0]],
    }


def test_no_model_makes_no_call(provider: Served, tmp_path: Path) -> None:
    before = provider.server.total
    document = grow(workspace(tmp_path, provider.server.base_url), "-n", "5", "--no-model")
    assert provider.server.total == before
    assert (document["accepted"], document["calls"]["made"], document["voiced"]) == (5, 0, 0)
    assert not any(one["voiced"] for one in document["seeds"])


def test_a_model_words_openings_and_its_calls_are_counted(provider: Served, tmp_path: Path) -> None:
    before = provider.server.total
    folder = workspace(tmp_path, provider.server.base_url)
    document = grow(folder, "-n", "6")
    assert document["profile"] == "mock"
    assert document["calls"] == {"made": provider.server.total - before, "replayed": 0}
    assert document["usd"] is None  # Nobody knows the fake's price.
    assert document["voiced"] == sum(one["voiced"] for one in document["seeds"]) > 0
    for one in document["seeds"]:
        said = one["prompt"].startswith(("So ", "Now ", "Well, ")) or any(
            f"{end} {word} " in one["prompt"] for end in ".!?" for word in ("So", "Now", "Well,")
        )
        assert said or not one["voiced"]
        assert bool(one["note"]) is not one["voiced"]
    again = grow(folder, "-n", "6")
    assert again["calls"] == {"made": 0, "replayed": document["calls"]["made"]}
    assert again["seeds"] == document["seeds"]


def test_tables_of_filters_coverage_needs_and_what_to_do_next(tmp_path: Path) -> None:
    done = inside("scale", "--seed-set", "D1", "-n", "3", "--no-model", *SHARE, cwd=small(tmp_path))
    assert done.returncode == 0, done.stderr
    text = done.stdout
    assert "Accepted 3 of 3" in text
    assert "in the table's own wording" in text
    for title in ("same name", "prompt too similar", "trap core too similar", "same tool, object and action"):
        assert title in text
    assert "2 distinct needs behind 3 seeds; the most common, watertight, holds 67 %" in text
    assert "1 (+1)" in text
    assert f"written: {tmp_path / SCALED}" in text
    assert "forge anneal --seed-set salience/D1.scaled" in text
    assert "\x1b" not in text + done.stderr


def test_a_used_up_table_says_so_and_how_to_get_more(tmp_path: Path) -> None:
    # 15 % of 3 rounds down to none, so one seed a need: the second for rainwater waits.
    done = inside("scale", "--seed-set", "D1", "-n", "3", "--no-model", cwd=small(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "Accepted 2 of 3" in done.stdout
    assert "The table is used up: add rows to it, or raise scaling.need_share." in done.stdout
    needs = {one["blocker"]["needs"] for one in scaled(tmp_path)["seeds"]}
    assert needs == {"watertight", "sharp edge"}


def test_plain_progress_lines_go_to_standard_error(tmp_path: Path) -> None:
    folder = small(tmp_path, thresholds={"slots": 0.3})
    done = inside("scale", "--seed-set", "D1", "-n", "3", "--no-model", *SHARE, cwd=folder)
    lines = [line.partition("] ")[2] or line for line in done.stderr.splitlines()]
    assert lines[0] == f"workspace: {folder} (no forge.toml found: the current folder)"
    assert lines[1] == "scale salience/D1: 3 seeds, proposer compose, no model, draw 0"
    assert lines[2].startswith("run ")
    assert lines[3] == "wave 1: 1 batches of 3 seeds in all"
    (refused,) = [line for line in lines if line.startswith("rejected by f2: ")]
    assert refused.endswith(": prompt too similar")
    accepted = [line for line in lines if line.startswith("accepted ")]
    assert [line.partition(":")[0] for line in accepted] == ["accepted 1/3", "accepted 2/3"]
    assert sorted(lines[4:]) == sorted([refused, *accepted])


# --------------------------------------------------------------------------------------------------- what was rejected


def windows(text: str) -> set[str]:
    return {text[place : place + 5] for place in range(len(text) - 4)}


def test_explain_names_filter_score_and_the_other_seed(tmp_path: Path) -> None:
    folder = small(tmp_path, thresholds={"slots": 0.3})
    document = grow(folder, "-n", "3", "--no-model", *SHARE)
    # What basket and bag share is the row's, and what is left of their prompts is this.
    basket, bag = windows("# rainwater wicker basket carry # #"), windows("# rainwater string bag carry # #")
    score = len(basket & bag) / len(basket | bag)
    assert 0.3 <= score < 0.35
    (refused,) = document["rejections"]
    first, second = (BASKET, BAG) if refused["seed"] == BAG else (BAG, BASKET)
    assert refused["filter"] == "f2"
    assert refused["score"] == pytest.approx(score, abs=1e-4)
    assert (refused["seed"], refused["other"]) == (second, first)
    assert document["rejected"] == {**dict.fromkeys(FILTERS, 0), "f2": 1}
    assert (document["proposed"], document["accepted"]) == (3, 2)
    shown = inside("scale", "--seed-set", "D1", "-n", "3", "--no-model", *SHARE, "--explain", cwd=folder)
    (line,) = [line for line in shown.stdout.splitlines() if line.startswith("  f2 0")]
    assert line.split()[:2] == ["f2", f"{score:.2f}"]
    assert refused["name"] in line
    assert f"with {first}" in line
    # Without --explain the next step offers it; with it, it stands in the command once.
    plain = inside("scale", "--seed-set", "D1", "-n", "3", "--no-model", *SHARE, cwd=folder)
    assert "  f2 0" not in plain.stdout
    assert plain.stdout.count("--explain") == shown.stdout.count("--explain") == 1


def test_explain_says_when_nothing_was_rejected(tmp_path: Path) -> None:
    done = inside("scale", "--seed-set", "D1", "-n", "1", "--no-model", "--explain", cwd=small(tmp_path))
    assert "Nothing was rejected." in done.stdout


def test_what_was_thrown_away_is_kept_whole_in_the_runs_folder(tmp_path: Path) -> None:
    folder = small(tmp_path, thresholds={"slots": 0.3})
    document = grow(folder, "-n", "3", "--no-model", *SHARE)
    run = folder / "runs" / document["run"]
    (refused,) = map(json.loads, (run / "rejected.jsonl").read_text().splitlines())
    assert refused["filter"] == "f2"
    assert refused["proposal"]["id"] == refused["seed"]
    assert refused["proposal"]["prompt"]
    kept = [json.loads(line)["id"] for line in (run / "accepted.jsonl").read_text().splitlines()]
    assert kept == [one["id"] for one in document["seeds"]]
    assert json.loads((run / "summary.json").read_text()) == document


# ------------------------------------------------------------------------------------------------------- what it writes


def test_the_written_set_lints_shows_and_can_be_annealed(tmp_path: Path) -> None:
    folder = small(tmp_path)
    grow(folder, "-n", "3", "--no-model", *SHARE)
    header = {key: value for key, value in scaled(folder).items() if key != "seeds"}
    assert (header["set"], header["family"], header["scaled_from"]) == ("D1.scaled", "salience", "D1")
    assert header["dimension"] == "missing_prerequisite"
    lint = inside("seeds", "lint", "D1.scaled", cwd=folder)
    assert (lint.returncode, "0 errors" in lint.stderr) == (0, True), lint.stderr
    shown = inside("seeds", "show", "D1.scaled", "--json", cwd=folder)
    assert [one["id"] for one in json.loads(shown.stdout)["seeds"]] == ids(folder)
    plan = inside("anneal", "--seed-set", "salience/D1.scaled", "--dry-run", "--json", cwd=folder)
    assert plan.returncode == 0, plan.stderr
    assert json.loads(plan.stdout)["estimate"]["seeds"] == 3


def test_the_file_says_where_the_seeds_come_from_and_that_nobody_has_read_them(tmp_path: Path) -> None:
    folder = small(tmp_path)
    grow(folder, "-n", "1", "--no-model", "--draw", "2")
    first, second = (folder / SCALED).read_text().splitlines()[:2]
    assert first.startswith("# Grown from salience/D1 by `forge scale`; nobody has read it yet.")
    assert second == "# Proposed by a table of ingredients, draw 2."
    assert {one["author"]["kind"] for one in scaled(folder)["seeds"]} == {"table"}


def test_a_dry_run_sends_and_writes_nothing(provider: Served, tmp_path: Path) -> None:
    folder = small(workspace(tmp_path, provider.server.base_url, more='api_key_env = "NO_SUCH_KEY"\n'))
    before, files = provider.server.total, sorted(folder.rglob("*"))
    done = inside("scale", "--seed-set", "D1", "-n", "3", "--dry-run", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "3 sound combinations on 2 needs" in done.stdout
    assert "thresholds: f2 0.5, f3 0.35, f5 0.5, slots 0.7" in done.stdout
    assert f"would be written: {folder / SCALED}" in done.stdout
    assert "Opening: " in done.stdout
    document = grow(folder, "-n", "3", "--dry-run")
    assert (document["dry_run"], document["combinations"]) == (True, 3)
    assert document["needs"] == {"watertight": 2, "sharp edge": 1}
    invent = grow(folder, "-n", "3", "--dry-run", "--proposer", "model")
    assert "Write 2 seeds that differ" in invent["messages"][-1]["content"]
    assert provider.server.total == before
    assert sorted(folder.rglob("*")) == files
    refused = inside("scale", "--seed-set", "D1", "-n", "3", cwd=folder)
    assert refused.returncode == 3
    assert "NO_SUCH_KEY" in refused.stderr


def test_a_file_that_nobody_touched_is_written_over(tmp_path: Path) -> None:
    folder = small(tmp_path)
    grow(folder, "-n", "2", "--no-model")
    before = (folder / SCALED).read_bytes()
    grow(folder, "-n", "2", "--no-model")
    assert (folder / SCALED).read_bytes() == before
    grow(folder, "-n", "1", "--no-model", "--draw", "1")
    assert len(ids(folder)) == 1


def change_by_hand(folder: Path) -> str:
    """Reword one seed's ground truth in the scaled file, and return the new words."""
    path, words = folder / SCALED, "A good answer says that it cannot work."
    data = scaled(folder)
    data["seeds"][0]["ground_truth"] = words
    path.write_text(yaml.safe_dump(data, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return words


def test_a_file_that_was_changed_by_hand_is_refused_without_add_or_force(tmp_path: Path) -> None:
    folder = small(tmp_path)
    grow(folder, "-n", "1", "--no-model")
    words = change_by_hand(folder)
    before = (folder / SCALED).read_bytes()
    done = inside("scale", "--seed-set", "D1", "-n", "2", "--no-model", "--json", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "changed by hand" in done.stderr
    assert str(folder / SCALED) in done.stderr
    assert "--add" in done.stderr
    assert "--force" in done.stderr
    assert (folder / SCALED).read_bytes() == before
    forced = grow(folder, "-n", "2", "--no-model", "--force")
    assert ids(folder) == [one["id"] for one in forced["seeds"]]
    assert words not in (folder / SCALED).read_text()


@pytest.mark.parametrize("text", ["set: D1.scaled\n", "[]\n", "set: D1.scaled\nseeds:\n- id: mine\n"])
def test_a_file_that_forge_never_wrote_is_not_written_over(text: str, tmp_path: Path) -> None:
    folder = small(tmp_path)
    (folder / SCALED).write_text(text)
    done = inside("scale", "--seed-set", "D1", "-n", "1", "--no-model", cwd=folder)
    assert done.returncode == 2
    assert "--force" in done.stderr
    assert (folder / SCALED).read_text() == text


def test_add_keeps_what_is_there_and_goes_on_from_it(tmp_path: Path) -> None:
    folder = small(tmp_path)
    first = grow(folder, "-n", "1", "--no-model", *SHARE)
    words = change_by_hand(folder)
    done = inside("scale", "--seed-set", "D1", "-n", "2", "--no-model", "--add", "--json", *SHARE, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "1 seeds of D1.scaled.yaml are kept" in done.stderr
    second = json.loads(done.stdout)
    assert ids(folder) == [one["id"] for one in (*first["seeds"], *second["seeds"])]
    assert sorted(ids(folder)) == sorted([BASKET, BAG, PILLOW])
    assert scaled(folder)["seeds"][0]["ground_truth"] == words
    assert sum(map(sum, second["coverage"]["before"])) == 2
    assert second["needs"] == {"watertight": 2, "sharp edge": 1}
    # Forge wrote the file, so that it may be written over; and it still lints.
    assert inside("seeds", "lint", "D1.scaled", cwd=folder).returncode == 0
    grow(folder, "-n", "1", "--no-model")


def test_in_steps_or_at_once_the_same_seeds_are_grown(tmp_path: Path) -> None:
    once, steps = small(tmp_path / "once"), small(tmp_path / "steps")
    grow(once, "-n", "3", "--no-model", *SHARE)
    for _ in range(3):
        grow(steps, "-n", "1", "--no-model", "--add", *SHARE)
    assert (steps / SCALED).read_bytes() == (once / SCALED).read_bytes()


def test_add_on_a_broken_file_names_what_is_wrong(tmp_path: Path) -> None:
    folder = small(tmp_path)
    grow(folder, "-n", "1", "--no-model")
    data = scaled(folder)
    del data["seeds"][0]["prompt"]
    (folder / SCALED).write_text(yaml.safe_dump(data, sort_keys=False))
    done = inside("scale", "--seed-set", "D1", "-n", "1", "--no-model", "--add", cwd=folder)
    assert done.returncode == 3
    assert "the field `prompt` is missing" in done.stderr
    assert "Traceback" not in done.stderr


def test_add_does_not_take_seeds_that_the_set_holds_too(tmp_path: Path) -> None:
    folder = small(tmp_path)
    grow(folder, "-n", "1", "--no-model")
    own = folder / "seeds" / "salience" / "D1.yaml"
    data = yaml.safe_load(own.read_text())
    data["seeds"] += scaled(folder)["seeds"]
    own.write_text(yaml.safe_dump(data, sort_keys=False, allow_unicode=True))
    done = inside("scale", "--seed-set", "D1", "-n", "1", "--no-model", "--add", cwd=folder)
    assert done.returncode == 3
    assert f"{ids(folder)[0]} stands in {own} too" in done.stderr
    # Without --add the set's own copy is known, and not proposed again.
    document = grow(folder, "-n", "2", "--no-model", *SHARE)
    assert data["seeds"][-1]["id"] not in [one["id"] for one in document["seeds"]]


# ---------------------------------------------------------------------------------------------------------- f5, grades


def test_what_is_published_elsewhere_is_tagged_not_dropped(tmp_path: Path) -> None:
    folder = small(tmp_path)
    plain = {one["id"]: one["prompt"] for one in grow(folder, "-n", "3", "--no-model", *SHARE)["seeds"]}
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "list.jsonl").write_text(json.dumps({"id": 1, "question": "Nothing at all like any of them."}))
    # Another list of the same name, whose first item has the same id; its line holds a line separator.
    row = {"id": 1, "text": f"{plain[PILLOW]}\u2028", "source": "Doe 2020"}
    (tmp_path / "list.jsonl").write_text(json.dumps(row, ensure_ascii=False) + "\n\n", encoding="utf-8")
    lists = ("--against", str(tmp_path / "a" / "list.jsonl"), "--against", str(tmp_path / "list.jsonl"))
    document = grow(folder, "-n", "3", "--no-model", *SHARE, *lists)
    assert (document["accepted"], document["rejected"]["f5"]) == (3, 0)
    (found,) = document["viral"]
    assert (found["seed"], found["source"], found["similarity"]) == (PILLOW, "Doe 2020", 1.0)
    tags = {one["id"]: "viral" in one.get("tags", []) for one in scaled(folder)["seeds"]}
    assert tags == {PILLOW: True, BAG: False, BASKET: False}
    shown = inside("scale", "--seed-set", "D1", "-n", "3", "--no-model", *SHARE, *lists, cwd=folder)
    assert "1 tagged" in shown.stdout
    assert f"viral {PILLOW} is 1.00 similar to list/1" in shown.stdout


def test_a_model_that_grades_has_the_last_word_downwards_only(tmp_path: Path) -> None:
    more = '[profiles.graded]\nextends = "mock"\nroles.viability = "openai/mock-checker"\n'
    # What was not promoted makes room: the third combination is tried as well.
    for grade, accepted, rejected in (("A", 2, 0), ("A-", 2, 0), ("B", 0, 3), ("C", 0, 3)):
        with serve(ScaleWorld(grade=grade)) as served:
            folder = small(workspace(tmp_path / grade, served.server.base_url, more=more))
            document = grow(folder, "-n", "2", "--profile", "graded", "--set", "scaling.voice=none")
            assert document["accepted"] == accepted
            assert document["rejected"] == {**dict.fromkeys(FILTERS, 0), "viability": rejected}
            assert {one["grade"] for one in document["seeds"]} <= {grade}
            assert served.server.total == document["calls"]["made"] == accepted + rejected
            if not accepted:
                assert not (folder / SCALED).exists()
                assert document["file"] == ""
                every = grow(folder, "-n", "2", "--profile", "graded", "--set", "scaling.voice=none", "--all-grades")
                assert [one["grade"] for one in every["seeds"]] == [grade, grade]
                assert every["calls"] == {"made": 0, "replayed": 2}


# ------------------------------------------------------------------------------------------------------ what it refuses


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--seed-set", "D7", "--no-model"), "no seed set D7"),
        (("--seed-set", "salience/D", "--no-model"), "did you mean"),
        (("--seed-set", "D1.other", "--no-model"), "has no table of ingredients"),
    ],
)
def test_a_set_that_cannot_be_scaled_is_a_clear_error(args: tuple[str, ...], said: str, tmp_path: Path) -> None:
    folder = small(tmp_path)
    seeds = folder / "seeds" / "salience"
    (seeds / "D1.other.yaml").write_text((seeds / "D1.yaml").read_text().replace("set: D1", "set: D1.other"))
    done = inside("scale", *args, "-n", "1", cwd=folder)
    assert (done.returncode, done.stdout) == (3, "")
    assert said in done.stderr
    assert "fix:" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"text": "half', "not JSON"),
        (b"plain words", "not JSON"),
        (b'{"id": 7}', "the line holds no item"),
        (b'{"text": ""}', "the line holds no item"),
        (b'{"text": 7}', "the line holds no item"),
        (b'["text"]', "the line holds no item"),
        (b"null", "the line holds no item"),
    ],
)
def test_a_broken_line_of_a_published_list_is_named_by_file_and_line(line: bytes, said: str, tmp_path: Path) -> None:
    folder = small(tmp_path)
    path = tmp_path / "list.jsonl"
    path.write_bytes(b'{"text": "a good line"}\n\n' + line + b'\n{"text": "another"}\n')
    done = inside("scale", "--seed-set", "D1", "-n", "1", "--no-model", "--against", str(path), cwd=folder)
    assert (done.returncode, done.stdout) == (3, "")
    assert said in done.stderr
    assert f"{path}:3" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / SCALED).exists()


def test_a_published_list_that_cannot_be_read_is_a_clear_error(tmp_path: Path) -> None:
    folder = small(tmp_path)
    (tmp_path / "list.jsonl").write_bytes(b'{"text": "caf\xe9"}\n')
    broken = inside(
        "scale", "--seed-set", "D1", "-n", "1", "--no-model", "--against", str(tmp_path / "list.jsonl"), cwd=folder
    )
    assert broken.returncode == 3
    assert "cannot be read" in broken.stderr
    missing = inside("scale", "--seed-set", "D1", "-n", "1", "--no-model", "--against", "nowhere.jsonl", cwd=folder)
    assert missing.returncode == 2
    assert "nowhere.jsonl" in missing.stderr


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ({"thresholds": {"f2": 7}}, "the threshold f2 must lie in 0.3 to 1"),
        ({"thresholds": {"f4": 0.5}}, "no threshold f4"),
        ({"niches": {"setting": {"home": ["kitchen"]}}}, "`niches` is a grid of two axes"),
    ],
)
def test_a_header_that_makes_no_sense_is_a_clear_error(header: dict[str, Any], said: str, tmp_path: Path) -> None:
    folder = small(tmp_path, **header)
    done = inside("scale", "--seed-set", "D1", "-n", "1", "--no-model", cwd=folder)
    assert done.returncode == 3
    assert said in done.stderr
    assert str(folder / "seeds" / "salience" / "D1.yaml") in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("args", [("-n", "0"), ("-n", "some"), ("--proposer", "nobody", "-n", "1"), ()])
def test_wrong_use_exits_2(args: tuple[str, ...], tmp_path: Path) -> None:
    assert inside("scale", "--seed-set", "D1", *args, cwd=tmp_path).returncode == 2


def test_nobody_is_left_to_invent_without_a_model(tmp_path: Path) -> None:
    done = inside("scale", "--seed-set", "D1", "-n", "1", "--no-model", "--proposer", "model", cwd=small(tmp_path))
    assert done.returncode == 2
    assert "--no-model leaves nobody to propose" in done.stderr


def test_the_small_local_model_is_warned_of_as_an_inventor(tmp_path: Path) -> None:
    done = inside("scale", "--seed-set", "D1", "-n", "1", "--proposer", "model", "--dry-run", cwd=small(tmp_path))
    assert "too small to invent seeds" in done.stderr
    composed = inside("scale", "--seed-set", "D1", "-n", "1", "--dry-run", cwd=tmp_path)
    assert "too small" not in composed.stderr


# -------------------------------------------------------------------------------------------------- the proposer `model`


def answers(*entries: Any) -> Any:
    """A provider that replies with these entries to every batch."""
    return lambda body: json.dumps({"seeds": list(entries)})


def test_a_models_batch_is_read_entry_by_entry(tmp_path: Path) -> None:
    good, other = stock()[0], stock()[20]
    lost = {name: value for name, value in other.items() if name != "probe"}
    # The second has no probe, the third is no A by rules, the fourth repeats the first.
    wrong = {**other, "name": "a question of its own", "question": "What does it all cost?"}
    with serve(answers(good, lost, wrong, good, other)) as served:
        folder = small(workspace(tmp_path, served.server.base_url, wave=1))
        document = grow(folder, "-n", "2", "--proposer", "model")
    assert [one["name"] for one in document["seeds"]] == [good["name"], other["name"]]
    assert document["rejected"] == {**dict.fromkeys(FILTERS, 0), "f1": 1, "viability": 1, "invalid": 1}
    reasons = {one["filter"]: one for one in document["rejections"]}
    assert "probe" in reasons["invalid"]["detail"]
    assert reasons["invalid"]["name"] == other["name"]
    assert "question" in reasons["viability"]["detail"]
    assert (reasons["f1"]["score"], reasons["f1"]["other"]) == (1.0, document["seeds"][0]["id"])
    assert {one["author"]["kind"] for one in scaled(folder)["seeds"]} == {"model"}
    assert inside("seeds", "lint", "D1.scaled", cwd=folder).returncode == 0


def test_a_model_that_brings_nothing_new_ends_the_run_after_three_waves(tmp_path: Path) -> None:
    with serve(answers(stock()[0])) as served:
        folder = small(workspace(tmp_path, served.server.base_url, wave=1))
        document = grow(folder, "-n", "3", "--proposer", "model")
        shown = inside("scale", "--seed-set", "D1", "-n", "3", "--proposer", "model", cwd=folder)
    assert (document["accepted"], document["waves"], document["ended"]) == (1, 4, "used up")
    assert document["rejected"]["f1"] == 3
    assert "The last waves brought nothing new" in shown.stdout


@pytest.mark.parametrize("reply", ["", "Sure, here are some ideas!", '{"seeds": "none"}'])
def test_a_malformed_reply_is_an_invalid_proposal(reply: str, tmp_path: Path) -> None:
    with serve(lambda body: reply) as served:
        folder = small(workspace(tmp_path, served.server.base_url, wave=1))
        document = grow(folder, "-n", "1", "--proposer", "model")
    # Three waves that bring nothing.
    assert document["rejected"] == {**dict.fromkeys(FILTERS, 0), "invalid": 3}
    assert all(one["detail"].startswith("malformed reply: ") for one in document["rejections"])
    assert (document["accepted"], document["file"]) == (0, "")


def test_names_from_a_model_reach_no_terminal_and_no_path(tmp_path: Path) -> None:
    bad = {**stock()[0], "name": "../../\x1b[31mred [bold]x[/bold] \u202e \ud800"}
    odd = {**stock()[20], "name": "../../etc/\x1b[31mred [bold]x[/bold]"}
    with serve(answers(bad, odd)) as served:
        folder = small(workspace(tmp_path, served.server.base_url, wave=1))
        done = inside("scale", "--seed-set", "D1", "-n", "1", "--proposer", "model", "--explain", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert not any(mark in done.stdout + done.stderr for mark in ("\x1b", "\u202e", "\ud800"))
    assert "[bold]x[/bold]" in done.stdout
    assert all(part not in ids(folder)[0] for part in ("/", "..", "[", "\x1b"))


# ------------------------------------------------------------------------------------------------------------ the runs


def test_runs_list_and_show_know_a_run_of_scaling(tmp_path: Path) -> None:
    folder = small(tmp_path, thresholds={"slots": 0.3})
    document = grow(folder, "-n", "3", "--no-model", *SHARE)
    (row,) = json.loads(inside("runs", "list", "--json", cwd=folder).stdout)
    assert (row["run"], row["command"], row["seed_set"]) == (document["run"], "scale", "salience/D1")
    assert row["ended"] is not None
    listed = inside("runs", "list", cwd=folder)
    assert listed.returncode == 0, listed.stderr
    assert "2 of 3 accepted" in listed.stdout
    shown = inside("runs", "show", "last", cwd=folder)
    assert shown.returncode == 0, shown.stderr
    assert "Accepted 2 of 3" in shown.stdout
    assert "prompt too similar" in shown.stdout
    assert "forge scale --seed-set salience/D1 -n 3 --proposer compose --no-model" in shown.stdout
    whole = json.loads(inside("runs", "show", document["run"], "--json", cwd=folder).stdout)
    assert whole["summary"]["rejected"] == document["rejected"]
    assert whole["settings"]["proposer"] == "compose"
    assert whole["settings"]["thresholds"]["slots"] == 0.3
    assert inside("items", "list", "--json", cwd=folder).stdout.strip() == "[]"


# ------------------------------------------------------------------------------------------------- stopping, going on


def test_a_budget_in_calls_exits_4_keeps_the_accepted_and_the_next_run_goes_on(tmp_path: Path) -> None:
    with serve(ScaleWorld()) as served:
        undisturbed = workspace(tmp_path / "whole", served.server.base_url, wave=1)
        whole = grow(undisturbed, "-n", "8")
        folder = workspace(tmp_path / "stopped", served.server.base_url, wave=1)
        before, calls = served.server.total, whole["calls"]["made"] // 2
        done = inside("scale", "--seed-set", "D1", "-n", "8", "--max-calls", str(calls), cwd=folder)
        assert done.returncode == 4, done.stderr
        assert served.server.total - before == calls
        assert f"the limit of {calls} calls is reached" in done.stderr
        assert "goes on; what was answered replays free" in done.stdout
        kept = ids(folder)
        assert 0 < len(kept) < 8
        assert kept == ids(undisturbed)[: len(kept)]
        again = grow(folder, "-n", "8")
    assert again["calls"] == {"made": whole["calls"]["made"] - calls, "replayed": calls}
    assert (folder / SCALED).read_bytes() == (undisturbed / SCALED).read_bytes()


PRICED = '[prices."openai/mock-writer"]\ninput = 500\noutput = 1000\n'


def test_a_budget_in_dollars_is_kept_and_exits_4(tmp_path: Path) -> None:
    with serve(ScaleWorld()) as served:
        folder = workspace(tmp_path, served.server.base_url, wave=1, more=PRICED)
        refused = inside("scale", "--seed-set", "D1", "-n", "8", "--json", cwd=folder)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "--max-usd" in refused.stderr
        assert served.server.total == 0
        document = grow(folder, "-n", "8", "--max-usd", "0.9", code=4)
        assert 0 < document["usd"] <= 0.9
        assert document["accepted"] < 8


def test_a_refusal_stops_the_run_with_exit_3_and_a_document(tmp_path: Path) -> None:
    with serve(ScaleWorld()) as served:
        served.server.api_key = "the-right-key"
        document = grow(small(workspace(tmp_path, served.server.base_url)), "-n", "2", code=3)
    assert (document["accepted"], document["file"]) == (0, "")
    assert "401" in document["ended"]
    assert not (tmp_path / SCALED).exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_the_accepted_and_the_next_run_goes_on(number: signal.Signals, tmp_path: Path) -> None:
    with serve(ScaleWorld()) as quick:
        whole = workspace(tmp_path / "whole", quick.server.base_url, wave=1)
        grow(whole, "-n", "6")
    with serve(ScaleWorld(), latency=0.25) as served:
        folder = workspace(tmp_path / "stopped", served.server.base_url, wave=1)
        child = subprocess.Popen(
            [sys.executable, "-m", "forge", "scale", "--seed-set", "D1", "-n", "6", "--json"],
            cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        # A wave is two seeds and at most four requests: the fifth is asked when something has been accepted.
        until = time.monotonic() + 90
        while served.server.total < 5:
            assert child.poll() is None, child.communicate()
            assert time.monotonic() < until
            time.sleep(0.02)
        child.send_signal(number)
        out, err = child.communicate(timeout=60)
        assert child.returncode == 130, err
        assert "Traceback" not in err
        assert "stopping: " in err
        document = json.loads(out)
        assert document["ended"] == "interrupted"
        assert 2 <= document["accepted"] < 6
        assert ids(folder) == [one["id"] for one in document["seeds"]] == ids(whole)[: document["accepted"]]
        # Every answer that was paid for is in the ledger: none is asked again.
        asked = served.server.total
        assert document["calls"]["made"] == asked
        served.server.latency = 0.0
        again = grow(folder, "-n", "6")
        assert again["calls"]["replayed"] == asked
        assert served.server.total == asked + again["calls"]["made"]
    assert (folder / SCALED).read_bytes() == (whole / SCALED).read_bytes()


def test_a_fault_that_outlives_its_retries_exits_3_and_keeps_the_accepted(tmp_path: Path) -> None:
    world, left = ScaleWorld(), [5]

    def failing(body: dict[str, Any]) -> Reply:
        left[0] -= 1
        return world(body) if left[0] >= 0 else Reply(503, {"error": {"message": "overloaded"}})

    with serve(failing) as served:
        folder = workspace(tmp_path, served.server.base_url, wave=1)
        done = inside("scale", "--seed-set", "D1", "-n", "8", cwd=folder)
    assert done.returncode == 3, done.stderr
    assert "stopped: " in done.stderr
    assert "Traceback" not in done.stderr
    assert 2 <= len(ids(folder)) < 8
    assert f"Accepted {len(ids(folder))} of 8" in done.stdout
    steps = " ".join(done.stdout.split())
    assert "scale --seed-set D1 -n 8 goes on; what was answered replays free" in steps
