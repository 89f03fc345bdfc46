% empty by design: feature switch
castling(_, _) :- fail.
special(none, x).
uses(X) :- castling(X, y).
uses(X) :- special(X, x).
debug_level(0).
trace_it(X) :- debug_level(1), write(X).
trace_it(_).
go(X) :- trace_it(X).
