"""The numbered migrations of the registry, and how they are applied. A migration that was released never changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb

from forge.model.errors import RegistryTooNew, StorageError
from forge.version import __version__


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema, applied in one transaction.

    Attributes:
        name: what the step adds, in a word or two.
        statements: SQL, in order.
    """

    name: str
    statements: tuple[str, ...]


_GROWTH = Migration(
    "growth",
    (
        """CREATE TABLE runs (
            run VARCHAR PRIMARY KEY, command VARCHAR NOT NULL, family VARCHAR NOT NULL, seed_set VARCHAR NOT NULL,
            profile VARCHAR NOT NULL, draw BIGINT NOT NULL, forge VARCHAR NOT NULL,
            started TIMESTAMPTZ NOT NULL, ended TIMESTAMPTZ, settings VARCHAR NOT NULL, summary VARCHAR)""",
        """CREATE TABLE seeds (
            run VARCHAR NOT NULL, seed VARCHAR NOT NULL, seed_content VARCHAR NOT NULL, state VARCHAR NOT NULL,
            reason VARCHAR NOT NULL, grade VARCHAR NOT NULL, counters VARCHAR NOT NULL)""",
        """CREATE TABLE candidates (
            run VARCHAR NOT NULL, seed VARCHAR NOT NULL, candidate VARCHAR NOT NULL, position BIGINT NOT NULL,
            text VARCHAR NOT NULL, text_sha256 VARCHAR NOT NULL, parent VARCHAR, operator VARCHAR NOT NULL,
            intensity BIGINT NOT NULL, ordinal BIGINT NOT NULL, "by" VARCHAR NOT NULL, keys VARCHAR[] NOT NULL,
            route VARCHAR NOT NULL, why VARCHAR NOT NULL, label VARCHAR, "group" VARCHAR, tier VARCHAR,
            severity DOUBLE, failure BOOLEAN, passed BOOLEAN, score DOUBLE, similarity DOUBLE NOT NULL,
            similar_to VARCHAR, duplicate BOOLEAN NOT NULL, near_duplicate BOOLEAN NOT NULL, certified BOOLEAN)""",
        """CREATE TABLE findings (
            run VARCHAR NOT NULL, seed VARCHAR NOT NULL, candidate VARCHAR NOT NULL, position BIGINT NOT NULL,
            guard VARCHAR NOT NULL, message VARCHAR NOT NULL)""",
        """CREATE TABLE verdicts (
            run VARCHAR NOT NULL, seed VARCHAR NOT NULL, candidate VARCHAR NOT NULL, position BIGINT NOT NULL,
            "check" VARCHAR NOT NULL, passed BOOLEAN NOT NULL, "by" VARCHAR NOT NULL, reason VARCHAR NOT NULL,
            score DOUBLE, grade VARCHAR, details VARCHAR NOT NULL, keys VARCHAR[] NOT NULL)""",
        """CREATE TABLE trials (
            run VARCHAR NOT NULL, seed VARCHAR NOT NULL, candidate VARCHAR NOT NULL, position BIGINT NOT NULL,
            condition VARCHAR NOT NULL, sample BIGINT NOT NULL, key VARCHAR NOT NULL, model VARCHAR NOT NULL,
            response VARCHAR NOT NULL, response_sha256 VARCHAR NOT NULL, reasoning VARCHAR NOT NULL,
            reasoning_sha256 VARCHAR NOT NULL, response_cut BOOLEAN NOT NULL, label VARCHAR, unreadable VARCHAR,
            evidence VARCHAR NOT NULL, evidence_start BIGINT NOT NULL, evidence_end BIGINT NOT NULL,
            scope VARCHAR NOT NULL, "by" VARCHAR NOT NULL, cut BOOLEAN NOT NULL, details VARCHAR NOT NULL,
            keys VARCHAR[] NOT NULL)""",
        """CREATE TABLE certificates (
            run VARCHAR NOT NULL, seed VARCHAR NOT NULL, candidate VARCHAR NOT NULL, "group" VARCHAR NOT NULL,
            stable BIGINT NOT NULL, samples BIGINT NOT NULL, low DOUBLE NOT NULL, high DOUBLE NOT NULL,
            passed BOOLEAN NOT NULL, cause VARCHAR NOT NULL, knows VARCHAR NOT NULL, temperature DOUBLE NOT NULL,
            solver VARCHAR NOT NULL, judge VARCHAR NOT NULL, answered_by VARCHAR[] NOT NULL,
            counts VARCHAR NOT NULL)""",
        # Items carry no run and no time. The digest of the whole item is the key: should two runs give one id two
        # certificates, each run keeps its own.
        """CREATE TABLE items (
            digest VARCHAR PRIMARY KEY, id VARCHAR NOT NULL, family VARCHAR NOT NULL, seed VARCHAR NOT NULL,
            seed_content VARCHAR NOT NULL, "set" VARCHAR NOT NULL, dimension VARCHAR NOT NULL,
            candidate VARCHAR NOT NULL, text VARCHAR NOT NULL, text_sha256 VARCHAR NOT NULL, control VARCHAR NOT NULL,
            control_sha256 VARCHAR NOT NULL, label VARCHAR NOT NULL, tier VARCHAR NOT NULL, cause VARCHAR NOT NULL,
            score DOUBLE NOT NULL, naturalness DOUBLE NOT NULL, naturalness_by VARCHAR NOT NULL,
            operator VARCHAR NOT NULL, near_duplicate BOOLEAN NOT NULL, stable BIGINT NOT NULL,
            samples BIGINT NOT NULL, knows VARCHAR NOT NULL, temperature DOUBLE NOT NULL, solver VARCHAR NOT NULL,
            judge VARCHAR NOT NULL, length BIGINT NOT NULL, body VARCHAR NOT NULL)""",
        """CREATE TABLE run_items (
            run VARCHAR NOT NULL, seed VARCHAR NOT NULL, position BIGINT NOT NULL, item VARCHAR NOT NULL,
            digest VARCHAR NOT NULL, duplicate_of VARCHAR, duplicate_similarity DOUBLE)""",
    ),
)

