"""Who or what a sentence is about: names, numbered things and identifiers, and whether two sentences share them.

Rules: a name is a run of capitalised words; at the start of a sentence one capitalised word counts only when the
             language
would want an article before a common noun. "Crate 7" is one thing: a noun and its number. A name meets another when
one's words are among the other's: "Oduya" is "R. Oduya", but Ltd is not Inc. Two sentences with names and none in
common are about two things. In German every noun is capitalised, so only numbered things and identifiers are told.
It does not know pronouns, nor what is said (meaning.py).
Source: English orthography; compare REQUIREMENTS C3.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum, unique

from shared.domain.calendar_words import PartialDate, calendar_dates
from shared.domain.meaning.words import IRREGULAR_VERBS
from shared.domain.stop_words import ENGLISH_STOP_WORDS
from shared.domain.text import fold

_NUMBERED_NOUNS = frozenset(
    """
    order invoice crate line ward loan gate warehouse truck supplier request budget machine contract room house flat
    building floor platform track bus tram train route road street bridge mill pump tank turbine boiler engine motor
     generator lift elevator crane tractor van car ship boat ferry barge flight seat table bed case claim ticket
    batch lot
     box pallet container shipment delivery parcel package store shop branch office site plant hall dock pier
    berth well
     shaft mine kiln oven furnace press lathe drill saw loom robot server printer scanner camera sensor meter
    valve pipe
     cable switch circuit relay panel lamp lantern clock bell tower school class grade group team crew shift unit
    module
    station stop stall stand booth plot field lane barn shed stable silo vat barrel cask bottle sample test exam
    question article clause section chapter page volume issue report file folder record entry account policy licence
     license permit plan project phase stage step task job lot bid tender offer quote grant fund bond share lease
    cell
    recipe channel zone district area sector block row shelf rack locker cabinet drawer door window key card badge
     player rider runner horse dog cow patient donor tenant customer client vendor member employee no number nr
    nummer
     auftrag rechnung halle kiste tor antrag maschine vertrag haus zimmer linie gleis lager werk wagen pumpe
    kessel ofen
     turm schule gruppe mandat projekt filiale lieferung bestellung raum konto anlage bus zug boot kran traktor
    brücke
     roof wall ceiling fence thermometer oven fridge freezer washer pavilion hangar quay court pool rink tunnel ramp
     los gebäude stock etage tor spur halle phase abteilung sku awb depot excavator winch hoist sluice weir lock
     buoy chimney conveyor mixer dryer fan filter compressor
    hydrant
    """.split()
)
_NUMBERED = re.compile(
    r"(?<![^\W_])([^\W\d_]+) (?:no\.? |nr\.? |number )?#?(\d{1,5}[a-z]?|[ivx]{1,4}|[a-z])(?![^\W_]"
    r"|[.,:]\d|%)"
)
_HAN_NUMBER = r"\d{1,5}|[一二三四五六七八九十]+"
_HAN_NUMBERED = re.compile(
    rf"({_HAN_NUMBER})号([\u4e00-\u9fff]{{1,3}}?)(?=[\u4e00-\u9fff])"
    rf"|([\u4e00-\u9fff]{{1}}[\u4e00-\u9fff](?<![周期第每在是有为达约共超过到至可载装售卖收需付仅]))({_HAN_NUMBER})(?![\d,.]*\d"
    rf"|[\u4e00-\u9fff]?[年月日元个人名%张吨台点时分层岁公千克米小万亿条家次天周欧美岁楼页毫升斤瓶箱件只辆间套份票盒袋度秒户种本块支平])"
)
_HANGUL_NUMBERED = re.compile(
    r"([가-힣]{1,6}(?<![은는을를에의도])|[가-힣]{1,6}(?=\d)) ?(\d{1,5})(?:호"
    r"|번)?(?=[은는이가의을를에과와도로]|[^\W\d]*|$)(?!\d|[,.]\d|원|명|개|년|월|일|시|분|%|퍼|층|살"
    r"|세|도|킬|미터|톤|대|마리|권|건|회|배|주|분기|만|천|억|kg|m)"
)
_IDENTIFIER = re.compile(r"(?<![^\W_])[a-z]{1,6}[-_/]?\d[a-z0-9]*(?:[-_/][a-z0-9]+)*(?![^\W_])")
_CAPITALS = re.compile(
    r"(?:(?:Mr|Mrs|Ms|Miss|Dr|St|Fr|Prof)\.? )?(?:[A-ZÀ-ÞŠŽŁ][\w'’&-]*|[A-Z]\.)(?:(?: (?:of|de|von"
    r"|van|der|la|del|&|the) | )?(?:[A-ZÀ-ÞŠŽŁ][\w'’&-]*|[A-Z]\.(?= )))*"
)
_LIKE_NAMES_BUT_NOT = frozenset(
    """
     i i'm i've i'll i'd the a an this that these those it its he she they we you his her their our my your there
    here
    what when where who why how which if in on at by for from with without to of and but or so as not no yes nobody
     somebody everybody everyone someone anybody nothing everything all both each every some any most many few
    several
    since until while during before after under over between according note monday tuesday wednesday thursday friday
     saturday sunday january february march april may june july august september october november december usd eur
    chf kb mb gb tb kw kwh kg km cm mm mph
    gbp vat ok hey wow thanks thank yeah oh well just also now today yesterday tomorrow please sure great good nice
    glad absolutely definitely awesome cool hi hello sounds totally congrats sorry really maybe let only even still
     however whenever wherever whose unless should could would will can may might must do does did is are was were
    has
    have had more less fewer neither either none one two three four five six seven eight nine ten system assistant
    christmas easter lent pentecost ramadan new sundays mondays tuesdays wednesdays thursdays fridays saturdays god
    spring summer autumn winter english german french chinese korean spanish italian q1 q2 q3 q4 throughout output
    revenue turnover demand production inventory stock staff cash water power business trade traffic access entry
     payment delivery admission parking smoking swimming fishing work money rent gas oil electricity heating milk
    bread
     flour wool cotton timber coal steel smoke noise dust rain snow ice fire service maintenance repair training
    travel
    equipment software data quality safety security attendance membership profit growth unemployment tourism rubbish
    waste refuse mail post public part half answers answer quarterly annual monthly weekly daily
    """.split()
)
_GERMAN = re.compile(
    r"\b(?:der|die|das|ist|sind|wird|wurde|wurden|und|nicht|ein|eine|einen|kein|keine|im|am|bei|vom"
    r"|zum|zur|für|hat|liefert"
    r"|beträgt|wiegt|mit|auf|steht|von|stets|als)\b"
)


_SURELY_GERMAN = re.compile(
    r"\b(?:der|das|den|dem|ist|sind|wird|wurde|und|nicht|ein|eine|einen|kein|keine|heisst|alle|im"
    r"|zum)\b"
)


@unique
class Sort(StrEnum):
    """How a thing is named."""

    NAME = "name"
    NUMBERED = "numbered"
    IDENTIFIER = "identifier"


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing a sentence names: the words of its name, or its noun and number."""

    sort: Sort
    words: frozenset[str]
    noun: str = ""

    def meets(self, other: "Thing") -> bool:
        """Tell whether two names may be one thing's."""
        if self.sort is not other.sort:
            return False
        if self.sort is Sort.NAME:
            return self.words <= other.words or other.words <= self.words
        return self.words == other.words and (self.noun == other.noun or not self.noun or not other.noun)

    def rivals(self, other: "Thing") -> bool:
        """Tell whether two names are of one sort and of two things."""
        return self.sort is other.sort and not self.meets(other) and (self.noun == other.noun or self.sort is Sort.NAME)


