"""Takes the JSON out of a model's text: bare, fenced or in prose. It repairs nothing and never invents a value.

Standard library only, because exported readers ship it.
"""

from __future__ import annotations

import json
import re

_STARTS = re.compile(r'\{\s*["}]|\[\s*(?:[\[{"\]\d-]|true\b|false\b|null\b)')


def find_json(text: str) -> object:
    """The JSON object or array of a text; of several, the largest, and of equally large ones the first.

    A value that is cut or invalid is never passed over for a smaller one, inside it or elsewhere in the text.

    Returns:
        A dict or a list, as `json.loads` gives it.

    Raises:
        ValueError: "empty", "no object", "cut: ..." (a value begins and never ends) or "invalid: ..." (a balanced
            value that is not strict JSON: trailing comma, single quotes, NaN).
    """
    if not text.strip():
        raise ValueError("empty: the text holds nothing")
    decoder = json.JSONDecoder(parse_constant=_refuse)
    best: object = None
    best_length = 0
    invalid: str | None = None
    invalid_length = 0
    position = 0
    while start := _STARTS.search(text, position):
        begin = start.start()
        try:
            value, end = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError) as error:
            closed = _balanced_end(text, begin)
            if closed is None:
                if len(text) - begin > best_length:
                    raise ValueError(f"cut: unbalanced from character {begin}") from error
                break
            if closed - begin > invalid_length:
                invalid_length = closed - begin
                reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
                invalid = f"invalid: {reason} in the value at character {begin}"
            position = closed
            continue
        if end - begin > best_length:
            best, best_length = value, end - begin
        position = end
    if best_length and best_length >= invalid_length:
        return best
    raise ValueError(invalid or "no object: the text holds no JSON object or array")


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _balanced_end(text: str, begin: int) -> int | None:
    """Where the bracket opened at `begin` closes, brackets in strings aside; None when it never does."""
    depth = 0
    quoted = escaped = False
    for position in range(begin, len(text)):
        character = text[position]
        if quoted:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                quoted = False
        elif character == '"':
            quoted = True
        elif character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
            if depth == 0:
                return position + 1
    return None
