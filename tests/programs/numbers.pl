% Large integers: what reads, writes and reckons with them counts alike for every solver.

%? large(20000, X, _), atom_length(X, N)
%? large(20000, X, Y), Z is gcd(X, Y)
%? large(2000, X, _), number_codes(X, L), number_codes(Y, L), X =:= Y
%? large(20000, X, Y), Z is X // Y, divmod(X, Y, Q, R), T is Q * Y + R - X
%? large(20000, X, _), format(atom(A), '~d ~36r', [X, X]), atom_length(A, N)
%? large(20000, X, _), term_to_atom(f(X, -X), A), term_to_atom(T, A)
%? large(20000, X, _), Y is msb(X) + X >> 19990 + popcount(\ (- X)) + (X ** 3) mod 7
%? large(4000000, X, Y), Z is gcd(X, Y)
%? large(90000000, X, _), atom_length(X, N)

large(Bits, X, Y) :- X is (1 << Bits) - 1, Y is (1 << (Bits * 3 // 4)) + 12345.
