"""A chain of salted commitments: what a signature is made over, so that it outlives what it was made of.

Rules: each statement is committed to by SHA-256 over its random salt and its text; each link of the chain is SHA-256
over the link before and the next commitment; the first link is the format's name. The head stands for all statements,
their number and their order. Who holds statement and salt can check a commitment; without them it tells nothing, since
a salt cannot be guessed, and the chain still holds. So a statement can be taken out, and nothing else can. It does not
know what statements say, nor how a head is signed.
Source: salted hash commitments (Blum 1981) in a hash chain (Haber and Stornetta 1991).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

FORMAT = "candor-report-1"
SALT_BYTES = 32  # as long as the hash: no shorter way than to find a preimage


@dataclass(frozen=True, slots=True)
class Entry:
    """One statement's commitment; salt and statement are both there, or both were taken out."""

    commitment: bytes
    salt: bytes | None
    statement: str | None

    @property
    def holds(self) -> bool:
        """Whether the commitment is the statement's, or the statement was taken out."""
        if self.salt is None and self.statement is None:
            return True
        if self.salt is None or self.statement is None or len(self.salt) != SALT_BYTES:
            return False
        return commitment(self.salt, self.statement) == self.commitment


def commitment(salt: bytes, statement: str) -> bytes:
    """Commit to a statement. Raises: ValueError for a salt of another length."""
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes")
    return sha256(salt + statement.encode()).digest()


def entry(salt: bytes, statement: str) -> Entry:
    """Return a statement with its commitment."""
    return Entry(commitment(salt, statement), salt, statement)


def head(commitments: Sequence[bytes]) -> bytes:
    """Return the last link of the chain."""
    link = sha256(FORMAT.encode()).digest()
    for one in commitments:
        link = sha256(link + one).digest()
    return link


def signed_bytes(chain_head: bytes) -> bytes:
    """Return what is signed for a head: no other use of the key signs the like."""
    return FORMAT.encode() + b"\0" + chain_head
