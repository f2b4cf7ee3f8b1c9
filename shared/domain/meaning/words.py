"""Words as the meaning judge compares them: roots, synonyms that name one thing, and words that carry no topic.

Rules: a root is good only for telling whether two sentences share a word. Words of one group count as one word.
             Neutral
words (degree, manner of telling, bare verbs) never make two sentences speak of different things.
It does not know opposites (opposites.py) nor grammar (reading.py).
Source: regular English and German inflection; groups chosen by us.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from shared.domain.stop_words import ENGLISH_STOP_WORDS

ROOT_MAX_CHARS = 7  # certificate meets certified, delivery meets deliver (chosen on the build half)

_IRREGULAR: Mapping[str, str] = MappingProxyType(
    dict(
        pair.split("=")
        for pair in """
        sent=send made=make bought=buy sold=sell left=leave came=come went=go gone=go gave=give given=give took=take
        taken=take got=get held=hold met=meet told=tell found=find paid=pay said=say wrote=write written=write
        began=begin begun=begin kept=keep built=build spent=spend lost=lose won=win ran=run
                drove=drive driven=drive flew=fly flown=fly drank=drink drunk=drink ate=eat eaten=eat
        spoke=speak spoken=speak knew=know known=know grew=grow
        grown=grow broke=break broken=break stood=stand lay=lie slept=sleep swam=swim rode=ride ridden=ride
        taught=teach
        thought=think caught=catch wore=wear worn=wear lent=lend dug=dig hung=hang sang=sing rang=ring saw=see
        seen=see
        chose=choose chosen=choose fell=fall fallen=fall rose=rise risen=rise led=lead fed=feed bore=bear born=bear
        children=child people=person men=man women=woman feet=foot teeth=tooth mice=mouse wives=wife lives=live
        leaves=leave owes=owe owing=owe dying=die died=die dead=die lying=lie bigger=big swum=swim
        """.split()
    )
)
_GROUPS = """
pay payment payer payable bill invoice money remittance remit wage
deliver delivery shipment consignment ship
staff employee worker employ personnel workforce headcount person crew
revenue sale turnover income takings
factory plant
weigh weight heavy
cost price charge fee
last run term duration length long
contain include contents ingredient hold
answer reply response respond
certify certificate certification
visit visitor guest
car vehicle auto
doctor physician
dwell live reside residence home house
job post position work
begin start commence
end finish expire
child kid
building house
permit licence license
total sum amount come
rate interest
owner own belong property
manage run lead head leader boss chief charge responsible responsibility handle
"""
_NEUTRAL = frozenset(
    """
     always chronically consistently constantly often usually habitually regularly generally normally typically
    notorious
     known still currently now presently today again already yet fully completely entirely wholly partly quite
    very really
     sharply strongly slightly considerably significantly greatly heavily steadily clearly officially formally
    finally
     definitely certainly indeed actually simply just only even ever also too well much many lot lots every each
    all whole
     any some several most make get take give keep remain stay become go come seem appear put let say state note
    report
     record show find according currently present time times way thing things bit kind sort fact moment number
    habitual
     firm company business supplier vendor customer client enterprise concern organisation organization item party
    side
     one two sole solely alone exactly precisely about around roughly approximately nearly almost over under
    within up
    total amount come cost figure have has be is are need use used reach able first currently respect respectively
     mr mrs ms dr miss sir held hold independent review single single-handedly frequently repeatedly invariably
    forever least more less fewer
     year round long far sure course please thank thanks yeah yes oh hey wow hi ok okay so good great really nice
    lovely
     ist sind war waren wird werden wurde wurden worden hat haben hatte der die das den dem des ein eine einen
    einem einer
    und im in am an auf bei mit von vom zu zum zur für es er sie stets ständig immer noch bereits schon sehr derzeit
    aktuell jetzt ganz völlig sich aus nach über als auch nur dass nie niemals nicht kein keine keinen keiner keinem
    """.split()
)
IRREGULAR_VERBS = frozenset(_IRREGULAR) - frozenset(
    "children people men women feet teeth mice wives lives leaves left dead dying lying bigger born "
    "given broken lay saw led".split()
)
_ENDINGS = ("ingly", "edly", "ments", "ment", "ings", "ying", "ing", "ied", "ies", "ely", "ily", "ed", "es", "ly", "s")
_DOUBLED = re.compile(r"([bdgklmnprtv])\1$")
_KEPT = frozenset(
    "business his its this always less press news bus gas plus yes us was has is as perhaps bring "
    "king lately timely reply supply apply family rely comply multiply imply assembly anomaly monopoly july belly "
    "times sure early only".split()
)


@lru_cache(maxsize=8192)
def plain_root(word: str) -> str:
    """Return a word without its regular endings."""
    if word in _KEPT or (not word.isalpha() and "-" not in word and "_" not in word):
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not (ending == "s" and word.endswith("ss")):
            word = word[: -len(ending)] + ("y" if ending in ("ied", "ies", "ying", "ily") else "")
            break
    while len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return _DOUBLED.sub(r"\1", word)


_GERMAN_DERIVED = re.compile(r"(?<=[a-zäöü]{3})ier(?:ungen|ung|te[nrms]?|t|en)$")


@lru_cache(maxsize=8192)
def root(word: str) -> str:
    """Return what stands for a word when two sentences are compared: its group's first word, else its cut root."""
    found = plain_root(_IRREGULAR.get(_GERMAN_DERIVED.sub("ier", word), _GERMAN_DERIVED.sub("ier", word)))
    return _GROUP_OF.get(found, found[:ROOT_MAX_CHARS])


def is_neutral(word: str) -> bool:
    """Tell whether a folded word says nothing of what a sentence is about."""
    return word in _NEUTRAL or word in ENGLISH_STOP_WORDS or plain_root(word) in _NEUTRAL_ROOTS


_GROUP_OF: dict[str, str] = {}
for _line in _GROUPS.strip().splitlines():
    _first, *_others = _line.split()
    for _word in (_first, *_others):
        _GROUP_OF.setdefault(plain_root(_word), plain_root(_first))
_NEUTRAL_ROOTS = frozenset(plain_root(word) for word in _NEUTRAL if len(word) > 3 and word.isascii())
