"""The state machine: every path through the picture, walked by a scripted model on the tiny family."""

from __future__ import annotations

from pathlib import Path

import pytest
from graph.tiny_world import message, run, truthful, user

from forge.model.calls import Fault, FaultKind, Request
from forge.model.events import EventKind
from forge.model.profile import Limits
from forge.model.words import Cause, Knows, Operator, Role, Route, State

WORDS = [
    "walnut",
    "harbour",
    "sixpence",
    "meadow",
    "tunnel",
    "violet",
    "gravel",
    "candle",
    "rocket",
    "pebble",
    "saddle",
]


def distinct(n: int) -> str:
    """A wording unlike the others, that keeps its number and its `never`."""
    return f"We {WORDS[n % len(WORDS)] * 3} with 7 {WORDS[(n * 3 + 1) % len(WORDS)] * 4} which never {n}x. How long?"


class Model:
    """Counts rewrites, words each anew, and answers as it is told."""

    def __init__(self, solver: str = "YES", control: str = "YES") -> None:
        self.rewrites = 0
        self.solver, self.control = solver, control
        self.wording = distinct

    def __call__(self, request: Request) -> str | Fault:
        if request.role is not Role.SOLVER:
            self.rewrites += 1
            return message(self.wording(self.rewrites))
        known = truthful(request)
        if known is not None:
            return known
        return self.control if "always" in user(request) else self.solver


async def test_a_failing_solver_gets_a_certificate_with_its_cause(tmp_path: Path) -> None:
    outcome, gateway, events = await run(tmp_path, Model(), limits=Limits(top_k=2))
    assert outcome.state is State.CERTIFIED
    assert len(outcome.items) == 2
    # c0 and two generator rounds, in this order, each from the last generated wording
    assert [record.candidate.operator for record in outcome.records] == [
        Operator.SEED,
        Operator.GENERATE,
        Operator.GENERATE,
    ]
    ids = [record.candidate.id for record in outcome.records]
    assert [record.candidate.parent for record in outcome.records] == [None, ids[0], ids[1]]
    assert all(record.route is Route.CERTIFY for record in outcome.records)
    certificate = outcome.items[0].certificate
    assert (certificate.stable, certificate.samples, certificate.cause) == (5, 5, Cause.SALIENCE)
    # Clopper-Pearson, 5 of 5: low = (0.025)^(1/5) = 0.478176, high = 1
    assert certificate.low == pytest.approx(0.025 ** (1 / 5), abs=1e-6)
    assert certificate.high == 1.0
    assert certificate.counts["probe/trap/is_false"] == {"no": 3}
    # 3 selections; 2 certificates of 5 trap, 3 control, 3 explicit and 4 x 3 probe
    assert gateway.count(Role.SOLVER) == 3 + 2 * (5 + 3 + 3 + 12)
    assert [event.kind for event in events].count(EventKind.CERTIFIED) == 2


async def test_selection_samples_never_certify(tmp_path: Path) -> None:
    _, gateway, _ = await run(tmp_path, Model())
    trap = [r.sample for r in gateway.requests if r.role is Role.SOLVER and "7 boxes that never" in user(r)]
    assert sorted(n for n in trap if n > 0)[:5] != []
    assert 0 in trap
    fresh = [n for n in trap if n in range(1, 6)]
    assert set(fresh) >= {1, 2, 3, 4, 5}


async def test_an_unstable_failure_is_exhausted_and_says_how_near_it_came(tmp_path: Path) -> None:
    def model(request: Request) -> str:
        if request.role is not Role.SOLVER:
            return "no json at all"
        return "YES" if request.sample in (0, 1, 2) else "NO"

    outcome, gateway, _ = await run(tmp_path, model)
    assert outcome.state is State.EXHAUSTED
    assert outcome.reason == "1 certifications tried, best 2 of 5 stable, 3 needed"
    assert outcome.records[0].certificate is not None
    assert outcome.records[0].certified is False
    # an unstable candidate is not diagnosed: 1 selection and 5 stability samples
    assert gateway.count(Role.SOLVER) == 6


async def test_three_of_five_is_enough(tmp_path: Path) -> None:
    def model(request: Request) -> str:
        if request.role is not Role.SOLVER:
            return "no json"
        if (known := truthful(request)) is not None:
            return known
        return "NO" if request.sample in (4, 5) else "YES"

    outcome, _, _ = await run(tmp_path, model)
    assert outcome.state is State.CERTIFIED
    assert outcome.items[0].certificate.stable == 3


