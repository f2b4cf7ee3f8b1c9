"""Files with bytes flipped, cut, moved and added, and workbooks whose XML is: a document or a typed error, and in time.

Rules: seeded, so that a failure repeats. Everything goes through the processes that the service uses.
"""

import io
import random
import zipfile

import pytest

from services.judge.document_desk import DocumentDesk
from shared.domain.documents.declaring import Declared
from shared.domain.errors import CandorError
from shared.rpc.wire.document import to_declared
from tests.services.judge.reading_documents import FIXTURES, PATIENT

pytestmark = pytest.mark.anyio

MUTATIONS = 12
"""Of each file; 300 were run once, and gave no other reasons than these."""

FILES = (
    "ko_label-value_payslip.pdf",
    "de_many-pages_register.pdf",
    "de_scan_4_register.pdf",
    "en_scan_1_payslip.png",
    "de_scan_2_bank.jpg",
    "en_scan_3_invoice.webp",
    "en_register_4.xlsx",
    "ko_register_1.csv",
    "en_register_2.csv",
)
REASONS = frozenset(
    "DOCUMENT_EMPTY DOCUMENT_DAMAGED DOCUMENT_ENCRYPTED DOCUMENT_MEDIA DOCUMENT_MACROS DOCUMENT_BYTES DOCUMENT_PAGES "
    "DOCUMENT_PIXELS DOCUMENT_UNPACKED DOCUMENT_ROWS DOCUMENT_CELLS DOCUMENT_CHARACTERS DOCUMENT_WRONG".split()
)
"""Not among them: a reader that broke off, ran out of memory or out of time."""


def mutated(content: bytes, chance: random.Random) -> bytes:
    held = bytearray(content)
    at, other = chance.randrange(len(held)), chance.randrange(len(held))
    match chance.randrange(5):
        case 0:
            return content[: at + 1]
        case 1:
            for _ in range(chance.choice((1, 3, 30, 300))):
                held[chance.randrange(len(held))] = chance.randrange(256)
        case 2:
            del held[at : at + chance.randrange(1, 2_000)]
        case 3:
            held[at:at] = chance.randbytes(chance.choice((1, 8, 500)))
        case _:
            length = chance.randrange(1, 400)
            held[at : at + length] = held[other : other + length]
    return bytes(held) or b"\0"


def mutated_inside(workbook: bytes, chance: random.Random) -> bytes:
    """Mutate one part of a workbook and pack it again, so that its checksums hold."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        chosen = chance.choice([name for name in archive.namelist() if name.startswith("xl/")])
        for name in archive.namelist():
            part = archive.read(name)
            packed.writestr(name, mutated(part, chance) if name == chosen else part)
    return out.getvalue()


@pytest.mark.parametrize("name", [*FILES, "inside en_register_4.xlsx"])
async def test_no_mutation_is_more_than_a_typed_error(name: str) -> None:
    content = (FIXTURES / "build" / name.removeprefix("inside ")).read_bytes()
    chance = random.Random(name)
    change = mutated_inside if name.startswith("inside") else mutated
    desk = DocumentDesk(PATIENT, processes=1)
    declared = to_declared(Declared("d-1")).SerializeToString()
    try:
        for _ in range(MUTATIONS):
            try:
                read = await desk.read(change(content, chance), declared, pictures=True)
            except CandorError as error:
                assert error.reason in REASONS, error.message
            else:
                assert read.documents or read.needs_eyes
    finally:
        await desk.close()
