"""Promotion from end to end: an attempt against a scripted model, its evidence, and what production makes of it."""

import hashlib
import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from candor.judge.v1.models_pb2 import GetModelsRequest
from pydantic import SecretStr

from services.judge import evidence
from services.judge.main import mount
from shared import config
from shared.domain.promotion import chained, read_evidence
from shared.rpc import clients
from shared.rpc.server import StartRefused, start
from tests.bench import promotion
from tests.bench.promotion import Attempt, Refused, promote
from tests.openai_server import OpenAIServer

pytestmark = pytest.mark.anyio

LABELS = ["contradiction"] * 20 + ["consistent"] * 18 + ["superseded"] * 4
CASES = [
    {
        "id": f"case-{number}",
        "category": "prompt-injection" if number % 10 == 9 else "numeric",
        "label": label,
        "subject": "never told",
        "a": f"statement {number} a",
        "b": f"statement {number} b",
        "observed_a": "2026-05-01T00:00:00Z",
    }
    for number, label in enumerate(LABELS)
]
POLICY = {"kind": "policy", "model": "old-model", "measured": False}


@dataclass
class Tree:
    """A repository that is as the test says."""

    changed: list[str] = field(default_factory=list)

    def commit(self) -> str:
        return "c" * 40

    def changes(self, but: Path) -> list[str]:
        return self.changed


