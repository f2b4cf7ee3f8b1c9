"""What the demonstration says: papers and memories, from the files in `demo/`.

Rules: it is the same everywhere and for everybody. Papers are read by rules, whatever models there are: seeding costs
no call to a model but for vectors. Whoever changes a file counts the version up. It does not do I/O but for those
files.
Source: archon-behaviour 11, with papers and names of our own.
"""

import json
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from pathlib import Path

from candor.ingest.v1 import memories_pb2
from google.protobuf import json_format

from services.ingest.document_input import Paper
from services.ingest.document_reading import Reading
from shared.domain.documents.declaring import Declared
from shared.domain.documents.extracting import extract
from shared.domain.documents.layout import lines_of, words_of_text
from shared.domain.documents.reading import Media
from shared.domain.documents.reading import Reading as Text
from shared.domain.money.classifying import classify

VERSION = "candor-demo-1"
FILES_HASH = "ad254555138f7b30"
"""Of the files of that version; a test compares."""
COMPANY = "Northwind Trading"
FOLDER = Path(__file__).with_name("demo")
OLD_CITY, NEW_CITY = 0, 1
"""Places in the memories: the second takes the place of the first."""


def files_hash() -> str:
    """Return the hash of the files as they are."""
    found = blake2b(digest_size=8)
    for path in sorted(FOLDER.iterdir()):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()


@cache
def papers() -> tuple[tuple[Paper, Reading], ...]:
    """Return the papers with what each says."""
    return tuple(map(_read, sorted(FOLDER.glob("*.txt"))))


def _read(path: Path) -> tuple[Paper, Reading]:
    content = path.read_text()
    text = Text(Media.TEXT, lines=lines_of(1, words_of_text(content)), text=content)
    found = extract(text, Declared(path.stem, path.name))
    documents = tuple(replace(document, doc_type=classify(document)) for document in found)
    return Paper(path.stem, path.name, content.encode(), {}), Reading(documents)


@cache
def memories() -> tuple[memories_pb2.NewMemory, ...]:
    """Return the memories."""
    found = json.loads((FOLDER / "memories.json").read_text())
    for one in found:
        if "metadata" in one:
            one["metadata"] = json.dumps(one["metadata"])
    return tuple(json_format.ParseDict(one, memories_pb2.NewMemory()) for one in found)
