"""The graph's nodes: each asks one agent or one pure function, and says what changed. No node raises for a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from forge.agents.alignment import alignment
from forge.agents.annealer import anneal
from forge.agents.compliance import compliance
from forge.agents.enhancer import enhance
from forge.agents.generator import generate
from forge.agents.judge import judge
from forge.agents.naturalness import naturalness
from forge.agents.rewriting import Wording
from forge.agents.room import Room
from forge.agents.solver import response, solve
from forge.agents.truth import truth
from forge.agents.viability import viability
from forge.grow import certification, schedule, scoring, state
from forge.grow.likeness import near, twin
from forge.grow.routes import Routed, route
from forge.grow.state import GrowState, Stop, current
from forge.model.calls import Answer, Fault
from forge.model.checks import Reading, Trial, Verdict
from forge.model.events import Event, EventKind
from forge.model.growth import Candidate, candidate_id
from forge.model.seeds import SCALED
from forge.model.words import Grade, Operator, Role, Route, State


@dataclass(frozen=True)
class Nodes:
    """All nodes of one seed's graph.

    Attributes:
        emit: told what happens, in order; must not raise.
        all_grades: grow a seed even when its viability grade is C.
    """

    room: Room
    seed: Any
    emit: Callable[[Event], None]
    all_grades: bool = False

    async def viability(self, _: GrowState) -> GrowState:
        """Grade the seed, and make c0 of its own wording."""
        self._stage("viability")
        verdict = await viability(self.room, self.seed)
        if isinstance(verdict, Fault):
            return _stopped(verdict)
        if (reason := self._unfit(verdict)) is not None:
            return GrowState(grade=verdict.grade or "", stop=Stop(State.FAILED, reason))
        if verdict.grade == Grade.B:
            self._tell(EventKind.NOTICE, text=f"viability B: {verdict.reason}")
        text = self.room.family.wording(self.seed)
        made = self._candidate(text, None, Operator.SEED, 0, 0, "seed", ())
        queue = schedule.opening(self.room.profile.limits)
        return GrowState(
            grade=verdict.grade or "", candidates={made.id: made}, current=made.id, fresh=True, queue=queue
        )

    async def take(self, now: GrowState) -> GrowState:
        """Settle what was finished and take up what is next: the fresh wording, or the queue's first task."""
        if now["fresh"]:
            return GrowState(fresh=False)
        queue = self._settled(now)
        limits = self.room.profile.limits
        full = state.counted(now) >= limits.max_candidates or now["counts"].get("steps", 0) >= limits.max_steps
        if full or not queue:
            return GrowState(queue=queue, task=None, current=None)
        return GrowState(queue=queue[1:], task=queue[0], current=None)

    async def rewrite(self, now: GrowState) -> GrowState:
        """Ask the task's role for a wording of its parent."""
        task, parent = now["task"], self._parent(now)
        if task is None:
            raise AssertionError("rewrite without a task")
        self._stage(task.operator.value)
        slot = f"{task.operator.role}|{parent.id}|{task.operator}|{task.intensity}"
        ordinal = now["counts"].get(slot, 0)
        wording = await self._reworded(task, parent, ordinal)
        counts = {"steps": now["counts"].get("steps", 0) + 1, slot: ordinal + 1}
        if isinstance(wording, Fault):
            return GrowState(counts=counts, stop=_stop(wording))
        if wording.text is None:
            counts["malformed"] = now["counts"].get("malformed", 0) + 1
            self._tell(EventKind.NOTICE, text=f"{task.operator}: {wording.reason}")
            return GrowState(counts=counts)
        made = self._candidate(
            wording.text, parent.id, task.operator, task.intensity, ordinal, wording.by, wording.keys
        )
        return GrowState(counts=counts, candidates={made.id: made}, current=made.id)

    async def compliance(self, now: GrowState) -> GrowState:
        """Check that the child keeps what its parent had; one that does not is archived here."""
        made = current(now)
        parent = now["candidates"][made.parent or ""]
        verdict = await compliance(self.room, self.seed, made.text, parent.text)
        if isinstance(verdict, Fault):
            return _stopped(verdict)
        update = GrowState(verdicts={(made.id, Role.COMPLIANCE.value): verdict})
        if not verdict.passed:
            update["routed"] = {made.id: self._routed(made, Route.ARCHIVE, f"not compliant: {verdict.reason}")}
        return update

    async def dedup(self, now: GrowState) -> GrowState:
        """Compare the wording with the seed's earlier ones."""
        made = current(now)
        earlier = [other for other in now["candidates"].values() if other.id != made.id]
        return GrowState(twins={made.id: twin(made.text, earlier, self.room.profile.limits)})

    async def guards(self, now: GrowState) -> GrowState:
        """Run the family's deterministic checks."""
        made = current(now)
        parent = now["candidates"][made.parent].text if made.parent else None
        return GrowState(findings={made.id: tuple(self.room.family.guards(self.seed, made.text, parent))})

    async def truth(self, now: GrowState) -> GrowState:
        """Ask the truth checker."""
        return await self._checked(now, Role.TRUTH, truth)

    async def alignment(self, now: GrowState) -> GrowState:
        """Ask the alignment checker."""
        return await self._checked(now, Role.ALIGNMENT, alignment)

    async def naturalness(self, now: GrowState) -> GrowState:
        """Ask the naturalness checker."""
        return await self._checked(now, Role.NATURALNESS, naturalness)

    async def gate(self, _: GrowState) -> GrowState:
        """Wait for the three checkers; the router looks at what they said."""
        return GrowState()

    async def solve(self, now: GrowState) -> GrowState:
        """Ask the solver once under every condition that one solve needs; sample 0 selects."""
        self._stage("solve")
        made = current(now)
        item, answers = self.room.family.item(self.seed, made.text), dict[tuple[str, str], Answer]()
        for condition in self.room.family.trials(self.seed, made.text):
            answer = await solve(self.room, self.room.family.render(item, condition), seed=self.seed.id, sample=0)
            if isinstance(answer, Fault):
                return _stopped(answer)
            answers[(made.id, condition)] = answer
        return GrowState(answers=answers)

    async def judge(self, now: GrowState) -> GrowState:
        """Read the solver's answers and fold them into one outcome."""
        made = current(now)
        item, readings, trials = self.room.family.item(self.seed, made.text), dict[str, Reading](), {}
        for condition in self.room.family.trials(self.seed, made.text):
            answer = now["answers"][(made.id, condition)]
            reading = await judge(self.room, item, condition, response(answer), seed=self.seed.id)
            if isinstance(reading, Fault):
                return _stopped(reading)
            readings[condition] = reading
            trials[(made.id, condition, 0)] = Trial(condition, 0, response(answer), reading, answer.key, answer.model)
        return GrowState(trials=trials, outcomes={made.id: self.room.family.outcome(readings)})

    async def route(self, now: GrowState) -> GrowState:
        """Send the candidate where the table says."""
        made = current(now)
        chosen = route(state.facts(now, made.id), self.room.profile.limits)
        findings = now["findings"].get(made.id, ())
        why = f"{chosen.why}: {findings[0].guard}" if findings and chosen.why == "a guard failed" else chosen.why
        label = now["outcomes"][made.id].label if made.id in now["outcomes"] else None
        return GrowState(routed={made.id: self._routed(made, chosen.route, why, label)})

    async def rank(self, now: GrowState) -> GrowState:
        """Order the candidates that await certification by composite score."""
        self._stage("rank")
        scores = {
            key: scoring.score(self.merits(now, key), self.room.profile.limits)
            for key, routed in now["routed"].items()
            if routed.route is Route.CERTIFY
        }
        return GrowState(ranking=scoring.ranked(scores, tuple(now["candidates"])))

    async def certify(self, now: GrowState) -> GrowState:
        """Certify in score order until top_k have passed, one per cluster of near-duplicates."""
        self._stage("certify")
        limits, texts = self.room.profile.limits, now["candidates"]
        update = GrowState(certificates={}, trials={}, chosen=())
        for key in now["ranking"][: limits.certify_tries]:
            if len(update["chosen"]) >= limits.top_k:
                break
            if any(near(texts[key].text, texts[other].text, limits) for other in update["chosen"]):
                continue
            done = await certification.certify(self.room, self.seed, texts[key].text, now["outcomes"][key])
            if isinstance(done, Fault):
                return GrowState(**{**update, "stop": _stop(done)})
            update["certificates"][key] = done.certificate
            update["trials"].update({(key, trial.condition, trial.sample): trial for trial in done.trials})
            if done.certificate.passed:
                update["chosen"] += (key,)
            self._certified(key, done.certificate)
        return update

    def merits(self, now: GrowState, key: str) -> scoring.Merits:
        """Return what a candidate's score is made of."""
        aligned = now["verdicts"].get((key, Role.ALIGNMENT.value))
        return scoring.Merits(
            outcome=now["outcomes"][key],
            naturalness=state.naturalness(now, key) or 0.0,
            aligned=bool(aligned and aligned.grade == "strong"),
            escape=bool(aligned and aligned.details.get("normal_subtask_escape")),
            near_duplicate=now["twins"][key].near,
            characters=len(now["candidates"][key].text),
        )

    def _settled(self, now: GrowState) -> tuple[schedule.Task, ...]:
        task, key, limits = now["task"], now["current"], self.room.profile.limits
        parent = state.standing(now, self._parent(now).id) if task is not None else None
        child = state.standing(now, key) if key is not None else None
        more = schedule.settle(task, parent, child, limits)
        again = bool(more) and more[0].redraws > 0 and task is not None and more[0].redraws > task.redraws
        return (*more, *now["queue"]) if again else (*now["queue"], *more)

    def _parent(self, now: GrowState) -> Candidate:
        task = now["task"]
        if task is not None and task.parent is not None:
            return now["candidates"][task.parent]
        made = now["current"]
        if made is not None and (known := now["candidates"][made].parent) is not None:
            return now["candidates"][known]
        kept = [c for c in now["candidates"].values() if c.operator is Operator.GENERATE and _stands(now, c.id)]
        return kept[-1] if kept else next(iter(now["candidates"].values()))

    async def _reworded(self, task: schedule.Task, parent: Candidate, ordinal: int) -> Wording | Fault:
        room, seed, text, intensity = self.room, self.seed, parent.text, task.intensity
        if task.operator is Operator.GENERATE:
            return await generate(room, seed, text, intensity=intensity, ordinal=ordinal)
        if task.operator is Operator.ENHANCE:
            return await enhance(room, seed, text, intensity=intensity, ordinal=ordinal)
        return await anneal(room, task.operator, seed, text, intensity=intensity, ordinal=ordinal)

    async def _checked(self, now: GrowState, role: Role, ask: Callable[..., Any]) -> GrowState:
        made = current(now)
        parent = now["candidates"][made.parent].text if made.parent else None
        verdict = await ask(self.room, self.seed, made.text, parent)
        return _stopped(verdict) if isinstance(verdict, Fault) else GrowState(verdicts={(made.id, role.value): verdict})

    def _candidate(
        self,
        text: str,
        parent: str | None,
        operator: Operator,
        intensity: int,
        ordinal: int,
        by: str,
        keys: tuple[str, ...],
    ) -> Candidate:
        key = candidate_id(self.seed.content, text, parent, operator.value, intensity, ordinal)
        self._tell(EventKind.CANDIDATE, id=key, operator=operator.value)
        return Candidate(key, self.seed.id, text, parent, operator, intensity, ordinal, by, keys)

    def _unfit(self, verdict: Verdict) -> str | None:
        if self.all_grades:
            return None
        grade = verdict.grade or Grade.C.value
        good = (Grade.A, Grade.A_MINUS) if SCALED in self.seed.tags else (Grade.A, Grade.A_MINUS, Grade.B)
        return None if grade in good else f"not viable (grade {grade}): {verdict.reason}"

    def _routed(self, made: Candidate, to: Route, why: str, label: str | None = None) -> Routed:
        self._tell(EventKind.ROUTED, id=made.id, route=to.value, label=label, why=why, operator=made.operator.value)
        return Routed(to, why)

    def _certified(self, key: str, certificate: Any) -> None:
        kind = EventKind.CERTIFIED if certificate.passed else EventKind.REFUSED
        cause = certificate.cause.value if certificate.passed else None
        self._tell(kind, id=key, cause=cause, stable=certificate.stable, samples=certificate.samples)

    def _stage(self, stage: str) -> None:
        self._tell(EventKind.STAGE, stage=stage)

    def _tell(self, kind: EventKind, **data: Any) -> None:
        self.emit(Event(kind, self.seed.id, data))


def _stands(now: GrowState, key: str) -> bool:
    """Whether a generated wording may be a parent: it is no duplicate, and was not archived before it was solved."""
    return state.standing(now, key).route is not Route.ARCHIVE or key in now["outcomes"]


def _stop(fault: Fault) -> Stop:
    return Stop(State.FAILED if fault.final else State.PENDING, str(fault))


def _stopped(fault: Fault) -> GrowState:
    return GrowState(stop=_stop(fault))
