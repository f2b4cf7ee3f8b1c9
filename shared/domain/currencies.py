"""Currencies: their codes, how many decimals they have, and how people write them.

Rules: a sign that several currencies share (¥, kr) marks money and names no currency. An unlisted code of three to
five letters is kept as it is and compared exactly: it may be a token or a currency younger than this table.
It does not know exchange rates.
Source: ISO 4217:2015 list one (active codes, minor units); "$" alone is USD by REQUIREMENTS B11.
"""

import re
from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN, Context, Decimal
from types import MappingProxyType

from shared.domain.text import fold

MINOR_DIGITS_DEFAULT = 2
_CODES_OF_TWO = """
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE
CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL
HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR
MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK
SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD
YER ZAR ZMW ZWG
"""
_CODES_OF_NONE = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
_CODES_OF_THREE = "BHD IQD JOD KWD LYD OMR TND"
_CODES_OF_FOUR = "CLF UYW"
MINOR_DIGITS: Mapping[str, int] = MappingProxyType(
    dict.fromkeys(_CODES_OF_TWO.split(), MINOR_DIGITS_DEFAULT)
    | dict.fromkeys(_CODES_OF_NONE.split(), 0)
    | dict.fromkeys(_CODES_OF_THREE.split(), 3)
    | dict.fromkeys(_CODES_OF_FOUR.split(), 4)
)
# Keys are folded. An empty code: money of a currency that the sign does not settle.
_SIGN_TABLE = """
$=USD us$=USD a$=AUD au$=AUD c$=CAD ca$=CAD hk$=HKD nz$=NZD s$=SGD nt$=TWD r$=BRL mx$=MXN €=EUR £=GBP ₩=KRW
원=KRW 円=JPY 元=CNY rmb=CNY ₹=INR ₽=RUB ₺=TRY ₫=VND ฿=THB ₪=ILS ₦=NGN ₱=PHP ₴=UAH ₸=KZT ₾=GEL zł=PLN kč=CZK ¥= kr= kr.=
"""
SIGNS: Mapping[str, str] = MappingProxyType(dict(entry.split("=") for entry in _SIGN_TABLE.split()))
_CODE = re.compile(r"[a-z]{3,5}")
_EXACT = Context(prec=1000)  # digits; above what metadata.NUMBER_MAX_DIGITS lets in


def currency_code(text: str) -> str | None:
    """Return the code that a `currency` field means, or None when it names no currency."""
    key = fold(text)
    if key in SIGNS:
        return SIGNS[key] or None
    return key.upper() if _CODE.fullmatch(key) else None


def mark_of(key: str) -> str | None:
    """Return the code that a folded sign or listed code beside a number means, "" for a shared sign, else None."""
    if key in SIGNS:
        return SIGNS[key]
    return key.upper() if key.upper() in MINOR_DIGITS else None


def money_key(number: Decimal, currency: str) -> Decimal:
    """Return what two amounts of one currency are compared by: the amount in whole minor units, written in major ones.

    An amount below one major unit and finer than the minor unit is a unit price (USD 0.0013 a call): it is kept exact.
    So is an amount of an unlisted currency.
    Ties: half to even.
    """
    digits = MINOR_DIGITS.get(currency)
    if digits is None:
        return number
    rounded = number.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_EVEN, context=_EXACT)
    return number if number.copy_abs() < 1 and rounded != number else rounded
