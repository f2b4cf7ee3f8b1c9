"""One HTTP call in a process of its own: the clients of the tour.

    python -m services.tour_client host:port path   with [key, body] as JSON on standard input

Rules: it knows an address and a key and nothing else of Candor: the standard library is enough, and it starts at once.
"""

import json
import sys
import urllib.request
from typing import Any

TIMEOUT_SECONDS = 30.0  # as any call of Candor's own


def call(address: str, path: str, key: str, body: dict[str, Any]) -> Any:
    """Send one JSON request and return the JSON answer."""
    request = urllib.request.Request(
        f"http://{address}{path}",
        data=json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
        return json.load(answer)


if __name__ == "__main__":
    secret, content = json.load(sys.stdin)
    json.dump(call(sys.argv[1], sys.argv[2], secret, content), sys.stdout)
