"""Good and bad: words that praise or find fault, opposed only where two sentences say nothing else.

Rules: data only; folded single words, or phrases with underscores. "The wall is solid" and "the wall is crumbling"
are opposed though no axis holds both words. Kept apart from the axes because praise and fault of different sides of a
thing go together.
It does not know sentences (reading.py, judge.py).
Source: everyday judgements, chosen by us.
"""

PRAISE = """
good great excellent fine superb wonderful splendid perfect outstanding remarkable solid sound robust sturdy
             healthy thriving
flourishing lush blooming safe secure clean spotless clear pure fresh tidy neat comfortable pleasant cosy
             beautiful handsome
lovely friendly kind polite helpful honest fair just generous brave calm peaceful gentle patient careful diligent
             competent skilled
capable talented gifted clever wise bright brilliant reliable dependable loyal faithful trustworthy punctual
             efficient
economical effective useful successful profitable popular respected beloved welcome praised admired celebrated
             satisfied happy
cheerful content delighted proud optimistic plentiful abundant ample fertile spared saved rescued preserved
             restored improved
recovering recovered unhurt unharmed intact flawless smooth well_behaved well_kept well-kept well_maintained
             well-maintained in_order
modern legal valid correct accurate precise true genuine favourable favorable promising harmless edible drinkable
             tasty
easing improving welcomed rewarded thanked tireless modest sober orderly disciplined obedient
gut gesund sauber sicher freundlich ehrlich zufrieden glücklich fleissig ordentlich zuverlässig gepflegt schön
"""
FAULT = """
bad terrible awful dreadful horrible miserable appalling shoddy crumbling collapsing rotten rotting decayed
             decaying
dilapidated ruined derelict sick ailing diseased withered dying wilting dead dangerous unsafe hazardous dirty
             filthy polluted muddy
murky contaminated stale messy cramped uncomfortable unpleasant ugly hideous unfriendly rude hostile cruel mean
             dishonest
corrupt unfair unjust stingy cowardly nervous violent brutal rough impatient careless negligent lazy idle
             incompetent unskilled clumsy stupid
foolish unreliable disloyal treacherous late inefficient wasteful useless unsuccessful loss-making unpopular
despised hated unwelcome criticised criticized condemned deplored unhappy gloomy dissatisfied disappointed angry
             sad ashamed pessimistic scarce
insufficient barren infertile felled destroyed wrecked damaged broken cracked injured hurt wounded worsening
             deteriorating failing
unruly neglected faulty defective outdated illegal invalid wrong false inaccurate fake unfavourable hopeless
             harmful poisonous
toxic inedible undrinkable tasteless nearly_extinct extinct endangered punished blamed drunk chaotic disorderly
             disobedient arrogant
schlecht krank schmutzig gefährlich unfreundlich unehrlich unzufrieden unglücklich faul unordentlich unzuverlässig
             verwahrlost hässlich
"""
