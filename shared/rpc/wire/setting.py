"""What a tenant declares, on the wire: the same between ingest and its callers, and between retrieve and audit.

Rules: what was written here is read back unchanged. It does not check: the domain does.
"""

from decimal import Decimal
from types import MappingProxyType

from candor.memory.v1 import setting_pb2 as pb

from shared.domain.setting import Policy


def to_settings(policy: Policy) -> pb.Settings:
    """Write a policy."""
    return pb.Settings(
        stateful_attributes=sorted(policy.stateful),
        multi_valued_attributes=sorted(policy.multi_valued),
        tolerances=[
            pb.Tolerance(attribute=name, value=f"{number:f}") for name, number in sorted(policy.tolerances.items())
        ],
    )


def policy_of(settings: pb.Settings) -> Policy:
    """Read a policy that `to_settings` wrote."""
    return Policy(
        frozenset(settings.stateful_attributes),
        frozenset(settings.multi_valued_attributes),
        MappingProxyType({tolerance.attribute: Decimal(tolerance.value) for tolerance in settings.tolerances}),
    )
