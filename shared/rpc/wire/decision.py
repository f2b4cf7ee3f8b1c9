"""What was decided, on the wire.

Rules: an action's word is its name on the wire without prefix, in lower case; UNSPECIFIED is None; a number that the
contract does not know is the caller's mistake.
"""

from candor.memory.v1 import decision_pb2 as pb

from shared.domain.decision import Action
from shared.domain.errors import InvalidArgument


def to_action(action: Action | None) -> pb.DecisionAction.ValueType:
    """Return the enum value of an action; unspecified for None."""
    return pb.DecisionAction.Value(f"DECISION_ACTION_{action.name if action else 'UNSPECIFIED'}")


def action_of(number: int, field: str = "action") -> Action | None:
    """Return the action of an enum value; None for unspecified. Raises: InvalidArgument DECISION_ACTION_INVALID."""
    if number not in pb.DecisionAction.values():
        raise InvalidArgument.of(field, "DECISION_ACTION_INVALID", f"{number} is not one of the values")
    word = pb.DecisionAction.Name(pb.DecisionAction.ValueType(number)).removeprefix("DECISION_ACTION_")
    return Action[word] if number else None
