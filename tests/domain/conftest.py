"""Hypothesis profiles of the domain's property tests: no deadline, since the machine is shared.

`make test` draws 100 examples of each property, `make unit` 40 (--hypothesis-profile=quick), so that it stays quick.
"""

from hypothesis import settings

settings.register_profile("quick", deadline=None, max_examples=40)
settings.register_profile("domain", deadline=None, max_examples=100)
settings.load_profile("domain")
