"""Start the Explorer: `python -m gateway.explorer`.

Rules: it listens on `explorer_listen` and asks the gateway at `explorer_gateway_url`; without a secret of its own it
makes one, and visitors sign in again after a restart. On SIGTERM running requests end first.
"""

import structlog
import uvicorn

from gateway.explorer.api import client
from gateway.explorer.app import create_app
from shared import clock, config
from shared.rpc import logs

SECRET_MIN_CHARACTERS = 32  # as of the other secrets
REFUSED_EXIT_CODE = 78  # EX_CONFIG, as the services end


def main() -> None:
    """Serve until told to stop."""
    try:
        settings = config.load()
        secret = settings.explorer_secret.get_secret_value() or clock.new_secret()
        if len(secret) < SECRET_MIN_CHARACTERS:
            raise ValueError(f"CANDOR_EXPLORER_SECRET must have at least {SECRET_MIN_CHARACTERS} characters")
        host, _, port = settings.explorer_listen.rpartition(":")
        if not host or not port.isdecimal():
            raise ValueError(f"CANDOR_EXPLORER_LISTEN must be host:port, not {settings.explorer_listen!r}")
    except ValueError as error:  # pydantic's own is one
        logs.configure("info")
        structlog.stdlib.get_logger("candor.explorer").error("refused to start", role="explorer", error=str(error))
        raise SystemExit(REFUSED_EXIT_CODE) from None
    logs.configure(settings.log_level)
    gateway = client(settings.explorer_gateway_url or f"http://{settings.gateway_listen}")
    app = create_app(gateway, secret, clock.now, clock.new_secret, secure=settings.explorer_secure_cookie)
    drain = round(settings.drain_seconds)
    uvicorn.run(
        app,
        host=host.strip("[]"),
        port=int(port),
        http="httptools",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=drain,
    )


if __name__ == "__main__":
    main()
