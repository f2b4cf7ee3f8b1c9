"""The settings of the public tenant, and of the environment that they depend on.

Rules: in production nothing is public unless it is named. It is read with all others (shared/config.py).
Source: REQUIREMENTS F2.
"""

from enum import StrEnum
from typing import Self
from uuid import UUID

from pydantic import field_validator, model_validator
from pydantic_settings import BaseSettings

LOCAL_PUBLIC_TENANT = UUID("00000000-0000-7000-8000-0000000000aa")
"""The public tenant of one machine: an id that no tenant is ever given."""


class Environment(StrEnum):
    """Production is fail-closed: no local stand-ins unless allowed by name."""

    DEVELOPMENT = "development"
    PRODUCTION = "production"


class PublicSettings(BaseSettings):
    """What is read without a credential."""

    env: Environment = Environment.DEVELOPMENT
    public_tenant: UUID | None = None
    """The tenant that is read without a credential. Not set: `LOCAL_PUBLIC_TENANT` in development, none in production;
    empty: none."""
    public_keeper: str = ""
    """The name of the admin key of the public tenant that may write it. Empty: none may."""

    @field_validator("public_tenant", mode="before")
    @classmethod
    def _empty_names_none(cls, value: object) -> object:
        return None if value == "" else value

    @model_validator(mode="after")
    def _have_one_in_development(self) -> Self:
        if "public_tenant" not in self.model_fields_set and self.env is Environment.DEVELOPMENT:
            self.public_tenant = LOCAL_PUBLIC_TENANT
        return self
