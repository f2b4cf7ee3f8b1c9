"""The format of archives: a tenant's memory as lines of JSON.

Rules: a line has a part and a record; the first one says which format it is, the last one how many came before it.
Source: REQUIREMENTS F6; docs/moving.md.
"""

FORMAT = "candor-archive"
VERSION = 1  # of the format: changes when an older import could not read what is exported
