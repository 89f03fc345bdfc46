#!/bin/sh
# Plays with programs that are not part of Alphorn: python-chess, Stockfish and Fairy-Stockfish.
#
#     tests/engines/run.sh [GAMES]    10 games of chess through `alphorn uci` against Stockfish at its weakest,
#                                     three other games through `alphorn ugi`, and a match of `alphorn match`
#                                     against each of the two engines; 1 if anything goes wrong
#
# ALPHORN names the program (default: target/release/alphorn).  PYTHON names a Python with python-chess.
# It needs Debian's engines and PyPI's chess: apt-get install stockfish fairy-stockfish; pip install chess

set -eu
cd "$(dirname "$0")/../.."
program=${ALPHORN:-target/release/alphorn}
python=${PYTHON:-python3}
PATH=$PATH:/usr/games
export PATH

missing() {
    echo "run.sh: $1 is missing, and nothing was played." >&2
    echo "run.sh: Install it: $2" >&2
    exit 2
}
[ -x "$program" ] || missing "$program" "cargo build --release"
"$python" -c 'import chess.engine' 2>/dev/null || missing python-chess "pip install chess"
for engine in stockfish fairy-stockfish; do
    command -v "$engine" >/dev/null 2>&1 || missing "$engine" "apt-get install $engine"
done

"$python" tests/engines/chess_games.py "$program" "${1:-10}"
"$python" tests/engines/ugi_games.py "$program"

for engine in stockfish fairy-stockfish; do
    games=$("$program" match games/chess.pl --a '--nodes 200' --b "--nodes 1 -p 'Skill Level=0' engine:$engine" \
        --games 4 --json-lines 2>&1 >/dev/null)
    whole=$(printf '%s\n' "$games" | grep -c '"end":"\(rules\|repetition\)"' || true)
    if [ "$whole" -ne 4 ]; then
        echo "run.sh: $whole of 4 games against $engine have an end by the rules of the game:" >&2
        printf '%s\n' "$games" >&2
        exit 1
    fi
    echo "alphorn match against $engine: 4 games"
done
