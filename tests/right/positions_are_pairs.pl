% game with positions X-Y and answers; order like textbook
initial(5-5).
max_to_move(_-_).
moves(A-B, L) :- findall(C-B, (A > 0, C is A - 1), L1), findall(A-D, (B > 0, D is B - 1), L2), append(L1, L2, L).
static_eval(A-B, V) :- V is A - B.
