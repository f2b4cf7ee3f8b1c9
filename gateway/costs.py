"""What a call costs, read from its method: the work units of its request, and whether it waits for a model.

Rules: a cost is an option of the method; there is no list here. A field that is not there is a start-up error. It does
not know any single method.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from candor.options.v1 import options_pb2
from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.message import Message

Told: TypeAlias = Callable[[Message], int | None]


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one method: `units` of a request, and which places its calls take.

    `so_far` reads from a message of a stream what was done until then, `used` from a response what was used in all;
    None: it does not tell.
    """

    units: Callable[[Message], int]
    asks_model: bool = False
    is_upload: bool = False
    so_far: Told | None = None
    used: Told | None = None


def cost_of(method: MethodDescriptor) -> Cost:
    """Return what calls of a method cost. Raises: ValueError when a field that its work names does not exist."""
    work = method.GetOptions().Extensions[options_pb2.work]
    return Cost(
        _counted(method.input_type, work) if work.per else lambda request: work.units,
        work.asks_model,
        method.client_streaming,
        _told(method.output_type, work.so_far) if work.so_far else None,
        _told(method.output_type, work.used) if work.used else None,
    )


def _counted(request: Descriptor, work: options_pb2.Work) -> Callable[[Message], int]:
    each, per, default = work.units, work.per, work.per_default or 1
    if per not in request.fields_by_name:
        raise ValueError(f"{request.full_name} has no field {per!r} to count its work by")
    is_repeated = request.fields_by_name[per].is_repeated

    def counted(message: Any) -> int:
        given = getattr(message, per)
        count = len(given) if is_repeated else given if message.HasField(per) else default
        return each * max(int(count), 0)

    return counted


def _told(response: Descriptor, path: str) -> Told:
    *parts, last = path.split(".")
    at: Descriptor | None = response
    for name in (*parts, last):
        if at is None or name not in at.fields_by_name:
            raise ValueError(f"{response.full_name} has no field {path!r} that tells its work")
        at = at.fields_by_name[name].message_type

    def told(message: Any) -> int | None:
        for name in parts:
            if not message.HasField(name):
                return None
            message = getattr(message, name)
        return int(getattr(message, last))

    return told
