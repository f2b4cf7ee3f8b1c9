"""Lives with a beginning and an end: what a thing does before it began, or after it ended, cannot be.

Rules: one sentence dates a beginning or an end by year, month too where both name one; the other tells, as a plain fact
of the same bearer, something done at a time outside. What was rebuilt, reopened or told of after a death ("named
after") is no such fact. Two beginnings, or two ends, are left to the rules of dates.
It does not know subjects (loose.py) nor moods (judge.py).
Source: everyday knowledge, chosen by us.
"""

import re

from shared.domain.calendar_words import calendar_dates
from shared.domain.meaning.reading import Sentence

_ENDS = re.compile(
    r"\b(?:died|passed away|last (?:\w+ ){0,2}(?:in|on)|(?:printed|sold|made|played|sailed|published|flew|brewed|gave"
    r"|held)"
    r" (?:its|her|his|their) (?:very )?(?:last|final)|closed (?:down|its|for good|in)|shut (?:down|its)|went bankrupt"
    r"|dissolved|wound up|demolished|torn down|pulled down|scrapped|burned down|burnt down|sank|retired in|stopped"
    r"|ceased|discontinued|gave up|was sold in|left the (?:company|firm|town)|starb|verstorben|geschlossen|abgerissen"
    r"|aufgelöst|eingestellt|stillgelegt)\b|去世|逝世|倒闭|关闭|停产|拆除|停刊|解散|사망|별세|숨졌|폐업|폐간|철거"
    r"|단종|문을 닫"
)
_BEGINS = re.compile(
    r"\b(?:was born|were born|for the first time|founded|established|set up in|was built|were built|opened (?:in|its"
    r"|for)"
    r"|launched|switched on|started (?:in|its|her|his)|began (?:in|its|her|his)|joined|was hired|moved (?:in|into|to)"
    r"|arrived in|first (?:\w+ ){0,3}in|only (?:started|began|came|joined|opened)|was bought|bought (?:its|her|his"
    r"|the) first"
    r"|learnt|learned|geboren|gegründet|erbaut|eröffnet|erstmals|eingeführt)\b"
    r"|出生|成立|建成|开业|首次|第一次|入职|创办|上线|태어|설립|창립|개업|처음|입사|준공|개통|출시"
)
_SINCE = re.compile(
    r"\b(?:since|ever since|seit|already|as early as|as far back as|schon)\b|以来|就已|就开始|부터|이미|벌써"
)
_NOT_DONE = re.compile(
    r"\b(?:named after|in (?:memory|honou?r) of|anniversary|memorial|posthumous\w*|heirs?|rebuilt|reopened|restored"
    r"|again"
    r"|before|predecessor|planned|plans?|will|statue|buried|funeral|biography|successor|no longer|not|never|until"
    r"|late)\b"
    r"|纪念|重建|重新|没有|기념|추모|재개|다시|않|없"
)
_YEAR = re.compile(r"(?<![\d.,/-])((?:1[5-9]|20)\d\d)(?![\d.,/-]*\d)")

Moment = tuple[int, int | None]


def outside_its_life(a: Sentence, b: Sentence) -> str | None:
    """Return how one sentence tells something of a time at which, by the other, its bearer was not there."""
    return _outside(a, b) or _outside(b, a)


def _outside(life: Sentence, deed: Sentence) -> str | None:
    edge, done = _moment(life.text), _moment(deed.text)
    if edge is None or done is None or _NOT_DONE.search(deed.text) or _NOT_DONE.search(life.text):
        return None
    if _ENDS.search(life.text) and not _ENDS.search(deed.text) and _after(done, edge):
        return f"ended {edge[0]}, told of {done[0]}"
    begun = _BEGINS.search(life.text) and not _BEGINS.search(deed.text)
    if begun and _after(edge, done) and not _ENDS.search(deed.text):
        return f"began {edge[0]}, told of {done[0]}"
    return None


def _moment(text: str) -> Moment | None:
    """Return the only year a sentence names, with its month."""
    years = set(_YEAR.findall(text))
    if len(years) != 1:
        return None
    months = {day.month for day in calendar_dates(text) if day.month}
    return int(years.pop()), min(months) if len(months) == 1 else None


def _after(later: Moment, earlier: Moment) -> bool:
    if later[0] != earlier[0]:
        return later[0] > earlier[0]
    return later[1] is not None and earlier[1] is not None and later[1] > earlier[1]
