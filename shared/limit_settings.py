"""Settings of how much a client may ask of the gateway: rates, daily work units, places and storage.

Rules: a limit of 0 is none. Rates and places are of one replica; work units and storage are of the whole installation.
Read as a part of shared/config.py. It does not know how limits are kept.
"""

from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Annotated, TypeAlias

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode

Network: TypeAlias = IPv4Network | IPv6Network


class LimitSettings(BaseSettings):
    """The part of the settings that limits clients. The defaults are chosen, untested."""

    trusted_proxies: Annotated[tuple[Network, ...], NoDecode] = ()
    """Addresses or networks, comma-separated, whose X-Forwarded-For is believed. Empty: nobody's."""

    rate_per_minute: int = Field(default=60_000, ge=0)
    """Requests of one key, on one replica."""
    rate_burst: int = Field(default=2_000, ge=1)
    """Of them, at once."""
    public_rate_per_minute: int = Field(default=600, ge=0)
    """Requests without a working key of one address, on one replica."""
    public_rate_burst: int = Field(default=300, ge=1)
    """Of them, at once."""

    quota_units: int = Field(default=1_000_000, ge=0)
    """Work units of one tenant in a day (UTC)."""
    quota_pool_units: int = Field(default=0, ge=0)
    """Work units of all tenants together in a day."""
    public_quota_units: int = Field(default=2_000, ge=0)
    """Work units of one address without a key in a day."""
    public_quota_pool_units: int = Field(default=100_000, ge=0)
    """Work units of everybody without a key together in a day."""

    places: int = Field(default=64, ge=1)
    """Calls with a key that run at a time, on one replica."""
    places_waiting: int = Field(default=512, ge=0)
    """Calls that may wait for a place; the next is refused."""
    model_places: int = Field(default=16, ge=1)
    """Calls with a key that wait for a generative model at a time."""
    model_places_waiting: int = Field(default=32, ge=0)
    """Calls that may wait for such a place."""
    upload_places: int = Field(default=8, ge=1)
    """Uploads that run at a time; none waits."""
    public_places: int = Field(default=16, ge=1)
    """Calls without a key that run at a time."""
    public_places_waiting: int = Field(default=32, ge=0)
    """Calls without a key that may wait for a place."""
    public_model_places: int = Field(default=4, ge=1)
    """Calls without a key that wait for a generative model at a time."""
    public_model_places_waiting: int = Field(default=8, ge=0)
    """Calls without a key that may wait for such a place."""

    storage_memories: int = Field(default=0, ge=0)
    """Memories that one tenant may keep, whatever their state, erased ones apart."""
    storage_bytes: int = Field(default=0, ge=0)
    """Bytes of their content and metadata, earlier revisions included."""

    @property
    def storage(self) -> dict[str, str]:
        """The limits of storage as settings of a database connection, where writes are counted."""
        return {
            "candor.storage_memories": str(self.storage_memories),
            "candor.storage_bytes": str(self.storage_bytes),
        }

    @field_validator("trusted_proxies", mode="before")
    @classmethod
    def _networks(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return tuple(ip_network(part.strip()) for part in value.split(",") if part.strip())
