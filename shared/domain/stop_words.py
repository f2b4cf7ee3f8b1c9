"""English words too frequent to tell one memory from another.

Rules: data only; folded spelling. Negations are listed too: they matter to
a judge, not to a lexical ranker. Month names and "us" (which folds like "US") are not listed.
Source: the closed word classes of English (articles, pronouns, prepositions, conjunctions, auxiliaries), the usual
content of such lists.
"""

_ARTICLES_AND_DETERMINERS = """
a an the this that these those each every either neither any some such no same other another all both few more most own
"""
_PRONOUNS = """
i me my mine myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
it its itself they them their theirs themselves who whom whose which what
"""
_PREPOSITIONS = """
about above across after against along among around at before behind below beneath beside between beyond by down during
for from in into of off on onto out over per since through throughout to toward towards under until up upon with within
without
"""
_CONJUNCTIONS = """
and but or nor so if because as while whereas although though unless whether than then once
"""
_AUXILIARIES = """
am is are was were be been being have has had having do does did doing done can could shall should will would must might
"""
_ADVERBS = """
when where why how here there not only very too just also again further now ever
"""
_CONTRACTIONS = """
aren't can't couldn't didn't doesn't don't hadn't hasn't haven't he'd he'll he's here's how's i'd i'll i'm i've isn't
it'd it'll it's let's mustn't shan't she'd she'll she's shouldn't that'll that's there's they'd they'll they're they've
wasn't we'd we'll we're we've weren't what's when's where's who's why's won't wouldn't you'd you'll you're you've
"""
# What contractions leave behind when they are written without, or split at, the apostrophe.
_FRAGMENTS = (
    "s t d m o y ll re ve ma don isn aren wasn weren doesn didn hasn haven hadn won couldn shouldn wouldn mustn shan"
)

ENGLISH_STOP_WORDS: frozenset[str] = frozenset(
    " ".join(
        (
            _ARTICLES_AND_DETERMINERS,
            _PRONOUNS,
            _PREPOSITIONS,
            _CONJUNCTIONS,
            _AUXILIARIES,
            _ADVERBS,
            _CONTRACTIONS,
            _FRAGMENTS,
        )
    ).split()
)
