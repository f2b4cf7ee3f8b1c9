"""Counterparts that a record calls for: what must be stored too, if what a memory says of its record is true.

Rules: the table below is all there is; it is narrow on purpose, since an expectation that is wrong for a tenant's way
of working makes every audit of theirs not ok. A record calls for a counterpart when an open memory of one of the kinds
says one of the values. The counterpart is there when a memory that is not known to be wrong answers: it is of an
answering kind or says an answering `document_type` in its metadata, and it speaks of the same record, refers to it, is
referred to by it, or, where that is enough, is of the same company and period. It does not know how memories are looked
for.
Source: REQUIREMENTS C2; the words of document types as in the reference product's classifier. Chosen, untested on the
data of real users.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from shared.domain.types import MemoryKind


@dataclass(frozen=True, slots=True)
class Expectation:
    """One row of the table. Document types are written in lower case with underscores."""

    expected: str
    kinds: tuple[MemoryKind, ...]
    says: tuple[tuple[str, str], ...]  # (attribute, canonical value)
    answering_kinds: tuple[MemoryKind, ...]
    answering_types: tuple[str, ...]
    by_period: bool

    @property
    def called_for_by(self) -> str:
        """What calls for it, in words."""
        says = ", ".join(f"{attribute} = {value}" for attribute, value in self.says)
        return f"a memory of kind {' or '.join(self.kinds)} whose metadata say one of: {says}"

    @property
    def answered_by(self) -> str:
        """What counts as being there, in words."""
        kinds = f"kind {' or '.join(self.answering_kinds)}, or " if self.answering_kinds else ""
        period = "; or of the same company and period" if self.by_period else ""
        return (
            f"a memory of {kinds}document_type {', '.join(self.answering_types)}, of the same record, "
            f"referring to it or referred to by it{period}"
        )


EXPECTATIONS: tuple[Expectation, ...] = (
    Expectation(
        expected="payment",
        kinds=(MemoryKind.INVOICE,),
        says=(("status", "paid"), ("payment_status", "paid"), ("paid", "true")),
        answering_kinds=(MemoryKind.ACTION,),
        answering_types=(
            "payment",
            "payment_confirmation",
            "bank_confirmation",
            "bank_statement",
            "receipt",
            "remittance",
        ),
        by_period=False,
    ),
    Expectation(
        expected="bank_confirmation",
        kinds=(MemoryKind.DOCUMENT, MemoryKind.PAYROLL_EVENT),
        says=(("document_type", "payroll_register"), ("document_type", "payroll register")),
        answering_kinds=(),
        answering_types=("bank_confirmation", "payment_confirmation", "bank_statement"),
        by_period=True,
    ),
)
BY_NAME: Mapping[str, Expectation] = MappingProxyType({one.expected: one for one in EXPECTATIONS})
