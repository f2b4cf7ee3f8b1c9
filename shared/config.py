"""The only reader of the environment.

Rules: every setting has a usable default for one machine; a wrong value is a start-up error that names the variable.
Secrets never print. Names: `CANDOR_<FIELD>`, with the aliases that other tools already use. It does not know what the
settings are for.
"""

import hashlib
import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import AliasChoices, Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

LOCAL_GENERATION = ("all-MiniLM-L6-v2", 384)
"""The local embedding model and its dimensions, as its model card states them."""


class Environment(StrEnum):
    """Production is fail-closed: no local stand-ins unless allowed by name."""

    DEVELOPMENT = "development"
    PRODUCTION = "production"


class ProviderChoice(StrEnum):
    """Where a model runs. `auto`: online where a key is given, else local."""

    AUTO = "auto"
    LOCAL = "local"
    OPENAI = "openai"


def _either(name: str, *aliases: str) -> AliasChoices:
    return AliasChoices(f"CANDOR_{name.upper()}", *aliases)


class Settings(BaseSettings):
    """Every setting of every role; a role reads what it needs."""

    model_config = SettingsConfigDict(
        env_prefix="CANDOR_", extra="ignore", hide_input_in_errors=True, populate_by_name=True
    )

    env: Environment = Environment.DEVELOPMENT
    allow_local: Annotated[frozenset[str], NoDecode] = frozenset()
    """Roles that may run on a local stand-in in production: `embed`, `judge`; comma-separated."""

    listen: str = ""
    """host:port of this process; empty: the role's own port on loopback."""
    metrics_port: int = 0
    """Port of Prometheus metrics on the listening host; 0: none."""
    log_level: str = "info"
    drain_seconds: float = 10.0

    ingest_target: str = "127.0.0.1:7101"
    embed_target: str = "127.0.0.1:7102"
    retrieve_target: str = "127.0.0.1:7103"
    audit_target: str = "127.0.0.1:7104"
    judge_target: str = "127.0.0.1:7105"
    gateway_listen: str = "127.0.0.1:7100"

    database_url: SecretStr | None = Field(
        default=None, validation_alias=AliasChoices("DATABASE_URL", "CANDOR_DATABASE_URL")
    )
    """Your own server, as a role that may create roles and extensions; used by set-up only. None: the embedded one."""
    writer_dsn: SecretStr | None = None
    reader_dsn: SecretStr | None = None
    pool_size: int = 8
    """Database connections of one process."""
    partitions: int = 32
    """Hash partitions by tenant of the big tables; fixed at the first migration; 0 on Citus."""
    home: Path = Path(".candor")
    """Where one machine keeps its database, keys and logs."""

    secret: SecretStr = SecretStr("")
    """At least 32 characters, the same for every replica: tokens, key hashes and term ids are keyed with it."""

    openai_base_url: str = Field(
        default="https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        validation_alias=_either("openai_base_url", "OPENAI_BASE_URL"),
    )
    openai_api_key: SecretStr = Field(
        default=SecretStr(""), validation_alias=_either("openai_api_key", "OPENAI_API_KEY", "DASHSCOPE_API_KEY")
    )
    embed_provider: ProviderChoice = ProviderChoice.AUTO
    embed_model: str = "text-embedding-v4"
    embed_dimensions: int = 1024
    embed_ask_dimensions: bool = False
    """Send `dimensions` with each request: for models that can shorten their vectors; others refuse the parameter."""
    embed_timeout_seconds: float = 20.0
    embed_batch_texts: int = 10
    """Texts per call of the online embedder; DashScope allows 10."""
    embed_threads: int = 2

    migrator_password: SecretStr = SecretStr("")
    writer_password: SecretStr = SecretStr("")
    reader_password: SecretStr = SecretStr("")
    """Passwords that the migration step gives the three database roles."""

    max_body_bytes: int = 16 * 1024 * 1024
    key_cache_seconds: float = 30.0

    @field_validator("allow_local", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return frozenset(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @property
    def embeds_online(self) -> bool:
        """Whether texts are embedded by the OpenAI-compatible service rather than by the local model."""
        if self.embed_provider is ProviderChoice.AUTO:
            return bool(self.openai_api_key.get_secret_value())
        return self.embed_provider is ProviderChoice.OPENAI

    @property
    def generation(self) -> tuple[str, int]:
        """The embedding model and its dimensions."""
        return (self.embed_model, self.embed_dimensions) if self.embeds_online else LOCAL_GENERATION

    def key(self, purpose: str) -> bytes:
        """Return the 32-byte key for one purpose, derived from the secret.

        Raises: ValueError if the secret is shorter than 32 characters.
        """
        secret = self.secret.get_secret_value().encode()
        if len(secret) < 32:
            raise ValueError("CANDOR_SECRET must have at least 32 characters")
        return hashlib.blake2b(purpose.encode(), key=secret[:64], digest_size=32).digest()


def load() -> Settings:
    """Read the environment once."""
    return Settings()


def child_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return this process's environment with some variables set, for a child process."""
    return {**os.environ, **variables}
