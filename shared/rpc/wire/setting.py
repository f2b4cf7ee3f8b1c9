"""What a tenant declares, on the wire: the same between ingest and its callers, and between retrieve and audit.

Rules: what was written here is read back unchanged. It does not check: the domain does.
"""

from decimal import Decimal
from types import MappingProxyType

from candor.memory.v1 import setting_pb2 as pb

from shared.domain.retention_setting import Declared
from shared.domain.setting import Policy
from shared.rpc.wire.memory import kind_of, to_kind

NOTHING = Declared()


def to_settings(policy: Policy, declared: Declared = NOTHING) -> pb.Settings:
    """Write a policy, and what is declared of forgetting."""
    hours = {"episodic": declared.episodic_hours, "semantic": declared.semantic_hours}
    given = {name: value for name, value in hours.items() if value is not None}
    return pb.Settings(
        stateful_attributes=sorted(policy.stateful),
        multi_valued_attributes=sorted(policy.multi_valued),
        tolerances=[
            pb.Tolerance(attribute=name, value=f"{number:f}") for name, number in sorted(policy.tolerances.items())
        ],
        half_life_hours=pb.HalfLifeHours(**given) if given else None,
        salience_floor=declared.floor,
        capacity=declared.capacity,
        fading_kinds=map(to_kind, sorted(declared.kinds)),
    )


def policy_of(settings: pb.Settings) -> Policy:
    """Read a policy that `to_settings` wrote."""
    return Policy(
        frozenset(settings.stateful_attributes),
        frozenset(settings.multi_valued_attributes),
        MappingProxyType({tolerance.attribute: Decimal(tolerance.value) for tolerance in settings.tolerances}),
    )


def declared_of(settings: pb.Settings) -> Declared:
    """Read what is declared of forgetting. Raises: InvalidArgument KIND_INVALID."""
    hours = settings.half_life_hours
    kinds = [kind_of(number, f"settings.fading_kinds[{i}]") for i, number in enumerate(settings.fading_kinds)]
    return Declared(
        hours.episodic if hours.HasField("episodic") else None,
        hours.semantic if hours.HasField("semantic") else None,
        settings.salience_floor if settings.HasField("salience_floor") else None,
        settings.capacity if settings.HasField("capacity") else None,
        frozenset(kind for kind in kinds if kind is not None),
    )
