"""Scripts of troubles play as written."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from forge.testing.faults import ALIEN, FaultPlan, Scripted, Storm, Trouble, make
from forge.testing.mockserver import Reply
from forge.testing.replies import default_reply

SCHEMA = {
    "properties": {"why": {"type": "string"}, "label": {"$ref": "#/$defs/L"}},
    "$defs": {"L": {"enum": ["good", "bad"]}},
}
BODY: dict[str, Any] = {
    "model": "m",
    "messages": [],
    "response_format": {"type": "json_schema", "json_schema": {"schema": SCHEMA}},
}


def text(reply: Any) -> str:
    assert isinstance(reply, Reply)
    assert not isinstance(reply.body, bytes)
    content: str = reply.body["choices"][0]["message"]["content"]
    return content


def test_a_plan_plays_its_script_then_answers() -> None:
    plan = FaultPlan([Trouble.SERVER_503, None, Trouble.RATE_LIMIT])
    replies = [plan(BODY) for _ in range(4)]
    assert [reply.status if isinstance(reply, Reply) else reply for reply in replies] == [
        503,
        default_reply(BODY),
        429,
        default_reply(BODY),
    ]


def test_a_plan_per_body_plays_for_each_request() -> None:
    plan = FaultPlan([Trouble.SERVER_503], per_body=True)
    other = {**BODY, "model": "n"}
    assert [isinstance(plan(body), Reply) for body in (BODY, other, BODY, other)] == [True, True, False, False]


def test_retry_after_is_written_in_both_forms() -> None:
    def now() -> datetime:
        return datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)

    seconds = make(Scripted(Trouble.RATE_LIMIT, retry_after=42), BODY, now)
    date = make(Scripted(Trouble.RATE_LIMIT, retry_after=42, as_date=True), BODY, now)
    assert seconds.headers == {"Retry-After": "42"}
    assert date.headers == {"Retry-After": "Sun, 01 Mar 2026 12:00:42 GMT"}
    assert make(Scripted(Trouble.RATE_LIMIT), BODY).headers == {}


def test_spoilt_answers_are_spoilt_in_the_named_way() -> None:
    good = default_reply(BODY)
    assert text(make(Scripted(Trouble.EMPTY), BODY)) == ""
    assert f"```json\n{good}\n```" in text(make(Scripted(Trouble.FENCED), BODY))
    cut = make(Scripted(Trouble.CUT), BODY)
    assert good.startswith(text(cut))
    assert not isinstance(cut.body, bytes)
    assert cut.body["choices"][0]["finish_reason"] == "length"
    alien = json.loads(text(make(Scripted(Trouble.ALIEN_LABEL), BODY)))
    assert alien == {**json.loads(good), "label": ALIEN}


def test_a_storm_fails_about_its_share_and_the_same_requests_every_time() -> None:
    def run(seed: int) -> list[bool]:
        storm = Storm(0.3, seed=seed)
        return [isinstance(storm({**BODY, "n": n}), Reply) for n in range(1000)]

    assert run(1) == run(1)
    assert run(1) != run(2)
    assert 250 < sum(run(1)) < 350  # 0.3 ± 3.5 standard deviations


@pytest.mark.parametrize("trouble", Trouble)
def test_every_trouble_can_be_made(trouble: Trouble) -> None:
    assert isinstance(make(Scripted(trouble), BODY), Reply)
