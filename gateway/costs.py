"""What a call costs, read from its method: the work units of its request, and whether it waits for a model.

Rules: a cost is an option of the method; there is no list here. It does not know any single method.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from candor.options.v1 import options_pb2
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one method: `units` of a request, and which places its calls take."""

    units: Callable[[Message], int]
    asks_model: bool
    is_upload: bool


def cost_of(method: MethodDescriptor) -> Cost:
    """Return what calls of a method cost. Raises: ValueError when the field it is counted by does not exist."""
    work = method.GetOptions().Extensions[options_pb2.work]
    each, per, default = work.units, work.per, work.per_default or 1
    if not per:
        return Cost(lambda request: each, work.asks_model, method.client_streaming)
    field = method.input_type.fields_by_name.get(per)
    if field is None:
        raise ValueError(f"{method.full_name} has no field {per!r} to count its work by")

    def counted(request: Any) -> int:
        given = getattr(request, per)
        count = len(given) if field.is_repeated else given if request.HasField(per) else default
        return each * max(int(count), 0)

    return Cost(counted, work.asks_model, method.client_streaming)
