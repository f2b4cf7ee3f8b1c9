"""`python -m candor_client` is the command `candor`.

Rules: as in `cli`. It does not know any command.
Source: chosen.
"""

from .cli import app

app(prog_name="candor")
