"""candor.judge.v1.AgentService: checks the request and asks the model for one step.

Rules: without a model there is no agent, and it says so: no local rule chooses tools. Nothing is run here. It does not
know what a tool does.
Source: REQUIREMENTS F1.
"""

from candor.judge.v1 import agent_pb2 as pb
from candor.judge.v1.agent_pb2_grpc import AgentServiceServicer

from services.judge import agent_model
from services.judge.provider import ChatModel, Purpose
from services.judge.questions import checked
from services.judge.usage_message import usage_message
from shared.domain.errors import FailedPrecondition, InvalidArgument
from shared.rpc import wire
from shared.rpc.context import Context

MAX_CALLS, MAX_TOOLS = 5, 20  # the contract's
RESULT_MAX_CHARS = 32_000  # the contract's


class Agent(AgentServiceServicer):
    """Takes steps with one model, or with none."""

    def __init__(self, model: ChatModel | None) -> None:
        self._model = model

    async def TakeStep(self, request: pb.TakeStepRequest, context: Context) -> pb.TakeStepResponse:
        """Say what to do next. Raises: InvalidArgument; FailedPrecondition AGENT_NEEDS_MODEL; as ChatModel."""
        wire.tenant(request)
        question = checked(request.question, "question")
        too_long = any(len(c.result) > RESULT_MAX_CHARS for c in request.transcript)
        if len(request.transcript) > MAX_CALLS or len(request.tools) > MAX_TOOLS or too_long:
            told = f"must be at most {MAX_CALLS} calls of {RESULT_MAX_CHARS} characters, and {MAX_TOOLS} tools"
            raise InvalidArgument.of("transcript", "TRANSCRIPT_TOO_LONG", told)
        if self._model is None:
            told = "An agent needs a generative model and none is configured; recall, answer and audit work without."
            raise FailedPrecondition("AGENT_NEEDS_MODEL", told)
        asked = agent_model.prompt(question, request.transcript, request.tools, request.turns_left)
        answer = await self._model.complete_json(Purpose.AGENT, asked, agent_model.SCHEMA, agent_model.read)
        step = answer.value
        return pb.TakeStepResponse(
            tool=step.tool,
            arguments=step.arguments,
            answer=step.answer,
            model=self._model.name,
            prompt_version=agent_model.PROMPT_VERSION,
            usage=usage_message(answer.usage),
        )
