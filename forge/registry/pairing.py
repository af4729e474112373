"""Stores and reads sets of pairs, the ratings of their scenarios, and what was decided of them. SQL and rows only.

A set is replaced as a whole by the next build under its name; ratings know the digest of the scenario they were asked
about, so that what people said of another text never counts for the present one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from forge.model.errors import UsageError, listed
from forge.model.ratings import Assignment, Decision, Rating
from forge.model.scenarios import Exclusion, PairSet, Scenario
from forge.model.seeds import Frozen
from forge.registry.connection import Connection, RegistryFile, rows
from forge.registry.filters import Field, Kind, compile_filter, nearest
from forge.registry.rows import storable, to_json

T = TypeVar("T", bound=Frozen)

_FIELDS = {
    Kind.TEXT: "pairs id family set cell dimension domain lang seed author source item operator selection first",
    Kind.BOOLEAN: "rated included included_cue",
    Kind.NUMBER: "round",
}
SCENARIO_FIELDS: Mapping[str, Field] = {name: Field(kind) for kind, names in _FIELDS.items() for name in names.split()}
"""What a filter over scenarios may name. `pairs` is the set of pairs, `set` the seed set; `included` and
`included_cue` are what the last round of ratings that knows the present text decided; `round` is that round."""

_COLUMNS = tuple(_FIELDS[Kind.TEXT].split()[1:])
_SELECT = """
    SELECT * FROM (
        SELECT scenarios.*, decided.round AS round, decided.round IS NOT NULL AS rated,
            COALESCE(decided.included, FALSE) AS included, COALESCE(decided.included_cue, FALSE) AS included_cue
        FROM scenarios LEFT JOIN (
            SELECT * FROM decisions
            QUALIFY row_number() OVER (PARTITION BY pairs, scenario, digest ORDER BY round DESC) = 1
        ) AS decided
        ON decided.pairs = scenarios.pairs AND decided.scenario = scenarios.id AND decided.digest = scenarios.digest
    )
