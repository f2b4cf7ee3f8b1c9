"""Words of the world that say by themselves what they are: a programming language, a drink, a diet, a stage.

Rules: each class is a list of everyday members, spelled as they are usually written; one member may stand with a
trailing plural. A word that is a common English word beside ("go", "c", "swift", "word") counts only with a capital.
No person, place or firm is listed: those are told by grammar (spans.py).
It does not know slots.
Source: general knowledge of the fields named.
"""

import re
from collections.abc import Mapping
from enum import StrEnum, unique
from types import MappingProxyType

from shared.domain.extraction import kinds_food, kinds_health, kinds_places


@unique
class Kind(StrEnum):
    """What a value is."""

    CODE = "programming language"
    EDITOR = "editor"
    DRINK = "drink"
    DIET = "diet"
    DISH = "dish"
    MUSIC = "music"
    TONGUE = "language"
    DRUG = "drug"
    ALLERGEN = "allergen"
    CONDITION = "condition"
    BLOOD = "blood type"
    CAR = "car"
    STAGE = "stage"
    TRANSPORT = "transport"
    SPECIES = "species"
    CITY = "city"


_CODE = """
Python; Rust; Kotlin; Scala; Elixir; TypeScript; JavaScript; Haskell; Clojure; Swift; Ruby; Java; Go; Golang; C;
C++; C#; F#; Perl; PHP; R; Julia; Erlang; OCaml; Lua; Dart; Zig; Nim; Groovy; COBOL; Fortran; Ada; Lisp; Scheme;
Racket; Prolog; MATLAB; SQL; Bash; PowerShell; Visual Basic; Delphi; Pascal; Objective-C; Assembly; Solidity;
Crystal; Elm; PureScript; ReScript; CoffeeScript; Smalltalk; ABAP; Apex; VHDL; Verilog; Gleam; Mojo
"""
_EDITOR = """
Vim; Neovim; Emacs; Zed; Helix; PyCharm; Sublime; Sublime Text; Kakoune; VS Code; VSCode; Visual Studio Code;
Visual Studio; IntelliJ; IntelliJ IDEA; WebStorm; CLion; GoLand; RubyMine; PhpStorm; Rider; Eclipse; NetBeans;
Xcode; Android Studio; Atom; Nano; Notepad++; TextMate; BBEdit; Kate; Geany; Spyder; RStudio; Cursor; Lapce; Nova;
Micro; Fleet; Spacemacs; Doom Emacs
"""
_MUSIC = """
bossa nova; shoegaze; bebop; bluegrass; fado; krautrock; techno; ska; jazz; blues; rock; metal; heavy metal; death
metal; black metal; punk; hip hop; hip-hop; rap; trap; drill; house; deep house; trance; ambient; drum and bass;
dubstep; reggae; reggaeton; dub; salsa; samba; tango; flamenco; folk; country; soul; funk; disco; gospel; opera;
classical; classical music; baroque; chamber music; indie; indie rock; indie pop; pop; k-pop; j-pop; synthwave;
synthpop; new wave; grunge; emo; hardcore; swing; big band; free jazz; fusion; afrobeat; afrobeats; cumbia;
bachata; merengue; klezmer; polka; chanson; schlager; lo-fi; lofi; vaporwave; post-rock; post-punk; prog rock;
progressive rock; psychedelic rock; trip hop; r&b; rnb; motown; rockabilly; americana; celtic music; zydeco;
highlife; rai; qawwali; cantopop; city pop; minimal; electro; electronic music; grime; garage; jungle; doom
metal; stoner rock; surf rock
"""
_TONGUE = """
English; French; Korean; Portuguese; Arabic; Norwegian; Turkish; Polish; Japanese; Swahili; Greek; German;
Spanish; Italian; Dutch; Swedish; Danish; Finnish; Icelandic; Russian; Ukrainian; Czech; Slovak; Hungarian;
Romanian; Bulgarian; Serbian; Croatian; Bosnian; Slovenian; Albanian; Macedonian; Estonian; Latvian; Lithuanian;
Hebrew; Persian; Farsi; Urdu; Hindi; Bengali; Punjabi; Gujarati; Tamil; Telugu; Marathi; Kannada; Malayalam;
Nepali; Sinhala; Thai; Lao; Khmer; Vietnamese; Indonesian; Malay; Tagalog; Filipino; Chinese; Mandarin; Cantonese;
Mongolian; Kazakh; Uzbek; Georgian; Armenian; Azerbaijani; Kurdish; Pashto; Amharic; Somali; Yoruba; Igbo; Hausa;
Zulu; Xhosa; Afrikaans; Irish; Welsh; Scottish Gaelic; Gaelic; Breton; Basque; Catalan; Galician; Maltese;
Luxembourgish; Esperanto; Latin; Yiddish; Quechua; Guarani; Maori; Hawaiian; Tibetan; Burmese; Twi; Wolof;
Lingala; Sign Language; BSL; ASL
"""
_CAR = """
Skoda; Honda; Fiat; Toyota; Volvo; Mazda; Renault; Citroen; Citroën; Peugeot; Volkswagen; VW; Audi; BMW; Mercedes;
Mercedes-Benz; Opel; Vauxhall; Ford; Chevrolet; Tesla; Nissan; Hyundai; Kia; Subaru; Suzuki; Mitsubishi; Lexus;
Jeep; Mini; Porsche; Ferrari; Lancia; Alfa Romeo; Seat; Cupra; Dacia; Saab; Jaguar; Land Rover; Range Rover;
Polestar; BYD; Smart; Lada; Chrysler; Dodge; Cadillac; Buick; GMC; Acura; Infiniti; Genesis; Rivian; Lucid; MG;
Isuzu; Vespa; Yamaha; Kawasaki; Ducati; Harley-Davidson; Harley; Triumph; Piaggio
"""
_STAGE = """
prototype; prototyping; alpha; private alpha; public alpha; beta; private beta; public beta; closed beta; open
beta; code freeze; feature freeze; production; shelved; concept; discovery; planning; design; development;
testing; QA; staging; review; code review; user testing; pilot; MVP; proof of concept; early access; release
candidate; general availability; GA; launched; live; released; shipped; maintenance; deprecated; cancelled;
canceled; archived; on hold; paused; frozen; abandoned; sunset; retired; rollout; soft launch; launch; beta
testing; stealth
"""
_TRANSPORT = """
tram; bicycle; bike; ferry; scooter; metro; bus; train; car; subway; underground; tube; taxi; motorbike;
motorcycle; moped; e-bike; cable car; streetcar; boat; shuttle; carpool
"""
_SPECIES = """
dog; cat; rabbit; parrot; puppy; kitten; hamster; guinea pig; budgie; canary; cockatiel; tortoise; turtle; snake;
gecko; lizard; horse; pony; ferret; rat; mouse; chinchilla; goldfish; fish; chicken; hen; goat; hedgehog; bird;
bearded dragon; iguana; donkey; duck; pig; sheep; tarantula; axolotl
"""
_CAPITAL_ONLY = frozenset(
    "go c r swift crystal julia ruby rust dart lisp scheme elm apex ada atom nano kate nova micro fleet cursor "
    "helix seat "
    "mini smart polish basque latin triumph eclipse rider scala nim jaguar mojo spyder assembly dodge lucid".split()
)

