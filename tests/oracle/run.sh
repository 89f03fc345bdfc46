#!/bin/sh
# Holds what SWI-Prolog finds in every game of games/ against tests/data/oracle/.
#
#     tests/oracle/run.sh             compares; 1 and a diff where anything differs
#     tests/oracle/run.sh --write     writes the files anew
#
# Every game is walked with the parameters it has, and with those that
# tests/oracle/variants.tsv lists.  What is in the files: see walk.pl.

set -eu
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/../.."
data=tests/data/oracle
positions=300
seed=1

case "$#:${1-}" in
0:) write=no ;;
1:--write) write=yes ;;
*)
    echo "usage: tests/oracle/run.sh [--write]" >&2
    exit 2
    ;;
esac
if ! command -v swipl >/dev/null 2>&1; then
    echo "run.sh: SWI-Prolog is missing: there is no swipl on the PATH, and nothing was compared." >&2
    echo "run.sh: Install it (Debian: swi-prolog-nox); 'cargo test --test games oracle' needs only the data." >&2
    exit 2
fi

found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
trap 'exit 130' INT TERM

# walk GAME [name=value ...]: one file in $found.
walk() {
    game=$1
    shift
    name=$game
    [ $# -eq 0 ] || name=$game.$(echo "$*" | tr ' ' ,)
    if ! swipl -q -p library=lib tests/oracle/walk.pl -- "games/$game.pl" "$positions" "$seed" "$@" >"$found/$name.tsv" </dev/null; then
        echo "run.sh: SWI-Prolog does not get through $name" >&2
        failed=yes
    fi
}

failed=no
# SWI-Prolog loads every library file without a message, and finds every predicate that a file calls.
for file in lib/*.pl; do
    said=$(swipl -q -p library=lib -g "use_module('$file'), list_undefined" -t halt 2>&1 </dev/null) || said="$said
swipl ended with status $?"
    if [ -n "$said" ]; then
        printf 'run.sh: SWI-Prolog complains about %s:\n%s\n' "$file" "$said" >&2
        failed=yes
    fi
done
for file in games/*.pl; do
    walk "$(basename "$file" .pl)"
done
tab=$(printf '\t')
while IFS=$tab read -r game params; do
    [ "$game" != game ] || continue
    # shellcheck disable=SC2086 # one word a parameter
    walk "$game" $params
done <tests/oracle/variants.tsv
[ $failed = no ] || exit 1

count=$(find "$found" -name '*.tsv' | wc -l)
if [ $write = yes ]; then
    mkdir -p $data
    rm -f $data/*.tsv
    cp "$found"/*.tsv $data
    echo "$count files written to $data"
elif diff -ru $data "$found"; then
    echo "$count files agree with SWI-Prolog $(swipl --version | sed 's/[^0-9]*\([0-9.]*\).*/\1/')"
else
    echo "run.sh: SWI-Prolog does not find what $data says; --write takes over what it finds" >&2
    exit 1
fi
