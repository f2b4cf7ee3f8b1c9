"""Frames of health, people around the user, pets, projects, things and numbers; and of anything that "my X is".

Rules: as frames.py. The general frames at the end are tried last. It does not know dates (frames_dates.py).
Source: English possessives and verbs of keeping and naming.
"""

from shared.domain.extraction.frames import frame
from shared.domain.extraction.kinds import Kind
from shared.domain.extraction.people import KIN
from shared.domain.extraction.spans import Sort

_SPECIES = (
    r"(?P<x>dog|cat|rabbit|parrot|puppy|kitten|hamster|guinea pig|budgie|canary|cockatiel|tortoise|turtle|snake"
    r"|gecko|lizard"
    r"|horse|pony|ferret|rat|mouse|chinchilla|goldfish|fish|chicken|hen|goat|hedgehog|bird|donkey|duck|pig|sheep"
    r"|axolotl)"
)
_KEPT_THING = (
    r"(?P<x>(?:[\w'-]+ ){0,3}?(?:passport|injector|auto-?injector|epipen|epi-pen|inhaler|medication|medicine|pills"
    r"|first[- ]aid kit|documents?|papers"
    r"|will|testament|birth certificate|certificate|insurance papers|insurance card|id card|licence|license|spare "
    r"keys?|key|keys|safe"
    r"|fuse box|fire extinguisher|cash|emergency cash|jewellery|jewelry|backup|backups|recovery codes?|seed phrase"
    r"|toolbox|wallet"
    r"|charger|vaccination card|organ donor card|insulin|glucagon|contract|deed|stopcock|router|torch|flashlight"
    r"|manual))"
)
_IN = r"(?P<y>in|inside|under|behind|on|beneath|next to|at|above|below|by)"
_TAKES_BADLY = (
    r"(?:can not|can never|must not|must never|may not|should not|should never|am not allowed to|do not|will "
    r"never) (?:ever )?"
    r"(?:take|have|eat|touch|tolerate|be given|get|go near|wear|digest|handle|use)"
)
_REACTION = (
    r"allerg|react|intoleran|swell|rash|anaphyla|hives|itch|breathe|hospital|emergency|dangerous|deadly"
    r"|off limits|unwell|sick|doctor|kill|shock|die\b"
)

