"""The payroll made on the fly is whole but for the one payslip that is damaged."""

from decimal import Decimal

from tests.bench.documents.payroll import papers


def test_a_payroll_of_forty_with_one_corrupt_payslip() -> None:
    made = papers(40, corrupt=7)
    assert len(made.payslips) == 40
    assert made.corrupt == "payslip-E-08.pdf"
    assert not made.payslips[made.corrupt].endswith(b"%%EOF\n")
    assert made.whole_slip.startswith(b"%PDF-")
    assert len({slip for name, slip in made.payslips.items() if name != made.corrupt}) == 39
    assert made.pay.total("employer_cost") / made.pay.total("net") < Decimal("1.45")
    assert papers(40, corrupt=7) == made


def test_none_need_be_corrupt() -> None:
    made = papers(3, corrupt=None)
    assert made.corrupt is None
    assert made.whole_slip in made.payslips.values()
