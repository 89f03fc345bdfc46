% gives: A0505
initial(0).
max_to_move(0).
move(0, go, 1).
