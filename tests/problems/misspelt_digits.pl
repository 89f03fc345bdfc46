% gives: A0104, A0104, A0104, A0104, A0104, A0101
mask(0x_ff).
bits(0b1021).
octal(0O17).
half(1r2).
small(1_000.000_1).
lines(1
000).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N) :- N =:= 0xffff_0000 - 16'ffff_0000 + 1 000 000 - 1_000_000 + N.
