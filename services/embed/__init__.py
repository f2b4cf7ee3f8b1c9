"""Turns text into vectors. Holds no database.

Before anything here is imported, the runtime of the local model is kept from reporting home: its official builds since
1.29 do so unless told not to.
"""

from shared.config import report_nothing

report_nothing()