@pytest.fixture
def attempt(tmp_path: Path, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> Attempt:
    data, kept = tmp_path / "frozen.json", tmp_path / "promotions.jsonl"
    data.write_text(json.dumps(CASES))
    kept.write_text(chained(POLICY, "") + "\n")
    settings = config.Settings(
        openai_base_url=server.base_url,
        openai_api_key=SecretStr("a-key"),
        judge_evidence=kept,
        chat_concurrent_calls=8,
        drain_seconds=0.2,
    )
    digest = hashlib.sha256(data.read_bytes()).hexdigest()
    monkeypatch.setattr(evidence, "DATA_SET_SHA256", digest)
    return Attempt("new-model", "old-model", "try-1", settings, kept, data, digest)


def answer(wrong: dict[str, set[int]]) -> Any:
    """Answer by the labels; of each model some cases wrongly."""

    def word(body: dict[str, Any]) -> str:
        data = body["messages"][1]["content"]
        assert "never told" not in data
        number = int(data.split("statement ")[1].split()[0])
        label = LABELS[number]
        if number in wrong.get(body["model"], set()):
            label = "consistent" if label == "contradiction" else "contradiction"
        return json.dumps({"verdict": label, "confidence": 0.9, "reason": "so"})

    return word


async def starts(attempt: Attempt, model: str) -> str | None:
    """Start judge in production with a model; return why it refused, else None."""
    production = attempt.settings.model_copy(
        update={"env": config.Environment.PRODUCTION, "judge_model": model, "chat_model": "some-model"}
    )
    try:
        running = await start("judge", mount, production)
    except StartRefused as error:
        return str(error)
    async with clients.channel(f"127.0.0.1:{running.port}", caller="test") as via:
        models = (await clients.models(via).GetModels(GetModelsRequest())).models
    await running.stop()
    assert [each.model for each in models if each.role == "meaning"] == [model]
    return None


async def test_a_model_that_passes_is_promoted_and_may_start(attempt: Attempt, server: OpenAIServer) -> None:
    server.say_ever(answer({}))
    assert "no promotion of new-model" in str(await starts(attempt, "new-model"))
    outcome = await promote(attempt, Tree())
    assert outcome.promoted
    asked = [body["model"] for body in server.bodies()]
    runs = [asked[begin : begin + len(CASES)] for begin in range(0, len(asked), len(CASES))]
    assert [set(run) for run in runs] == [{f"{arm}-model"} for arm in "old new new old old new".split()]
    policy, begun, result = read_evidence(attempt.evidence.read_text())
    assert (policy["kind"], begun["kind"], result["kind"]) == ("policy", "begun", "result")
    assert (result["commit"], result["attempt"], result["promoted"]) == ("c" * 40, "try-1", True)
    assert await starts(attempt, "new-model") is None
    assert await starts(attempt, "old-model") is None


async def test_a_model_that_fails_a_gate_is_not_and_its_attempt_stands(attempt: Attempt, server: OpenAIServer) -> None:
    server.say_ever(answer({"new-model": {0, 1, 29}}))
    outcome = await promote(attempt, Tree())
    assert not outcome.promoted
    assert any("orders followed" in failure for failure in outcome.failures)
    assert "did not pass" in str(await starts(attempt, "new-model"))
    with pytest.raises(Refused, match="made before"):
        await promote(attempt, Tree())
    server.say_ever(answer({}))
    assert (await promote(replace(attempt, attempt_id="try-2"), Tree())).promoted
    assert await starts(attempt, "new-model") is None
    assert len(read_evidence(attempt.evidence.read_text())) == 5


async def test_an_attempt_that_broke_off_has_spent_its_id(attempt: Attempt, monkeypatch: pytest.MonkeyPatch) -> None:
    async def break_off(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(promotion, "_run", break_off)
    with pytest.raises(KeyboardInterrupt):
        await promote(attempt, Tree())
    monkeypatch.undo()
    with pytest.raises(Refused, match="made before"):
        await promote(attempt, Tree())


async def test_what_must_not_be_tried_is_refused_before_a_model_is_asked(
    attempt: Attempt, server: OpenAIServer
) -> None:
    """The reference's fault 20: its evidence came from a dirty tree and a set that was no longer frozen."""
    for wrong, why in (
        (replace(attempt, data_sha256="0" * 64), "frozen"),
        (replace(attempt, baseline="new-model", candidate="old-model"), "cannot be the baseline"),
        (replace(attempt, candidate="old-model"), "is the baseline"),
        (replace(attempt, settings=config.Settings(openai_api_key=SecretStr(""))), "OPENAI_API_KEY"),
    ):
        with pytest.raises(Refused, match=why):
            await promote(wrong, Tree())
    with pytest.raises(Refused, match="not clean"):
        await promote(attempt, Tree([" M shared/domain/promotion.py"]))
    assert server.received == []
    assert len(read_evidence(attempt.evidence.read_text())) == 1


async def test_a_changed_prompt_or_judge_ends_a_promotion(
    attempt: Attempt, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.say_ever(answer({}))
    await promote(attempt, Tree())
    monkeypatch.setattr(evidence, "SOURCES", ("chat.py",))
    assert "another data set, prompt or judge" in str(await starts(attempt, "new-model"))
    assert await starts(attempt, "old-model") is None


@pytest.mark.parametrize("text", [None, "not json\n", chained(POLICY, "some other line") + "\n"])
async def test_without_readable_evidence_production_does_not_start(attempt: Attempt, text: str | None) -> None:
    if text is None:
        attempt.evidence.unlink()
    else:
        attempt.evidence.write_text(text)
    assert "evidence" in str(await starts(attempt, "old-model"))


async def test_development_starts_with_any_model(attempt: Attempt) -> None:
    settings = attempt.settings.model_copy(update={"judge_model": "never-measured"})
    running = await start("judge", mount, settings)
    await running.stop()


async def test_the_local_judge_starts_in_production_only_if_allowed_by_name() -> None:
    local = {"env": config.Environment.PRODUCTION, "judge_provider": config.ProviderChoice.LOCAL, "drain_seconds": 0.2}
    with pytest.raises(StartRefused, match="CANDOR_ALLOW_LOCAL"):
        await start("judge", mount, config.Settings(**local))  # type: ignore[arg-type]
    running = await start("judge", mount, config.Settings(**local, allow_local=frozenset({"judge"})))  # type: ignore[arg-type]
    await running.stop()


def test_the_evidence_that_ships_names_the_default_model_and_claims_no_measurement() -> None:
    """The reference's fault 20: it ships a gate without a run. What was not measured says so here."""
    settings = config.Settings()
    lines = read_evidence(settings.judge_evidence.read_text())
    named = [line for line in lines if line["kind"] == "policy"][-1]
    assert named["model"] == config.Settings.model_fields["judge_model"].default == "qwen-plus"
    assert named["measured"] is False


def test_the_real_tree_is_looked_at(tmp_path: Path) -> None:
    git = promotion.Git()
    assert len(git.commit()) == 40
    assert all(len(line) > 3 for line in git.changes(tmp_path))
