"""Lists inside the rows of a batch.

Rules: a batch goes to PostgreSQL as one array per column, and arrays of arrays must be rectangular there; a column that
holds lists therefore goes as texts in PostgreSQL's own array syntax and is cast in the statement.
Source: PostgreSQL 18, "Array Input and Output Syntax".
"""

from collections.abc import Iterable


def array_text(values: Iterable[object]) -> str:
    """Return a list in PostgreSQL's array syntax, every element quoted."""
    quoted = (str(value).replace("\\", "\\\\").replace('"', '\\"') for value in values)
    return "{" + ",".join(f'"{text}"' for text in quoted) + "}"