@dataclass(frozen=True, slots=True)
class Shared:
    """What two sentences name in common, and what each names alone."""

    both: tuple[Thing, ...]
    only_a: tuple[Thing, ...]
    only_b: tuple[Thing, ...]

    @property
    def apart(self) -> bool:
        """Whether both name things, and none in common."""
        return not self.both and bool(self.only_a) and bool(self.only_b)

    @property
    def rivals(self) -> bool:
        """Whether each names a thing of one sort that the other does not."""
        return any(a.rivals(b) for a in self.only_a for b in self.only_b)


def is_german(folded: str) -> bool:
    """Tell German by its closed words."""
    return (
        len(set(_GERMAN.findall(folded))) >= 2
        or _SURELY_GERMAN.search(folded) is not None
        or bool(
            re.search(r"[äöüß]", folded)
            and (_GERMAN.search(folded) or not re.search(r"\b(?:the|is|are|was|has|of|and|a|to|does)\b|s\b", folded))
        )
    )


def things(raw: str, folded: str, *, german: bool) -> tuple[tuple[Thing, ...], str]:
    """Return the things a sentence names, and its folded text with the numbers of things taken out."""
    found: dict[Thing, None] = {}

    def numbered(match: re.Match[str]) -> str:
        noun, number = match.group(1), match.group(2)
        if _COUNTS.match(folded, match.end()):  # "lifts 5 tonnes"
            return match.group()
        listed = noun in _NUMBERED_NOUNS or (noun.removesuffix("s") in _NUMBERED_NOUNS and noun not in _ALSO_VERBS)
        named = _VERB_BEHIND.match(folded, match.end()) or (
            folded[: match.start()] in ("", "the ", "our ") and _ANY_VERB.match(folded, match.end())
        )
        if not listed and not (number.isdigit() and _plain_noun(noun) and named):
            return match.group()
        lettered = not number[0].isdigit() and re.search(rf"(?i:{noun}) {number.upper()}(?![^\W_])", raw) is None
        if lettered or _is_day(match.group()):
            return match.group()
        found[Thing(Sort.NUMBERED, frozenset((number,)), noun.removesuffix("s"))] = None
        return noun

    def identifier(match: re.Match[str]) -> str:
        if _is_day(match.group()):
            return match.group()
        found[Thing(Sort.IDENTIFIER, frozenset((re.sub(r"[-_/]", "", match.group()),)))] = None
        return " "

    def han(match: re.Match[str]) -> str:
        number, noun = (match.group(1), match.group(2)) if match.group(1) else (match.group(4), match.group(3))
        found[Thing(Sort.NUMBERED, frozenset((_HAN_DIGITS.get(number, number),)))] = None
        return noun

    def hangul(match: re.Match[str]) -> str:
        found[Thing(Sort.NUMBERED, frozenset((match.group(2),)), match.group(1))] = None
        return match.group(1)

    rest = _IDENTIFIER.sub(identifier, _NUMBERED.sub(numbered, folded))
    if re.search(r"[가-힣]", folded):
        rest = _HANGUL_NUMBERED.sub(hangul, rest)
    elif re.search(r"[\u4e00-\u9fff]", folded):
        rest = _HAN_NUMBERED.sub(han, rest)
    elif not german:
        for name in _names(unicodedata.normalize("NFKC", raw)):
            found[Thing(Sort.NAME, name)] = None
    return tuple(found), rest


