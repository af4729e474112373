from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import duckdb
import pytest

from forge.model.errors import RegistryTooNew, StorageError
from forge.registry.evaluations import RESPONSE_COLUMNS
from forge.registry.migrations import MIGRATIONS, Migration
from forge.registry.pairing import WIDTHS
from forge.registry.rows import COLUMNS, item_from
from forge.registry.store import Registry


def look(path: Path, sql: str) -> list[tuple[object, ...]]:
    con = duckdb.connect(str(path), read_only=True)
    try:
        return con.execute(sql).fetchall()
    finally:
        con.close()


VERSIONS = "SELECT version, name FROM schema_version ORDER BY version"


@pytest.fixture
def first(tmp_path: Path, made: SimpleNamespace) -> Path:
    """A registry of version 1, with a run and a seed."""
    registry = Registry(tmp_path / "forge.duckdb", migrations=MIGRATIONS[:1])
    registry.record_run(made.run())
    registry.commit_seed("r1", made.outcome())
    return registry.path


def test_forward_from_version_1(first: Path, made: SimpleNamespace) -> None:
    assert look(first, VERSIONS) == [(1, "growth")]
    registry = Registry(first)
    registry.save_index("dedup", b"x")
    assert look(first, VERSIONS) == [(n, m.name) for n, m in enumerate(MIGRATIONS, 1)]
    assert [item_from(row) for row in registry.items()] == list(made.outcome().items)
    assert registry.load_index("dedup") == b"x"


def test_reading_never_migrates(first: Path, made: SimpleNamespace) -> None:
    before = first.read_bytes()
    registry = Registry(first)
    for read in (registry.runs, registry.items, lambda: registry.tree("D1-01"), lambda: registry.load_index("x")):
        with pytest.raises(StorageError) as caught:
            read()
        said = str(caught.value)
        assert f"version 1, older than this forge's {len(MIGRATIONS)}" in said
        assert "forge anneal" in said
    assert first.read_bytes() == before
    assert list(first.parent.iterdir()) == [first]


def test_newer_is_refused(registry: Registry, made: SimpleNamespace) -> None:
    more = (*MIGRATIONS, Migration("later", ("CREATE TABLE later (a VARCHAR)",)))
    Registry(registry.path, migrations=more).record_run(made.run())
    for use in (registry.runs, lambda: registry.record_run(made.run("r2"))):
        with pytest.raises(RegistryTooNew) as caught:
            use()
        said = str(caught.value)
        assert f"version {len(more)};" in said
        assert f"up to {len(MIGRATIONS)}" in said
        assert "upgrade forge" in said
    assert look(registry.path, "SELECT run FROM runs") == [("r1",)]


def test_a_migration_that_fails_leaves_the_version_before(first: Path, made: SimpleNamespace) -> None:
    broken = Migration("broken", ("CREATE TABLE half (a VARCHAR)", "CREATE TABLE runs (a VARCHAR)"))
    with pytest.raises(StorageError):
        Registry(first, migrations=(*MIGRATIONS, broken)).record_run(made.run("r2"))
    assert look(first, VERSIONS) == [(n, m.name) for n, m in enumerate(MIGRATIONS, 1)]
    assert look(first, "SELECT count(*) FROM information_schema.tables WHERE table_name = 'half'") == [(0,)]
    assert [run.id for run in Registry(first).runs()] == ["r1"]


def test_a_new_registry_that_cannot_be_made_leaves_no_file(tmp_path: Path) -> None:
    broken = Migration("broken", ("CREATE TABLE a (a VARCHAR)", "CREATE TABLE a (a VARCHAR)"))
    registry = Registry(tmp_path / "forge.duckdb", migrations=(broken,))
    with pytest.raises(StorageError):
        registry.save_index("x", b"")
    assert list(tmp_path.iterdir()) == []


def test_someone_elses_database_is_left_alone(tmp_path: Path, made: SimpleNamespace) -> None:
    path = tmp_path / "theirs.duckdb"
    con = duckdb.connect(str(path))
    con.execute("CREATE TABLE precious (a INT)")
    con.close()
    for use in (Registry(path).runs, lambda: Registry(path).record_run(made.run())):
        with pytest.raises(StorageError, match="not a registry of forge"):
            use()
    assert look(path, "SELECT table_name FROM information_schema.tables") == [("precious",)]


def test_columns_are_those_of_the_schema(registry: Registry, made: SimpleNamespace) -> None:
    registry.record_run(made.run())
    sql = "SELECT table_name, list(column_name ORDER BY ordinal_position) FROM information_schema.columns GROUP BY 1"
    schema = {str(table): tuple(columns) for table, columns in look(registry.path, sql)}
    assert set(schema) == {*COLUMNS, *WIDTHS, "pair_sets", "responses", "indexes", "schema_version"}
    assert schema["responses"] == RESPONSE_COLUMNS
    assert {table: len(schema[table]) for table in WIDTHS} == dict(WIDTHS)
    for table, columns in COLUMNS.items():
        assert schema[table] == columns
