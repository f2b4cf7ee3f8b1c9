"""What models took for one answer, added up over judge's calls. It does not know what they were asked."""

from dataclasses import dataclass

from candor.judge.v1.usage_pb2 import Usage


@dataclass(frozen=True, slots=True)
class Spent:
    """Calls that were answered, and tokens as the provider counted them."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )

    @property
    def tokens(self) -> int:
        """Return the tokens that are paid for."""
        return self.prompt_tokens + self.completion_tokens


NOTHING = Spent()


def spent(usage: Usage) -> Spent:
    """Read what a call of judge's took."""
    return Spent(usage.calls, usage.prompt_tokens, usage.completion_tokens)
