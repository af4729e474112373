"""`forge doctor`: each look, and that it says how to mend what it finds."""

from __future__ import annotations

import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest
from cli.inside import Done, call

from forge.llm.ledger import Ledger
from forge.registry.migrations import MIGRATIONS
from forge.registry.store import Registry
from forge.session import doctor
from forge.session.doctor import Line, Status, programs


@pytest.fixture
def workspace(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [
        name for name in os.environ if name.startswith(("FORGE_", "LANGSMITH", "LANGCHAIN", "OPENAI", "ANTH"))
    ]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    call(capsys, tmp_path, "init")
    return tmp_path


def lines(done: Done, name: str) -> list[dict[str, Any]]:
    return [line for line in done.document["lines"] if line["name"] == name]


def examine(capsys: pytest.CaptureFixture[str], workspace: Path, *args: str) -> Done:
    return call(capsys, workspace, "doctor", "--json", *args)


def test_every_line_has_a_status_and_what_fails_a_fix(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    done = examine(capsys, workspace)
    document = done.document
    assert {line["status"] for line in document["lines"]} <= {"ok", "warn", "fail"}
    assert [line for line in document["lines"] if line["status"] == "fail" and not line["fix"]] == []
    counts = document["counts"]
    assert document["ok"] is (counts["fail"] == 0)
    assert done.code == (0 if document["ok"] else 3)
    assert sum(counts.values()) == len(document["lines"])
    seen = {line["name"] for line in document["lines"]}
    assert {"python", "forge", "PATH", "workspace", "profile", "xllamacpp", "memory", "disk", "keys", "seeds"} <= seen
    assert {"templates", "ledger", "registry", "terminal", "family"} <= seen
    assert sys.executable in lines(done, "python")[0]["text"]


def test_it_changes_nothing(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    before = sorted(workspace.rglob("*"))
    examine(capsys, workspace)
    assert sorted(workspace.rglob("*")) == before


def test_text_output_says_how_to_mend(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    (workspace / "seeds" / "salience" / "torn.yaml").write_text("seeds: [\n")
    done = call(capsys, workspace, "doctor")
    assert done.code == 3
    assert "fail seeds         salience/torn: not YAML" in done.out
    assert "→ forge seeds lint" in done.out
    assert "fail" in done.err


def program(folder: Path, name: str = "forge") -> Path:
    folder.mkdir()
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_programs_are_found_in_the_order_of_the_path(tmp_path: Path) -> None:
    first, second = program(tmp_path / "one"), program(tmp_path / "two")
    (tmp_path / "three").mkdir()
    (tmp_path / "three" / "forge").write_text("not executable")
    path = os.pathsep.join(["", *(str(tmp_path / name) for name in ("two", "three", "one", "two", "four"))])
    assert programs("forge", path) == [second, first]


def test_another_forge_on_the_path_is_told(
    capsys: pytest.CaptureFixture[str], workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = program(workspace / "foundry")
    monkeypatch.setenv("PATH", str(other.parent))
    (line,) = lines(examine(capsys, workspace), "PATH")
    assert line["status"] == "warn"
    assert str(other) in line["text"]
    assert "-m forge" in line["fix"]


def test_our_own_forge_on_the_path_is_fine(
    capsys: pytest.CaptureFixture[str], workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, other = program(workspace / "scripts"), program(workspace / "foundry")
    monkeypatch.setattr("forge.session.doctor.sysconfig.get_path", lambda _: str(ours.parent))
    monkeypatch.setenv("PATH", os.pathsep.join([str(ours.parent), str(other.parent)]))
    (line,) = lines(examine(capsys, workspace), "PATH")
    assert line["status"] == "ok"
    assert str(other) in line["text"]


def test_a_broken_forge_toml_fails_and_the_rest_goes_on(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    (workspace / "forge.toml").write_text('profile = "locale"\n')
    done = examine(capsys, workspace)
    assert done.code == 3
    (line,) = lines(done, "settings")
    assert "no profile locale" in line["text"]
    assert "local" in line["fix"]
    assert lines(done, "terminal")


def test_no_workspace_is_a_warning(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (line,) = lines(examine(capsys, tmp_path), "workspace")
    assert line["status"] == "warn"
    assert "forge init" in line["fix"]


def test_missing_weights_and_runtime(
    capsys: pytest.CaptureFixture[str], workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = examine(capsys, workspace)
    (line,) = lines(done, "weights")
    assert (line["status"], "absent" in line["text"]) == ("warn", True)
    assert "forge models pull qwen2.5-coder-1.5b" in line["fix"]
    monkeypatch.setattr("forge.session.doctor.importlib.util.find_spec", lambda _: None)
    (line,) = lines(examine(capsys, workspace), "xllamacpp")
    assert (line["status"], line["fix"]) == ("fail", 'pip install "trapforge[local]"')


def test_little_memory_and_disk(
    capsys: pytest.CaptureFixture[str], workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forge.llm.weights.available_memory", lambda: 512 * 1024**2)
    usage = doctor.shutil.disk_usage(workspace)
    monkeypatch.setattr("forge.session.doctor.shutil.disk_usage", lambda _: usage._replace(free=1024**3))
    done = examine(capsys, workspace)
    (memory,) = lines(done, "memory")
    assert (memory["status"], memory["text"]) == ("fail", "512 MiB free; the local model needs 2.0 GiB")
    assert [line["status"] for line in lines(done, "disk")] == ["warn"]


def test_keys_are_named_and_never_shown(
    capsys: pytest.CaptureFixture[str], workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace / "forge.toml").write_text(
        'profile = "mine"\n[profiles.mine.roles]\njudge = "openai/judge-model"\nsolver = "openai/solver-model"\n'
        '[endpoints.openai]\napi_key_env = "MY_KEY"\n[endpoints."openai/judge-model"]\napi_key_env = "JUDGE_KEY"\n'
    )
    monkeypatch.setenv("MY_KEY", "sk-secret-value")
    done = examine(capsys, workspace)
    shown = lines(done, "keys")
    assert [line["status"] for line in shown] == ["fail", "ok"]
    assert "JUDGE_KEY" in shown[0]["text"]
    assert "openai/solver-model" in shown[1]["text"]
    assert "sk-secret-value" not in done.out + done.err


def test_a_template_that_cannot_be_filled_in(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    source = (Path(__file__).resolve().parents[2] / "prompts" / "salience" / "generator.md").read_text()
    folder = workspace / "prompts" / "salience"
    folder.mkdir(parents=True)
    (folder / "generator.md").write_text(source.replace("{{ voice }}", "{{ vioce }}"))
    broken = [line for line in lines(examine(capsys, workspace), "templates") if line["status"] == "fail"]
    assert len(broken) == 1
    assert "salience/generator" in broken[0]["text"]
    assert "vioce" in broken[0]["text"]
    assert "voice" in broken[0]["fix"]


def test_stores_are_opened(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    assert "none yet" in lines(examine(capsys, workspace), "ledger")[0]["text"]
    Ledger(workspace / "runs" / "ledger.sqlite").close()
    Registry(workspace / "registry" / "forge.duckdb").save_index("x", b"")
    done = examine(capsys, workspace)
    assert lines(done, "ledger")[0]["text"].startswith("0 answers")
    assert lines(done, "registry")[0]["text"].startswith(f"schema {len(MIGRATIONS)} of {len(MIGRATIONS)}")


def test_stores_of_a_newer_forge_and_broken_ones_fail(capsys: pytest.CaptureFixture[str], workspace: Path) -> None:
    path = workspace / "runs" / "ledger.sqlite"
    Ledger(path).close()
    con = sqlite3.connect(path)
    con.execute("PRAGMA user_version = 99")
    con.close()
    (workspace / "registry" / "forge.duckdb").write_bytes(
        b"not a database at all, but long enough to look like one" * 99
    )
    done = examine(capsys, workspace)
    assert done.code == 3
    (stores,) = lines(done, "stores")
    assert "newer forge" in stores["text"]
    path.unlink()
    (registry,) = lines(examine(capsys, workspace), "registry")
    assert (registry["status"], "not a DuckDB file" in registry["text"]) == ("fail", True)


def test_tracing_in_the_shell_is_noted(
    capsys: pytest.CaptureFixture[str], workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lines(examine(capsys, workspace), "tracing") == []
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    (line,) = lines(examine(capsys, workspace), "tracing")
    assert "LANGSMITH_TRACING" in line["text"]
    assert line["status"] == "ok"


def test_sizes_are_read_in_powers_of_1024() -> None:
    assert [doctor._size(n) for n in (0, 1023, 1024, 1536, 150 * 1024**2, 2 * 1024**3)] == [
        "0 B",
        "1023 B",
        "1.0 KiB",
        "1.5 KiB",
        "150 MiB",
        "2.0 GiB",
    ]


def test_an_error_in_a_look_is_a_line(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from forge.model.errors import StorageError
    from forge.session import Session

    def _moon(_: object) -> Any:
        raise StorageError("the moon is full", where="sky", fix="wait")

    monkeypatch.setattr(doctor, "LOOKS", (_moon,))
    assert list(doctor.examine(Session(workspace))) == [Line("moon", Status.FAIL, "the moon is full (sky)", "wait")]
