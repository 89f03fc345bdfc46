% gives: A0502, A0505, A0508, A0508
initial(0).
max_to_move(0).
move(0, 1).
static_eval(1).
