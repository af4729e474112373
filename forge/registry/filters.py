"""The language of --from and --where: parsed by a small grammar into a condition with parameters. Nothing of what a
person types becomes SQL: the condition is put together from fixed words, known field names and question marks.

    filter  = all { "or" all }            all    = one { "and" one }
    one     = "not" one | "(" filter ")" | flag | field operator value | field ["not"] "in" "(" value { "," value } ")"
    value   = 'text' | "text" | word | number | true | false

A comparison with a field that has no value is false, and `!=` is true: there is no third truth value.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum

from forge.model.errors import UsageError, listed
from forge.model.words import Cause, Group, Knows, Operator, Route, State, Tier
from forge.registry.rows import storable

MAX_LENGTH = 10_000
MAX_DEPTH = 40


class Kind(StrEnum):
    """What a field holds."""

    TEXT = "text"
    NUMBER = "number"
    BOOLEAN = "boolean"


@dataclass(frozen=True, slots=True)
class Field:
    """A field that filters may name. `choices` closes its vocabulary, so that a misspelt value is an error."""

    kind: Kind
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Filter:
    """A compiled filter: a condition with a question mark for each parameter, and the fields it names."""

    sql: str
    parameters: tuple[str | float | bool, ...]
    fields: frozenset[str]


CHOICES: Mapping[str, tuple[str, ...]] = {
    "tier": tuple(Tier),
    "cause": tuple(Cause),
    "operator": tuple(Operator),
    "group": tuple(Group),
    "knows": tuple(Knows),
    "route": tuple(Route),
    "state": tuple(State),
}

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<text>'(?:[^']|'')*'|"(?:[^"]|"")*")
    | (?P<number>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![A-Za-z0-9_]))
    | (?P<word>[A-Za-z_][A-Za-z0-9_.-]*)
    | (?P<sign><=|>=|!=|=|<|>|\(|\)|,)
    )""",
    re.VERBOSE,
)
_KEYWORDS = frozenset({"and", "or", "not", "in", "true", "false"})
_COMPARE = {
    "=": '"{}" IS NOT DISTINCT FROM ?',
    "!=": '"{}" IS DISTINCT FROM ?',
    "<": 'COALESCE("{}" < ?, FALSE)',
    "<=": 'COALESCE("{}" <= ?, FALSE)',
    ">": 'COALESCE("{}" > ?, FALSE)',
    ">=": 'COALESCE("{}" >= ?, FALSE)',
}


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    """text, number, word, keyword, sign or end."""
    value: str
    start: int

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else repr(self.value)


def compile_filter(text: str, fields: Mapping[str, Field]) -> Filter:
    """Compile a filter over `fields`. The names of the fields must be plain identifiers.

    Raises:
        UsageError: the text is no filter, or names an unknown field or value; with the column and a caret.
    """
    return _Parser(text, fields).parse()


def nearest(name: str, known: list[str]) -> str:
    """Return one line for an error's `fix`: the names closest to a wrong one, else what there is."""
    close = get_close_matches(name[:80], known, n=3, cutoff=0.6)
    return f"did you mean {' or '.join(close)}?" if close else f"there is {listed(known, 40)}"