"""
_ORDER = "ORDER BY pairs, position"
_NAMES = "SELECT name FROM pair_sets ORDER BY name"
_RATINGS = "SELECT body FROM ratings WHERE pairs = ? AND round = ? ORDER BY position"
_ASSIGNED = "SELECT body FROM assignments WHERE pairs = ? AND round = ? ORDER BY position"


class PairStore:
    """The part of the registry that knows sets of pairs. Every method opens the file, does one transaction and closes
    it; each raises what `Registry` says."""

    def __init__(self, file: RegistryFile) -> None:
        self._file = file

    def save_set(self, made: PairSet) -> None:
        """Store a set of pairs with its exclusions; an earlier set of its name is replaced, its ratings are kept."""
        with self._file.writing() as con:
            for sql in ("DELETE FROM pair_sets WHERE name = ?", "DELETE FROM scenarios WHERE pairs = ?"):
                con.execute(sql, [storable(made.name)])
            con.execute("DELETE FROM exclusions WHERE pairs = ? AND round = 0", [storable(made.name)])
            head = made.model_dump(mode="json", exclude={"scenarios", "exclusions"})
            con.execute("INSERT INTO pair_sets VALUES (?, ?, ?)", [storable(made.name), made.digest, _body(head)])
            for position, scenario in enumerate(made.scenarios):
                texts = [storable(str(getattr(scenario, name))) for name in _COLUMNS]
                body = _body(scenario.model_dump(mode="json"))
                _insert(con, "scenarios", [storable(made.name), position, scenario.digest, *texts, body])
            _exclude(con, made.name, made.exclusions)

    def sets(self) -> list[dict[str, Any]]:
        """Return every set of pairs by name: its head, and `size`, `excluded`, `rounds`."""
        counts = """SELECT name, body, (SELECT count(*) FROM scenarios WHERE pairs = name) AS size,
            (SELECT count(*) FROM exclusions WHERE pairs = name AND round = 0) AS excluded,
            (SELECT count(DISTINCT round) FROM assignments WHERE pairs = name) AS rounds
            FROM pair_sets ORDER BY name"""
        with self._file.reading() as con:
            return [
                json.loads(row["body"]) | {key: row[key] for key in ("size", "excluded", "rounds")}
                for row in rows(con, counts)
            ]

    def load_set(self, name: str) -> PairSet:
        """Return a set of pairs whole.

        Raises:
            UsageError: there is none of this name, with the nearest names.
        """
        with self._file.reading() as con:
            found = rows(con, "SELECT body FROM pair_sets WHERE name = ?", [storable(name)])
            if not found:
                raise _no_set(con, name)
            own = "SELECT body FROM scenarios WHERE pairs = ? ORDER BY position"
            scenarios = [_made(Scenario, row) for row in rows(con, own, [storable(name)])]
            out = "SELECT body FROM exclusions WHERE pairs = ? AND round = 0 ORDER BY position"
            exclusions = [_made(Exclusion, row) for row in rows(con, out, [storable(name)])]
        head = json.loads(found[0]["body"])
        return PairSet.model_validate(head | {"scenarios": tuple(scenarios), "exclusions": tuple(exclusions)})

    def scenarios(self, where: str | None = None) -> list[dict[str, Any]]:
        """Return the scenarios that a filter keeps: `pairs`, `scenario` (a Scenario), `round`, `rated`, `included`,
        `included_cue`.

        Raises:
            UsageError: the filter is malformed, or names an unknown field.
        """
        parts: list[str] = [_SELECT]
        parameters: list[object] = []
        if where is not None:
            condition = compile_filter(where, SCENARIO_FIELDS)
            parts += ["WHERE", condition.sql]
            parameters += condition.parameters
        parts.append(_ORDER)
        with self._file.reading() as con:
            found = rows(con, " ".join(parts), parameters)
        kept = ("pairs", "round", "rated", "included", "included_cue")
        return [{key: row[key] for key in kept} | {"scenario": _made(Scenario, row)} for row in found]

    def last_round(self, name: str) -> int:
        """Return the number of the last round that was assigned; 0 before any."""
        with self._file.reading() as con:
            row = rows(con, "SELECT max(round) AS last FROM assignments WHERE pairs = ?", [storable(name)])
        return int(row[0]["last"] or 0)

    def save_assignments(self, assignments: Sequence[Assignment], digests: Mapping[str, str]) -> None:
        """Store the questions of one round; they are never replaced.

        Args:
            assignments: of one set and one round.
            digests: scenario → the digest of what the raters are shown.

        Raises:
            UsageError: the round was assigned before.
        """
        first = assignments[0]
        with self._file.writing() as con:
            if rows(con, _ASSIGNED, [storable(first.set), first.round]):
                raise UsageError(
                    f"round {first.round} of {first.set} was assigned before", fix="give the next round's number"
                )
            for position, one in enumerate(assignments):
                row = [storable(one.set), one.round, position, storable(one.entry), digests[one.scenario]]
                _insert(con, "assignments", [*row, _body(one.model_dump(mode="json"))])

    def assignments(self, name: str, round_: int) -> list[tuple[Assignment, str]]:
        """Return the questions of a round, each with the digest of the scenario that it showed."""
        sql = "SELECT digest, body FROM assignments WHERE pairs = ? AND round = ? ORDER BY position"
        with self._file.reading() as con:
            found = rows(con, sql, [storable(name), round_])
        return [(_made(Assignment, row), str(row["digest"])) for row in found]

    def add_ratings(self, ratings: Sequence[Rating], digests: Mapping[str, str]) -> None:
        """Store ratings, all or none.

        Args:
            digests: scenario → the digest of what the raters were shown.

        Raises:
            UsageError: an entry was rated before: naming it.
        """
        with self._file.writing() as con:
            for one in ratings:
                place = [storable(one.set), one.round, storable(one.entry)]
                if rows(con, "SELECT entry FROM ratings WHERE pairs = ? AND round = ? AND entry = ?", place):
                    raise UsageError(
                        "this entry was rated before",
                        where=f"{one.file}:{one.line}" if one.file else f"round {one.round}",
                        value=f"{one.rater}, {one.scenario} {one.condition}".strip(),
                        fix="take it out: a rating is never replaced",
                    )
                count = rows(con, "SELECT count(*) AS n FROM ratings WHERE pairs = ? AND round = ?", place[:2])[0]["n"]
                row = [*place, int(count), storable(one.rater), storable(one.scenario), digests[one.scenario]]
                _insert(con, "ratings", [*row, _body(one.model_dump(mode="json"))])

    def ratings(self, name: str, round_: int) -> list[tuple[Rating, str]]:
        """Return the ratings of a round, in the order they came in, each with the digest of what it rated."""
        sql = "SELECT digest, body FROM ratings WHERE pairs = ? AND round = ? ORDER BY position"
        with self._file.reading() as con:
            found = rows(con, sql, [storable(name), round_])
        return [(_made(Rating, row), str(row["digest"])) for row in found]

    def save_decisions(self, name: str, round_: int, decisions: Iterable[Decision], out: Iterable[Exclusion]) -> None:
        """Store what a round decided, with its part of the exclusion ledger; deciding again replaces both."""
        place = [storable(name), round_]
        with self._file.writing() as con:
            con.execute("DELETE FROM decisions WHERE pairs = ? AND round = ?", place)
            con.execute("DELETE FROM exclusions WHERE pairs = ? AND round = ?", place)
            for one in decisions:
                row = [*place, storable(one.scenario), one.digest, one.included, one.included_cue]
                _insert(con, "decisions", [*row, _body(one.model_dump(mode="json"))])
            _exclude(con, name, tuple(out))

    def decisions(self, name: str) -> list[Decision]:
        """Return what all rounds decided, by round, then in the order of the scenarios' ids."""
        sql = "SELECT body FROM decisions WHERE pairs = ? ORDER BY round, scenario"
        with self._file.reading() as con:
            return [_made(Decision, row) for row in rows(con, sql, [storable(name)])]

    def exclusions(self, name: str) -> list[Exclusion]:
        """Return the exclusion ledger of a set: what the build left out, then what each round did."""
        sql = "SELECT body FROM exclusions WHERE pairs = ? ORDER BY round, position"
        with self._file.reading() as con:
            return [_made(Exclusion, row) for row in rows(con, sql, [storable(name)])]


