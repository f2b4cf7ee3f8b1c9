"""Frames of name, home, work and what a person is.

Rules: as frames.py. States stand in the present, changes in the past. It does not know classes of words (topics.py).
Source: English verbs of living, moving, working and being called.
"""

from shared.domain.extraction.frames import frame
from shared.domain.extraction.kinds import Kind
from shared.domain.extraction.spans import Sort

_HOME = r"(?:home|place|flat|apartment|house|room|studio|loft|cottage|houseboat)"
_THINGS_AT_HOME = (
    r"(?:address|letterbox|mailbox|post ?box|front door|doorbell|doormat|bed|main residence|residence|keys?|house "
    r"keys?|sofa"
    r"|boxes|moving boxes|suitcases|furniture|belongings|stuff|things|books|cat|nameplate|registration|lease"
    r"|rental contract)"
)
_ARRIVED = (
    r"(?:{be}|sits?|stands?|lies?|hangs?|(?:have |has )?arrived|(?:have |has )?landed|{be} unpacked|went|moved"
    r"|(?:have |has )?gone"
    r"|turns?|opens?|runs?|got delivered|(?:was|were) delivered)"
)
_JOB = r"(?:job|position|role|post|gig|contract|place|employment|career|chapter|adventure)"

NAME_AND_HOME = (
    frame(
        "slot.name",
        Sort.PERSON,
        r"{P} (?:full |first |given |real )?name {be} {v}",
        r"(?:please |you (?:can|may) )?call me {v}",
        r"(?:people|friends|everyone|everybody|they|most people) calls? me {v}",
        r"{S} (?:{be} called|{be} named|go by|goes by|go by the name of|answer to) (?:the name of )?{v}",
        r"the name {be} {v}",
        r"{v} (?:here|speaking)$",
        never=r"\b(?:project|dog|cat|company|it is (?:fine|ok))\b",
        any_mood=True,
    ),
    frame(
        "slot.name",
        Sort.PERSON,
        r"i am {v}$",
        needs=r"\b(?:hi|hello|hey|nice to meet|pleased|introduce|name|new here)\b",
    ),
    frame(
        "slot.name",
        Sort.PERSON,
        r"i am {v}$",
        needs=r"^\W*(?:so |well |and |hi |hello |hey )?,?\s*i am [\w'-]+(?: [A-Z][\w'-]+)?[.!,]?(?: (?:nice"
        r"|pleased|good|glad)\b.*)?$",
    ),
    frame(
        "slot.name",
        Sort.PERSON,
        r"(?:this|it) is {v}(?= speaking| here|$)",
        never=r"\b(?:my|our|was|used to"
        r"|not)\b",
    ),
    frame(
        "slot.residence",
        Sort.PLACE,
        rf"{{S}} (?:(?:{{be}} )?(?:live|lives|living|reside|resides|residing|based|settled|domiciled|registered|at "
        rf"home)|{{have}} (?:a|my|our|her|his|their)"
        rf" (?:[\w-]+ )?{_HOME}|rent|rents|{{be}} renting|{{be}} home) (?:(?:a|my|our|her|his|their) [\w -]+? "
        rf")?(?:(?:here|there|over|down|up|right|together|alone) )?(?:in|at|near) {{v}}",
        r"{S} (?:have|has) (?:lived|been living|been based|resided) (?:(?:here|down|up|over|out) )?in {v}",
        r"{S} (?:have |has )?(?:moved|relocated|emigrated|immigrated|resettled|transplanted|shifted) (?:(?:myself"
        r"|ourselves|house|home|back|over|down|up|out|all the way|away|with [\w ]+?) )*"
        r"(?:from {o} )?(?:to|in|into|out to) {v}",
        r"{S} (?:have |has )?(?:settled|settled down|settled in|put down roots|made (?:my|our|a) home|set up home"
        r"|taken up residence|took up residence|ended up|landed) (?:down |up )?in {v}",
        r"(?:my )?home (?:for me|for us)? ?{be} (?:in )?{v}",
        r"{vv} {be} home(?: to me)?$",
        r"{S} {be} (?:a |an )?(?:[\w-]+ )?(?:resident|inhabitant|citizen|local) (?:of|in) {v}",
        rf"{{P}} (?:new )?{_HOME} {{be}} (?:in |at )?{{v}}",
        rf"{{P}} (?:new )?{_HOME} (?:here |over |down )?in {{v}}",
        r"{P} address {be} (?:in )?{v}",
        rf"(?:my|our|all (?:of )?my|all (?:of )?our|the last of my) (?:new )?(?:[\w-]+ )?{_THINGS_AT_HOME} "
        rf"{_ARRIVED} (?:to |all )*(?:in|at|into|for|to) {{v}}",
        r"{vv} {be} (?:my|our) (?:home|new home|home base|base|city|new city|address)\b(?! ?town)",
        r"{vv} {be} (?:where|the (?:city|town|place|village) where) (?:i|we) (?:live|{be} based|call home|sleep"
        r"|wake up|{be} at home)",
        r"{vv} {be} (?:the place |the city |what )?(?:i|we) call home",
        r"(?:i|we) (?:have )?(?:call|called|made|make) {vv} (?:my |our )?(?:new )?home",
        r"(?:living|life|home life|being) (?:here )?in {vv} (?:suits?|treats?|agrees|{be}|has|feels|keeps?|does)",
        r"(?:i|we) (?:have )?(?:unpacked|registered|signed (?:a|the|my|our) (?:lease|tenancy|contract|rental "
        r"contract)|got the keys?|picked up the keys?|collected the keys?)"
        r" (?:[\w ]+? )?(?:in|at|for a [\w ]+? in|to (?:a|my|our|the) [\w ]+? in) {v}",
        r"{S} (?:come|comes|go|goes|get|gets|head|heads) home to {v}",
        r"{S} (?:have |has )?traded [\w' -]+? for (?:a [\w ]+? in )?{v}",
        never=r"\b(?:office|meeting|desk|team|visit\w*|trip|holiday|vacation|hotel|airport|conference)\b",
    ),
    frame(
        "slot.residence",
        Sort.PLACE,
        r"{S} {be} (?:(?:at home|home|living|here|back) )*(?:in|to) {v}",
        r"{S} (?:have |has )?(?:returned|come back|came back|went back|gone back|moved back) (?:home )?to {v}",
        r"{S} (?:woke|wake|have woken|fell asleep|sleep) (?:up )?(?:at home )?in {v}",
        needs=r"\b(?:for good|after all|permanently|home|from now on|these days|my own|no longer|not for me|keys"
        r"|moved|flat"
        r"|apartment|house|left|boxes|unpacked)\b",
        never=r"\b(?:office|visit\w*|trip|holiday|vacation|hotel|airport|conference|weekend)\b",
    ),
)