MEMBERS: Mapping[Kind, tuple[str, ...]] = MappingProxyType(
    {
        kind: tuple(" ".join(member.split()) for member in text.split(";"))
        for kind, text in {
            Kind.CODE: _CODE,
            Kind.EDITOR: _EDITOR,
            Kind.DRINK: kinds_food.DRINK,
            Kind.DIET: kinds_food.DIET,
            Kind.DISH: kinds_food.DISH,
            Kind.MUSIC: _MUSIC,
            Kind.TONGUE: _TONGUE,
            Kind.DRUG: kinds_health.DRUG,
            Kind.ALLERGEN: kinds_health.ALLERGEN,
            Kind.CONDITION: kinds_health.CONDITION,
            Kind.CAR: _CAR,
            Kind.STAGE: _STAGE,
            Kind.TRANSPORT: _TRANSPORT,
            Kind.SPECIES: _SPECIES,
            Kind.CITY: kinds_places.CITY,
        }.items()
    }
)


def _pattern(kind: Kind) -> re.Pattern[str]:
    members = sorted({member.strip() for member in MEMBERS[kind]}, key=len, reverse=True)
    free = "|".join(re.escape(member) for member in members if member.lower() not in _CAPITAL_ONLY)
    strict = "|".join(re.escape(member) for member in members if member.lower() in _CAPITAL_ONLY)
    tail = r"(?: [A-Z][\w-]*| [A-Z]?\d[\w-]*){0,2}" if kind is Kind.CAR else ""
    if kind in (Kind.CITY, Kind.TONGUE):  # names: only with a capital
        free, strict = "(?!)", f"{free}|{strict}" if strict else free
    inner = f"(?i:{free})" + (f"|{strict}" if strict else "")
    return re.compile(rf"(?<![\w-])(?:{inner}){tail}(?:s|es)?(?![\w+#-])")


_BLOOD = r"(?:AB|A|B|O|0)[ -]?(?:Rh(?:esus)?[ -]?)?(?:positive|negative|pos|neg|\+|-|−)(?![\w])"
PATTERNS: Mapping[Kind, re.Pattern[str]] = MappingProxyType(
    {kind: _pattern(kind) for kind in MEMBERS} | {Kind.BLOOD: re.compile(rf"(?<!\w){_BLOOD}")}
)


def kinds_of(value: str) -> frozenset[Kind]:
    """Return the classes that a whole value is a member of; that of cities aside, whose names people and firms bear."""
    return frozenset(kind for kind, pattern in PATTERNS.items() if kind is not Kind.CITY and pattern.fullmatch(value))