async def test_a_seen_trap_is_enhanced_until_patience_ends(tmp_path: Path) -> None:
    outcome, gateway, _ = await run(tmp_path, Model(solver="NO"), limits=Limits(generator_rounds=0))
    assert outcome.state is State.EXHAUSTED
    assert outcome.reason == "no failure in 3 solved of 3 wordings"
    # two children that bring nothing end the branch
    assert [r.candidate.operator for r in outcome.records] == [Operator.SEED, Operator.ENHANCE, Operator.ENHANCE]
    assert gateway.count(Role.ENHANCER) == 2


async def test_an_unnatural_failure_is_annealed_at_rising_intensity(tmp_path: Path) -> None:
    model = Model()
    model.wording = lambda n: distinct(n) + (" stiff" if n < 2 else "")
    outcome, _, _ = await run(
        tmp_path, model, limits=Limits(generator_rounds=0), prompt="I have 7 stiff boxes that never open. How long?"
    )
    shape = [(r.candidate.operator, r.candidate.intensity, r.route) for r in outcome.records]
    assert shape == [
        (Operator.SEED, 0, Route.ANNEAL),
        (Operator.ANNEAL, 1, Route.ANNEAL),
        (Operator.ANNEAL, 2, Route.CERTIFY),
    ]


async def test_a_garbled_wording_is_annealed_before_any_solver_is_asked(tmp_path: Path) -> None:
    outcome, _, _ = await run(
        tmp_path, Model(), limits=Limits(generator_rounds=0), prompt="garbled 7 boxes that never open. How long?"
    )
    first, second = outcome.records
    assert first.route is Route.PRE_SOLVER_ANNEAL
    assert first.trials == ()
    assert (second.candidate.operator, second.candidate.intensity) == (Operator.PRE_SOLVER_ANNEAL, 2)


async def test_a_duplicate_is_drawn_again_at_most_twice_and_does_not_count(tmp_path: Path) -> None:
    model = Model()
    model.wording = lambda n: "I have 7 boxes that never open. How long?"
    outcome, gateway, _ = await run(tmp_path, model, limits=Limits(generator_rounds=1, max_candidates=2))
    assert [record.duplicate for record in outcome.records] == [False, True, True, True]
    assert gateway.count(Role.GENERATOR) == 3
    assert [r.sample for r in gateway.requests if r.role is Role.GENERATOR] == [0, 1, 2]


async def test_other_numbers_make_no_duplicate(tmp_path: Path) -> None:
    model = Model()
    model.wording = lambda n: "I have 7 boxes that never open. How long for 9?" if n else ""
    outcome, _, _ = await run(
        tmp_path,
        model,
        limits=Limits(generator_rounds=1),
        prompt="I have 7 boxes that never open. How long for 8?",
    )
    # numerals are normalised to one placeholder: similarity 1, other numbers, so flagged and not dropped
    assert outcome.records[1].similarity == 1.0
    assert outcome.records[1].near_duplicate
    assert not outcome.records[1].duplicate


@pytest.mark.parametrize(
    ("bad", "where"),
    [
        ("no number here, never", "a guard failed: number"),
        ("7 never no truth", "truth failed"),
        ("7 never astray", "alignment failed"),
    ],
)
async def test_a_wording_that_fails_a_check_is_archived_unsolved(tmp_path: Path, bad: str, where: str) -> None:
    model = Model()
    model.wording = lambda n: bad
    outcome, _, _ = await run(tmp_path, model, limits=Limits(generator_rounds=1, redraws=0))
    assert outcome.records[1].route is Route.ARCHIVE
    assert outcome.records[1].why == where
    assert outcome.records[1].trials == ()


async def test_a_child_that_is_not_compliant_is_discarded(tmp_path: Path) -> None:
    model = Model(solver="NO")
    model.wording = lambda n: f"7 never no compliance {distinct(n)}"
    outcome, _, _ = await run(tmp_path, model, limits=Limits(generator_rounds=1))
    assert outcome.records[1].why.startswith("not compliant")
    assert outcome.records[1].findings == ()


