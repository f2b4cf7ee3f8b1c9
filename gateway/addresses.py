"""Where a request comes from, as far as that can be believed.

Rules: the address of the connection, unless that is a proxy we trust: then the last address in X-Forwarded-For that is
none of theirs. What a stranger writes there is never believed. IPv6 clients are told apart by their /64, which is what
one customer is given. It does not know what the address is for.
Source: RFC 7239, section 8; RFC 6177.
"""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TypeAlias

from starlette.types import Scope

from gateway.limits import values
from shared.limit_settings import Network

IPV6_PREFIX_BITS = 64
UNKNOWN = "unknown"
"""Of a connection without an address, such as a local socket."""
_Address: TypeAlias = IPv4Address | IPv6Address


def client_address(scope: Scope, trusted: Sequence[Network]) -> str:
    """Return the address that a request is taken to come from."""
    client = scope.get("client")
    found = _parsed(client[0]) if client else None
    if found is None:
        return UNKNOWN
    if trusted and _is_trusted(found, trusted):
        told = b",".join(values(scope["headers"], b"x-forwarded-for")).decode("latin-1")
        for text in reversed(told.split(",") if told else []):
            before = _parsed(text.strip())
            if before is None:
                break  # whatever is behind it was not written by a proxy of ours
            found = before
            if not _is_trusted(found, trusted):
                break
    return _written(found)


def _is_trusted(address: _Address, trusted: Sequence[Network]) -> bool:
    return any(address in network for network in trusted)


def _parsed(text: str) -> _Address | None:
    """Read an address, which some proxies write with a port."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _written(address: _Address) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    return str(ip_network((address, IPV6_PREFIX_BITS), strict=False))
