# An engine that speaks UCI and knows no game. Its argument says what it does when it has to move.
# "twice" plays the move m(N) after N moves, and answers every question twice.
while read -r line; do
    case "$line" in
    uci) echo uciok ;;
    isready) echo readyok ;;
    quit) exit 0 ;;
    position*)
        words=$(echo "$line" | wc -w)
        moves=$((words > 3 ? words - 3 : 0)) ;;
    go*)
        case "$1" in
        dies) exit 3 ;;
        illegal) echo 'info depth 3 nodes 7'; echo bestmove take:all ;;
        twice) echo "bestmove m($moves)"; echo "bestmove m($moves)" ;;
        resigns) echo 'bestmove (none)' ;;
        esac ;;
    esac
done
