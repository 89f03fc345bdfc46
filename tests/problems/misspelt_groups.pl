% gives: A0104, A0104, A0101
group(1_000_).
radix(16'fg).
row([1 2]).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