_INDEXES = Migration(
    "indexes",
    ("CREATE TABLE indexes (name VARCHAR PRIMARY KEY, sha256 VARCHAR NOT NULL, bytes BLOB NOT NULL)",),
)

# `pairs` is the name of a set of pairs. Each body is the whole noun as JSON; the columns beside it are for filters.
_PAIRS = Migration(
    "pairs",
    (
        "CREATE TABLE pair_sets (name VARCHAR PRIMARY KEY, digest VARCHAR NOT NULL, body VARCHAR NOT NULL)",
        """CREATE TABLE scenarios (
            pairs VARCHAR NOT NULL, position BIGINT NOT NULL, digest VARCHAR NOT NULL, id VARCHAR NOT NULL,
            family VARCHAR NOT NULL, "set" VARCHAR NOT NULL, cell VARCHAR NOT NULL, dimension VARCHAR NOT NULL,
            domain VARCHAR NOT NULL, lang VARCHAR NOT NULL, seed VARCHAR NOT NULL, author VARCHAR NOT NULL,
            source VARCHAR NOT NULL, item VARCHAR NOT NULL, operator VARCHAR NOT NULL, selection VARCHAR NOT NULL,
            first VARCHAR NOT NULL, body VARCHAR NOT NULL, UNIQUE (pairs, id))""",
        """CREATE TABLE exclusions (
            pairs VARCHAR NOT NULL, round BIGINT NOT NULL, position BIGINT NOT NULL, scenario VARCHAR NOT NULL,
            stage VARCHAR NOT NULL, body VARCHAR NOT NULL)""",
        """CREATE TABLE assignments (
            pairs VARCHAR NOT NULL, round BIGINT NOT NULL, position BIGINT NOT NULL, entry VARCHAR NOT NULL,
            digest VARCHAR NOT NULL, body VARCHAR NOT NULL, UNIQUE (pairs, round, entry))""",
        """CREATE TABLE ratings (
            pairs VARCHAR NOT NULL, round BIGINT NOT NULL, entry VARCHAR NOT NULL, position BIGINT NOT NULL,
            rater VARCHAR NOT NULL, scenario VARCHAR NOT NULL, digest VARCHAR NOT NULL, body VARCHAR NOT NULL,
            UNIQUE (pairs, round, entry))""",
        """CREATE TABLE decisions (
            pairs VARCHAR NOT NULL, round BIGINT NOT NULL, scenario VARCHAR NOT NULL, digest VARCHAR NOT NULL,
            included BOOLEAN NOT NULL, included_cue BOOLEAN NOT NULL, body VARCHAR NOT NULL,
            UNIQUE (pairs, round, scenario))""",
    ),
)

