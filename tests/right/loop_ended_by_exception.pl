% server loop ended by exception
loop(S) :- step(S, S1), loop(S1).
step(5, _) :- throw(done).
step(N, M) :- N < 5, M is N + 1.
run(yes) :- catch(loop(0), done, true).
