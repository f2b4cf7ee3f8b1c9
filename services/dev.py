"""Every role on one machine: start, stop, kill, status. The only file that knows them all.

    python -m services.dev up | down | kill | status | clean | demo

Rules: the same mains, real gRPC and the same environment variables as anywhere else; this file only fills them in.
`up` returns when the gateway says it is ready. Everything a machine keeps is under CANDOR_HOME (`.candor`): the
database, `secrets.json` and `key` (mode 0600), logs and process ids. It does not know what the services do.
"""

import asyncio
import json
import os
import shutil
import signal
import socket
import sys
import time
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

from services import processes
from services.processes import Started
from shared.clock import new_secret
from shared.config import Settings, load
from shared.rpc import probe
from shared.rpc.local_key import ensure_key
from shared.store import embedded
from shared.store.migrate import Dsns, migrate

STAGES = (("embed", "judge"), ("retrieve", "ingest", "audit"))
"""A role calls only roles before it; those of the first stage need no database and start beside it."""
ROLES = tuple(role for stage in STAGES for role in stage)
FRONTS = {"gateway": "gateway.main", "explorer": "gateway.explorer"}
"""What is reached over HTTP, each by its module."""
READY_TIMEOUT_SECONDS = 90.0  # a cold start on two busy cores takes about 10 s (measured); chosen with a wide margin
APART_PORTS = range(
    20_000, 32_000
)  # below those that systems give to outgoing connections: they stay free in a restart
STOP_TIMEOUT_SECONDS = 20.0  # above the drain time of 10 s


def _say(text: str) -> None:
    print(text, flush=True)


def _private(path: Path, text: str) -> None:
    """Write a file that only its owner may read, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    fresh.replace(path)


def _secrets(home: Path) -> dict[str, str]:
    """Return this machine's secrets, made on the first start."""
    path = home / "secrets.json"
    if not path.exists():
        names = ("secret", "migrator", "writer", "reader")
        _private(path, json.dumps({name: new_secret(36) for name in names}, indent=1))
    loaded: dict[str, str] = json.loads(path.read_text())
    return loaded


def _database(settings: Settings, known: Mapping[str, str]) -> Dsns:
    """Start or find the database and bring its schema up to date."""
    if settings.database_url is not None:
        admin = settings.database_url.get_secret_value()
        _say("database: yours, by DATABASE_URL")
    else:
        server = embedded.start(settings.home / "pg", progress=lambda text: _say(f"database: {text}"))
        admin = server.dsn()
        _say(f"database: embedded PostgreSQL on {server.host}:{server.port}")
    passwords = {name: known[name] for name in ("migrator", "writer", "reader")}
    return asyncio.run(
        migrate(admin, partitions=settings.partitions, passwords=passwords, generations=[settings.generation])
    )


def running(settings: Settings) -> list[Started]:
    """Return the processes that a former `up` started and that still live."""
    return list(processes.alive(settings.home))


def apart(settings: Settings, home: Path) -> Settings:
    """Return settings for a set of processes of its own: its home, and ports that are free now."""
    names = [f"{role}_target" for role in ROLES] + [f"{front}_listen" for front in FRONTS]
    # By process id, so that two sets at once are unlikely to meet.
    first = APART_PORTS[os.getpid() * len(names) % len(APART_PORTS)]
    free = (f"127.0.0.1:{port}" for port in range(first, APART_PORTS.stop) if _is_free("127.0.0.1", port))
    return settings.model_copy(update={**dict(zip(names, free, strict=False)), "home": home})


def _is_free(host: str, port: int) -> bool:
    try:
        socket.create_server((host, port)).close()
    except OSError:
        return False
    return True


def _refuse_taken(settings: Settings, names: Iterable[str]) -> None:
    """Raises: SystemExit if something that is not ours listens where one of ours should: it would be taken for it."""
    for name in names:
        field = f"{name}_listen" if name in FRONTS else f"{name}_target"
        address = getattr(settings, field)
        host, _, port = address.rpartition(":")
        if not _is_free(host, int(port)):
            raise SystemExit(f"up: {address} is in use by another program; set CANDOR_{field.upper()}")


def _url(settings: Settings, path: str) -> str:
    return f"http://{settings.gateway_listen}{path}"