def shared_things(a: Iterable[Thing], b: Iterable[Thing]) -> Shared:
    """Part the things of two sentences into common and own ones."""
    first, second = tuple(a), tuple(b)
    both = tuple(x for x in first if any(x.meets(y) for y in second))
    only_a = tuple(x for x in first if x not in both)
    only_b = tuple(y for y in second if not any(x.meets(y) for x in first))
    return Shared(both, only_a, only_b)


_HAN_DIGITS = {han: str(n) for n, han in enumerate("一二三四五六七八九十", 1)}


_COUNTS = re.compile(
    r" (?:kg|g|t|m|km|cm|mm|l|ml|mb|gb|tb|tonnes?|tons?|kilos?|litres?|met(?:re|er)s?|miles?|feet|foot|inches|hours?"
    r"|days?|weeks?|months?|years?|minutes?|seconds?|percent|euros?|dollars?|pounds?|people|persons|times)\b"
)
_ALSO_VERBS = frozenset("lifts seats tests files trains houses orders claims lots stores ships tables plans".split())
_ANY_VERB = re.compile(r" [a-z]+(?:s|ed)\b")
_VERB_BEHIND = re.compile(r" (?:is|was|are|has|had|will|does|did|can|cannot|stands|runs|works|leaks|needs)\b")


def _plain_noun(word: str) -> bool:
    return word not in ENGLISH_STOP_WORDS and word not in IRREGULAR_VERBS and not word.endswith(("s", "ed"))


def _is_day(text: str) -> bool:
    return any(day != PartialDate() for day in calendar_dates(text))


def _names(raw: str) -> Iterable[frozenset[str]]:
    for match in _CAPITALS.finditer(raw):
        words = [fold(word).strip(".").removesuffix("'s").rstrip("'") for word in match.group().split()]
        first = match.start() == 0 or raw[: match.start()].rstrip()[-1:] in (".", "!", "?", ":", '"', "“", "")
        kept = [word for word in words if word and word not in _LIKE_NAMES_BUT_NOT and word not in _JOINING]
        if first and len(words) == 1 and not _starts_with_name(raw, match, words[0]):
            continue
        if first and kept and len(words) > 1 and words[0] in _LIKE_NAMES_BUT_NOT:
            kept = [word for word in words[1:] if word not in _LIKE_NAMES_BUT_NOT and word not in _JOINING]
        if len(kept) == 1 and len(words) > 1 and kept[0] in _NUMBERED_NOUNS:  # "Ward A"
            continue
        following = raw[match.end() : match.end() + 6]
        if kept and not (len(kept) == 1 and re.match(r" ?#?\d", following) and kept[0] in _NUMBERED_NOUNS):
            yield frozenset(word for word in kept if not any(c.isdigit() for c in word)) or frozenset(kept)


_PAST = "|".join(sorted(IRREGULAR_VERBS | {"left", "led", "saw", "lay"}))
_JOINING = frozenset("of de von van der la del & the".split())


def _starts_with_name(raw: str, match: re.Match[str], word: str) -> bool:
    """Tell a name that opens a sentence from a common noun: a bare singular before a verb."""
    if word in _LIKE_NAMES_BUT_NOT or match.group().endswith(("'s", "’s")):
        return word not in _LIKE_NAMES_BUT_NOT
    if word.endswith("s") and not word.endswith("ss") and not re.match(r" (?:is|was|has|does)\b", raw[match.end() :]):
        return bool(re.match(r" [a-z]+s\b(?! of)", raw[match.end() :]))  # "Aldous pays", not "Visitors pay"
    if word.endswith(("ing", "tion", "ment", "ness", "ity")):
        return False
    found = re.match(
        rf",? (?:[a-z]+(?:s|ed)|also|always|never|will|can|cannot|still|no longer|has|{_PAST})\b", raw[match.end() :]
    )
    return found is not None
