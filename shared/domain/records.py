"""Which record a memory speaks of, and which record a reference names.

Rules: a record is known by its explicit id, else by the source reference, both folded; never by company or period
alone. Memories with neither speak of no record and are never compared. Keys are bounded, because they are parts of an
index entry.
It does not know companies: a record key means something only beside a company key.
Source: DESIGN 4 (assertion, reference).
"""

from hashlib import sha256

from shared.domain.text import fold

KEY_MAX_BYTES = 1024  # a btree entry holds 2,704 bytes, shared by company, record, attribute and value


def record_key(record: str | None, source_ref: str | None) -> str | None:
    """Return the key of the record a memory speaks of, or None when it names none."""
    return reference_key(record or "") or reference_key(source_ref or "")


def record_label(record: str | None, source_ref: str | None) -> str | None:
    """Return the record's id as its writer spelt it, or None when the memory names none."""
    return next((label for label in (record, source_ref) if label and reference_key(label)), None)


def reference_key(text: str) -> str | None:
    """Return the key a record id is compared by, or None when it is blank; a key too long for the index is hashed."""
    key = fold(text)
    encoded = key.encode("utf-8", "surrogatepass")
    if len(encoded) > KEY_MAX_BYTES:
        return f"sha256:{sha256(encoded).hexdigest()}"
    return key or None
