from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from forge.model.errors import UsageError
from forge.registry.filters import MAX_LENGTH, compile_filter
from forge.registry.items import ITEM_FIELDS

# Everything that a condition may be made of.
_ALLOWED = re.compile(
    r'"(?P<name>[a-z_0-9]+)"|IS NOT DISTINCT FROM|IS DISTINCT FROM|COALESCE|FALSE|AND|OR|NOT|IN|<=|>=|<|>|[(),? ]'
)


def compiled(text: str) -> tuple[str, tuple[object, ...]]:
    made = compile_filter(text, ITEM_FIELDS)
    return made.sql, made.parameters


@pytest.mark.parametrize(
    ("text", "sql", "parameters"),
    [
        ("label = 'hard_fail'", '"label" IS NOT DISTINCT FROM ?', ("hard_fail",)),
        ("label = hard_fail", '"label" IS NOT DISTINCT FROM ?', ("hard_fail",)),
        ('seed != "it\'s"', '"seed" IS DISTINCT FROM ?', ("it's",)),
        ("seed = 'it''s ''quoted'''", '"seed" IS NOT DISTINCT FROM ?', ("it's 'quoted'",)),
        ("score>=-3.5e1", 'COALESCE("score" >= ?, FALSE)', (-35.0,)),
        ("stable < .5", 'COALESCE("stable" < ?, FALSE)', (0.5,)),
        ("near_duplicate", 'COALESCE("near_duplicate", FALSE)', ()),
        ("NOT near_duplicate", '(NOT COALESCE("near_duplicate", FALSE))', ()),
        ("duplicate = false", '"duplicate" IS NOT DISTINCT FROM ?', (False,)),
        ("cause in (salience, 'position')", 'COALESCE("cause" IN (?, ?), FALSE)', ("salience", "position")),
        ("stable not in (3)", '(NOT COALESCE("stable" IN (?), FALSE))', (3.0,)),
        (
            "seed = a or seed = b and stable = 3",
            '("seed" IS NOT DISTINCT FROM ? OR ("seed" IS NOT DISTINCT FROM ? AND "stable" IS NOT DISTINCT FROM ?))',
            ("a", "b", 3.0),
        ),
        (
            "(seed = a or seed = b) and stable = 3",
            '(("seed" IS NOT DISTINCT FROM ? OR "seed" IS NOT DISTINCT FROM ?) AND "stable" IS NOT DISTINCT FROM ?)',
            ("a", "b", 3.0),
        ),
        ("seed = ''", '"seed" IS NOT DISTINCT FROM ?', ("",)),
        ("seed = 'a\ud800'", '"seed" IS NOT DISTINCT FROM ?', ("a�",)),
    ],
)
def test_compiles(text: str, sql: str, parameters: tuple[object, ...]) -> None:
    assert compiled(text) == (sql, parameters)


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("", 1, "empty"),
        ("   ", 1, "empty"),
        ("lable = 'x'", 1, "did you mean label"),
        ("label = 'x' and skore > 1", 17, "did you mean score"),
        ("label", 6, "operator"),
        ("label = ", 8, "takes a text"),
        ("label = 5", 9, "takes a text"),
        ("score = 'x'", 9, "takes a number"),
        ("score = 1e999", 9, "too large"),
        ("near_duplicate = 1", 18, "true or false"),
        ("near_duplicate < true", 16, "no order"),
        ("cause = salence", 9, "did you mean salience"),
        ("label = 'open", 9, "does not end"),
        ("(label = x", 11, "expected `)`"),
        ("label = x)", 10, "expected `and`"),
        ("label = x; drop table items", 10, "cannot read ';'"),
        ("label = x -- and", 11, "cannot read '-'"),
        ("label in ()", 11, "takes a text"),
        ("label in ('x',)", 15, "takes a text"),
        ("label not = x", 11, "expected `in`"),
        ("1 = 1", 1, "expected a field"),
        ("and", 1, "expected a field"),
        ("score = 1x", 9, "cannot read"),
        ("not " * 60 + "near_duplicate", 161, "nested"),
        ("(" * 5000, 41, "nested"),
    ],
)
def test_errors_name_the_column(text: str, column: int, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        compiled(text)
    said = str(caught.value)
    assert f"column {column}\n" in said
    assert says in said


def test_caret_stands_under_the_token() -> None:
    with pytest.raises(UsageError) as caught:
        compiled("seed = '锅子' and\tlable = 'x'")
    shown = (caught.value.where or "").splitlines()
    # The two wide characters take two cells each.
    assert shown[1] == "    seed = '锅子' and lable = 'x'"
    assert shown[2].index("^") == shown[1].index("lable") + 2


def test_caret_of_a_long_filter_stays_near() -> None:
    with pytest.raises(UsageError) as caught:
        compiled(" or ".join(["seed = a"] * 100) + " or lable = b")
    shown = (caught.value.where or "").splitlines()
    assert len(shown[1]) < 120
    assert shown[1][shown[2].index("^") :].startswith("lable")


def test_too_long_is_refused() -> None:
    with pytest.raises(UsageError, match="characters"):
        compiled("seed = '" + "x" * MAX_LENGTH + "'")


_SIGNS = ["(", ")", ",", "=", "!=", "<", "<=", ">", ">=", "and", "or", "not", "in", "true", "false"]
_WORDS = ["'x'", "salience", "3", "-1.5", "''", "'; DROP TABLE items; --'", '"', "'", "--", ";", "/*", "?", "$1", "\\"]
_PIECES = st.sampled_from([*ITEM_FIELDS, *_SIGNS, *_WORDS, "\0"])


@settings(max_examples=600, deadline=None)
@given(st.one_of(st.text(max_size=80), st.lists(_PIECES, max_size=14).map(" ".join)))
@example("seed = '\" OR 1=1 --'")
@example('seed = "x\'; DROP TABLE items; --"')
@example("text = '?' and text != '\"label\"'")
def test_no_input_reaches_the_sql(text: str) -> None:
    try:
        made = compile_filter(text, ITEM_FIELDS)
    except UsageError:
        return
    at = 0
    marks = 0
    while at < len(made.sql):
        match = _ALLOWED.match(made.sql, at)
        assert match, made.sql[at:]
        assert match["name"] is None or match["name"] in ITEM_FIELDS
        marks += match[0] == "?"
        at = match.end()
    assert marks == len(made.parameters)


_VALUES = st.text(st.characters(codec="utf-8"), max_size=20)


@settings(max_examples=200, deadline=None)
@given(_VALUES)
def test_any_text_can_be_quoted(value: str) -> None:
    for quote in "'\"":
        text = quote + value.replace(quote, quote * 2) + quote
        assert compiled(f"text = {text} and (stable = 1)")[1] == (value, 1.0)
