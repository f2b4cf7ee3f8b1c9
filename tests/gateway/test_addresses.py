"""Whose address a request is taken to come from: nobody chooses that for themselves."""

from ipaddress import ip_network

import pytest

from gateway.addresses import UNKNOWN, client_address
from shared.config import Settings

PROXIES = (ip_network("10.0.0.0/8"), ip_network("2001:db8:ffff::/48"))


def address(peer: str | None, *forwarded: str, trusted: bool = True) -> str:
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    client = None if peer is None else (peer, 4000)
    return client_address({"client": client, "headers": headers}, PROXIES if trusted else ())


@pytest.mark.parametrize(
    ("peer", "forwarded", "found"),
    [
        ("198.51.100.7", (), "198.51.100.7"),
        ("198.51.100.7", ("203.0.113.1",), "198.51.100.7"),  # no proxy of ours: whatever it says
        ("10.0.0.1", ("203.0.113.1",), "203.0.113.1"),
        ("10.0.0.1", ("192.0.2.9, 203.0.113.1",), "203.0.113.1"),  # the first was written by the client itself
        ("10.0.0.1", ("192.0.2.9", "203.0.113.1, 10.0.0.2"), "203.0.113.1"),
        ("10.0.0.1", ("10.0.0.3",), "10.0.0.3"),
        ("10.0.0.1", ("203.0.113.1, nonsense",), "10.0.0.1"),
        ("10.0.0.1", ("",), "10.0.0.1"),
        ("10.0.0.1", ("203.0.113.1:5123",), "203.0.113.1"),
        ("10.0.0.1", ("[2001:db8::1]:443",), "2001:db8::/64"),
        ("2001:db8:1:2:3:4:5:6", (), "2001:db8:1:2::/64"),
        ("::ffff:198.51.100.7", (), "198.51.100.7"),
        ("2001:db8:ffff::1", ("203.0.113.1",), "203.0.113.1"),
        ("testclient", (), UNKNOWN),
        (None, ("203.0.113.1",), UNKNOWN),
    ],
)
def test_the_address(peer: str | None, forwarded: tuple[str, ...], found: str) -> None:
    assert address(peer, *forwarded) == found


def test_without_trusted_proxies_nothing_forwarded_is_believed() -> None:
    assert address("10.0.0.1", "203.0.113.1", trusted=False) == "10.0.0.1"


def test_proxies_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANDOR_TRUSTED_PROXIES", "10.0.0.0/8, 2001:db8::1")
    assert [str(network) for network in Settings().trusted_proxies] == ["10.0.0.0/8", "2001:db8::1/128"]
    monkeypatch.setenv("CANDOR_TRUSTED_PROXIES", "10.0.0.300")
    with pytest.raises(ValueError, match="trusted_proxies"):
        Settings()
