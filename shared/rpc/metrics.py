"""Rate, errors and duration of every RPC, and how many are in flight.

Rules: label values come from contracts and status codes, never from requests. It does not know what an RPC does.
"""

from collections.abc import Callable

from prometheus_client import Counter, Gauge, Histogram, start_http_server

RPCS = Counter("candor_rpc_total", "RPCs served, by method and status code.", ("rpc", "code"))
SECONDS = Histogram(
    "candor_rpc_seconds",
    "Time to serve an RPC, to the last message of a stream.",
    ("rpc",),
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 600),
)
IN_FLIGHT = Gauge("candor_rpc_in_flight", "RPCs being served.", ("rpc",))


def expose(host: str, port: int) -> Callable[[], None]:
    """Serve the metrics of this process over HTTP; return the call that ends it."""
    server, thread = start_http_server(port, addr=host)

    def close() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return close