_EVALUATIONS = Migration(
    "evaluations",
    (
        """CREATE TABLE responses (
            root VARCHAR NOT NULL, item VARCHAR NOT NULL, condition VARCHAR NOT NULL, arm VARCHAR NOT NULL,
            model VARCHAR NOT NULL, decoding VARCHAR NOT NULL, sample BIGINT NOT NULL, run VARCHAR NOT NULL,
            gold VARCHAR NOT NULL, label VARCHAR, unreadable VARCHAR, evidence VARCHAR NOT NULL,
            reader VARCHAR NOT NULL, text VARCHAR NOT NULL, reasoning VARCHAR NOT NULL, cut BOOLEAN NOT NULL,
            finish VARCHAR NOT NULL, answered_by VARCHAR NOT NULL, key VARCHAR NOT NULL, seconds DOUBLE NOT NULL,
            prompt_tokens BIGINT NOT NULL, completion_tokens BIGINT NOT NULL, usd DOUBLE, overlap BOOLEAN NOT NULL,
            text_sha256 VARCHAR NOT NULL)""",
    ),
)

MIGRATIONS: tuple[Migration, ...] = (_GROWTH, _INDEXES, _PAIRS, _EVALUATIONS)
"""In order; the first brings an empty file to version 1."""

_TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'"


def schema_version(con: duckdb.DuckDBPyConnection, path: str) -> int:
    """Return the version of the schema, 0 for a file without tables.

    Raises:
        StorageError: the file is a DuckDB database, but not a registry.
    """
    tables = {str(row[0]) for row in con.execute(_TABLES).fetchall()}
    if not tables:
        return 0
    if "schema_version" not in tables:
        raise StorageError(
            "this DuckDB file is not a registry of forge: it has tables, but no schema_version",
            where=path,
            value=", ".join(sorted(tables)),
            fix="point forge to another file, or move this one away",
        )
    row = con.execute("SELECT max(version) FROM schema_version").fetchone()
    return int(row[0]) if row and row[0] is not None else 0


def refuse_newer(found: int, known: int, path: str) -> None:
    """Raise when a newer forge wrote the registry.

    Raises:
        RegistryTooNew: naming both versions.
    """
    if found > known:
        raise RegistryTooNew(
            f"the registry has schema version {found}; forge {__version__} knows versions up to {known}",
            where=path,
            fix="upgrade forge, or use another registry file",
        )


def migrate(con: duckdb.DuckDBPyConnection, path: str, migrations: Sequence[Migration]) -> None:
    """Bring a registry up to the last of `migrations`, each in a transaction of its own.

    Raises:
        RegistryTooNew: a newer forge wrote it.
        StorageError: it is not a registry.
    """
    found = schema_version(con, path)
    refuse_newer(found, len(migrations), path)
    for version, migration in enumerate(migrations[found:], start=found + 1):
        con.begin()
        if version == 1:
            con.execute("CREATE TABLE schema_version (version BIGINT PRIMARY KEY, name VARCHAR, forge VARCHAR)")
        for statement in migration.statements:
            con.execute(statement)
        con.execute("INSERT INTO schema_version VALUES (?, ?, ?)", [version, migration.name, __version__])
        con.commit()
