"""Podman with the compose file of the repository: images made of nothing but Debian and the locked wheels.

Rules: `unusable` says why containers cannot run here, in words for whoever reads a skipped test. Nothing is pulled
from a registry: the base is CANDOR_BASE_IMAGE or a Debian made by debootstrap once and kept. What is started bears the
project's name and is removed, volumes too. The engine runs without systemd, so nobody runs the health checks on a
schedule: `healthy` runs the check that the file declares.
It does not know what is tested.
Source: manual pages of podman-run, podman-import and containers.conf; podman waits for no health before 4.6.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
BASE_IMAGE = "localhost/candor-base:bookworm"
DEBIAN_SUITE = "bookworm"
ROLES = ("embed", "judge", "retrieve", "ingest", "audit")
PATIENCE_SECONDS = 120.0  # the machine may be busy with other things
POLL_SECONDS = 0.5
# Containers on a small machine: runc needs no session of systemd, and the usual limit of processes may not be raised.
CONTAINERS_CONF = """[engine]
runtime = "runc"
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
"""


def unusable() -> str | None:
    """Say why containers cannot run here; None when they can."""
    missing = [name for name in ("podman", "runc") if shutil.which(name) is None]
    if missing:
        packages = "podman runc netavark aardvark-dns iptables debootstrap"
        return f"no {' and no '.join(missing)} here (Debian: apt-get install {packages})"
    if os.geteuid() != 0:
        return "building a base image without a registry needs root"
    if "CANDOR_BASE_IMAGE" not in os.environ and shutil.which("debootstrap") is None:
        return "neither CANDOR_BASE_IMAGE nor debootstrap gives a base image"
    return None


def wait_until(holds: Any, what: str, seconds: float = PATIENCE_SECONDS) -> float:
    """Wait until something holds and return the seconds it took."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < seconds, f"{what}: not within {seconds:.0f} s"
        time.sleep(POLL_SECONDS)
    return time.monotonic() - began


@dataclass(frozen=True, slots=True)
class Engine:
    """One project of containers and the environment its commands run in."""

    project: str
    environment: Mapping[str, str]

    def run(self, *command: str, check: bool = True, seconds: float = 900.0) -> subprocess.CompletedProcess[str]:
        """Run one command from the repository's root and return what it printed."""
        done = subprocess.run(
            command, cwd=ROOT, env=dict(self.environment), capture_output=True, text=True, timeout=seconds, check=False
        )
        if check and done.returncode != 0:
            raise AssertionError(
                f"{' '.join(command)}: exit {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
            )
        return done

    def compose(self, *arguments: str, check: bool = True) -> str:
        """Run the compose tool on the repository's own file."""
        tool = (sys.executable, "-m", "podman_compose", "--in-pod", "false", "-p", self.project)
        return self.run(*tool, *arguments, check=check).stdout

    def name(self, service: str, number: int = 1) -> str:
        """Return what the compose tool calls a container."""
        return f"{self.project}_{service}_{number}"

    def inside(
        self, service: str, *command: str, number: int = 1, check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in a running container."""
        return self.run("podman", "exec", self.name(service, number), *command, check=check)

    def healthy(self, service: str, number: int = 1) -> bool:
        """Run the health check that the compose file declares for a container."""
        return self.run("podman", "healthcheck", "run", self.name(service, number), check=False).returncode == 0

    def inspected(self, service: str, number: int = 1) -> dict[str, Any]:
        """Return what the engine knows about a container."""
        found: list[dict[str, Any]] = json.loads(self.run("podman", "inspect", self.name(service, number)).stdout)
        return found[0]

    def up(self, *services: str, scale: Mapping[str, int] | None = None) -> None:
        """Start services of the file without their dependencies; the caller waits for those."""
        scaled = [part for service, count in (scale or {}).items() for part in ("--scale", f"{service}={count}")]
        self.compose("up", "-d", "--no-build", "--no-deps", *scaled, *services)


def _debian(engine: Engine) -> None:
    """Make the base image: a small Debian with Python and the roots of trust."""
    if engine.run("podman", "image", "exists", BASE_IMAGE, check=False).returncode == 0:
        return
    with tempfile.TemporaryDirectory(prefix="candor-base-") as folder:
        packages = "--include=python3,python3-venv,ca-certificates"
        engine.run("debootstrap", "--variant=minbase", packages, DEBIAN_SUITE, f"{folder}/root")
        engine.run("tar", "-C", f"{folder}/root", "-cf", f"{folder}/base.tar", ".")
        engine.run("podman", "import", f"{folder}/base.tar", BASE_IMAGE)


def build(engine: Engine) -> None:
    """Build both images, on the machine's network and with its roots of trust, which may be its own."""
    base = engine.environment.get("CANDOR_BASE_IMAGE", BASE_IMAGE)
    if base == BASE_IMAGE:
        _debian(engine)
    trust = os.environ.get("PIP_CERT") or "/etc/ssl/certs/ca-certificates.crt"
    shared = (
        "--network=host",
        "--volume",
        f"{trust}:/ca.crt:ro",
        "--env",
        "PIP_CERT=/ca.crt",
        "--build-arg",
        f"BASE={base}",
    )
    engine.run("podman", "build", *shared, "-f", "deploy/postgres/Dockerfile", "-t", "candor-database", ".")
    engine.run("podman", "build", *shared, "-f", "deploy/Dockerfile", "-t", "candor", ".")


@contextlib.contextmanager
def project(name: str, settings: Mapping[str, str]) -> Iterator[Engine]:
    """Give a project of containers, and remove whatever it left."""
    with tempfile.TemporaryDirectory(prefix="candor-containers-") as folder:
        conf = Path(folder) / "containers.conf"
        conf.write_text(CONTAINERS_CONF, encoding="utf-8")
        engine = Engine(name, {**os.environ, "CONTAINERS_CONF": str(conf), **settings})
        try:
            yield engine
        finally:
            # `down` forgets replicas beyond the first and then cannot remove their networks.
            mine = engine.run(
                "podman", "ps", "-aq", "--filter", f"label=io.podman.compose.project={name}"
            ).stdout.split()
            engine.run("podman", "rm", "-f", "-t", "5", *mine, check=False)
            engine.compose("down", "-v", check=False)
