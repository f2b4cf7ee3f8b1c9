"""What the world rules out without an opposed word: who has none of a thing does not use it, what is gone does
nothing.

Rules: one side tells that a thing or its subject lacks something, is of a kind that excludes something, or is
             gone; the other side
tells, as a plain present fact of the same subject, what would need it. Each entry is one such pair of word lists.
It does not know subjects or times (judge.py); what it finds is less sure than an opposed word.
Source: everyday knowledge, chosen by us before the reporting half was run.
"""

import re
from collections.abc import Iterator

from shared.domain.meaning.reading import Sentence
from shared.domain.meaning.words import is_neutral, plain_root, root

# what one may have none of | what shows that one has it
_NEEDS = """
employee staff worker personnel | employee staff worker wage salary payroll team crew colleague apprentice foreman
customer client buyer | serve supply customer client buyer
child children kid offspring | son daughter child children kid baby toddler
brother sister sibling | brother sister twin sibling
wife husband spouse partner | wife husband spouse
dog cat pet animal | dog cat puppy kitten pet leash
car vehicle licence | drive drove car parked garage steering
gas | gas burner stove boiler
electricity power current mains socket | electric electricity lamp bulb plugged socket fridge mains
water tap plumbing | tap shower toilet sink bathtub plumbing
internet wifi broadband connection | internet wifi online stream website email broadband
phone telephone line | phone telephone call ring dial
railway rail train station track | train railway station platform tram locomotive
bus | bus
school | pupil teacher school lesson classroom headmaster headmistress
church chapel | congregation priest mass vicar sermon church
hospital clinic doctor surgery | patient hospital doctor nurse surgery ward
harbour port sea river lake coast water canal beach | ship ferry boat harbour quay dock beach fishing fleet sailor
airport airfield airstrip | flight plane runway airport airline
pool bath baths | swim swam swimmer pool lifeguard
library | librarian library borrow
lift elevator | lift elevator
cellar basement | cellar basement
upstairs floor storey stairs staircase step | upstairs stairs staircase lift
garden yard lawn | garden lawn flowerbed vegetable
bridge | bridge
bakery baker | baker bakery loaf
engine motor | engine motor fuel petrol diesel exhaust
radiator heating boiler stove | radiator heating boiler heated stove
computer screen | computer screen keyboard laptop
camera cctv | camera footage filmed photographed
guard watchman security | guard watchman patrol
debt loan mortgage | debt loan mortgage instalment repay owe
insurance insurer cover | insurer insured premium
degree diploma qualification | degree diploma graduated
website site | website webpage online
window | window pane
door gate | door gate
roof | roof
tree forest wood | tree forest orchard
theatre cinema | theatre cinema film audience stage
shop store market | shop shopkeeper grocer market stall
inn hotel guesthouse pub | hotel inn guest innkeeper
clock | clock chime strike hand
bell | bell ring rang chime
mayor council | mayor council
police constable | police constable officer
kitchen oven | kitchen cook oven chef
brake | brake
wheel tyre | wheel tyre
parking | parking parked
tax | tax
immigrant foreigner foreign | foreign abroad
night | night
"""
# what excludes | what it excludes
_KINDS = """
vegetarian vegan | meat beef pork steak chicken bacon ham sausage fish lamb salami burger
teetotal teetotaller abstainer | beer wine whisky gin vodka brandy cocktail drunk
blind | read watch saw see drive
deaf | hear listen
bachelor spinster unmarried | wife husband wedding spouse
only_child | brother sister sibling twin
lives_alone lived_alone lives_by_himself lives_by_herself | husband wife flatmate roommate lodger children family
orphan | mother father parent
childless | son daughter child children kid
non-smoker nonsmoker | smoke cigarette cigar pipe
electric battery batteries | diesel petrol gasoline exhaust carburettor fuel coal kerosene
diesel petrol | battery batteries charger recharge plugged
steam | diesel electric petrol battery
wooden wood timber | steel concrete iron brick
landlocked | harbour port coast beach ferry
uninhabited deserted abandoned | resident inhabitant family families villager
treeless | tree forest orchard
bungalow single-storey one-storey | upstairs stairs lift elevator
unemployed jobless retired pensioner | employer shift boss colleague
homeless | apartment flat house
bald | hair haircut
cannot_read | wrote write letter newspaper
cannot_walk | walk ran jog climb dance
cannot_see | read watch drive
cannot_hear | hear heard listen
cannot_speak | speech spoke sang sing
illiterate | read write wrote
insomniac | sleep
pedestrian-only car-free | car traffic lorry parking
cashless card-only | cash coin banknote
hand hand-made handmade manual | robot automatic machine computer
amateur volunteer unpaid | salary wage paid
vacant empty | tenant occupant resident
toddler infant baby newborn | university works drives married
windowless | window
toothless | teeth tooth
"""
# of each line one excludes the others, where it is told that there is only one
_ONE_OF = """
gas oil coal electric electricity battery batteries diesel petrol steam wind water wood hydrogen solar sunlight
             pellets horse
cash card cheque transfer coin
rail road sea air boat lorry truck train ferry
men women children
goat sheep cow pig horse chicken duck goose donkey alpaca bee rabbit cattle
tea coffee beer wine juice cocoa milk
piano violin cello guitar flute drum trumpet organ harp
wheat barley rye maize potato rice oats rapeseed
english french german spanish italian polish dutch mandarin cantonese korean japanese russian
email phone post fax letter courier
"""
_LACKS = re.compile(
    r"\b(?:no|without|lacks?|lacking|never (?:had|has|have|been|owned|seen|used)|does not have"
    r"|do not have|has not got|has never|have never"
    r"|not a single|not any|not connected|cut off from|devoid of)\b"
)
_GONE = re.compile(
    r"\b(?:burn(?:t|ed)? (?:down|to the ground)|demolished|torn down|pulled down|razed|scrapped"
    r"|dissolved|liquidated|wound up|bankrupt|went under"
    r"|ceased to exist|no longer exists?|does not exist|never (?:been )?built|died|is dead"
    r"|passed away|deceased|destroyed|collapsed|sank|was wrecked"
    r"|wreck(?:ed)?|melted down|shut (?:down |its doors )?for good|closed (?:down|for good"
    r"|permanently)|permanently closed|dismantled|written off"
    r"|was felled|felled|cut down|swept away|washed away|extinct|abolished|disbanded|was buried"
    r"|sold for scrap|beyond repair|stolen|vanished"
    r"|(?:has|have|had) (?:long )?(?:stood|lain|been|sat) (?:empty|idle|closed|vacant|abandoned"
    r"|unused|silent|dark|dry|derelict|shut|bare)|disused|derelict"
    r"|in ruins|filled in|paved over|torn up|taken apart|out of use|mothballed|was removed|taken down"
    r"|gone for good|ripped out|drained"
    r"|never (?:came|arrived|delivered|opened|started|finished|completed)|brannte [\w ]*nieder"
    r"|abgerissen|abgebrannt|zerstört|verschrottet|gestorben"
    r"|aufgelöst|stillgelegt)\b|烧毁|拆除|拆掉|倒闭|解散|去世|报废|关门大吉|철거|불타|폐업|사망|해산"
    r"|폐기|없어졌"
)
_RESTORED = re.compile(
    r"\b(?:was|were|has been|and) (?:rebuilt|restored|replaced|reopened|recovered|found)\b"
    r"|wieder aufgebaut(?! worden)|重建|재건"
)
_NOT_RESTORED = re.compile(
    r"\b(?:not|never|nie)\b[^,.;]{0,20}(?:rebuilt|restored|replaced|reopened|recovered|found"
    r"|aufgebaut)|没有重建|未重建|재건되지"
)
_ACTIVE = re.compile(
    r"\b(?:produces?|makes?|turns? out|employs?|serves?|runs?|works?|operates?|opens?|sells?|carries"
    r"|carry|delivers?|supplies|supply|teach(?:es)?"
    r"|lives?|sings?|plays?|cooks?|drives?|sleeps?|stands?|lies|draws?|attracts?|offers?|treats?"
    r"|grinds?|spins?|bakes?|prints?|pumps?|rings?"
    r"|crosses|cross|bears?|gives?|grows?|rolls?|pays?|welcomes?|hosts?|provides?|leads?|swims?"
    r"|feeds?|ships?|lights?|strikes?|shows?|uses?"
    r"|entsteh(?:t|en)|arbeite[nt]|produzier(?:t|en)|fähr(?:t|en)|fertigt|liefert|splash(?:es)?|buys?"
    r"|dines?|borrows?|visits?|walks?|graze[sd]?|swims?|is (?:open|in use|running|working|busy|full"
    r"|being|in service)"
    r"|(?:every|each) [a-z]+|daily|weekly|a day|a week|twice a|täglich)\b|每天|每年|每月|正在|매일"
    r"|매주|매년|하고 있|운영"
)
_ONLY = re.compile(
    r"\b(?:only|alone|solely|exclusively|nothing but|purely|entirely|just|all)\b|만 |뿐|只|仅|全部"
    r"|全靠|ausschliesslich|nur\b"
)
_WHOLE = re.compile(
    r"\b(?:never (?:once )?(?:left|been away|been abroad|travelled|lived anywhere|worked anywhere"
    r"|set foot)|without (?:a break|interruption|a gap|a pause)|all (?:his|her|their) life|ever since"
    r"|uninterrupted(?:ly)?|has always (?:lived|worked)|continuously|nowhere else)\b|从未离开"
    r"|从没离开|一直在|떠난 적이? 없|줄곧"
)
_ELSEWHERE = re.compile(
    r"\b(?:spent (?:all|most|the whole|half|a|\d|two|three|several)|(?:worked|lived|studied|served"
    r"|stayed|employed|moved) (?:\w+ ){0,3}(?:in|for|at|by|abroad|elsewhere|with)|abroad|a competitor"
    r"|another (?:company|town|city|country|firm)|returned (?:from|after)|grew up in|was employed)\b"
    r"|工作了|住了|生活了|出差|근무했|살았|일했"
)
_SINGLE = re.compile(
    r"\b(?:only (?:ever )?(?:had |has |have |got )?(?:one|a single|1)|(?:just|exactly) (?:one|1"
    r"|a single)|a single|sole|only) ([a-z]+)"
)
_SEVERAL = re.compile(
    r"\b(?:[2-9]|\d{2,}|several|many|dozens|hundreds|both|various|numerous) (?:[a-z]+ )?([a-z]+s"
    r"|people|children|men|women)\b|\beach .{3,40}\bown ([a-z]+)"
)
_SERVING = re.compile(
    r"\b(?:serves?|supplies|supply|delivers? to|sells? to|treats?|works? for|looks? after"
    r"|teach(?:es)?|employs?)\b"
)


