"""A sentence made plain: contractions written out, words that only colour it taken out, cut into clauses.

Rules: what is taken out are adverbs of time and of manner that frames need not know ("still", "these days", "by the
way"); negation, verbs and values stay as written. A clause that has lost its subject behind "and" gets it back. The
text of a clause is for frames only; evidence is always the user's own sentence.
It does not know moods (moods.py) nor slots.
Source: English grammar.
"""

import re
from collections.abc import Iterator

from shared.domain.extraction.moments import MARK

_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-"})
_CONTRACTIONS = tuple(
    (re.compile(pattern, re.IGNORECASE), written)
    for pattern, written in (
        (r"\bi'm\b", "I am"),
        (r"\bim\b", "I am"),
        (r"\b(you|we|they)'re\b", r"\1 are"),
        (r"\bive\b", "I have"),
        (r"\b(i|you|we|they|who|that|there)'ve\b", r"\1 have"),
        (r"\b(i|you|we|they|he|she|it|that|there|who)'ll\b", r"\1 will"),
        (r"\b(i)'d (?=rather|like|love|prefer|say|want|move|go|be)", r"\1 would "),
        (r"\b(i|we|they|he|she|you)'d\b", r"\1 had"),
        (r"\bcan't\b|\bcannot\b|\bcant\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"\bshan't\b", "shall not"),
        (r"\bain't\b", "is not"),
        (r"\b(do|does|did|is|are|was|were|have|has|had|would|could|should|must|need)n't\b", r"\1 not"),
        (r"\bdont\b", "do not"),
        (
            r"\b(he|she|it|that|there|here|what|who|where|everything|name)'s (?=been|got|gone|moved|left|become)",
            r"\1 has ",
        ),
        (r"\b(he|she|it|that|there|here|what|who|where|everything|name)'s\b", r"\1 is"),
        (r"\blet's\b", "let us"),
        (r"\b(i|we|you|they) have got\b", r"\1 have"),
    )
)
_COLOUR = re.compile(
    r"""(?:(?<=\s)|^)(?:
      by\ the\ way|btw|fyi|as\ you\ (?:may\ |might\ )?(?:know|remember|recall)|as\ (?:i\ )?(?:said|mentioned
        |told\ you)
    | like\ i\ said|for\ the\ record|of\ course|after\ all|in\ the\ end|for\ good|for\ now|so\ far|at\ last
        |at\ long\ last
    | these\ days|nowadays|at\ the\ moment|right\ now|at\ present|at\ this\ point|currently|presently|now|already
    | as\ of\ (?:today|now|this\ (?:week|month|year))|from\ (?:now|today|this\ (?:week|month|year
        |day))(?:\ on(?:wards?)?)?
    | (?:since|starting|beginning|effective)\ (?:today|now|this\ (?:week|month|year|morning))
    | from\ tonight(?:\ on)?|from\ then\ on|going\ forward|from\ here\ on(?:\ out)?|until\ further\ notice
    | still|again|once\ more|once\ again|yet\ again|just|recently|lately|newly|freshly|finally|eventually|actually
    | basically|really|honestly|simply|officially|truly|indeed|clearly|obviously|apparently|definitely|certainly
    | happily|gladly|sadly|luckily|fortunately|unfortunately|thankfully|permanently|properly|fully|safely|quietly
    | today|tonight|this\ (?:morning|afternoon|evening|week|month|year|weekend|spring|summer|autumn|fall|winter)
    | last\ night|the\ other\ day|all\ day(?:\ long)?|from\ morning\ (?:to|till|until)\ (?:night|evening)
        |day\ in,?\ day\ out
    | every\ single\ day|for\ (?:a|quite\ a)\ (?:while|bit)|for\ years|for\ ages|for\ life|for\ a\ living
    | for\ (?:about\ |around\ |over\ |nearly\ |almost\ |more\ than\ )?(?:\d+|a|two|three|four|five|six|ten|many
        |several)
      \ (?:years?|months?|weeks?|days?)(?:\ now)?
    | as\ well|as\ always|as\ usual|as\ ever|as\ before|mostly|mainly|primarily|generally|predominantly|chiefly
        |largely
    | always|usually|normally|typically|regularly|ordinarily|quite|pretty\ much|kind\ of|sort\ of|literally|totally
        |absolutely|completely
    | in\ fact|to\ be\ honest|to\ be\ fair|in\ general|all\ in\ all|you\ know|i\ mean|i\ guess|i\ suppose|well
    | good\ news|big\ news|small\ news|news|update|small\ update|quick\ update|heads\ up|guess\ what|yes|yeah|yep
        |no\ worries
    | ok|okay|oh|ah|hey|hi|hello|sorry|correction|my\ mistake|my\ bad|oops|wait|no
        |typo|scratch\ that|strike\ that|i\ misspoke
    )(?=[\s,.;:!?-]|$)(?!\ (?:longer|more|one|matter|idea|news|way|problem|need|special|diet|other|doubt)\b)""",
    re.IGNORECASE | re.VERBOSE,
)
_LABEL = re.compile(
    r"\b((?:my|our|the) (?:(?!is|are|was|were|has|have)[\w'-]+ ){0,5}(?!is|are|was|were|has|have)[\w'-]+):\s+(?=\S)",
    re.IGNORECASE,
)
_REMEMBER = re.compile(
    r"""^(?:(?:please|and|so|also|just|you\ can|you\ may|you\ should|could\ you|can\ you|would\ you|i\ want\ you\ to
    |i\ need\ you\ to|i\ would\ like\ you\ to|don't|do\ not|never)\ )*
    (?:remember|note|forget|keep\ in\ mind|bear\ in\ mind|make\ a\ note|take\ a\ note|write\ down|save|store
        |memori[sz]e
    |keep\ a\ note|put\ on\ record|note\ down|jot\ down|make\ sure\ (?:to\ |you\ )?remember|let\ it\ be\ known)
    (?:\ (?:of|this|it|down))?(?:\ (?:please|too))?(?:\ (?:that|the\ fact\ that))?[:,]?\ +""",
    re.IGNORECASE | re.VERBOSE,
)
_TAIL = re.compile(
    r",? (?:so )?(?:please )?(?:keep (?:that|it|this) in mind|remember (?:that|it|this)|make a note(?: of (?:that|it))?"
    r"|note (?:that|it)(?: down)?|do not (?:ever )?(?:let me )?forget(?: (?:that|it|the day|this))?|doctors must know"
    r"|you should know(?: that)?|just so you know)(?=[.,!;]|$)",
    re.IGNORECASE,
)
_VERB = (
    r"(?:am|have|had|work|works|worked|live|lives|lived|drive|drives|drove|drink|drinks|eat|eats|use|uses|write"
    r"|writes|code"
    r"|moved|move|left|leave|quit|started|start|joined|sold|bought|switched|speak|speaks|take|takes|keep|keeps|prefer"
    r"|like|love|hate|report|run|study|studied|own|gave|stopped|returned|settled|relocated|got|went|became|do|can|want"
    r"|need|will|play|listen|call|accepted|took|rented|found|adopted|renamed|named|handed|hold|see|teach|came|made"
    r"|wrote|ate|drank|no\ longer"
    r"|[a-z]{3,}ed(?=\ (?:to|with|at|in|for|from|my|our|a|an|the|it|on)\b))"
)
_CUT = re.compile(
    rf"""\s*(?:;|:|\.\.\.|…|\s-+\s|\()\s*
    | \s*\)\s*
    | ,?\s+(?:but|so\ that|so|while|whereas|because|although|though|however|which\ is\ why|therefore
        |now\ that)\s+(?!far|long|much)
    | ,?\s+and\s+(?=(?:I|we|it|he|she|they|my|our|the|this|that|there|everything|everyone|now|then)\b)
    | ,?\s+and\s+(?=(?:{_VERB}|(?:is|are|was|has|will)\ (?:in|at|on|not|no|a|an|the|now|my|our))\b)
    | ,?\s+and\s+(?=[A-Z][\w'-]+(?:\ [A-Z][\w'-]+)?\ (?:is|has|takes?|took|pays?|hired|replaced|will|becomes?
        |became)\b)
    | \s*,(?!\s*\d)\s*""",
    re.VERBOSE,
)
_SUBJECT = re.compile(r"^(?:and |but |so |then )*([Ii]|[Ww]e|[Mm]y [a-z]+|[A-Z][\w'-]+)\b")
_OPENING = re.compile(
    r"^(?:(?:and|but|so|or|then|also|because|plus|anyway|that is|too|not only)\b[\s,]*)+", re.IGNORECASE
)


def written_out(sentence: str) -> str:
    """Return a sentence with plain quotes and contractions written out."""
    text = re.sub(MARK, " ", sentence.translate(_QUOTES))
    for pattern, written in _CONTRACTIONS:
        text = pattern.sub(written, text)
    return re.sub(r"\s+", " ", text).strip()


def plain(sentence: str) -> str:
    """Return a written-out sentence without what only colours it; "my code: 4" becomes "my code is 4"."""
    text = _TAIL.sub("", sentence)
    text = _COLOUR.sub("", text)
    text = re.sub(r"\s+([,.;:!?])", r"\1", text)
    text = re.sub(r"^[\s,.;:!?-]+|(?<=,)(?:\s*,)+", "", re.sub(r"\s+", " ", text))
    text = _REMEMBER.sub("", text.strip())
    text = _LABEL.sub(r"\1 is ", text)
    return re.sub(r"[,\s]+([.;:!?])", r"\1", text).strip(" ,")


def is_asked_to_be_kept(sentence: str) -> bool:
    """Tell whether a written-out sentence asks for what it says to be remembered."""
    return _REMEMBER.match(_COLOUR.sub("", sentence).strip(" ,.;:-")) is not None or _TAIL.search(sentence) is not None


def clauses(text: str) -> list[str]:
    """Return the clauses of a plain sentence, in order, without opening conjunctions and closing marks."""
    return list(_clauses(text))


def _clauses(text: str) -> Iterator[str]:
    subject = "I"
    for part in _CUT.split(text):
        clause = _OPENING.sub("", part or "").strip(" ,.!?;:-\"'")
        if not clause:
            continue
        found = _SUBJECT.match(clause)
        if found:
            subject = found.group(1)
        elif re.match(rf"(?:{_VERB}|is|are|was|has|will)\b", clause):
            clause = f"{subject} {clause}"
        yield clause
