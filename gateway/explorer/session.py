"""A visitor's session: sealed into one cookie, so that the Explorer keeps nothing and any replica can read it.

Rules: the cookie is encrypted and authenticated (Fernet), HttpOnly and SameSite=Lax, and ends after eight hours without
a visit. The visitor's key is in it and nowhere else. What cannot be opened is no session. It does not know pages.
"""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from datetime import datetime

from cryptography.fernet import Fernet, InvalidToken
from starlette.responses import Response

COOKIE = "candor_explorer"
LIFETIME_SECONDS = 8 * 3600  # of idleness: a working day; chosen, untested


@dataclass(frozen=True, slots=True)
class Session:
    """What is remembered of a visitor between two pages."""

    csrf: str
    """The token that every form carries."""
    key: str = ""
    theme: str = ""
    """light or dark; empty: as the system has it."""
    tour: int = 0
    """The step of the guided tour, from 1; 0: not on it."""
    tour_decision: str = ""
    """The decision that was taken on the tour."""

    def accepts(self, token: str) -> bool:
        """Say whether a form's token is this session's."""
        return hmac.compare_digest(self.csrf.encode(), token.encode())


class Sealer:
    """Makes cookies of sessions and sessions of cookies."""

    def __init__(self, secret: str, new_token: Callable[[], str], *, secure: bool) -> None:
        key = hashlib.blake2b(secret.encode(), digest_size=32, person=b"explorer").digest()
        self._fernet = Fernet(base64.urlsafe_b64encode(key))
        self._new_token = new_token
        self._secure = secure

    def fresh(self, *, theme: str = "") -> Session:
        """Return a session of nobody."""
        return Session(self._new_token(), theme=theme)

    def open(self, cookie: str, now: datetime) -> Session:
        """Return the session of a cookie; a fresh one if it is too old, tampered with or of another secret."""
        try:
            told = self._fernet.decrypt_at_time(cookie.encode(), LIFETIME_SECONDS, int(now.timestamp()))
            known = {field.name for field in fields(Session)}
            return Session(**{name: value for name, value in json.loads(told).items() if name in known})
        except (InvalidToken, TypeError, ValueError):
            return self.fresh()

    def keep(self, session: Session, response: Response, now: datetime) -> None:
        """Send the session along with a response."""
        token = self._fernet.encrypt_at_time(json.dumps(asdict(session)).encode(), int(now.timestamp()))
        response.set_cookie(
            COOKIE, token.decode(), max_age=LIFETIME_SECONDS, httponly=True, samesite="lax", secure=self._secure
        )
