"""One hypothesis profile for the domain's property tests: no deadline, since the machine is shared."""

from hypothesis import settings

settings.register_profile("domain", deadline=None, max_examples=100)
settings.load_profile("domain")
