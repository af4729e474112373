"""Outputs are whole or not there, nothing is replaced unasked, and texts come back from disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from forge.model.errors import StorageError, UsageError
from forge.session.dedupfiles import Bits, DiskTexts, Outputs
from forge.workspace.rowfiles import Format


def outputs(folder: Path, out: Path | None = None, *, force: bool = False, dry: bool = False) -> Outputs:
    source = folder / "a.b.jsonl"
    source.write_bytes(b"{}\n")
    return Outputs(source, Format.JSONL, out, force=force, dry=dry)


def test_texts_on_disk() -> None:
    store = DiskTexts()
    store.append([b"one", b"", "zwei é".encode()])
    assert store.get(2).decode() == "zwei é"
    store.append([b"three"])
    assert [store.get(row) for row in (3, 0, 1)] == [b"three", b"one", b""]
    assert len(store) == 4
    store.close()


def test_bits_are_counted_from_row_one_and_the_highest_comes_first() -> None:
    bits = Bits()
    for row in (1, 9, 16):
        bits.set(row)
    assert bits.padded(17) == bytes([0b10000000, 0b10000001, 0])
    assert Bits().padded(0) == b"\0"


def test_three_files_appear_together_under_their_names(tmp_path: Path) -> None:
    with outputs(tmp_path) as made:
        made.keep(b"kept\n")
        made.note(made.duplicates, [{"row": 2, "text": "é"}])
        made.note(made.rejects, [])
        assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == ["a.b.jsonl"]
        made.commit()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "a.b.jsonl": b"{}\n",
        "a.b.kept.jsonl": b"kept\n",
        "a.b.duplicates.jsonl": '{"row": 2, "text": "é"}\n'.encode(),
        "a.b.rejects.jsonl": b"",
    }


def test_nothing_is_left_when_it_is_not_committed(tmp_path: Path) -> None:
    with outputs(tmp_path) as made:
        made.keep(b"half")
        assert len(list(tmp_path.iterdir())) == 4
    assert [path.name for path in tmp_path.iterdir()] == ["a.b.jsonl"]


@pytest.mark.parametrize("name", ["a.b.kept.jsonl", "a.b.duplicates.jsonl", "a.b.rejects.jsonl"])
def test_what_is_there_is_replaced_only_by_force(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("old")
    with pytest.raises(UsageError, match="--force"):
        outputs(tmp_path)
    with outputs(tmp_path, force=True) as made:
        made.commit()
    assert (tmp_path / name).read_bytes() == b""


def test_out_names_the_kept_rows_and_the_others_stand_beside_them(tmp_path: Path) -> None:
    (tmp_path / "o").mkdir()
    made = outputs(tmp_path, tmp_path / "o" / "clean.jsonl")
    assert [path.name for path in made.paths] == ["clean.duplicates.jsonl", "clean.rejects.jsonl", "clean.jsonl"]
    assert {path.parent for path in made.paths} == {tmp_path / "o"}


def test_the_file_that_is_read_is_never_replaced(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the file that is read"):
        outputs(tmp_path, tmp_path / "a.b.jsonl", force=True)


def test_a_dry_run_writes_nothing_and_minds_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.b.kept.jsonl").write_text("old")
    with outputs(tmp_path, dry=True) as made:
        made.keep(b"x")
        made.note(made.rejects, [{"row": 1}])
        made.commit()
    assert (tmp_path / "a.b.kept.jsonl").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be written"), outputs(tmp_path, tmp_path / "no" / "x.jsonl"):
        pass
