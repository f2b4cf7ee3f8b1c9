"""Claims of metadata (A6, field note 26, fault 24)."""

from shared.domain.claims import Claim, claims_of


def by_attribute(metadata_json: str) -> dict[str, Claim]:
    return {claim.attribute: claim for claim in claims_of(metadata_json)}


def test_only_scalars_claim_and_fields_never_do() -> None:
    text = (
        '{"record":"INV-1","refs":["a"],"references":"b","importance":0.9,"depends_on":"c",'
        '"note":null,"lines":[1],"who":{"a":1},"total":5,"paid":false,"blank":" "}'
    )
    assert set(by_attribute(text)) == {"total", "paid"}


def test_the_raw_value_stays_as_it_was_written() -> None:
    claims = by_attribute('{"a": 8400.00, "b": 1E+2, "c": "18,400", "d": true, "e": "\\u00e9"}')
    assert {key: claim.raw for key, claim in claims.items()} == {
        "a": "8400.00",
        "b": "1E+2",
        "c": '"18,400"',
        "d": "true",
        "e": '"é"',
    }
    assert claims["b"].canonical == "100"


def test_a_currency_qualifies_the_amounts_beside_it() -> None:
    claims = by_attribute('{"amount": 8400, "quantity": 12, "vat_rate": 0.19, "currency": "eur"}')
    assert (claims["amount"].canonical, claims["amount"].currency) == ("8400 EUR", "EUR")
    assert claims["quantity"].currency is None
    assert claims["vat_rate"].currency is None
    assert "currency" not in claims


def test_an_attributes_own_currency_goes_before_the_shared_one() -> None:
    claims = by_attribute('{"total": "1.234", "total_currency": "USD", "net": 5, "currency": "EUR"}')
    assert {key: claim.canonical for key, claim in claims.items()} == {"total": "1234 USD", "net": "5 EUR"}


def test_a_currency_without_an_amount_is_a_claim_of_its_own() -> None:
    assert by_attribute('{"status": "paid", "currency": "€"}')["currency"].canonical == "EUR"
    assert by_attribute('{"total_currency": "usd"}')["total_currency"].canonical == "USD"


def test_names_are_text_whatever_they_look_like() -> None:
    claims = by_attribute('{"invoice_number": 5521, "version": "1.10", "zip": "01234", "taxCode": "12E4", "number": 5}')
    assert {key: claim.canonical for key, claim in claims.items()} == {
        "invoice_number": "5521",
        "version": "1.10",
        "zip": "01234",
        "taxCode": "12e4",
        "number": "5",
    }
    assert [key for key, claim in claims.items() if claim.number is not None] == ["number"]


def test_an_attribute_too_long_for_the_index_claims_nothing() -> None:
    assert claims_of('{"%s": 1, "": 2, "ok": 3}' % ("é" * 129)) == claims_of('{"ok": 3}')
