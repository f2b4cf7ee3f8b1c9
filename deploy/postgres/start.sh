#!/bin/sh
# Make the cluster at the first start, then become the server. Passwords only by scram; the password is read from a file that is gone
# before the server starts.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    umask 077
    : "${POSTGRES_PASSWORD:?the password of the role postgres}"
    printf '%s' "$POSTGRES_PASSWORD" > "$PGDATA.password"
    # shellcheck disable=SC2086  # arguments of initdb are words
    initdb --username=postgres --pwfile="$PGDATA.password" --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 \
        ${POSTGRES_INITDB_ARGS:-} "$PGDATA.new"
    rm "$PGDATA.password"
    echo 'host all all all scram-sha-256' >> "$PGDATA.new/pg_hba.conf"
    mv "$PGDATA.new" "$PGDATA"  # a start that was cut leaves no half cluster
fi
unset POSTGRES_PASSWORD
if [ "${1:-}" = postgres ]; then
    shift
    set -- postgres -c 'listen_addresses=*' -c unix_socket_directories= "$@"
fi
exec "$@"
