"""Ids of requests, which are all that a client draws at random.

Rules: the client is free-standing, so it has this file in place of `shared.clock`; nothing else here draws or reads a
clock. It does not know what an id is for.
Source: DESIGN 3, N10, which names this file.
"""

import secrets

ID_BYTES = 16  # 128 random bits, as a UUID has at most


def new_request_id() -> str:
    """Return an id that nobody has used."""
    return secrets.token_hex(ID_BYTES)
