"""Words of money on the wire.

Rules: a word is its name on the wire without prefix, in lower case; a number that the contract does not know is the
caller's mistake. It does not know what an unspecified side means: the RPC does.
"""

from candor.retrieve.v1 import ledger_pb2 as ledger_pb
from candor.retrieve.v1 import pnl_pb2 as pb

from shared.domain.errors import InvalidArgument
from shared.domain.money.cash import CashStatus
from shared.domain.money.ledger import Side
from shared.domain.money.pnl import CurrencyStatus


def side_of(number: int, field: str = "side") -> Side | None:
    """Return the side of an enum value; None for unspecified. Raises: InvalidArgument SIDE_INVALID."""
    if number not in ledger_pb.LedgerSide.values():
        raise InvalidArgument.of(field, "SIDE_INVALID", f"{number} is not one of the values")
    word = ledger_pb.LedgerSide.Name(ledger_pb.LedgerSide.ValueType(number)).removeprefix("LEDGER_SIDE_")
    return Side[word] if number else None


def to_side(side: Side) -> ledger_pb.LedgerSide.ValueType:
    """Return the enum value of a side."""
    return ledger_pb.LedgerSide.Value(f"LEDGER_SIDE_{side.name}")


def to_cash_status(status: CashStatus) -> ledger_pb.CashStatus.ValueType:
    """Return the enum value of what is known of cash."""
    return ledger_pb.CashStatus.Value(f"CASH_STATUS_{status.name}")


def to_currency_status(status: CurrencyStatus) -> pb.CurrencyStatus.ValueType:
    """Return the enum value of which currencies there are."""
    return pb.CurrencyStatus.Value(f"CURRENCY_STATUS_{status.name}")
