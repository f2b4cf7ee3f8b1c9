"""A field that is given as text: in the path, in the query, or in a form.

Rules: a text is read as the field's type; it is given more than once only for a repeated field. What is wrong is
collected. It does not know where the text comes from.
"""

from collections.abc import Callable

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from gateway import scalars
from gateway.contracts import object_type
from gateway.decode import Faults, compile_field
from gateway.json_text import Json


class Parameter:
    """Fills one field."""

    def __init__(self, field: FieldDescriptor) -> None:
        self.name = field.name
        self._repeated = field.is_repeated
        self._from_text: Callable[[str], Json] = scalars.from_text(field)
        self._into = compile_field(field, {})

    @classmethod
    def of(cls, field: FieldDescriptor) -> "Parameter | None":
        """Return the parameter of a field; None for a message, which a query cannot hold."""
        return None if object_type(field) else cls(field)

    def fill(self, message: Message, texts: list[str], path: str, faults: Faults) -> None:
        """Put the texts into the field."""
        values = [self._from_text(text) for text in texts]
        if not self._repeated and len(values) > 1:
            faults.add(path, "DUPLICATE_FIELD", "is given twice")
            return
        self._into(message, values if self._repeated else values[0], path, faults)
