"""Whether a question asks for the past: what was before, the first or the last of something, since when, until when.

Rules: by signs of English, German, Chinese and Korean. A sign alone does not count where it names a time of the present
instead: "before Friday", "last week's invoice", "my first name", "how long does it take". What counts too much costs a
reader some dated lines that ended, what counts too little costs the answer: in doubt it counts.
It does not know memories, nor which of them came before which.
Source: own; the usual adverbs and adjectives of past states in grammars of the four languages (chosen, tested on own
examples).
"""

import re

from shared.domain.text import fold

LOOKED_CHARS = (
    600  # of a question: signs look ahead, and a text of thousands of verbs would take long (chosen, untested)
)

_PAST = r"\b(?:did|didn'?t|was|were|had|wasn'?t|weren'?t|have|has|been|lived|worked|drove|drank|used)\b"
_WHOM = r"(?:i|we|you|he|she|they|it|my|our|your|his|her|their|the)"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DAY = r"(?:mon|tues?|wednes|thurs?|fri|satur|sun)day|today|tonight|tomorrow|noon|midnight|lunch|dinner|breakfast|bed"
_ENGLISH = (
    r"^(?!.*\b(?:am|is|are|be|get|got|getting|'m|'re)\b(?: \w+){0,3} used to\b).*\bused to\b",
    rf"\bdid(?:n'?t)? {_WHOM}\b.*\buse to\b",
    r"\b(?:previous|previously|former|formerly|predecessors?|originally|initially)\b(?! (?:section|page|step))",
    r"\bearlier\b(?! (?:today|this|than|tonight))(?=.*\?|$)",
    r"\bbefore(?: (?:that|this|this one|now|then|it))?[?.! ]*$",
    rf"{_PAST}.*\bbefore (?!\d|the (?:end|deadline|meeting|call|weekend)|next\b|(?:{_DAY})\b|{_MONTH}\b)",
    r"\bsince when\b|\b(?:until|till|up to) when\b|\bsince what (?:day|date|month|year)\b|\bfrom when\b",
    r"\bhow long (?:have|has|had|did|was|were|ago)\b(?!.*\btak(?:e|en)\b)",
    rf"\bhow long (?:am|is|are) {_WHOM}\b.*\b(?:been|already)\b",
    r"\bwhen (?:did|was|were)\b|\bwhen have\b",
    rf"{_PAST}.*\b(?:until|till)\b(?! (?:the end|next|(?:{_DAY})\b))",
    rf"\b(?:was|were|did|had)\b.*\b(?:{_WHOM}|\w+'s) (?:very )?(?:first|last|old)\b"
    r"(?! (?:name|week|month|year|quarter|night|time|thing|invoice|payment|bill|call|meeting|message|mail|order|of\b))",
    rf"\bdid {_WHOM} (?:\w+ )?(?:first|last)\b|\b(?:my|our|his|her|their) old (?!age)\w+",
    r"\bin the past\b|\bback (?:then|in)\b|\bat the time\b|\bno longer\b|\bany ?more\b",
    r"\bonce (?:lived|worked|had|was)\b",
    rf"\b(?:have|has|did) {_WHOM}\b.*\bever\b",
    rf"\b(?:did|have|has|had) {_WHOM} (?:\w+ )?(?:leave|left|quit"
    r"|give up|given up|sell|sold|drop|dropped|stop|stopped)\b",
    rf"\b(?:came|come|moved?|got) (?:over )?here\b"
    rf"|\b(?:did|had) {_WHOM} (?:\w+ )?(?:have|own|drive|drink|use|live|work)\b",
    r"\b(?:history|timeline) of\b|\b(?:over|through) (?:time|the (?:years|months))\b"
    r"|\bchanged\b|\bhow did .*\bchange\b|\b(?:moved?|switch(?:ed)?) (?:here |away |over )?from\b|\breplaced?\b",
    rf"\b(?:did|was|were) {_WHOM}\b.*\b(?:in|during|around|by|as of) (?:(?:early|late|mid) ?)?"
    rf"(?:{_MONTH}\b|(?:19|20)\d\d\b)",
    rf"\b(?:did|was|were) {_WHOM}\b.*\b(?:last (?:year|month|spring|summer|autumn|fall|winter)"
    r"|\w+ (?:months|years) ago)\b",
)  # fmt: skip
_GERMAN = (
    r"\b(?:früher\w*|vorher|zuvor|davor|ehemals|ehemalig\w*|vorherig\w*|damals|damalig\w*|ursprünglich\w*|zuletzt"
    r"|bisherig\w*|einst)\b",
    r"\bvorig\w+\b(?! (?:woche|monat|jahr|quartal))",
    r"\bseit wann\b|\bab wann (?:habe|war|hatte)\b|\bbis wann (?:habe|hatte|hat|war|bin|lebte|wohnte|arbeitete)\b",
    r"\bwie lange (?!dauer|brauch|ist (?:der|die|das)|noch)|\bwann (?:habe|hab|bin|hat|ist|war|wurde|begann|zog)\b",
    r"\b(?:war|hatte|habe|wohnte|arbeitete)\b.*\b(?:erste[rsnm]?|letzte[rsnm]?|alte[rsnm]?)\b"
    r"(?! (?:woche|monat|jahr|name|rechnung|mal))",
    r"\bnicht mehr\b|\bje(?:mals)?\b.*\b(?:gewohnt|gelebt|gearbeitet|gehabt)\b",
)
_CHINESE = (
    r"以前|从前|從前|过去|過去|曾经|曾經|曾|原来|原來|原先|最初|当时|當時|前任|[旧舊]的",
    r"(?<![天日号號周週月年点點末午前五六四三二一])之前(?!.{0,4}(?:要|必须|完成))",
    r"上一(?:个|個|份|家|任|辆|輛|位)(?!月|星期|礼拜|禮拜|季)|第一(?:个|個|份|家|任|辆|輛|位)",
    r"(?:什么|甚麼|什麼)时候(?:开始|搬|换|加入|停|离开|来|去)|(?:什麼|甚麼)時候(?:開始|搬|換|加入|停|離開|來|去)",
    r"(?:从|從|自)?(?:何时|何時|什么时候|什麼時候)(?:起|开始|開始)|多久了|了多久|到什么时候为止|不再",
)
_KOREAN = (
    r"예전|옛날|과거|원래|처음|한때|당시|지난번",
    r"이전(?:에|의| )|(?<![일월년시간날주말심녁])\s전에(?:는)?(?=\s|$|\?)|(?<=[던기했었]) ?전에",
    r"언제부터|언제까지 (?:살|일|다|썼|했)|얼마나 오래|언제 (?:이사|시작|바꾸|바꿨|그만|옮)|더 이상",
)
_SIGNS = re.compile("|".join(f"(?:{sign})" for sign in (*_ENGLISH, *_GERMAN, *_CHINESE, *_KOREAN)))


def asks_for_past(question: str) -> bool:
    """Return whether what held before may be what a question asks for."""
    return _SIGNS.search(fold(question[:LOOKED_CHARS])) is not None