def _answers(settings: Settings, path: str) -> bool:
    try:
        with urllib.request.urlopen(_url(settings, path), timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _serves(settings: Settings, role: str) -> bool:
    return asyncio.run(probe.ask(getattr(settings, f"{role}_target")))


def _wait_until(ready: Callable[[], bool], settings: Settings, started: Mapping[str, Started], last: str) -> None:
    """Wait until all started is ready; `last` is the one whose log tells most when it is not in time."""
    deadline = time.monotonic() + READY_TIMEOUT_SECONDS
    while not ready():
        for name, process in started.items():
            if not process.is_alive:
                raise SystemExit(f"up: {name} ended.\n{processes.log_tail(settings.home, name)}")
        if time.monotonic() > deadline:
            late = f"up: not ready after {READY_TIMEOUT_SECONDS:.0f} s."
            raise SystemExit(f"{late}\n{processes.log_tail(settings.home, last)}")
        time.sleep(processes.POLL_SECONDS)


def up(settings: Settings) -> str:
    """Start what is not running and return the API key of this machine's tenant once all is ready.

    Raises: SystemExit with the end of a log; what was started here is stopped again.
    """
    alive = {process.name: process for process in running(settings)}
    before = set(alive)
    try:
        _start(settings, alive)
        key = asyncio.run(ensure_key(settings.ingest_target, tenant_name="local"))
    except BaseException:
        processes.send([process for name, process in alive.items() if name not in before], signal.SIGTERM)
        raise
    _private(settings.home / "key", key + "\n")
    return key


def _start(settings: Settings, alive: dict[str, Started]) -> None:
    """Start what is not alive, stage by stage, and wait for all of it."""
    _refuse_taken(settings, [name for name in (*ROLES, *FRONTS) if name not in alive])
    known = _secrets(settings.home)
    every = {"CANDOR_SECRET": known["secret"]}
    every |= {f"CANDOR_{front.upper()}_LISTEN": getattr(settings, f"{front}_listen") for front in FRONTS}
    every |= {f"CANDOR_{role.upper()}_TARGET": getattr(settings, f"{role}_target") for role in ROLES}

    def start(role: str, more: Mapping[str, str]) -> None:
        if role not in alive:
            listen = {"CANDOR_LISTEN": getattr(settings, f"{role}_target")}
            alive[role] = processes.spawn(settings.home, role, f"services.{role}.main", {**every, **listen, **more})

    first, second = STAGES
    for role in first:
        start(role, {})
    dsns = _database(settings, known)
    for role in first:
        _wait_until(partial(_serves, settings, role), settings, alive, role)
    own = {"ingest": {"CANDOR_WRITER_DSN": dsns.writer}, "retrieve": {"CANDOR_READER_DSN": dsns.reader}}
    for role in second:
        start(role, own.get(role, {}))
    for front, module in FRONTS.items():
        if front not in alive:
            alive[front] = processes.spawn(settings.home, front, module, every)
    _say(f"services: {', '.join(alive)}; logs in {settings.home / 'log'}")
    _wait_until(partial(_answers, settings, "/ready"), settings, alive, "gateway")


def down(settings: Settings) -> None:
    """Stop everything cleanly: services drain, then the database."""
    ours = running(settings)
    processes.send(ours, signal.SIGTERM)
    late = processes.wait_gone(ours, STOP_TIMEOUT_SECONDS)
    processes.send(late, signal.SIGKILL)
    processes.wait_gone(late, STOP_TIMEOUT_SECONDS)
    running(settings)  # forgets them
    if settings.database_url is None:
        embedded.stop(settings.home / "pg")


def kill(settings: Settings) -> list[Started]:
    """End every process of ours at once, the embedded database too, as a power cut would; return those that ended."""
    ours = running(settings)
    server = embedded.attach(settings.home / "pg") if settings.database_url is None else None
    if server is not None:
        ours.append(Started("database", server.pid, processes.began(server.pid)))
    processes.send(ours, signal.SIGKILL)
    left = processes.wait_gone(ours, STOP_TIMEOUT_SECONDS)
    return [process for process in ours if process not in left]


def status(settings: Settings) -> None:
    """Print what is running."""
    alive = {process.name: process.pid for process in running(settings)}
    server = embedded.attach(settings.home / "pg") if settings.database_url is None else None
    _say(f"database  {f'embedded, port {server.port}' if server else 'yours' if settings.database_url else 'stopped'}")
    for name in (*ROLES, *FRONTS):
        _say(f"{name:9} {f'process {alive[name]}' if name in alive else 'stopped'}")
    _say(f"ready     {'yes' if _answers(settings, '/ready') else 'no'}  {_url(settings, '')}")


def main() -> None:
    """Run one command."""
    settings = load()
    match sys.argv[1:]:
        case ["up"]:
            key = up(settings)
            _say(f"ready: {_url(settings, '')}  (docs at /docs)\nkey: {key}  (kept in {settings.home / 'key'})")
            _say(f"explorer: http://{settings.explorer_listen}  (sign in with the key)")
        case ["down"]:
            down(settings)
            _say("stopped")
        case ["kill"]:
            kill(settings)
            _say("killed")
        case ["status"]:
            status(settings)
        case ["clean"]:
            down(settings)
            for data in ("demo/pg", "test-pg", "pg"):
                embedded.remove(settings.home / data)
            shutil.rmtree(settings.home, ignore_errors=True)
        case ["demo"]:
            from services import tour  # the tour drives this file

            tour.run(settings)
        case _:
            raise SystemExit("usage: python -m services.dev up | down | kill | status | clean | demo")


if __name__ == "__main__":
    main()