async def test_one_item_per_cluster_of_near_duplicates(tmp_path: Path) -> None:
    model = Model()
    base = "I have 7 big boxes in the hall and the hall is long and they never open at all. How long will that take me"
    model.wording = lambda n: base + f" {'today' if n == 1 else 'to-day'}?"
    outcome, _, _ = await run(tmp_path, model)
    certified = [record for record in outcome.records if record.certified]
    assert len(outcome.records) == 3
    assert outcome.records[2].near_duplicate
    assert len(certified) == 2


async def test_top_k_ends_certification(tmp_path: Path) -> None:
    outcome, _, _ = await run(tmp_path, Model(), limits=Limits(top_k=1))
    assert len(outcome.items) == 1
    assert sum(record.certificate is not None for record in outcome.records) == 1


async def test_limits_on_candidates_and_steps(tmp_path: Path) -> None:
    few, _, _ = await run(tmp_path, Model(solver="NO"), limits=Limits(max_candidates=2))
    assert len(few.records) == 2
    short, _, _ = await run(tmp_path, Model(solver="NO"), limits=Limits(max_steps=1))
    assert len(short.records) == 2


async def test_viability_c_fails_and_b_goes_on_with_a_warning(tmp_path: Path) -> None:
    hopeless, gateway, _ = await run(tmp_path, Model(), prompt="7 hopeless boxes never")
    assert (hopeless.state, hopeless.reason) == (State.FAILED, "not viable (grade C): graded C")
    assert gateway.requests == []
    forced, _, _ = await run(tmp_path, Model(), prompt="7 hopeless boxes never", all_grades=True)
    assert forced.state is State.CERTIFIED
    doubtful, _, events = await run(tmp_path, Model(), prompt="7 doubtful boxes never")
    assert doubtful.state is State.CERTIFIED
    assert any("viability B" in event.data.get("text", "") for event in events)
    scaled, _, _ = await run(tmp_path, Model(), prompt="7 doubtful boxes never", changes={"tags": ("scaled",)})
    assert scaled.state is State.FAILED


@pytest.mark.parametrize("kind", list(FaultKind))
@pytest.mark.parametrize("role", [Role.GENERATOR, Role.SOLVER])
async def test_a_fault_decides_nothing(tmp_path: Path, kind: FaultKind, role: Role) -> None:
    def model(request: Request) -> str | Fault:
        return Fault(kind, "broken") if request.role is role else Model()(request)

    outcome, _, _ = await run(tmp_path, model)
    assert outcome.state is (State.FAILED if kind is FaultKind.NEVER else State.PENDING)
    assert "broken" in outcome.reason
    assert outcome.items == ()


async def test_a_fault_during_certification_leaves_the_seed_pending(tmp_path: Path) -> None:
    def model(request: Request) -> str | Fault:
        if request.role is Role.SOLVER and request.sample == 4:
            return Fault(FaultKind.TIMEOUT, "slow", attempts=3)
        return Model()(request)

    outcome, _, _ = await run(tmp_path, model)
    assert (outcome.state, outcome.items) == (State.PENDING, ())
    assert outcome.reason == "timeout: slow after 3 attempts"


@pytest.mark.parametrize(
    "answer", ["", "   ", "{", '```json\n{"message": 3', "I cannot help with that.", '{"text": "x"}']
)
async def test_a_malformed_rewrite_is_a_miss_after_one_repair(tmp_path: Path, answer: str) -> None:
    def model(request: Request) -> str:
        return answer if request.role is not Role.SOLVER else Model()(request)

    outcome, gateway, _ = await run(tmp_path, model, limits=Limits(generator_rounds=1))
    assert outcome.state is State.CERTIFIED
    assert gateway.count(Role.GENERATOR) == 2
    assert outcome.counters["malformed"] == 1


@pytest.mark.parametrize(("said", "knows"), [("no", Knows.UNCLEAR), ("yes", Knows.UNCLEAR), ("perhaps", Knows.UNCLEAR)])
async def test_a_solver_that_always_says_the_same_knows_nothing(tmp_path: Path, said: str, knows: Knows) -> None:
    def model(request: Request) -> str:
        return said if truthful(request) is not None else Model()(request)

    outcome, _, _ = await run(tmp_path, model, limits=Limits(top_k=1))
    assert outcome.items[0].certificate.knows is knows


async def test_items_carry_no_run_and_no_time_and_are_the_same_again(tmp_path: Path) -> None:
    first, _, _ = await run(tmp_path, Model())
    second, _, _ = await run(tmp_path, Model())
    assert first == second
    assert {item.id for item in first.items} == {item.id for item in second.items}
