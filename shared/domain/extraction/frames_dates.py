"""Frames of what is due, arranged or celebrated on a day.

Rules: as frames.py; tried on the whole plain sentence, since a comma may stand before the day. Where two days are named
the one that is not left behind counts (former.py). It does not know other dates: those say since when a thing holds.
Source: English verbs of handing in, meeting and being born.
"""

from shared.domain.extraction.frames import frame
from shared.domain.extraction.people import KIN
from shared.domain.extraction.spans import Sort

_HAND_IN = (
    r"(?:send|give|deliver|submit|hand in|hand over|hand|turn in|finish|complete|get|have|file|return|pay|renew"
    r"|prepare|write|ship"
    r"|provide|bring|upload|forward|mail|email|share|review|sign|book|register|cancel|wrap up|present|publish|pass)"
)
_TO_BE = r"(?:{be}|was|were|will be|has been|have been|got|gets)"
_MOVED = (
    r"(?:moved|pushed|postponed|extended|shifted|rescheduled|changed|brought forward|delayed|put off|set|pushed "
    r"back|moved up|moved back"
    r"|bumped|switched|slipped|put back|prolonged|relocated|fixed|scheduled|arranged|confirmed|due|planned|booked)"
)
_BY = r"(?:on|by|before|until|till|to|at|for|no later than|latest by|not later than|as of)"
_MEETING = (
    r"(?P<x>(?:[\w'-]+ ){0,3}?(?:appointment|check-?up|surgery|operation|exam|interview|viva|defen[cs]e"
    r"|consultation|screening|scan|vaccination"
    r"|booking|meeting|review meeting|flight|hearing|wedding|concert|trip|lesson|course|session|test|visit|call"
    r"|audit|inspection))"
)

