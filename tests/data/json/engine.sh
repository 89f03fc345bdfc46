# An engine that speaks UCI and knows no game. Its argument says what it does when it has to move.
while read -r line; do
    case "$line" in
    uci) echo uciok ;;
    isready) echo readyok ;;
    quit) exit 0 ;;
    go*)
        case "$1" in
        dies) exit 3 ;;
        illegal) echo 'info depth 3 nodes 7'; echo bestmove take:all ;;
        resigns) echo 'bestmove (none)' ;;
        esac ;;
    esac
done
