"""The only reader of the environment.

Rules: every setting has a usable default for one machine; a wrong value is a start-up error that names the variable.
Secrets never print. Names: `CANDOR_<FIELD>`, with the aliases that other tools already use. It does not know what the
settings are for.
"""

import hashlib
import os
from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Self
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, SecretStr, field_validator, model_validator
from pydantic_settings import NoDecode, SettingsConfigDict

from shared.limit_settings import LimitSettings
from shared.public_settings import Environment as Environment
from shared.public_settings import PublicSettings

LOCAL_GENERATION = ("all-MiniLM-L6-v2", 384)
"""The local embedding model and its dimensions, as its model card states them."""

OFFICIAL_MODEL_HOSTS = frozenset(
    {
        "dashscope.aliyuncs.com",
        "dashscope-intl.aliyuncs.com",
        "dashscope-us.aliyuncs.com",
        "cn-hongkong.dashscope.aliyuncs.com",
        "*.maas.aliyuncs.com",
    }
)
"""The endpoints of Alibaba Cloud Model Studio by region, and those of single workspaces, as its documentation lists."""


def report_nothing() -> None:
    """Tell libraries that count their users not to, before they are imported: memories are nobody else's business."""
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")


class Clock(StrEnum):
    """Whose time is now: the machine's, or what a request says (X-Now-Time), for tests and benchmarks."""

    REAL = "real"
    REQUEST = "request"


class ProviderChoice(StrEnum):
    """Where a model runs. `auto`: online where a key is given, else local."""

    AUTO = "auto"
    LOCAL = "local"
    OPENAI = "openai"


class StructuredOutput(StrEnum):
    """How an answer in JSON is asked for: by schema, as some JSON object, or by the prompt alone."""

    SCHEMA = "schema"
    JSON_OBJECT = "json_object"
    NONE = "none"


class TokensParameter(StrEnum):
    """The name under which a provider takes the limit of an answer; `none`: it takes none."""

    MAX_COMPLETION_TOKENS = "max_completion_tokens"
    MAX_TOKENS = "max_tokens"
    NONE = "none"


def _either(name: str, *aliases: str) -> AliasChoices:
    return AliasChoices(f"CANDOR_{name.upper()}", *aliases)


