"""`forge dedup`: formats, bad rows, what is written and what is not, indexes kept for later, and interrupts."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import duckdb
import pytest
from cli.conftest import Done, environment, forge, inside
from unit.text.made import texts

from forge.cli.dedup import command
from forge.cli.dedupview import Watch, apart, line
from forge.registry.store import Registry
from forge.session.dedup import MAX_CHARS, THRESHOLD, Progress
from forge.text.shingles import similarity

BAG = "I have 12 boxes of apples to carry home in a mesh bag, so how long does it take me?"
SHOP = "The shop is two streets away and closes at noon; should I walk or take the car?"
ROWS = [BAG, BAG.upper() + "!", BAG.replace("12", "15"), SHOP, SHOP.replace("noon", "nine"), "Quite another thing."]
# Rows 2 and 3 repeat row 1; row 5 shares with row 4 all shingles but eight on either side of the changed word.
REPEATS = [(2, "exact", 1), (3, "near", 1), (5, "near", 4)]


def jsonl(path: Path, rows: list[Any], field: str = "prompt") -> Path:
    path.write_bytes(b"".join(json.dumps({"id": n, field: row}).encode() + b"\n" for n, row in enumerate(rows)))
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(row) for row in path.read_text(encoding="utf-8").splitlines()]


def dedup(folder: Path, *args: str, code: int = 0) -> Done:
    done = inside("dedup", *args, cwd=folder)
    assert done.returncode == code, done.stderr
    return done


def document(folder: Path, *args: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(dedup(folder, *args, "--json").stdout)
    return found


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_lines_are_kept_byte_for_byte_and_every_repeat_is_explained(tmp_path: Path) -> None:
    assert similarity(ROWS[3], ROWS[4]) >= THRESHOLD
    path = jsonl(tmp_path / "a.jsonl", ROWS)
    raw = path.read_bytes().splitlines(keepends=True)
    found = document(tmp_path, "a.jsonl", "--field", "prompt")
    assert set(found) >= {"read", "kept", "rejected", "seconds"}
    assert (found["read"], found["kept"]) == (6, 3)
    assert found["rejected"] == {"exact": 1, "near": 2, "invalid": 0}
    assert (tmp_path / "a.kept.jsonl").read_bytes() == raw[0] + raw[3] + raw[5]
    told = lines(tmp_path / "a.duplicates.jsonl")
    assert [(one["row"], one["kind"], one["of"]) for one in told] == REPEATS
    assert [one["similarity"] for one in told] == [1.0, 1.0, round(similarity(ROWS[3], ROWS[4]), 6)]
    assert [(one["text"], one["earlier"]) for one in told] == [(ROWS[n - 1], ROWS[of - 1]) for n, _, of in REPEATS]
    assert lines(tmp_path / "a.rejects.jsonl") == []
    assert path.read_bytes() == b"".join(raw)


def test_explain_and_the_summary(tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", ROWS)
    done = dedup(tmp_path, "a.jsonl", "--field", "prompt", "--explain", "--dry-run")
    assert "a.jsonl: 6 rows" in done.stdout
    assert "dry run: nothing was written" in done.stdout
    table = done.stdout.partition("similarity")[2]
    assert [part in table for part in ("row 1", "exact", "1.000", f"{similarity(ROWS[3], ROWS[4]):.3f}")] == [True] * 4
    assert list(tmp_path.iterdir()) == [tmp_path / "a.jsonl"]
    rows = [f"{BAG} {'again ' * 3}{number}" for number in range(40)]
    jsonl(tmp_path / "b.jsonl", rows)
    assert "20 of 39 repeats; all of them in" in dedup(tmp_path, "b.jsonl", "--field", "prompt", "--explain").stdout
    assert len(document(tmp_path, "b.jsonl", "--field", "prompt", "--explain", "--force")["collisions"]) == 20
    assert "no repeats" in dedup(tmp_path, "b.kept.jsonl", "--field", "prompt", "--explain", "--dry-run").stdout


def test_csv_records_are_kept_as_written(tmp_path: Path) -> None:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(["id", "prompt", "note"])
    for number, row in enumerate(ROWS):
        writer.writerow([number, row, 'two\nlines, "quoted"' if number % 2 else ""])
    (tmp_path / "a.csv").write_bytes(out.getvalue().encode())
    found = document(tmp_path, "a.csv", "--field", "prompt")
    assert found["rejected"] == {"exact": 1, "near": 2, "invalid": 0}
    kept = (tmp_path / "a.kept.csv").read_bytes().decode()
    records = list(csv.reader(io.StringIO(out.getvalue(), newline="")))
    assert list(csv.reader(io.StringIO(kept, newline=""))) == [records[n] for n in (0, 1, 4, 6)]
    assert all(part in out.getvalue() for part in kept.split("\r\n"))
    assert [one["line"] for one in lines(tmp_path / "a.duplicates.jsonl")] == [3, 5, 8]


def test_tsv_and_a_format_that_is_given(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("prompt\tn\n" + "".join(f"{row}\t1\n" for row in ROWS))
    assert document(tmp_path, "a.txt", "--field", "prompt", "--format", "tsv")["kept"] == 3
    assert (tmp_path / "a.kept.tsv").read_text().splitlines()[1:] == [f"{ROWS[n]}\t1" for n in (0, 3, 5)]


def test_parquet_keeps_all_columns(tmp_path: Path) -> None:
    with duckdb.connect(":memory:") as con:
        con.execute("CREATE TABLE t (id BIGINT, prompt VARCHAR, more INTEGER[])")
        con.executemany("INSERT INTO t VALUES (?, ?, ?)", [(n, row, [n]) for n, row in enumerate([*ROWS, None])])
        con.execute(f"COPY t TO '{tmp_path / 'a.parquet'}' (FORMAT parquet)")
        found = document(tmp_path, "a.parquet", "--field", "prompt")
        assert found["rejected"] == {"exact": 1, "near": 2, "invalid": 1}
        kept = con.execute("SELECT * FROM read_parquet(?)", [str(tmp_path / "a.kept.parquet")]).fetchall()
    assert kept == [(n, ROWS[n], [n]) for n in (0, 3, 5)]
    wrong = document(tmp_path, "a.parquet", "--field", "id", "--force")
    assert wrong["rejected"]["invalid"] == wrong["read"] == 7
    assert {one["reason"] for one in lines(tmp_path / "a.rejects.jsonl")} == {"the column is BIGINT, not text"}


def bad_rows(path: Path) -> Path:
    good = [json.dumps({"prompt": text}).encode() for text in ("A first good text.", "A second one, quite unlike.")]
    long = json.dumps({"prompt": "long " * 1_000_000}).encode()
    path.write_bytes(
        b"\n".join([good[0], b'{"prompt": ""}', b'{"prompt": "\xff"}', long, b'{"text": 1}', b"", good[1], b'{"prom'])
    )
    return path


def test_bad_rows_are_set_aside_with_number_and_reason(tmp_path: Path) -> None:
    path = bad_rows(tmp_path / "a.jsonl")
    assert path.stat().st_size > 5_000_000
    found = document(tmp_path, "a.jsonl", "--field", "prompt")
    assert (found["read"], found["kept"]) == (7, 2)
    assert found["rejected"] == {"exact": 0, "near": 0, "invalid": 5}
    told = lines(tmp_path / "a.rejects.jsonl")
    assert [(one["row"], one["line"], one["kind"]) for one in told] == [
        (2, 2, "empty"), (3, 3, "encoding"), (4, 4, "long"), (5, 5, "missing"), (7, 8, "syntax"),
    ]  # fmt: skip
    assert "5,000,000 characters, more than 1,000,000" in told[2]["reason"]
    assert told[4]["reason"].startswith("the file ends in the middle of this line")
    assert all(len(one["text"]) <= 240 for one in told)
    assert [one["prompt"] for one in lines(tmp_path / "a.kept.jsonl")] == [
        "A first good text.", "A second one, quite unlike.",
    ]  # fmt: skip
    assert document(tmp_path, "a.jsonl", "--field", "prompt", "--max-chars", "6000000", "--dry-run")["kept"] == 3


def test_strict_ends_at_the_first_bad_row_and_writes_nothing(tmp_path: Path) -> None:
    bad_rows(tmp_path / "a.jsonl")
    done = dedup(tmp_path, "a.jsonl", "--field", "prompt", "--strict", code=3)
    assert "row 2 is no text: the field is empty" in done.stderr
    assert "a.jsonl:2" in done.stderr
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == [tmp_path / "a.jsonl"]


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.parquet"])
def test_a_column_that_is_not_there(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "a.jsonl":
        jsonl(path, ROWS, field="text")
    elif name == "a.csv":
        path.write_text("id,text\n" + "".join(f'{n},"{row}"\n' for n, row in enumerate(ROWS)))
    else:
        with duckdb.connect(":memory:") as con:
            con.execute(f"COPY (SELECT i AS id, 'x' AS text FROM range(6) t(i)) TO '{path}' (FORMAT parquet)")
    done = dedup(tmp_path, name, "--field", "prompt")
    assert "warning: " in done.stderr
    assert "'prompt'; there are: 'id', 'text'" in done.stderr
    assert [one["row"] for one in lines(tmp_path / "a.rejects.jsonl")] == [1, 2, 3, 4, 5, 6]
    found = document(tmp_path, name, "--field", "prompt", "--force")
    assert found["rejected"]["invalid"] == found["read"] == 6
    assert "there are: 'id', 'text'" in found["notes"][0]
    strict = dedup(tmp_path, name, "--field", "prompt", "--force", "--strict", code=3)
    assert "there are: 'id', 'text'" in strict.stderr


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["missing.jsonl", "--field", "x"], 3, "cannot be read"),
        (["a.json", "--field", "x"], 2, "--format"),
        (["a.jsonl"], 2, "--field"),
        (["a.jsonl", "--field", "x", "--threshold", "0"], 2, "threshold"),
        (["a.jsonl", "--field", "x", "--threshold", "0.01"], 2, "higher --threshold"),
        (["a.jsonl", "--field", "prompt", "--index", "../x"], 2, "not a name for an index"),
        (["a.jsonl", "--field", "prompt", "--out", "a.jsonl", "--force"], 2, "the file that is read"),
        (["a.jsonl", "--field", "prompt", "--out", "no/folder.jsonl"], 3, "cannot be written"),
        (["a.jsonl", "--field", "prompt", "--against", "a.jsonl", "--against", "b.csv"], 3, "b.csv"),
        (["a.jsonl", "--field", "prompt", "--format", "parquet"], 3, "Parquet"),
    ],
)
def test_wrong_use_and_files_that_cannot_be_had(args: list[str], code: int, said: str, tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", ROWS)
    done = dedup(tmp_path, *args, code=code)
    assert said in done.stderr
    assert "fix:" in done.stderr
    assert list(tmp_path.iterdir()) == [tmp_path / "a.jsonl"]


def test_outputs_that_are_there_need_force(tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", ROWS)
    (tmp_path / "a.rejects.jsonl").write_text("mine")
    assert "--force" in dedup(tmp_path, "a.jsonl", "--field", "prompt", code=2).stderr
    assert (tmp_path / "a.rejects.jsonl").read_text() == "mine"
    dedup(tmp_path, "a.jsonl", "--field", "prompt", "--force")
    assert (tmp_path / "a.rejects.jsonl").read_text() == ""


@pytest.mark.parametrize("data", [b"", b"\n\n"])
def test_a_file_without_rows(data: bytes, tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.csv"):
        (tmp_path / name).write_bytes(data)
        found = document(tmp_path, name, "--field", "prompt")
        assert (found["read"], found["kept"], found["bytes_per_text"]) == (0, 0, None)


def test_texts_published_elsewhere_are_named(tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", ROWS)
    (tmp_path / "old.csv").write_text(f'prompt,n\n"{SHOP}",1\n"",2\n"{SHOP}",3\n')
    done = dedup(tmp_path, "a.jsonl", "--field", "prompt", "--against", "old.csv", "--json")
    found = json.loads(done.stdout)
    assert (found["kept"], found["against"]) == (2, 2)
    assert "1 of 3 rows are no texts" in done.stderr
    told = {one["row"]: one for one in lines(tmp_path / "a.duplicates.jsonl")}
    assert (told[4]["kind"], told[4]["of"], told[4]["source"], told[4]["similarity"]) == ("near", 1, "old.csv", 1.0)
    assert told[4]["earlier"] == SHOP
    # what is as near to both is laid to the earlier, which stood elsewhere
    assert told[5]["source"] == "old.csv"
    assert told[2]["source"] is None
    (tmp_path / "none.jsonl").write_text('{"text": "x"}\n')
    wrong = dedup(tmp_path, "a.jsonl", "--field", "prompt", "--against", "none.jsonl", "--force", code=3)
    assert "none.jsonl" in wrong.stderr


def test_an_index_remembers_what_was_kept(tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", ROWS)
    jsonl(tmp_path / "b.jsonl", [SHOP.lower(), SHOP.replace("noon", "nine"), "Never seen before, this one."])
    first = document(tmp_path, "a.jsonl", "--field", "prompt", "--index", "all")
    assert first["index"] == {"name": "all", "before": 0, "added": 3}
    tried = document(tmp_path, "b.jsonl", "--field", "prompt", "--index", "all", "--dry-run")
    second = document(tmp_path, "b.jsonl", "--field", "prompt", "--index", "all")
    assert tried["index"] == {"name": "all", "before": 3, "added": 0}
    assert second["index"] == {"name": "all", "before": 3, "added": 1}
    assert second["rejected"] == tried["rejected"] == {"exact": 1, "near": 1, "invalid": 0}
    told = lines(tmp_path / "b.duplicates.jsonl")
    assert [(one["row"], one["kind"], one["of"], one["source"]) for one in told] == [
        (1, "exact", 4, "index all: a.jsonl"), (2, "near", 4, "index all: a.jsonl"),
    ]  # fmt: skip
    third = document(tmp_path, "a.jsonl", "--field", "prompt", "--index", "all", "--force")
    assert (third["kept"], third["index"]["before"]) == (0, 4)
    assert document(tmp_path, "b.jsonl", "--field", "prompt", "--index", "other", "--force")["kept"] == 2


def test_an_index_of_other_settings_or_an_earlier_version_is_rebuilt_and_said(tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", ROWS)
    jsonl(tmp_path / "b.jsonl", [SHOP, "Never seen before, this one."])
    document(tmp_path, "a.jsonl", "--field", "prompt", "--index", "all")
    done = dedup(tmp_path, "b.jsonl", "--field", "prompt", "--index", "all", "--threshold", "0.9", "--json")
    assert "warning: index all: threshold is 0.8, not 0.9; rebuilt from its 3 texts" in done.stderr
    assert json.loads(done.stdout)["rejected"] == {"exact": 1, "near": 0, "invalid": 0}
    old = {"scheme": "forge-dedup/1", "threshold": 0.8, "num_perm": 128, "seed": 1, "params": [13, 9],
           "texts": [["x", "never seen before this one"]]}  # fmt: skip
    registry = Registry(tmp_path / "registry" / "forge.duckdb")
    registry.save_index("dedup/old", zlib.compress(json.dumps(old).encode()))
    done = dedup(tmp_path, "b.jsonl", "--field", "prompt", "--index", "old", "--force", "--json")
    assert "warning: index old: scheme is 'forge-dedup/1'" in done.stderr
    assert json.loads(done.stdout)["rejected"] == {"exact": 0, "near": 1, "invalid": 0}
    told = lines(tmp_path / "b.duplicates.jsonl")
    assert [(one["row"], one["source"], one["of"]) for one in told] == [(2, "index old", 1)]
    registry.save_index("dedup/broken", b"nonsense")
    done = dedup(tmp_path, "b.jsonl", "--field", "prompt", "--index", "broken", "--force", code=3)
    assert "the saved index cannot be read" in done.stderr


def many(path: Path, count: int) -> Path:
    base = texts(2500, seed=21)
    return jsonl(path, [f"{base[n % 2500]} {'abcdefghij'[n // 2500 % 10] * 30}" for n in range(count)])


def test_two_workers_write_what_one_writes(tmp_path: Path) -> None:
    many(tmp_path / "a.jsonl", 21_000)
    seen = set()
    for workers in ("1", "2"):
        done = forge("dedup", "a.jsonl", "--field", "prompt", "--force", "--workers", workers, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        names = ("a.kept.jsonl", "a.duplicates.jsonl", "a.rejects.jsonl")
        seen.add(tuple(hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() for name in names))
    assert len(seen) == 1
    assert len(lines(tmp_path / "a.duplicates.jsonl")) > 2000


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nothing_half_written(number: signal.Signals, tmp_path: Path) -> None:
    many(tmp_path / "a.jsonl", 60_000)
    process = subprocess.Popen(
        [sys.executable, "-m", "forge", "dedup", "a.jsonl", "--field", "prompt", "--workers", "2"],
        cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    until = time.monotonic() + 60
    while not list(tmp_path.glob(".a.kept.jsonl.*.part")) and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.5)
    os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert (out, err.splitlines()[-1]) == ("", "interrupted")
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == [tmp_path / "a.jsonl"]


def test_progress_is_told_in_lines_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter([0.0, 1.0, 6.0, 7.0, 12.0])

    class Pipe:
        is_terminal = False

    with Watch(Pipe(), lambda: next(clock)) as watch:  # type: ignore[arg-type]
        for read in (1000, 2000, 3000, 4000):
            watch(Progress("a.jsonl", read, read - 100, 90, 10, read / 10_000))
    said = capsys.readouterr().err.splitlines()
    assert [one.partition("]")[0] for one in said] == ["[5 s", "[11 s"]
    assert said[0].endswith(
        "a.jsonl: 2,000 rows · 400/s · kept 1,900, repeats 90, no text 10 · 20 % · under a minute left"
    )


def test_a_time_left_needs_something_to_go_by() -> None:
    assert "left" not in line(Progress("a", 10, share=0.001), 9)
    assert "left" not in line(Progress("a", 10, share=1.0), 9)
    assert line(Progress("a", 10, share=0.1), 60).endswith("10 % · 9 min left")


def test_two_texts_are_shown_from_where_they_differ() -> None:
    head = "the same words " * 8
    assert apart("short one", "short two") == ("short one", "short two")
    one, other = apart(head + "then this", head + "and that")
    assert (one, other) == (
        "…rds the same words the same words then this",
        "…rds the same words the same words and that",
    )
    assert apart(head, head)[0] == head.strip()
    assert max(map(len, apart("x" + head * 3, "y" + head * 3))) == 120


def test_the_help_states_the_sessions_own_defaults() -> None:
    defaults = {param.name: param.default for param in command.params}
    assert (defaults["threshold"], defaults["max_chars"]) == (THRESHOLD, MAX_CHARS)
