"""Whether the judge of meaning may start: in production only with evidence of its promotion.

Rules: fail-closed. The evidence must be of this prompt, this source and the frozen data set; what does not fit is no
evidence. The rollback baseline may start because policy names it; that is a marker, and is logged as one. It does not
know how evidence is made (tests/bench/promotion.py).
Source: REQUIREMENTS C7.
"""

from hashlib import sha256
from pathlib import Path

import structlog

from services.judge.prompts import file_of
from shared.config import Environment, Settings
from shared.domain.promotion import DATA_SET_SHA256, Hashes, is_named_baseline, read_evidence, why_not_promoted
from shared.rpc.server import StartRefused

PROMPTS = ("contradictions", "again")
SOURCES = ("contradictions_model.py", "contradictions_pair.py", "chat.py", "answer_text.py")
"""What decides what a model is asked and how its answer is read."""

_FOLDER = Path(__file__).parent
_log = structlog.stdlib.get_logger("candor.judge")


def hashes() -> Hashes:
    """Return what a measurement made now would be bound to."""
    return Hashes(
        data_set=DATA_SET_SHA256,
        prompts=_sha256([file_of(name) for name in PROMPTS]),
        judge=_sha256([_FOLDER / name for name in SOURCES]),
    )


def require_promotion(settings: Settings) -> None:
    """Let the configured judge model start.

    Raises: StartRefused in production, for a model that was not promoted and is not the named baseline.
    """
    if settings.env is not Environment.PRODUCTION:
        return
    path, model = settings.judge_evidence, settings.judge_model
    try:
        lines = read_evidence(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StartRefused(f"the evidence of promotions in {path.name} cannot be read: {error}") from error
    reason = why_not_promoted(lines, model, hashes())
    if reason is not None:
        why = f"{reason}: CANDOR_JUDGE_MODEL needs evidence of `make judge-promote CANDIDATE={model}`"
        raise StartRefused(why)
    if is_named_baseline(lines, model):
        _log.warning("the judge of meaning is the rollback baseline, named by policy", model=model)


def _sha256(paths: list[Path]) -> str:
    digest = sha256()
    for path in paths:
        text = path.read_bytes()
        digest.update(f"{path.name}\0{len(text)}\0".encode() + text)
    return digest.hexdigest()
