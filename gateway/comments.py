"""The contracts' comments, by the full name of what they stand on.

Rules: generated code drops comments, so they are read from the descriptor set that `make gen` writes beside it. A
comment that begins with "Required." makes its field required in the document. It does not know what is public.
Source: google/protobuf/descriptor.proto, SourceCodeInfo.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from candor.options.v1 import options_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

FILE_NAME = "candor.binpb"
REQUIRED = "Required."


def load() -> Mapping[str, str]:
    """Return every comment of every contract. Raises: FileNotFoundError when the descriptor set is missing."""
    generated = Path(options_pb2.__file__).parents[3]
    files = FileDescriptorSet.FromString((generated / FILE_NAME).read_bytes()).file
    return {name: text for file in files if file.package.startswith("candor.") for name, text in _of_file(file)}


def _of_file(file: FileDescriptorProto) -> Iterator[tuple[str, str]]:
    for location in file.source_code_info.location:
        name = _name(file, location.path)
        if name and location.leading_comments:
            yield f"{file.package}.{name}", " ".join(location.leading_comments.split())


def _name(file: FileDescriptorProto, path: Sequence[int]) -> str:
    """Walk a path of field numbers and indices down to an element; empty if it is none with a name."""
    element: Any = file
    names = []
    for number, index in zip(path[::2], path[1::2], strict=False):
        children = element.DESCRIPTOR.fields_by_number[number]
        if not children.is_repeated or children.message_type is None:
            return ""
        element = getattr(element, children.name)[index]
        if not hasattr(element, "name") or isinstance(element.name, bytes):
            return ""
        names.append(element.name)
    return ".".join(names) if names and len(path) % 2 == 0 else ""
