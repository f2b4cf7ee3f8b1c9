"""Templates made into pages: everything is escaped, and every page gets the same frame.

Rules: autoescape is on for every template; the only markup that is not escaped is made by templates and charts. It
does not know the API or requests.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from gateway.explorer import tour, words
from gateway.explorer.session import Session

FOLDER = Path(__file__).parent
NAVIGATION = (("/ask", "Ask"), ("/conflicts", "Conflicts"), ("/memories", "Memories"), ("/timeline", "Timeline"))


class Renderer:
    """Makes HTML of templates."""

    def __init__(self) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(FOLDER / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters |= words.FILTERS
        self._environment.globals |= {"static": _versions(), "navigation": NAVIGATION}

    def page(self, template: str, session: Session, path: str, now: datetime, **context: object) -> str:
        """Return a whole page."""
        frame = {"path": path, "step": tour.step(session.tour), "steps": tour.STEPS, **self._known(session, now)}
        return self._environment.get_template(template).render(frame | context)

    def part(self, template: str, session: Session, now: datetime, **context: object) -> str:
        """Return a part of a page."""
        return self._environment.get_template(template).render(self._known(session, now) | context)

    def _known(self, session: Session, now: datetime) -> dict[str, object]:
        # The key stays out: no template can print it.
        return {"csrf": session.csrf, "signed_in": bool(session.key), "theme": session.theme, "now": now}


def _versions() -> Mapping[str, str]:
    """Name each static file by a hash of what it holds, so that browsers may keep it."""
    hashes = {path.name: hashlib.blake2b(path.read_bytes(), digest_size=6).hexdigest() for path in static_files()}
    return {name: f"/static/{name}?v={version}" for name, version in hashes.items()}


def static_files() -> list[Path]:
    """List what is served as it is."""
    return sorted((FOLDER / "static").iterdir())
