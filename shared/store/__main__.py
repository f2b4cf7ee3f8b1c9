"""`python -m shared.store`: the migration step of a deployment.

It brings the database of DATABASE_URL to the schema of this code and ends.
Rules: it is the only holder of the administrator's address; it gives the three roles their passwords.
"""

import asyncio
import sys

from shared.config import load
from shared.store.migrate import ROLES, migrate


def main() -> None:
    """Migrate the database that the environment names."""
    settings = load()
    if settings.database_url is None:
        raise SystemExit("DATABASE_URL is not set")
    passwords = {role: getattr(settings, f"{role}_password").get_secret_value() for role in ROLES}
    missing = [f"CANDOR_{role.upper()}_PASSWORD" for role in ROLES if not passwords[role]]
    if missing:
        raise SystemExit(f"not set: {', '.join(missing)}")
    asyncio.run(
        migrate(
            settings.database_url.get_secret_value(),
            partitions=settings.partitions,
            passwords=passwords,
            generations=[settings.generation],
        )
    )
    sys.stdout.write("the database is up to date\n")


if __name__ == "__main__":
    main()