def _any(words: str) -> re.Pattern[str]:
    forms = "|".join(re.escape(word.replace("_", " ")) for word in words.split())
    return re.compile(rf"(?<![^\W_])(?:{forms})(?:s|es|d|ed|ing)?(?![^\W_])")


def _lists(table: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return tuple(
        (_any(first), _any(second))
        for first, second in (line.split("|") for line in table.replace("\n  ", " ").strip().splitlines())
    )


_NEED_LISTS, _KIND_LISTS = _lists(_NEEDS), _lists(_KINDS)
_SOURCES = tuple(map(_any, _ONE_OF.strip().splitlines()))


def ruled_out(a: Sentence, b: Sentence) -> str | None:
    """Return why two sentences on one subject cannot both hold in the world as it is, or None."""
    return next(iter([*_one_way(a, b), *_one_way(b, a)]), None)


def _one_way(a: Sentence, b: Sentence) -> Iterator[str]:
    """Yield what `a` excludes and `b` tells."""
    positive = not _LACKS.search(b.text) and not b.negations
    gone = _GONE.search(a.text) and (not _RESTORED.search(a.text) or _NOT_RESTORED.search(a.text))
    if gone and _ACTIVE.search(b.text) and not _GONE.search(b.text) and not b.negations and not b.former:
        yield "what is gone does nothing now"
    if positive:
        yield from _lacking(a, b)
        yield from _of_a_kind(a, b)
        yield from _one_source(a, b)
    if _WHOLE.search(a.text) and _ELSEWHERE.search(b.text) and not _WHOLE.search(b.text):
        yield "without a break against a time elsewhere"
    single, several = _SINGLE.search(a.text), _SEVERAL.search(b.text)
    if (
        single
        and several
        and (
            plain_root(single.group(1)) in (plain_root(several.group(1) or ""), plain_root(several.group(2) or ""))
            or (_NEED_LISTS[1][0].fullmatch(single.group(1)) and _SERVING.search(b.text))
        )
    ):
        yield "one only against several"


def _of_a_kind(a: Sentence, b: Sentence) -> Iterator[str]:
    for kind, excluded in _KIND_LISTS:
        is_one, tells = kind.search(a.text), excluded.search(b.text)
        if (
            is_one
            and tells
            and (not a.negations or is_one.group().startswith("cannot"))
            and not kind.search(b.text)
            and not excluded.search(a.text)
        ):
            yield f"{is_one.group()} excludes {tells.group()}"


def _one_source(a: Sentence, b: Sentence) -> Iterator[str]:
    """Yield "runs on batteries alone" against another source."""
    if not _ONLY.search(a.text):
        return
    for sources in _SOURCES:
        mine, theirs = set(sources.findall(a.text)), set(sources.findall(b.text))
        if mine and theirs and not mine & theirs:
            yield f"only {min(mine)} against {min(theirs)}"


def _lacking(a: Sentence, b: Sentence) -> Iterator[str]:
    for match in _LACKS.finditer(a.text):
        if match.start() == 0:  # "No train was late" denies what follows, not the train
            continue
        after = " ".join(a.text[match.end() :].split()[:3])
        for needed, shows in _NEED_LISTS:
            lacks, tells = needed.search(after), shows.search(b.text)
            if lacks and tells:
                yield f"no {lacks.group()} against {tells.group()}"
        noun = next(
            (w for w in after.split() if root(w.strip(".,")) in b.frame and not is_neutral(w.strip(".,"))), None
        )
        if (
            noun is not None
            and not a.figures
            and match.group() in ("no", "lacks", "lack", "lacking", "not a single")
            and a.head & b.frame
        ):
            yield f"no {noun} against {noun}"