class _Parser:
    """Recursive descent over the tokens of one filter; collects parameters in the order of their question marks."""

    def __init__(self, text: str, fields: Mapping[str, Field]) -> None:
        self._text = text
        self._fields = fields
        self._parameters: list[str | float | bool] = []
        self._named: set[str] = set()
        self._depth = 0
        if len(text) > MAX_LENGTH:
            raise UsageError(
                f"the filter has {len(text)} characters, {MAX_LENGTH} are allowed", fix="split it into several"
            )
        self._tokens = self._scan()
        self._at = 0

    def parse(self) -> Filter:
        if self._now.kind == "end":
            raise self._error("the filter is empty", self._now, "write a condition, such as cause = 'salience'")
        sql = self._any()
        if self._now.kind != "end":
            raise self._error(f"expected `and`, `or` or the end, found {self._now}", self._now, "join conditions so")
        return Filter(sql, tuple(self._parameters), frozenset(self._named))

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _take(self, *values: str) -> bool:
        """Step over the next token if it is one of these keywords or signs."""
        hit = self._now.kind in ("keyword", "sign") and self._now.value in values
        self._at += hit
        return hit

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise self._error(f"expected `{sign}`, found {self._now}", self._now, f"put `{sign}` here")

    def _any(self) -> str:
        parts = [self._all()]
        while self._take("or"):
            parts.append(self._all())
        return parts[0] if len(parts) == 1 else f"({' OR '.join(parts)})"

    def _all(self) -> str:
        parts = [self._one()]
        while self._take("and"):
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else f"({' AND '.join(parts)})"

    def _one(self) -> str:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._error(f"more than {MAX_DEPTH} nested levels", self._now, "write it flatter")
        if self._take("not"):
            sql = f"(NOT {self._one()})"
        elif self._take("("):
            sql = self._any()
            self._expect(")")
        else:
            sql = self._condition()
        self._depth -= 1
        return sql

    def _condition(self) -> str:
        token = self._now
        if token.kind != "word":
            raise self._error(f"expected a field, found {token}", token, f"there is {listed(self._fields, 40)}")
        if token.value not in self._fields:
            raise self._error(f"unknown field {token}", token, nearest(token.value, list(self._fields)))
        self._at += 1
        name, field = token.value, self._fields[token.value]
        self._named.add(name)
        if self._now.kind == "keyword" and self._now.value in ("in", "not"):
            return self._membership(name, field)
        sign = self._now
        if self._take(*_COMPARE):
            if field.kind is Kind.BOOLEAN and sign.value not in ("=", "!="):
                raise self._error(f"{name} is true or false, it has no order", sign, "compare it with = or !=")
            self._value(name, field)
            return _COMPARE[sign.value].format(name)
        if field.kind is Kind.BOOLEAN:
            return f'COALESCE("{name}", FALSE)'
        raise self._error(f"expected an operator after {name}, found {sign}", sign, "use =, !=, <, <=, >, >= or in")

    def _membership(self, name: str, field: Field) -> str:
        inverted = self._take("not")
        if not self._take("in"):
            raise self._error(f"expected `in` after `not`, found {self._now}", self._now, "write `not in (…)`")
        self._expect("(")
        self._value(name, field)
        count = 1
        while self._take(","):
            self._value(name, field)
            count += 1
        self._expect(")")
        sql = f'COALESCE("{name}" IN ({", ".join("?" * count)}), FALSE)'
        return f"(NOT {sql})" if inverted else sql

    def _value(self, name: str, field: Field) -> None:
        """Take the next token as a value of the field, into the parameters."""
        token = self._now
        value: str | float | bool | None = None
        if field.kind is Kind.TEXT and token.kind in ("text", "word"):
            value = storable(_unquoted(token))
            if field.choices and value not in field.choices:
                raise self._error(f"{name} is never {token}", token, nearest(value, list(field.choices)))
        elif field.kind is Kind.NUMBER and token.kind == "number":
            value = float(token.value)
            if not math.isfinite(value):
                raise self._error("the number is too large", token, "use a smaller one")
        elif field.kind is Kind.BOOLEAN and token.value in ("true", "false") and token.kind == "keyword":
            value = token.value == "true"
        if value is None:
            wanted = {Kind.TEXT: "a text, such as 'D1'", Kind.NUMBER: "a number", Kind.BOOLEAN: "true or false"}
            raise self._error(f"{name} takes {wanted[field.kind]}, found {token}", token, "mend the value")
        self._at += 1
        self._parameters.append(value)

    def _scan(self) -> list[_Token]:
        tokens: list[_Token] = []
        at, end = 0, len(self._text.rstrip())
        while at < end:
            match = _TOKEN.match(self._text, at)
            kind = match.lastgroup if match else None
            if match is None or kind is None:
                start = at + len(self._text[at:]) - len(self._text[at:].lstrip())
                raise self._error(*self._unreadable(start))
            value = match[kind]
            if kind == "word" and value.lower() in _KEYWORDS:
                kind, value = "keyword", value.lower()
            tokens.append(_Token(kind, value, match.start(kind) if kind != "keyword" else match.start("word")))
            at = match.end()
        tokens.append(_Token("end", "", end))
        return tokens

    def _unreadable(self, start: int) -> tuple[str, _Token, str]:
        character = self._text[start]
        token = _Token("sign", character, start)
        if character in "'\"":
            return "the quotation does not end", token, f"close it with {character}; inside it, write {character * 2}"
        return f"cannot read {character!r} here", token, "use fields, =, !=, <, <=, >, >=, in (…), and, or, not"

    def _error(self, what: str, token: _Token, fix: str) -> UsageError:
        """Return an error that shows the filter with a caret under the token."""
        first = max(0, token.start - 60)
        line = "".join(c if c.isprintable() else " " for c in self._text[first : token.start + 40])
        before = line[: token.start - first]
        width = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in before)
        where = f"filter, column {token.start + 1}\n    {line}\n    {' ' * width}^"
        return UsageError(what, where=where, fix=fix)


def _unquoted(token: _Token) -> str:
    if token.kind == "word":
        return token.value
    quote = token.value[0]
    return token.value[1:-1].replace(quote * 2, quote)
