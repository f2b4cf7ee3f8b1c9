"""Which of the values in a sentence no longer holds: the one left, sold, replaced, denied or behind us.

Rules: judged by the words directly before and behind the value, in the plain sentence. General English, no slot.
It does not know values or slots. Source: English verbs and particles of change, end and denial.
"""

import re

_DETERMINERS = (
    r"(?:(?:a|an|the|my|our|that|this|being|as|in|at|for|with|on|of|by|old|own|usual|daily|good|lovely|dear)[ ])*"
)
_BEFORE = re.compile(
    rf"""(?<![\w'])(?:
      instead\ of|rather\ than|in\ place\ of|in\ lieu\ of|as\ opposed\ to|unlike|more\ than|better\ than|over
    | (?:is|are|am|was|were|do|does|did|has|have|can|it|and|but|so|,)?\ ?not(?:\ (?:at|in|any|with|using|use|drink
        |live|work|the))?
    | no\ longer(?:\ \w+)?|never\ again|no\ more|hardly\ any|barely\ any|barely|hardly|without|nothing\ of
    | left|leaving|leave|quit|quitting|sold|selling|dropped|dropping|ditched|ditching|abandoned|abandoning
    | (?:gave|given|giving|give)\ up(?:\ on)?(?:\ \w+ing)?|(?:gave|given|giving|give)(?:\ back)?
    | overtook|overtaken|beat|beaten|outdone|ousted|displaced|supplanted|superseded
    | replaced|replaces|replacing|replace|swapped|swapping|traded(?:\ in)?|trading|exchanged|uninstalled|deleted
        |removed
    | retired|retiring|resigned\ from|resigned|finished\ with|done\ with|through\ with|over\ with|tired\ of|sick\ of
    | bored\ (?:of|with)|fed\ up\ with|had\ enough\ of|off|(?:goodbye|bye|farewell|no)(?:\ to)?|notice\ to|adieu\ to
    | moved\ (?:out|away|on)\ (?:of|from)|away\ from|out\ of|parted\ (?:ways\ )?with|split\ (?:up\ )?with|broke\ with
    | lost|cross(?:ed)?(?:\ out|\ off)?|strike|struck|scratch|minus|forgot(?:\ all)?|forgotten(?:\ all)?|unlearned
        |up\ from|down\ from
    | stopped|stopped\ \w+ing|ceased|quit\ \w+ing|used\ to\ (?:be|have|live|work|drink|use|drive|write|eat|listen)
    | formerly|previously|before|ex|former|previous|last|closed|cancelled|scrapped|binned|threw\ (?:out|away)
    | was|were|had\ been|has\ been|used\ to\ be|a\ line\ of|instead|sunset|took\ over\ from|takes\ over\ from|succeeds
    | succeeded|follows|followed|ended\ with|notice\ (?:at|to)|moved\ on\ from|switched\ (?:away\ )?from
        |turned\ my\ back
    | outgrew|outgrown|got\ rid\ of|said\ no\ to|packed\ up|kicked|cut\ out|shut\ down|returned|handed\ back|let\ go
    )\ {_DETERMINERS}$""",
    re.VERBOSE | re.IGNORECASE,
)
_FROM = re.compile(rf"\bfrom {_DETERMINERS}$", re.IGNORECASE)
_CHANGING = re.compile(
    r"\b(?:mov\w+|switch\w*|chang\w+|went|go(?:es|ing)?|migrat\w+|relocat\w+|convert\w*|port(?:ed|ing)|upgrad\w+"
    r"|renam\w+"
    r"|rais\w+|rose|increas\w+|cut|lower\w*|push\w*|shift\w*|reschedul\w*|postpon\w*|brought|transition\w*|transferr\w*"
    r"|progress\w*|advanc\w*|jump\w*|away|swap\w*|extend\w*|promot\w+|turned|come|came|graduated|departed)\b",
    re.IGNORECASE,
)
_TO = re.compile(r"^\s*(?:\w+ ){0,2}(?:to|into|onto)\b", re.IGNORECASE)
_BEHIND = re.compile(
    r"""^(?:'s)?\s*(?:(?:flat|apartment|house|place|days?|phase|era|chapter|thing|experiment|habit|office|job|keys?|badge
        |years?|time|times|period|contract|lease|one|way|diet|life|stint|adventure|code|codebase|book|label
        |laptop)\s+)?
    (?:(?:is|are|was|were|has|have|had|got|been)\s+)?(?:(?:now|all|already|finally|too|so|completely|long
        |officially)\s+)*
    (?:over|history|gone|behind\ (?:me|us)|no\ more|past|empty|closed|retired|left|did\ not|does\ not|do\ not|failed
      |stopped|ended|said\ (?:goodbye|farewell)|and\ (?:i|we)\ (?:parted|split|are\ done|broke|have\ parted)
        |went\ (?:back|abroad|away|bust)
      |moved\ (?:on|away|out|abroad|up)|quit|resigned|handed\ (?:back|over|in|her|his|their)|not\ for\ me
        |got\ (?:too\ )?(?:slow
        |old|boring|expensive
      |replaced|sold|deleted|uninstalled)|any\ ?more|no\ longer|anymore|made\ way|gave\ way|belongs?\ to\ the\ past
        |a\ thing\ of
      |done(?!\ (?:by|on|at))|finished(?!\ (?:by|on))|cleared(?:\ out)?|packed\ up|emptied|(?:not|never)\ (?:enough
        |my\ thing|worth|right)|rusty|rusted|faded|vanished|slipped|evaporated|disappeared|lost|dead|ancient
        |old\ news|out\ of|in\ the\ (?:past|bin)|expired
        |laid\ me\ off|let\ me\ go|fired\ me|a\ mistake|wrong|off\ the|is\ off|stepped\ down
      |changed\ teams|out(?!\w|\ of))\b
    | ^\s+(?:is|are|was|were|got|has\ been|have\ been|gets|being)\s+(?:now\ |all\ |already\ |finally\ )?(?:sold
        |replaced|dropped|ditched|deleted
      |uninstalled|scrapped|terminated|swapped|traded|removed|binned|abandoned|cancelled|moved\ to|pushed|postponed
        |handed\ (?:back|over|in))\b""",
    re.IGNORECASE | re.VERBOSE,
)
_TOO_LATE = re.compile(r"\b(?:not only|not just|not bad|not far|is it not)\b[^,]*$", re.IGNORECASE)


def is_former(sentence: str, start: int, end: int) -> bool:
    """Tell whether the value at this place of a plain sentence is one that no longer holds."""
    before, behind = sentence[:start], sentence[end:]
    if _TOO_LATE.search(before):
        return False
    if _BEFORE.search(before) or _BEHIND.match(behind):
        return True
    if _FROM.search(before):
        return bool(_TO.match(behind) or _CHANGING.search(before) or _CHANGING.search(behind))
    return False
