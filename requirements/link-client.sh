#!/bin/sh
# Make `candor_client` importable and `candor` a command in a virtual environment: link-client.sh VENV, from the
# repository's root. The code stays where it is, so that a change is there at once.
set -eu
venv=$1
site=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
ln -sfn "$(pwd)/gateway/client" "$site/candor_client"
printf '#!/bin/sh\nexec "$(dirname "$0")/python" -m candor_client "$@"\n' > "$venv/bin/candor"
chmod +x "$venv/bin/candor"
