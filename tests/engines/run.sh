#!/bin/sh
# Plays with programs that are not part of Alphorn: python-chess and Stockfish.
#
#     tests/engines/run.sh [GAMES]    10 games of chess through `alphorn uci` against Stockfish at its weakest,
#                                     and three other games through `alphorn ugi`; 1 if anything goes wrong
#
# ALPHORN names the program (default: target/release/alphorn).  PYTHON names a Python with python-chess.
# It needs Debian's stockfish and PyPI's chess: apt-get install stockfish; pip install chess

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
command -v stockfish >/dev/null 2>&1 || missing Stockfish "apt-get install stockfish"

"$python" tests/engines/chess_games.py "$program" "${1:-10}"
"$python" tests/engines/ugi_games.py "$program"
