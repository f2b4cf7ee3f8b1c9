#!/bin/sh
# Print the path of a Python that can run Candor, or say on stderr what is missing and exit 1.
# Each candidate is executed: a version-manager shim may be on PATH and still not run.
lacking=""
for name in ${PYTHON:-python3.13 python3.12 python3.11 python3.14 python3 python}; do
    found=$("$name" -c 'import sys; print(sys.executable if (3, 11) <= sys.version_info < (3, 15) else "")' 2>/dev/null) || continue
    [ -n "$found" ] || continue
    if "$found" -c 'import ensurepip, venv' 2>/dev/null; then
        echo "$found"
        exit 0
    fi
    lacking="$found"
done
if [ -n "$lacking" ]; then
    echo "setup: $lacking has no 'ensurepip' module, so it cannot make a virtual environment." >&2
    echo "       On Debian or Ubuntu: apt-get install python3-venv. Or name another: make setup PYTHON=/path/to/python3.12" >&2
else
    echo "setup: no Python 3.11, 3.12, 3.13 or 3.14 runs under the names: ${PYTHON:-python3.13 python3.12 python3.11 python3.14 python3 python}" >&2
    echo "       Install one, or name it: make setup PYTHON=/path/to/python3.12" >&2
fi
exit 1
