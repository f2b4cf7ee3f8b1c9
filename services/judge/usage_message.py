"""What an answer took, as a message of the contract. It does not know what was asked."""

from candor.judge.v1.usage_pb2 import Usage as UsageMessage

from services.judge.provider import Usage


def usage_message(usage: Usage) -> UsageMessage:
    """Write what an answer took."""
    return UsageMessage(
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        calls=usage.calls,
        milliseconds=usage.milliseconds,
    )
