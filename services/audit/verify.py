"""Verifies a signed report offline: `python -m services.audit.verify REPORT.json [--key HEX]`.

Rules: it reads the attestation of a report as HTTP gives it (or the attestation alone), and needs neither a service nor
a secret. Everything must hold: every commitment is its statement's, or statement and salt were taken out; the head is
the chain's; the signature is the key's. Without `--key` the report is only shown to be whole, not whose it is: give the
key that `GET /v1/audit/policy` named, kept from a time when you trusted it. Exit code 0: it holds; 1: it does not.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from shared.domain import attestation


@dataclass(frozen=True, slots=True)
class Verified:
    """What of an attestation holds: the statements that are there, and how many were taken out."""

    public_key: str
    statements: tuple[Mapping[str, Any], ...]
    taken_out: int


class Refused(Exception):
    """The attestation does not hold."""


def verify(given: Mapping[str, Any], public_key: str | None = None) -> Verified:
    """Check an attestation. Raises: Refused with what does not hold."""
    try:
        key, entries = bytes.fromhex(given["publicKey"]), [_entry(one) for one in given["entries"]]
        head, signature = bytes.fromhex(given["head"]), bytes.fromhex(given["signature"])
        if given["format"] != attestation.FORMAT:
            raise Refused(f"the format is not {attestation.FORMAT}")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Refused("this is no attestation") from error
    if public_key is not None and key.hex() != public_key.lower():
        raise Refused("it was signed with another key")
    for number, entry in enumerate(entries, start=1):
        if not entry.holds:
            raise Refused(f"entry {number}: the statement is not the one that was signed")
    if attestation.head([entry.commitment for entry in entries]) != head:
        raise Refused("an entry was added, removed, replaced or moved")
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, attestation.signed_bytes(head))
    except (InvalidSignature, ValueError) as error:
        raise Refused("the signature is not the key's") from error
    statements = tuple(json.loads(entry.statement) for entry in entries if entry.statement is not None)
    return Verified(key.hex(), statements, len(entries) - len(statements))


def _entry(given: Mapping[str, Any]) -> attestation.Entry:
    salt = given.get("salt")
    return attestation.Entry(
        bytes.fromhex(given["commitment"]), None if salt is None else bytes.fromhex(salt), given.get("statement")
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Verify the report of a file and say what it holds."""
    parser = argparse.ArgumentParser(description="Verify a signed audit report offline.")
    parser.add_argument("report", type=Path)
    parser.add_argument("--key", help="the public key that must have signed it: 64 hexadecimal digits")
    chosen = parser.parse_args(arguments)
    given = json.loads(chosen.report.read_text(encoding="utf-8"))
    try:
        found = verify(given.get("attestation") or given, chosen.key)
    except Refused as error:
        _say(f"does not hold: {error}")
        return 1
    for statement in found.statements:
        _say(json.dumps(statement, ensure_ascii=False))
    whose = "by the key you gave" if chosen.key else f"by {found.public_key}, whoever that is"
    _say(f"holds: {len(found.statements)} statements, {found.taken_out} taken out, signed {whose}")
    return 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    raise SystemExit(main())
