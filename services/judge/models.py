"""ModelsService: which models are behind the judge.

Rules: one entry per role, sorted by role; a model that runs in this process is marked local. It does not know what a
model is asked.
"""

from collections.abc import Sequence

from candor.judge.v1.models_pb2 import GetModelsRequest, GetModelsResponse, Model
from candor.judge.v1.models_pb2_grpc import ModelsServiceServicer

from shared.rpc.context import Context

MEANING = "meaning"
LOCAL_JUDGE = Model(role=MEANING, model="rule-judge-1", local=True, ready=True)
"""Rules in this process: ready as soon as the process is."""


class Models(ModelsServiceServicer):
    """Answers with the models that the mount chose."""

    def __init__(self, models: Sequence[Model]) -> None:
        self._answer = GetModelsResponse(models=sorted(models, key=lambda model: model.role))

    async def GetModels(self, request: GetModelsRequest, context: Context) -> GetModelsResponse:
        """List the models by role."""
        return self._answer