HEALTH = (
    frame(
        "slots.allergy",
        Sort.NOUNS,
        r"{S} {be} (?:[\w-]+ )?(?:allergic|intolerant|hypersensitive|oversensitive) (?:to )?{v}",
        r"{S} (?:{have}|suffer from|suffers from|developed|have developed|got) (?:a |an )?(?:[a-z]+ )?(?:allergy"
        r"|intolerance|sensitivity|allergic reaction) (?:to|against) {v}",
        r"{S} (?:{have}|suffer from|suffers from|developed|have developed) (?:a |an )?(?:severe |serious |bad "
        r"|strong |mild |life-threatening |nasty |known )*{vv} (?:allergy|intolerance)",
        r"{S} react(?:s)? (?:badly |violently |strongly |terribly |allergically |severely |very badly )*to {v}",
        r"{P} allerg(?:y|ies) {be} (?:to )?{v}",
        r"{vv} (?:gives?|give) me (?:hives|a rash|an allergic reaction|anaphylaxis|an anaphylactic shock)",
        r"{vv} {be} (?:strictly |completely |absolutely |totally )?(?:off limits|forbidden|taboo|poison|deadly"
        r"|dangerous|lethal|toxic|out of bounds) (?:for|to) me",
        r"{vv} (?:can|could|would|will|might) (?:kill|hospitali[sz]e) me",
        r"{vv} (?:sends?|puts?|lands?|has put|once put) me (?:to|in|into) (?:the )?(?:hospital|er|a&e|emergency "
        r"room|intensive care|anaphylactic shock|shock)",
        r"(?:keep|stay) (?:me )?(?:away|clear) (?:from|of) {v}",
        any_mood=True,
    ),
    frame(
        "slots.allergy",
        Sort.NOUNS,
        rf"{{S}} {_TAKES_BADLY} {{v}}",
        says="{S} can not take {v}: allergic or intolerant to it.",
        needs=_REACTION,
        any_mood=True,
    ),
    frame(
        "slots.allergy",
        Kind.DRUG,
        rf"{{S}} {_TAKES_BADLY} {{v}}",
        says="{S} can not take {v}, a medicine.",
        any_mood=True,
    ),
    frame(
        "slots.allergy",
        Kind.DRUG,
        r"{S} {be} (?:[\w-]+ )?(?:allergic|intolerant|hypersensitive) to {v}",
        r"{S} {have} (?:a |an )?(?:[a-z]+ )?(?:allergy|reaction) to {v}",
        r"{S} react(?:s)? (?:[a-z]+ )?to {v}",
        says="{S} can not take {v}, a medicine: allergic to it.",
        any_mood=True,
    ),
    frame(
        "slots.allergy",
        Sort.NOUNS,
        r"(?P<s>my) skin (?:does not|can not|will not|never) (?:tolerate|stand|take|handle|like) {v}",
        r"(?P<s>my) skin (?:reacts|breaks out|flares up|swells|itches|swells up)(?: badly| at once)? (?:to|from|at"
        r"|with|when it touches|when i touch) {v}",
        r"{vv} (?:makes?|irritates?) (?P<s>my) skin",
        r"{S} (?:breaks? out|comes? out|erupts?) in [\w ]+? (?:from|because of|with) {v}",
        r"{vv} makes? me (?:swell|itch|break out|come out in)",
        r"{S} swells? (?:up )?(?:at once )?(?:from|because of) {v}",
        r"contact with {vv} (?:makes|gives|causes|leaves|sets)",
        says="{P} skin does not tolerate {v}: a contact allergy.",
        any_mood=True,
    ),
    frame(
        "slot.blood_type",
        Kind.BLOOD,
        r".*?\b(?:blood|donor|type|group|rhesus|transfusion)\b.*?(?P<v>\b(?:AB|A|B|O|0)[ -]?(?:Rh ?)?(?:positive"
        r"|negative|pos|neg|\+|-).*)",
        r"{S} {be} {v}(?= blood)",
    ),
    frame(
        "slots.medication",
        Kind.DRUG,
        r"{S} (?:{be} (?:on|taking|prescribed|dependent on)|(?:have |has )?(?:take|takes|need|needs|use|uses"
        r"|inject|injects|swallow|started|started taking|been taking|been put on|been on|been prescribed|was put "
        r"on|was prescribed|depend on|depends on|rely on)) "
        r"(?:[\w ]{1,20}? (?:of|called) )?(?:my (?:daily )?)?{v}",
        r"{P} (?:daily |regular |morning |evening |heart |thyroid )*(?:medication|medicine|meds|prescription|pill"
        r"|tablet|drug|treatment) {be} (?:called )?{v}",
        r"(?:my|the) doctor (?:put|has put|keeps|started) me on {v}",
        says="{S} takes {v} {r}, a medication.",
        never=r"\ballerg",
    ),
    frame(
        "slots.condition",
        Kind.CONDITION,
        r"{S} (?:{have}|suffer from|suffers from|live with|lives with|{be} living with|struggle with|{be} affected "
        r"by|{be} dealing with|have had|has had|was born with|have been living with) (?:a case of |severe |mild "
        r"|chronic |bad )*{v}",
        r"{S} (?:was|were|have been|has been|got|{be}) diagnosed (?:with|as having) {v}",
        r"(?:they|doctors|my doctor|the doctors?) (?:have |has )?diagnosed me with {v}",
        r"{P} (?:diagnosis|condition|illness|disease|chronic illness) {be} {v}",
    ),
    frame(
        "slot.emergency_contact",
        Sort.PERSON,
        r"(?:in (?:an|any|case of an|case of) emergency|in an accident|if (?:anything|something) (?:ever "
        r")?happens(?: to me)?|if i (?:collapse|faint|have an accident)|should anything happen(?: to me)?)"
        r",? (?:please )?(?:call|phone|ring|contact|notify|reach|inform|alert|get hold of|you should call|the "
        r"person to call is|it is) (?:my \w+ )?{v}",
        r"{vv} {be} (?:my|the) (?:emergency contact|person to (?:call|contact) in an emergency|one to call in an "
        r"emergency|first person to call)",
        r"(?:please )?(?:call|phone|ring|contact|notify) {vv} (?:if (?:anything|something) happens|in (?:an|any) "
        r"emergency|in case of (?:an )?emergency)",
        any_mood=True,
    ),
    frame(
        "slot.doctor",
        Sort.PERSON,
        r"(?:i|we) (?:see|go to|visit|consult|call on|call|turn to) {vv} (?:when|if|whenever) i (?:am|feel|fall"
        r"|get) (?:ill|sick|unwell|poorly)",
        r"(?:when|if|whenever) i (?:am|feel|fall|get) (?:ill|sick|unwell|poorly),? i (?:see|go to|visit|consult"
        r"|call|turn to) {v}",
        r"{vv} {be} (?:my|our) (?:doctor|gp|family doctor|physician|general practitioner)",
        r"{vv} (?:looks after|treats|takes care of|sees) (?:me|my health)(?: (?:when|if|whenever|as) .*)?$",
        any_mood=True,
    ),
    frame(
        "slot.holder.{x}",
        Sort.PERSON,
        r"{vv} (?:has|keeps|holds|is keeping|is holding|looks after|is looking after|have|stores|guards) (?:a copy "
        r"of |a set of )?(?:my|our|the) (?P<x>(?:[\w-]+ ){0,2}(?:keys?|spare|passport|documents|will|code|codes"
        r"|papers|car|bike))",
        r"(?:my|our|the) (?P<x>(?:[\w-]+ ){0,2}keys?) (?:{be} with|{be} kept by|{be} held by|lives? with|{be} at"
        r"|stays? with) {v}",
        r"(?:i|we) (?:gave|have given|left|have left|entrusted) (?:a copy of )?(?:my|our|the) (?P<x>(?:[\w-]+ "
        r"){0,2}keys?) (?:to|with) {v}",
        r"(?:i|we) (?:gave|have given|handed) {vv} (?:a copy of )?(?:my|our|the) (?P<x>(?:[\w-]+ ){0,2}keys?)",
        says="{v} has {P} {x}.",
    ),
    frame(
        "slot.place.{x}",
        Sort.NOUNS,
        rf"(?:my|our|the) {_KEPT_THING} (?:{{be}} |lies |lie |sits |sit |lives |live |hangs |stays |stay |can be "
        rf"found |rests )(?:kept |stored |hidden |stashed |tucked (?:away )?|always |locked (?:away )?|safe |down "
        rf"|packed )*{_IN} {{v}}",
        rf"(?:i|we) (?:have )?(?:keep|kept|store|stored|hide|hid|hidden|put|stash|stashed|carry|leave|left|tucked"
        rf"|locked|always keep) (?:my|our|the|an?) {_KEPT_THING} (?:away )?(?:for [\w ]+? )?{_IN} {{v}}",
        rf"(?:you (?:will|can) )?find (?:my|our|the) {_KEPT_THING} {_IN} {{v}}",
        says="{P} {x} is {y} the {v}.",
        never=r"\b(?:just put|a moment ago)\b",
        any_mood=True,
    ),
)

