"""A role whose one call ends when a line arrives on standard input; run by test_drain as a process of its own."""

import asyncio
import sys

from candor.judge.v1.models_pb2 import GetModelsRequest, GetModelsResponse
from candor.judge.v1.models_pb2_grpc import ModelsServiceServicer

from shared.rpc.context import Context
from shared.rpc.server import Host, run


def say(text: str) -> None:
    print(text, flush=True)


class Slow(ModelsServiceServicer):
    async def GetModels(self, request: GetModelsRequest, context: Context) -> GetModelsResponse:
        say("begun")
        await asyncio.to_thread(sys.stdin.readline)
        return GetModelsResponse()


async def mount(host: Host) -> None:
    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            say("work ended")

    async def close(name: str) -> None:
        say(f"closed {name}")

    host.add(Slow())
    host.background(work)
    host.close_with(lambda: close("first"))
    host.close_with(lambda: close("second"))


run("judge", mount)
