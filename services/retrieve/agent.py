"""AgentService: one turn of an agent, taken by judge.

Rules: the tools and what they gave come from the gateway, which runs them; the memories in them were read under the
caller's own key. It does not know any tool.
Source: REQUIREMENTS F1.
"""

from candor.judge.v1 import agent_pb2 as steps
from candor.judge.v1.agent_pb2_grpc import AgentServiceStub
from candor.retrieve.v1 import agent_pb2 as pb
from candor.retrieve.v1.agent_pb2_grpc import AgentServiceServicer

from services.retrieve.answer_request import REQUEST_ID_MAX_CHARS
from services.retrieve.filters import Reader
from services.retrieve.narrating import TIMEOUT_SECONDS, patience
from services.retrieve.recall import query_text
from shared.rpc import wire
from shared.rpc.clients import rpc_errors
from shared.rpc.context import Context

MAX_TURNS = 5  # the contract's


class Agents(AgentServiceServicer):
    """Has judge take the steps."""

    def __init__(self, judge: AgentServiceStub) -> None:
        self._judge = judge

    async def RunAgent(self, request: pb.RunAgentRequest, context: Context) -> pb.RunAgentResponse:
        """Take one turn. Raises: InvalidArgument; as TakeStep."""
        tenant_id = wire.tenant(request)
        reader = Reader(request)
        question = query_text(reader, "question", request.question)
        turns = request.max_turns if request.HasField("max_turns") else MAX_TURNS
        if not 1 <= turns <= MAX_TURNS:
            reader.refuse("max_turns", "TURNS_OUT_OF_RANGE", f"must be between 1 and {MAX_TURNS}")
        if len(request.request_id) > REQUEST_ID_MAX_CHARS:
            reader.refuse("request_id", "REQUEST_ID_TOO_LONG", f"must have at most {REQUEST_ID_MAX_CHARS} characters")
        reader.check()
        asked = steps.TakeStepRequest(
            tenant_id=str(tenant_id),
            question=question,
            transcript=request.transcript,
            tools=request.tools,
            turns_left=max(turns - len(request.transcript), 1),
        )
        with rpc_errors():
            step = await self._judge.TakeStep(asked, timeout=patience(TIMEOUT_SECONDS))
        usage = step.usage
        return pb.RunAgentResponse(
            answer=step.answer,
            invocations=[pb.Invocation(tool=step.tool, arguments=step.arguments)] if step.tool else [],
            turns=1,
            model_id=step.model,
            usage=pb.AgentUsage(
                calls=usage.calls,
                prompt_tokens=usage.prompt_tokens,
                completion_tokens=usage.completion_tokens,
                milliseconds=usage.milliseconds,
            ),
        )