DATES = (
    frame(
        "slot.birthday",
        Sort.DAY,
        rf"(?P<p>my|our) (?P<x>(?:[a-z-]+ )?{KIN})'s? (?:birthday|bday|birth date|big day) {_TO_BE} (?:celebrated "
        rf"|always )?(?:on |falls on )?{{v}}",
        rf"(?P<p>my|our) (?P<x>(?:[a-z-]+ )?{KIN})'s? (?:birthday|bday) (?:falls|comes|{{be}} coming up) (?:on )?{{v}}",
        rf"(?P<s>(?:my|our) (?:[a-z-]+ )?{KIN}|i) (?:was|{{be}}|were) born (?:on )?{{v}}",
        rf"(?P<s>(?:my|our) (?:[a-z-]+ )?{KIN}|i) (?:turns?|will turn|will be|becomes?|{{have}} (?:a |my |his |her "
        rf")?birthday|celebrates?(?: (?:his|her|my) birthday)?|gets? a year older)(?: \d+)? (?:on )?{{v}}",
        rf"(?:on )?{{vv}} (?:is|{{be}}) (?P<p>my|our) (?P<x>(?:[a-z-]+ )?{KIN})'s? (?:birthday|bday)",
        r"(?:on )?{vv} is (?P<s>my) birthday",
        r"(?P<s>my) birthday (?:{be}|falls) (?:on )?{v}",
        r"(?:on )?{vv} (?:we|i) (?:celebrate|always celebrate|toast) (?P<p>my|our) (?P<x>(?:[a-z-]+ )?{kin})(?:'s "
        r"birthday)?",
        any_mood=True,
    ),
    frame(
        "slot.appointment.{x}",
        Sort.DAY,
        rf"(?:my|our|the) (?:next )?{_MEETING} (?:with [\w. ]+? )?{_TO_BE} (?:now )?{_MOVED}?(?: from (?P<o>.+?))? "
        rf"?{_BY}? ?{{v}}",
        rf"(?:my|our|the) (?:next )?{_MEETING} (?:with [\w. ]+? )?(?:falls|takes place|happens|moves|moved|changed"
        rf"|slipped|comes|starts|begins)(?: from (?P<o>.+?))? {_BY} {{v}}",
        rf"(?:i|we) (?:{{have}}|got|booked|have booked|made|have made|scheduled|arranged|have arranged|have "
        rf"scheduled|set up) (?:a|an|my|our|the|another) (?:new )?{_MEETING} (?:with [\w. ]+? )?(?:for|on|at"
        rf"|booked for|scheduled for)? ?{{v}}",
        rf"(?:the|my) (?P<x>dentist|optician|physio|vet|doctor|gp|hairdresser|barber|mechanic|lawyer|accountant"
        rf"|therapist|dermatologist|cardiologist|notary|bank|clinic|hospital|garage|surgeon|optometrist"
        rf"|gynaecologist|gynecologist|orthodontist|physiotherapist|chiropractor|osteopath|paediatrician"
        rf"|pediatrician) "
        rf"(?:expects|sees|will see|is expecting|can see|booked|has booked|moved|has moved|rescheduled|has "
        rf"rescheduled|put|wants to see|fits) (?:me|us)(?: from (?P<o>.+?))? ?(?:in )?{_BY}? ?{{v}}",
        r"(?:i|we) (?:{be}|have to be|must be|will be|{be} due|need to be|{have} to go|see|{be} seeing|go|{be} "
        r"going|meet|{be} meeting|visit|{be} visiting|will see|{be} booked in) (?:to see )?(?:at |to |with "
        r")?(?:the|my) (?P<x>dentist|optician|physio|vet|doctor|gp|hairdresser|barber|mechanic|lawyer|accountant"
        r"|therapist|dermatologist|cardiologist|notary|bank|clinic|hospital|garage|surgeon|physiotherapist)'?s? "
        r"(?:for |on |at )?{v}",
        r"(?:the|my) (?P<x>[\w-]+) (?:has |had to )?(?:moved?|rescheduled?|postponed?|pushed?|changed?|shifted?|booked"
        r"|put|brought forward) (?:my|our|the) (?:appointment|visit|slot)(?: from (?P<o>.+?))? (?:to|for|on|until) {v}",
        r"(?:the|my) (?P<x>[\w-]+ appointment|[\w-]+ visit) (?:{be}|moved|has moved|changed)(?: to)? (?:on )?{v}",
        says="{P} {x} is on {v}.",
        any_mood=True,
    ),
    frame(
        "slot.due.{x}",
        Sort.DAY,
        rf"(?:the |my |our )?(?:new |final |submission )?(?:deadline|due date|cut-?off|closing date|submission "
        rf"date|delivery date|date) (?:for|of) (?:the |my |our |this |sending (?:the )?|submitting (?:the )?"
        rf"|handing in (?:the )?)?{{x}} (?:{_TO_BE}|falls|moves|moved|slipped|changed|shifted|comes) ?{_MOVED}?(?: "
        rf"from (?P<o>.+?))? ?{_BY}? ?{{v}}",
        rf"(?:the |my |our )?(?:new )?{{x}}(?:'s)? (?:deadline|due date|cut-?off|submission) (?:{_TO_BE}|falls"
        rf"|moves|moved|slipped|changed|shifted|comes) ?{_MOVED}?(?: from (?P<o>.+?))? ?{_BY}? ?{{v}}",
        rf"(?:the |my |our )?{{x}} {_TO_BE} (?:now )?(?:due|to be (?:handed in|submitted|delivered|finished|ready"
        rf"|sent|done|in)|expected|wanted|supposed to be (?:ready|done|in|finished)|needed|required|to be with [\w "
        rf"]+?)(?: with [\w ]+?| at [\w ]+?)? ?{_BY}? ?{{v}}",
        rf"(?:the |my |our )?{{x}} (?:{{have}} to be|must be|needs? to be|should be|ought to be|has got to be|will "
        rf"be) (?:handed in|submitted|delivered|finished|ready|sent|done|in|out|complete|completed|with [\w ]+?"
        rf"|filed|paid|turned in|on [\w ]+? desk)(?: off)? ?{_BY} {{v}}",
        r"(?:the |my |our )?{x} (?:can|may|could|does not have to be \w+|need not be \w+|{be} not due|do not need "
        r"to be \w+) ?(?:wait|stay|rest|take|be late)? (?:until|till|by|before) {v}",
        rf"(?:the |my |our )?{{x}} {_TO_BE} {_MOVED} (?:from (?P<o>.+?) )?(?:to|until|till|by|for) {{v}}",
        rf"(?:i|we) (?:have |has )?(?:promised|agreed|swore|committed|pledged|arranged|gave my word|vowed|assured"
        rf"|told)(?: with)? ?(?P<n>[\w.' ]+?)? ?(?:that (?:i|we) (?:will|would) |to )?{_HAND_IN} (?:him |her |them "
        rf"|over )?(?:(?P<w>[A-Z][\w'-]+) )?(?:the |my |our |a |an )?{{x}}(?: to [\w.' ]+?)?(?: off| over| in)? "
        rf"{_BY} {{v}}",
        rf"(?:i|we) (?:have |has )?(?:promised|owe|agreed on) (?P<n>[A-Z][\w.' ]+?) (?:the |my |our |a |an )?{{x}} "
        rf"{_BY} {{v}}",
        rf"(?:i|we) (?:have to|has to|must|need to|should|{{be}} supposed to|{{be}} expected to|ought to|will"
        rf"|{{be}} to|have got to|want to|{{be}} meant to|{{be}} going to|had better) {_HAND_IN} "
        rf"(?:(?P<n>[A-Z][\w'-]+) )?(?:the |my |our |a |an )?{{x}}(?: (?:to|with|for|over to) (?P<w>[\w.' "
        rf"]+?))?(?: off| over| in| done| ready| finished)? {_BY} {{v}}",
        rf"(?:by|before|until|on) {{vv}},? (?:i|we) (?:have to|must|need to|should|{{be}} supposed to|will|{{be}} "
        rf"to|promised to|owe [\w]+) {_HAND_IN}? ?(?:(?P<n>[A-Z][\w'-]+) )?(?:the |my |our |a |an )?(?P<x>[\w' "
        rf"-]+?)(?: to (?P<w>[\w.' ]+?))?$",
        rf"(?P<n>[A-Z][\w.']+) (?:{{be}} (?:waiting for|expecting|counting on)|expects|wants|needs|gets|will get"
        rf"|will have|receives|awaits|is to get|is getting|should get|should have) (?:the |my |our )?{{x}}(?: from "
        rf"me| by me)? {_BY} {{v}}",
        rf"(?:i|we) (?:{{have}}|got|was given|were given|have been given) (?:until|till|time until) {{vv}} (?:for"
        rf"|to {_HAND_IN}) (?:the |my |our )?(?P<x>[\w' -]+?)(?: to [\w.' ]+?)?$",
        says="{P} {x} is due on {v}.",
        any_mood=True,
    ),
)