class Settings(LimitSettings, PublicSettings):
    """Every setting of every role; a role reads what it needs."""

    model_config = SettingsConfigDict(
        env_prefix="CANDOR_", extra="ignore", hide_input_in_errors=True, populate_by_name=True
    )

    allow_local: Annotated[frozenset[str], NoDecode] = frozenset()
    """Roles that may run on a local stand-in in production: `embed`, `judge`; comma-separated."""

    listen: str = ""
    """host:port of this process; empty: the role's own port on loopback."""
    metrics_port: int = 0
    """Port of Prometheus metrics on the listening host; 0: none."""
    log_level: str = "info"
    clock: Clock = Clock.REAL
    """`request` lets a request say what time it is; refused in production."""
    drain_seconds: float = 10.0

    ingest_target: str = "127.0.0.1:7101"
    embed_target: str = "127.0.0.1:7102"
    retrieve_target: str = "127.0.0.1:7103"
    audit_target: str = "127.0.0.1:7104"
    judge_target: str = "127.0.0.1:7105"
    gateway_listen: str = "127.0.0.1:7100"
    explorer_listen: str = "127.0.0.1:7106"
    explorer_gateway_url: str = ""
    """Where the Explorer asks; empty: the gateway of this machine."""
    explorer_secret: SecretStr = SecretStr("")
    """Of the cookies of the Explorer, at least 32 characters, the same for every replica; empty: made at each start."""
    explorer_secure_cookie: bool = False
    """The Explorer's cookie travels over https only: true wherever others than this machine reach it."""

    database_url: SecretStr | None = Field(
        default=None, validation_alias=AliasChoices("DATABASE_URL", "CANDOR_DATABASE_URL")
    )
    """Your own server, as a role that may create roles and extensions; used by set-up only. None: the embedded one."""
    writer_dsn: SecretStr | None = None
    reader_dsn: SecretStr | None = None
    pool_size: int = 8
    """Database connections of one process."""
    worker_jobs: int = Field(default=2, ge=0)
    """Background jobs that one ingest process or worker runs at a time; 0: none here, other processes run them."""
    payroll_net_difference_max_pct: Decimal = Field(default=Decimal(2), ge=0, le=100)
    """Rule R1: how far the bank's net may be from the payslips'."""
    payroll_cost_ratio_min: Decimal = Field(default=Decimal("1.25"), ge=Decimal("0.01"), le=100)
    """Rule R2: employer cost to bank net, at least."""
    payroll_cost_ratio_max: Decimal = Field(default=Decimal("1.45"), ge=Decimal("0.01"), le=100)
    """Rule R2: employer cost to bank net, at most."""
    payroll_grace_days: int = Field(default=7, ge=0, le=90)
    """Rule R3: how long after the period's last day salaries may be paid."""
    payroll_total_difference_max_pct: Decimal = Field(default=Decimal("0.1"), ge=0, le=100)
    """Rules R5 and R6: how far the register's totals may be from the payslips'."""
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
    model_hosts: Annotated[frozenset[str], NoDecode] = frozenset()
    """Hosts that models may be asked at; comma-separated; `*.example.org` allows every host below. Empty: any in
    development, in production those of DashScope over https."""

    embed_provider: ProviderChoice = ProviderChoice.AUTO
    embed_model: str = "text-embedding-v4"
    embed_dimensions: int = 1024
    embed_ask_dimensions: bool = False
    """Send `dimensions` with each request: for models that can shorten their vectors; others refuse the parameter."""
    embed_timeout_seconds: float = 20.0
    embed_batch_texts: int = 10
    """Texts per call of the online embedder; DashScope allows 10."""
    embed_threads: int = 2

    judge_provider: ProviderChoice = ProviderChoice.AUTO
    judge_structured_output: StructuredOutput = StructuredOutput.JSON_OBJECT
    chat_model: str = Field(default="qwen-plus", validation_alias=_either("chat_model", "QWEN_MODEL"))
    """Narrates and reranks."""
    chat_timeout_seconds: float = 20.0
    """Of one call."""
    chat_deadline_seconds: float = 40.0
    """Of all calls for one answer."""
    rerank_timeout_seconds: float = Field(default=3.0, ge=0.1, le=15.0)
    judge_model: str = Field(default="qwen-plus", validation_alias=_either("judge_model", "QWEN_JUDGE_MODEL"))
    """Judges meaning. In production only a model with promotion evidence, or the named rollback baseline."""
    extract_model: str = "qwen-plus"
    """Extracts facts out of turns, weighs and summarises them."""
    vision_model: str = "qwen-vl-max"
    """Reads documents from images. Texts and PDFs are read by `extract_model`."""
    document_max_tokens: int = 8192
    """Of one answer about a document: a register of about 80 employees."""
    document_deadline_seconds: float = 60.0
    """Of all calls for one document."""
    document_processes: int = Field(default=2, ge=1, le=64)
    """Processes that open documents; each takes `document_memory_bytes` at most."""
    document_memory_bytes: int = Field(default=1_000_000_000, ge=300_000_000)
    document_seconds: float = Field(default=5.0, ge=0.1, le=60.0)
    """Of opening one document and finding what it says by rules."""
    document_max_bytes: int = Field(default=5_000_000, le=16_000_000)
    document_max_pages: int = 200
    """Of a PDF."""
    document_seen_pages: int = 8
    """Pages without words that are shown to the vision model; what is behind them is noted."""
    document_max_pixels: int = 40_000_000
    """Of an image as its header states them: an A4 page at 600 dpi has 35 million."""
    document_unpacked_bytes: int = 50_000_000
    """Of a workbook."""
    document_max_rows: int = 10_000
    """Of a table: rules take 0.3 ms for a row (measured)."""
    document_max_characters: int = 250_000
    """Of a text, or of the words of a PDF."""
    judge_timeout_seconds: float = Field(default=8.0, ge=0.25, le=30.0)
    """Of one pair, all calls for it together."""
    judge_concurrent_pairs: int = Field(default=4, ge=1, le=25)
    """Pairs of one request that are judged at a time."""
    judge_evidence: Path = Path(__file__).parents[1] / "services" / "judge" / "evidence" / "promotions.jsonl"
    """The evidence of `make judge-promote`."""
    chat_temperature: float | None = 0.0
    """Empty: not sent, for models that refuse it."""
    chat_max_tokens: int = 1024
    """Of one answer."""
    chat_tokens_parameter: TokensParameter = TokensParameter.MAX_COMPLETION_TOKENS
    chat_extra_body: dict[str, Any] = Field(default_factory=dict)
    """A JSON object sent with each request: `{"enable_thinking": false}` for a model that would think aloud."""
    chat_concurrent_calls: int = 8
    chat_waiting_calls: int = 16
    """Callers that may wait for one of the calls to end; the next is refused."""

    migrator_password: SecretStr = SecretStr("")
    writer_password: SecretStr = SecretStr("")
    reader_password: SecretStr = SecretStr("")
    """Passwords that the migration step gives the three database roles."""

    max_body_bytes: int = 16 * 1024 * 1024
    key_cache_seconds: float = 30.0

    @field_validator("allow_local", "model_hosts", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return frozenset(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @field_validator("chat_temperature", mode="before")
    @classmethod
    def _empty_is_none(cls, value: object) -> object:
        return None if value == "" else value

    @model_validator(mode="after")
    def _keep_real_time(self) -> Self:
        if self.env is Environment.PRODUCTION and self.clock is Clock.REQUEST:
            raise ValueError("CANDOR_CLOCK: production keeps real time")
        return self

    @model_validator(mode="after")
    def _ask_allowed_hosts_only(self) -> Self:
        official = self.env is Environment.PRODUCTION and not self.model_hosts
        allowed = OFFICIAL_MODEL_HOSTS if official else self.model_hosts
        url = urlsplit(self.openai_base_url)
        host = url.hostname or ""
        known = any(host.endswith(name[1:]) if name.startswith("*.") else host == name for name in allowed)
        if (allowed and not known) or (official and url.scheme != "https"):
            raise ValueError("OPENAI_BASE_URL: CANDOR_MODEL_HOSTS does not allow this host, or not without https")
        return self

    @property
    def simulates_time(self) -> bool:
        """Whether a request may say what time it is."""
        return self.clock is Clock.REQUEST

    @property
    def judges_online(self) -> bool:
        """Whether answers and scores come from the OpenAI-compatible service rather than from local rules."""
        return self._is_online(self.judge_provider)

    @property
    def embeds_online(self) -> bool:
        """Whether texts are embedded by the OpenAI-compatible service rather than by the local model."""
        return self._is_online(self.embed_provider)

    def _is_online(self, choice: ProviderChoice) -> bool:
        if choice is ProviderChoice.AUTO:
            return bool(self.openai_api_key.get_secret_value())
        return choice is ProviderChoice.OPENAI

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