WORK = (
    frame(
        "slot.employer",
        Sort.FIRM,
        r"{S} (?:(?:have |has )?(?:work|works|{be} working|worked)|{be} (?:employed|on staff|on the payroll|under "
        r"contract|a contractor|contracting)|{have} (?:a|my) (?:[\w-]+ )?(?:job|position|desk))"
        r" (?:[\w -]+? )?(?:at|for|with|by) {v}",
        rf"{{S}} (?:have |has )?(?:started|start|begun|began|got|landed|taken|took|accepted|found|signed|secured"
        rf"|have) (?:on |a |an |my |the )*(?:new )?(?:[\w-]+ )?(?:{_JOB}|work|working|out)? ?(?:at|with|for|over "
        rf"at) {{v}}",
        r"{S} (?:have |has )?(?:joined|signed on with|signed with|gone over to|went over to|moved over to|switched "
        r"over to|hired on at|hired on with) (?:the team at |the staff at |the people at |the folks at )?{v}",
        r"{S} (?:was|were|got|{be}|have been|has been) (?:hired|recruited|taken on|poached|employed|headhunted"
        r"|snapped up) by {v}",
        r"{S} (?:makes?|earns?) (?:my|his|her|their|our|a) (?:living|money|bread|keep|salary|pay) (?:at|with|for) {v}",
        r"(?:my|our) (?:new |current )?(?:employer|company|firm|workplace|place of work|paymaster) {be} (?:called "
        r")?{v}",
        r"(?:my|our) (?:new )?(?:badge|lanyard|pass|id card|id|business cards?|email|email signature|email address"
        r"|signature|contract|pay ?slip|pay ?check|paycheque|salary|wages|pay|uniform|work laptop|office keycard"
        r"|keycard|mug|name tag|door sign)"
        r" (?:says?|reads?|shows?|bears?|names?|comes?|has|carries|states?|ends?|{be})(?: from| the name(?: of)?| "
        r"the logo of| with| in| at| paid by| signed by| issued by)? {v}",
        r"{vv} (?:pays?|employs?|(?:has |have )?hired|(?:has |have )?recruited|took me on|(?:has |have )?taken me "
        r"on|signs?|transfers?|(?:has |have )?poached|{be} paying) (?:me\b|my (?:salary|wages|bills|rent|pay"
        r"|paycheck|pay ?cheques?|payslips?))",
        r"{S} {be} (?:on|part of) (?:the )?{vv}'s? (?:payroll|staff|team|workforce)",
        r"{vv}'s? payroll (?:has|includes|lists|carries) me",
        r"(?:[\w' ]+ )?at {vv},? where (?:i|we) (?:now )?(?:work|am employed|earn)",
        r"{vv} {be} (?:where i work|who i work for|where i (?:now )?earn|my (?:new |current )?(?:employer"
        r"|workplace|company|firm))",
        r"(?:work|life|everyday life|the atmosphere|the mood|business|my (?:new )?(?:job|work|team|days?|contract"
        r"|role|position|desk)) (?:over )?(?:at|with) {vv} (?:{be}|keeps?|has|have|goes|feels|suits|treats|stays"
        r"|remains|gets|got|continues|started|starts|begins)",
        r"my (?:first|second) (?:day|week|month) (?:of work )?(?:at|with) {vv} (?:was|is|went|{be})",
        r"(?:i|we) (?:now )?(?:clock in|badge in|go to work|show up|report for work|earn my (?:money|living|salary"
        r"|bread)|spend my (?:working )?days) (?:at|with) {v}",
        never=r"\b(?:volunteer\w*|at school|at university)\b",
    ),
    frame(
        "slot.role",
        Sort.OCCUPATION,
        r"{S} {be} (?:working as |employed as )?(?:a|an) {v}",
        r"(?P<s>i|we) {be} (?:the|our) {v}",
        r"{S} {be} (?P<v>(?:head|director|vp|vice president|chief) of .+)",
        r"{S} (?:work|works|working|have started|started|start|have begun|began|{be} employed|{be} working) (?:[\w "
        r"]+? )?as (?:a |an |the )?{v}",
        r"{S} (?:was|were|got|have been|has been|{be}) (?:promoted|made|appointed|named|hired as|bumped up) (?:to "
        r"|as )?(?:a |an |the )?{v}",
        r"{S} (?:have |has )?(?:became|become|moved up to|climbed to|advanced to|moved on to|moved into|stepped up "
        r"to|stepped into|switched to|made "
        r"it to|risen to|rose to) (?:a |an |the |being )?{v}",
        r"{P} (?:new |current )?(?:job title|title|role|position|profession|occupation|trade|job) (?:at work "
        r")?(?:{be}|reads|says|changed to|became|has become)(?: that of)? (?:a |an |the )?{v}",
        r"(?:they|my boss|my company|my employer|the company) (?:made|promoted|named|appointed) me (?:to |as "
        r")?(?:a |an |the )?{v}",
        r"by (?:trade|profession|training) (?:i am|i work as) (?:a |an )?{v}",
        r"(?:my|our) (?:business card|badge|door sign|email signature|contract|name tag) (?:says|reads|lists me as"
        r"|calls me|names me) (?:a |an |the )?{v}",
        r"{S} (?:earn|earns|make|makes|get paid|gets paid|serve|serves|qualified|trained|practise|practice)"
        r"(?: (?:my|a|her|his|our) \w+)? as (?:a |an |the )?{v}",
        never=r"\bwith (?:me|us)\b|\bis (?:now )?(?:the|my|our) [\w ]+? (?:on|in|of) (?:my|our)\b|\bis (?:now "
        r")?(?:my|our) (?:new )?\w+",
    ),
    frame(
        "slot.work_language",
        Kind.CODE,
        r"{P} (?:main |primary )?(?:work|job|day job|working day|office|programming|coding) language (?:at work "
        r")?{be} {v}",
    ),
    frame(
        "slot.age",
        Sort.NUMBER,
        r"{S} (?:{be}|turned|just turned) (?P<v>\d{1,3})(?= years old| this year|$)",
    ),
    frame(
        "slot.marital_status",
        Sort.NOUNS,
        r"{S} {be} (?P<v>married|single|divorced|engaged|widowed|separated)\b",
        r"{S} (?:got|have gotten|has gotten) (?P<v>married|divorced|engaged)\b",
    ),
)