PEOPLE_AND_PETS = (
    frame(
        "slot.pet.{x}",
        Sort.NAME,
        rf"(?:my|our) (?:[\w-]+ )?{_SPECIES} (?:{{be}} (?:called|named)|goes by|answers to|listens to|has the name"
        rf"|,) (?:the name )?(?:of )?{{v}}",
        rf"(?:my|our) {_SPECIES}'s name {{be}} {{v}}",
        rf"(?:i|we) (?:{{have}}|adopted|got|bought|share my (?:home|flat) with|live with|take care of|have "
        rf"adopted) (?:a |an |my |our )(?:[\w-]+ )?{_SPECIES}(?: called| named| whose name is| by the name of|,) "
        rf"{{v}}",
        rf"{{vv}} {{be}} (?:my|our) (?:[\w-]+ )?{_SPECIES}\b",
        rf"(?:my|our) {_SPECIES} {{v}}",
        rf"(?:my|our) {_SPECIES} {{be}} {{v}}",
        says="{P} {x} is called {v}.",
    ),
    frame(
        "slot.side_project",
        Sort.NAME,
        r"(?:my|our) (?:new )?(?:side|pet|hobby|weekend|personal)[ -]project (?P<o>[\w'-]+) (?:{be}|was|has been"
        r"|got) (?:called|named|renamed|rebranded|rechristened|known as)(?: to| as| into)? {v}",
        r"(?:i|we) (?:have |am |are )?(?:start(?:ed|ing)?|working on|work on|worked on|have|build(?:ing)?"
        r"|run(?:ning)?|began|begun|launched|named|tinkering with|tinker with) (?:on )?(?:a|my|our|the) (?:new "
        r"|little |small )?(?:side|pet|hobby|weekend|personal|open[- ]source)[ -]project,? (?:is |that is |which "
        r"is |which i )?(?:called|named|call|by the name of)? ?{v}",
        r"(?:my|our|the) (?:new |little )?(?:side|pet|hobby|weekend|personal)[ -]project (?:{be} |goes by |has "
        r"|carries |bears |was |got )?(?:now )?(?:called|named|renamed(?: from {o})?(?: to| into| as)?|the name"
        r"|titled|is|to)? ?(?:of )?{v}",
        r"(?:i|we) (?:have )?(?:renamed|rechristened|rebranded) (?:my|our|the) (?:side|pet|hobby|weekend)?[ "
        r"-]?project (?:from {o} )?(?:to|into|as)? ?{v}",
        r"{vv} {be} (?:the (?:new )?name of )?(?:my|our) (?:new )?(?:side|pet|hobby|weekend)[ -]project",
        r"{vv},? (?:as )?(?:my|our) (?:side|pet|hobby|weekend)[ -]project",
    ),
    frame(
        "slot.status.{x}",
        Kind.STAGE,
        r"(?:the )?(?:state|stage|status|phase) of {x} (?:{be}|changed to|moved to) (?:in |at )?{v}",
        r"(?:the )?(?:project )?(?!(?:state|stage|status|phase) of )(?P<x>(?:[\w'-]+ ){0,2}?[\w'-]+) (?:{be}|has"
        r"|have) (?:\w+ )?(?:at|in|into"
        r"|entering|entered|reached|hit|moved|gone|been|on|past)? ?(?:the )?(?:stage|state|phase|status)? ?(?:of "
        r")?(?:in |at |to |into )?{v}",
        r"{x}'s (?:state|stage|status|phase) (?:{be}|changed to) {v}",
        r"(?:the )?(?:project )?{x} (?:went|moved|has moved|has gone|jumped|progressed|advanced|passed|changed"
        r"|graduated|switched|slid) (?:on |over |straight )?(?:from {o} )?(?:to|into) {v}",
        r"(?:the )?(?:project )?{x} (?:reached|entered|hit|made it (?:in)?to|went into|moved into|arrived (?:at"
        r"|in)|got to|started|began) (?:the )?(?:stage of )?{v}",
        r"(?:i|we) (?:have )?(?:moved|pushed|brought|put|took|shipped|taken|got|promoted|released|launched) {x} "
        r"(?:from {o} )?(?:in|to|into) {v}",
        says="The project {x} is at the stage of {v}.",
    ),
    frame(
        "slot.role_of.{x}",
        Sort.PERSON,
        r"{S} (?:now )?(?:report|answer)s? (?:directly )?to {v}",
        says="{P} manager is {v}.",
    ),
    frame(
        "slot.{x}",
        Sort.PERSON,
        r"(?:my|our|the) (?:new |current )?(?P<x>(?:tech |team |line |project |product |qa )?(?:{staff})) (?:on "
        r"(?:my|our|the) team |at work |at the office )?(?:{be}|{be} called|{be} named|goes by|became|has become) "
        r"{v}",
        r"{vv} {be} (?:now )?(?:my|our|the) (?:new |current )?(?P<x>(?:tech |team |line |project |product |qa "
        r")?(?:{staff}))\b(?!'s)",
        r"{vv} (?:has |have )?(?:replaced|replaces|succeeded|succeeds|taken over from|took over from|takes over "
        r"from|followed|follows|stepped in for|steps in for) {o} as (?:my |our |the )?(?:new )?(?P<x>(?:tech |team "
        r"|line )?(?:{staff}))",
        r"{vv} (?:has |have )?(?:takes?|took|taken|took over|takes over|taken over|fills?|filled|gets?|got|steps? "
        r"into|stepped into|moves? into|assumes?|sits? in|occupies|joined|joins|started|starts|steps in|stepped in"
        r"|works|{be} working|took over|acts) (?:over |up |on )?(?:(?:the |my |our )?(?:team |staff )?)?(?:as |in "
        r")?(?:the |my |our |a )?(?:new )?(?P<x>(?:tech |team |line )?(?:{staff}))\b",
        r"as (?:my |our |the )?(?P<x>(?:tech |team |line )?(?:{staff})) (?:i|we) (?:now )?(?:have|turn to|work "
        r"with|got|go to|rely on|ask|trust) (?:to )?{v}",
        r"(?:i|we) (?:have )?(?:got|have|hired|welcomed|found|have hired) {vv} as (?:my |our |the )?(?:new "
        r")?(?P<x>(?:tech |team |line )?(?:{staff}))",
        r"(?:i|we) (?:have )?(?:got|have) (?:a )?new (?P<x>(?:tech |team |line )?(?:{staff})),? (?:called |named )?{v}",
        r"(?:i|we) now work with {vv} as (?:my |our )?(?P<x>(?:tech |team |line )?(?:{staff}))",
        says="{P} {x} is {v}.",
        never=r"\bsay|told\b",
    ),
    frame(
        "slot.name",
        Sort.PERSON,
        rf"(?P<s>my (?:[a-z]+ )?{KIN}) {{be}} (?:called |named )?{{v}}",
        says="{P} name is {v}.",
    ),
)
