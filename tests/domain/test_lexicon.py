"""Lexicons: memories and questions get terms that meet, in the language each is in."""

import pytest

from shared.domain.draft import check
from shared.domain.languages import LANGUAGES, STOP_WORDS, language_of
from shared.domain.lexicon import Lexicon, language_term
from shared.stemmer import stemmer

TEXT = "Which invoices are the late ones?"
LEXICON = Lexicon(stemmer)

FORMS = [
    ("de", "Die Rechnungen der Spedition sind noch nicht bezahlt.", "Welche Rechnung hat der Kunde?", 1),
    ("de", "Wir haben die Lieferungen nach Köln verschoben.", "Wann war die Lieferung nach Köln?", 2),
    ("de", "Der Vertrag mit dem Lieferanten wurde gekündigt.", "Was steht in den Verträgen mit dem Lieferant?", 2),
    ("de", "Unsere Mieten für die Hallen steigen im Januar.", "Was ist die Miete der Halle?", 2),
    ("fr", "Le client annule les abonnements mensuels.", "Pourquoi le client a annulé son abonnement mensuel ?", 4),
    ("es", "Las entregas del proveedor llegan con retraso.", "¿Cuándo llega la entrega de los proveedores?", 3),
    ("it", "Le consegne dei fornitori sono in ritardo.", "Quando è la consegna del fornitore?", 2),
    ("pt", "As faturas não foram pagas pelos clientes.", "Por que é que o cliente ainda não pagou a fatura?", 3),
    ("nl", "De facturen van de leveranciers zijn niet betaald.", "Is de factuur van de leverancier betaald?", 3),
    ("sv", "Fakturorna från leverantören är inte betalda.", "Vilka fakturor är inte från leverantören?", 2),
    ("da", "Fakturaerne fra leverandøren er ikke betalt.", "Hvornår er fakturaen fra leverandørerne?", 2),
    ("fi", "Laskut ovat vielä maksamatta.", "Milloin laskun pitää olla?", 1),
    ("ru", "Счета от поставщика ещё не оплачены.", "Когда был счёт от поставщиков?", 2),
]


def met(question: str, content: str, languages: tuple[str, ...] = ()) -> int:
    """Count the words of a question that a memory holds in any of their forms."""
    held = set(LEXICON.memory(check(kind="note", content=content)))
    return sum(not held.isdisjoint(word) for word in LEXICON.question(question, languages))


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("all-MiniLM-L6-v2", ["invoic", "late", "one"]),
        ("text-embedding-v4", ["which", "invoic", "are", "the", "late", "one"]),
        ("never-measured", ["invoic", "late", "one"]),
    ],
)
def test_stop_words_are_kept_where_the_model_wants_them(model: str, expected: list[str]) -> None:
    lexicon = Lexicon.of(model, stemmer)
    assert lexicon.question(TEXT) == [(word,) for word in expected]
    assert lexicon.memory(check(kind="note", content=TEXT)) == expected


def test_a_question_asks_each_term_once_a_memory_repeats_them() -> None:
    assert LEXICON.question("paid, paying, pay") == [("paid",), ("pay",)]
    assert LEXICON.memory(check(kind="note", content="paid, paying, pay")) == ["paid", "pay", "pay"]


@pytest.mark.parametrize(("language", "content", "question", "forms"), FORMS)
def test_forms_of_a_word_meet_in_its_language(language: str, content: str, question: str, forms: int) -> None:
    assert (language_of(content), language_of(question)) == (language, language)
    assert met(question, content) == forms
    english = Lexicon(lambda _: stemmer())
    held = set(english.memory(check(kind="note", content=content)))
    assert sum(not held.isdisjoint(word) for word in english.question(question)) < forms


@pytest.mark.parametrize("content", [content for _, content, _, _ in FORMS])
def test_a_word_that_is_written_alike_is_never_lost(content: str) -> None:
    language = language_of(content)
    word = max((word for word in content.rstrip(".").split() if word.isalpha()), key=len)
    for question in (word, f"What about the {word}?", f"Was ist mit der {word}?", f"¿Qué hay de la {word}?"):
        assert met(question, content, (language,)) >= 1, question


def test_a_memory_of_unsure_language_is_found_in_all() -> None:
    assert language_of("Nordlauf Rechnungen 2026") == "en"
    assert met("Welche Rechnungen sind von Nordlauf?", "Nordlauf Rechnungen 2026") == 2


def test_one_stop_word_is_sure_only_where_memories_are_in_that_language() -> None:
    assert LEXICON.question("die hard") == [("die",), ("hard",)]
    assert LEXICON.question("Wann kommt Nordlauf", ("de",)) == [("kommt",), ("nordlauf",)]
    assert ("wann",) in LEXICON.question("Wann kommt Nordlauf")


def test_labels_are_english_whatever_the_content_is() -> None:
    draft = check(kind="note", content="Die Rechnungen sind nicht bezahlt.", company="Bluebird Bakeries", tags=["late"])
    assert LEXICON.memory(draft) == ["bluebird", "bakeri", "late", "rechnung", "bezahlt", language_term("de")]


def test_english_and_scripts_without_spaces_hold_no_language_term() -> None:
    for content in (TEXT, "请款单已付", "청구서를 보냈다", "INV-5521", ""):
        assert language_of(content) == "en"
    assert language_term("de") not in LEXICON.memory(check(kind="note", content=TEXT))


def test_each_language_has_a_stemmer_and_folded_stop_words() -> None:
    for language in LANGUAGES:
        assert stemmer(language)("x")
        assert all(word == word.casefold() for word in STOP_WORDS[language])
