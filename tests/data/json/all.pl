% A game that can name all its positions.
initial(a).
position(a).
position(b).
position(c).
position(d).
max_to_move(a).
max_to_move(b).
move(a, left, b).
move(a, right, c).
move(b, on, d).
outcome(c, win(min)).
outcome(d, win(max)).
acyclic.
