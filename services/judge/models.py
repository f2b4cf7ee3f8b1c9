"""ModelsService: which models are behind the judge.

Rules: one entry per role, sorted by role; a role that nothing fills has none; a model that runs in this process is
marked local. An online model counts as ready until a call to it fails, and again after one that succeeds: a probe would
cost tokens. It does not know what a model is asked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from candor.judge.v1.models_pb2 import GetModelsRequest, GetModelsResponse, Model
from candor.judge.v1.models_pb2_grpc import ModelsServiceServicer

from services.judge.contradictions_rules import RuleJudge
from services.judge.extraction_rules import RuleExtractor
from shared.rpc.context import Context


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Role:
    """A role and the model that fills it; by default one in this process, ready as soon as the process is."""

    name: str
    model: str
    local: bool = True
    ready: Callable[[], bool] = _always
    prompt_version: str = ""


EXTRACTION, MEANING, NARRATION, RERANK = "extraction", "meaning", "narration", "rerank"
LOCAL_EXTRACTOR = Role(EXTRACTION, RuleExtractor.model, prompt_version=RuleExtractor.extract_version)
LOCAL_JUDGE = Role(MEANING, RuleJudge.model, prompt_version=RuleJudge.prompt_version)


class Models(ModelsServiceServicer):
    """Answers with the models that the mount chose."""

    def __init__(self, roles: Sequence[Role]) -> None:
        self._roles = sorted(roles, key=lambda role: role.name)

    async def GetModels(self, request: GetModelsRequest, context: Context) -> GetModelsResponse:
        """List the models by role."""
        models = [
            Model(
                role=role.name,
                model=role.model,
                local=role.local,
                ready=role.ready(),
                prompt_version=role.prompt_version,
            )
            for role in self._roles
        ]
        return GetModelsResponse(models=models)