def _exclude(con: Connection, name: str, exclusions: Sequence[Exclusion]) -> None:
    for position, one in enumerate(exclusions):
        row = [storable(name), one.round, position, storable(one.scenario), one.stage]
        _insert(con, "exclusions", [*row, _body(one.model_dump(mode="json"))])


WIDTHS: Mapping[str, int] = {"scenarios": 18, "exclusions": 6, "assignments": 6, "ratings": 8, "decisions": 7}
"""Table → how many columns a row of it has."""
_INSERT = {
    table: " ".join(("INSERT INTO", table, "VALUES (", ", ".join("?" * width), ")")) for table, width in WIDTHS.items()
}


def _insert(con: Connection, table: str, row: Sequence[object]) -> None:
    con.execute(_INSERT[table], list(row))


def _body(value: Any) -> str:
    return to_json(value, "a set of pairs")


def _made(kind: type[T], row: Mapping[str, Any]) -> T:
    return kind.model_validate_json(row["body"])


def _no_set(con: Connection, name: str) -> UsageError:
    names = [str(row["name"]) for row in rows(con, _NAMES)]
    fix = nearest(name, names) if names else "the registry holds none yet: run `forge pairs build --seed-set core`"
    return UsageError(f"there is no set of pairs {name!r}", value=listed(names) or "none", fix=fix)
