"""A multipart/form-data body into one request: each file a message of the field that the contract names.

Rules: a part with a file name is a file, whatever it is called; its bytes go on as they are. Any other part is a field
of the request, or one that holds for every file, given once. Names are the contract's, in either spelling. What is
wrong is collected. A body that ends early is refused. It does not know what files are, nor any single method.
Source: RFC 7578; the parser is python-multipart's.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from gateway import limits
from gateway.contracts import is_private, object_type
from gateway.decode import Faults
from gateway.parameters import Parameter
from shared.domain.errors import InvalidArgument, TooLarge
from shared.domain.text import refused_character

MULTIPART = "multipart/form-data"
FILES_MAX = 500  # of one form; what the only contract with files takes
FIELDS_MAX = 50  # of one form (chosen, untested)
FIELD_MAX_BYTES = 64 * 1024  # of one part that is no file (chosen, untested)
_FILENAME, _DATA = "filename", "data"
OF_A_FILE = frozenset((_FILENAME, _DATA, "content"))  # what a file itself gives


def is_form(headers: limits.Headers) -> bool:
    """Tell whether a body is a form."""
    given = b", ".join(limits.values(headers, b"content-type"))
    return given.partition(b";")[0].strip().lower() == MULTIPART.encode()


@dataclass(frozen=True, slots=True)
class Form:
    """The parts of a form: files as (name, bytes), and fields as (name, text)."""

    files: tuple[tuple[str, bytes], ...]
    fields: tuple[tuple[str, str], ...]


class FormFiller:
    """Fills the requests of one binding, which have files in `field`, from forms."""

    def __init__(self, request: Descriptor, field: str, refused: Mapping[str, str]) -> None:
        item = object_type(request.fields_by_name[field])
        if item is None or not {_FILENAME, _DATA} <= set(item.fields_by_name):
            raise ValueError(f"{request.full_name}: files are messages with {_FILENAME} and {_DATA}")
        self._field = field
        self._refused = refused
        self._own = _parameters(request)
        self._of_file = {name: one for name, one in _parameters(item).items() if name not in OF_A_FILE}

    def fill(self, message: Message, form: Form, faults: Faults) -> None:
        """Put the parts of a form into a request."""
        shared: list[tuple[Parameter, str, str]] = []
        seen: set[str] = set()
        for name, text in form.fields:
            parameter = self._own.get(name) or self._of_file.get(name)
            if name in self._refused:
                faults.add(name, "FIELD_NOT_ALLOWED", self._refused[name])
            elif parameter is None:
                faults.add(name, "UNKNOWN_FIELD", "is not a field of this form")
            elif parameter.name in seen:
                faults.add(name, "DUPLICATE_FIELD", "is given twice")
            elif name in self._own:
                parameter.fill(message, [text], name, faults)
            else:
                shared.append((parameter, name, text))
            seen.add(parameter.name if parameter else name)
        target: Any = getattr(message, self._field)
        for position, (filename, data) in enumerate(form.files):
            refused = refused_character(filename)
            if refused is not None:
                faults.add(f"{self._field}[{position}].{_FILENAME}", "FORBIDDEN_CHARACTER", f"holds {refused}")
                continue
            item = target.add(filename=filename, data=data)
            for parameter, name, text in shared:
                parameter.fill(item, [text], name, faults)


def parse(headers: limits.Headers, body: bytes) -> Form:
    """Read the parts of a form. Raises: InvalidArgument FORM_INVALID; TooLarge FORM_TOO_LARGE; UnsupportedMedia."""
    limits.require_uncompressed(headers)
    _, options = parse_options_header(b", ".join(limits.values(headers, b"content-type")))
    boundary = options.get(b"boundary", b"")
    parts = _Parts()
    try:
        parser = MultipartParser(boundary, parts.callbacks())  # type: ignore[arg-type]  # each has one of its types
        parser.write(body)
    except FormParserError:
        raise _invalid("is no form") from None
    if not boundary or not parts.has_ended:
        raise _invalid("has no boundary, or ends before the last one")
    return Form(tuple(parts.files), tuple(parts.fields))


class _Parts:
    """Collects the parts of a form while it is parsed."""

    def __init__(self) -> None:
        self.files: list[tuple[str, bytes]] = []
        self.fields: list[tuple[str, str]] = []
        self.has_ended = False
        self._name = self._value = b""
        self._headers: dict[bytes, bytes] = {}
        self._data: list[bytes] = []

    def callbacks(self) -> dict[str, Callable[..., None]]:
        return {
            "on_part_begin": self._begin,
            "on_header_field": self._header_field,
            "on_header_value": self._header_value,
            "on_header_end": self._header_end,
            "on_part_data": lambda data, start, end: self._data.append(data[start:end]),
            "on_part_end": self._end,
            "on_end": self._ended,
        }

    def _begin(self) -> None:
        self._headers, self._data = {}, []

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        self._headers[self._name.lower()] = self._value
        self._name = self._value = b""

    def _end(self) -> None:
        disposition, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        name, data = options.get(b"name"), b"".join(self._data)
        if disposition != b"form-data" or name is None:
            raise _invalid("has a part without a name")
        if b"filename" in options:
            self.files.append((_text(options[b"filename"]), data))
        elif len(data) > FIELD_MAX_BYTES:
            raise _too_large(f"a field of a form has at most {FIELD_MAX_BYTES} bytes")
        else:
            self.fields.append((_text(name), _text(data)))
        if len(self.files) > FILES_MAX or len(self.fields) > FIELDS_MAX:
            raise _too_large(f"a form holds at most {FILES_MAX} files and {FIELDS_MAX} fields")

    def _ended(self) -> None:
        self.has_ended = True


def _parameters(descriptor: Descriptor) -> dict[str, Parameter]:
    found: dict[str, Parameter] = {}
    for field in descriptor.fields:
        parameter = None if is_private(field) else Parameter.of(field)
        if parameter is not None:
            found[field.name] = found[field.json_name] = parameter
    return found


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise _invalid("has a name or a field that is not UTF-8") from None


def _too_large(message: str) -> TooLarge:
    return TooLarge("FORM_TOO_LARGE", message)


def _invalid(message: str) -> InvalidArgument:
    return InvalidArgument.of("body", "FORM_INVALID", message)
