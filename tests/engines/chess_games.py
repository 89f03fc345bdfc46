"""Plays chess through `alphorn uci` with python-chess, against Stockfish at its weakest settings.

python-chess starts both engines, checks every move and every line, and knows the end of a game. A protocol
error, an illegal move or an engine that ends is an exception, and the exit status is then not 0.
"""

import sys

import chess
import chess.engine


def play(alphorn, stockfish, number):
    """Plays one game and returns its result and its length in plies."""
    board = chess.Board()
    sides = {chess.WHITE: alphorn, chess.BLACK: stockfish}
    limits = {alphorn: chess.engine.Limit(nodes=200), stockfish: chess.engine.Limit(nodes=1)}
    if number % 2:
        sides = {chess.WHITE: stockfish, chess.BLACK: alphorn}
    if number % 5 == 4:
        # One game in five is played with a clock.
        limits[alphorn] = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.02, black_inc=0.02)
    while not board.is_game_over(claim_draw=True) and board.ply() < 300:
        side = sides[board.turn]
        played = side.play(board, limits[side], game=number, info=chess.engine.INFO_ALL)
        if played.move is None:
            raise RuntimeError(f"no move in {board.fen()}")
        board.push(played.move)
    return board.result(claim_draw=True), board.ply()


def main():
    program, games = sys.argv[1], int(sys.argv[2])
    alphorn = chess.engine.SimpleEngine.popen_uci([program, "uci", "games/chess.pl"], timeout=60)
    stockfish = chess.engine.SimpleEngine.popen_uci("stockfish", timeout=60)
    try:
        alphorn.configure({"Hash": 8, "Heuristic": True})
        stockfish.configure({"Skill Level": 0})
        print(f"{alphorn.id['name']} against {stockfish.id['name']}, Skill Level 0, 1 node")
        for number in range(games):
            result, plies = play(alphorn, stockfish, number)
            colour = "black" if number % 2 else "white"
            print(f"game {number + 1}: {result}, alphorn {colour}, {plies} plies", flush=True)
        analysis = alphorn.analyse(chess.Board(), chess.engine.Limit(depth=2))
        print(f"analysis: depth {analysis['depth']}, {analysis['score']}, {analysis['pv'][0].uci()}")
        with alphorn.analysis(chess.Board()) as infinite:
            infinite.get()
        alphorn.ping()
    finally:
        alphorn.quit()
        stockfish.quit()


main()
