% Chess by the laws of FIDE: castling, en passant, promotion, check, mate, stalemate and the
% fifty-move rule.  White is MAX.  Source: FIDE Laws of Chess, 2023, articles 1-5 and 9.3.
%
% A position is chess(Side, Board, Rights, Passed, Clock, Number, Score).
%   Side    w or b, whoever is to move.
%   Board   board/64, the squares a1, b1 ... h8: e or a man, wp wn wb wr wq wk, bp ... bk.
%   Rights  castling rights as a sum: White short 8, long 4, Black short 2, long 1.
%   Passed  the square that a pawn has just skipped (FEN's en passant square), or 0.
%   Clock   plies since the last capture or pawn move; Number, the move's number: as in FEN.
%   Score   the sum of what the men are worth on their squares, see places/3.  Moves keep it up to
%           date, for that takes one addition where counting the men anew would take a hundred
%           steps in every leaf.
% Moves are labelled in UCI's long algebraic form: e2e4, e7e8q, e1g1 to castle.
%
% Perft counts as others count it: only mate, stalemate and the fiftieth move without progress
% end a game.  Dead positions (no side can mate) go on, valued as draws; repetitions end at the
% fifty-move rule, since a position does not know its past.  move_counter/1 lets --heuristic see them.

:- use_module(library(alphorn)).
:- use_module(library(fen)).

:- expect(perft(1) = 20).
:- expect(perft(2) = 400).
:- expect(perft(3) = 8902).
:- expect(perft(4) = 197281).
% Kiwipete: r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1
:- expect(perft(chess(w, board(wr, e, e, e,wk, e, e,wr,
                               wp,wp,wp,wb,wb,wp,wp,wp,
                                e, e,wn, e, e,wq, e,bp,
                                e,bp, e, e,wp, e, e, e,
                                e, e, e,wp,wn, e, e, e,
                               bb,bn, e, e,bp,bn,bp, e,
                               bp, e,bp,bp,bq,bp,bb, e,
                               br, e, e, e,bk, e, e,br), 15, 0, 0, 1, -2499932), 3) = 97862).
% Pins along rank 5, en passant that would open it: 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1
:- expect(perft(chess(w, board( e, e, e, e, e, e, e, e,
                                e, e, e, e,wp, e,wp, e,
                                e, e, e, e, e, e, e, e,
                                e,wr, e, e, e,bp, e,bk,
                               wk,wp, e, e, e, e, e,br,
                                e, e, e,bp, e, e, e, e,
                                e, e,bp, e, e, e, e, e,
                                e, e, e, e, e, e, e, e), 0, 0, 0, 1, 200002300001), 3) = 2812).
% Mate in two, by no other move: 8/8/7B/2N5/2Q5/3K1P1P/8/k7 w - - 0 1
:- expect(best(chess(w, board(bk, e, e, e, e, e, e, e,
                               e, e, e, e, e, e, e, e,
                               e, e, e,wk, e,wp, e,wp,
                               e, e,wq, e, e, e, e, e,
                               e, e,wn, e, e, e, e, e,
                               e, e, e, e, e, e, e,wb,
                               e, e, e, e, e, e, e, e,
                               e, e, e, e, e, e, e, e), 0, 0, 0, 1, 180183901871), 3) = h6g7).
:- expect(holds((initial(P), write_position(P, T),
                 T = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
                 read_position(T, P)))).
:- expect(holds((initial(P), move(P, e2e4, Q), write_position(Q, T),
                 T = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1',
                 read_position(T, Q)))).
:- expect(fails(read_position('rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', _))).
:- expect(fails(read_position('4k3/8/8/8/8/8/8/4K2R w Q - 0 1', _))).
:- expect(fails(read_position('4k3/8/8/8/8/8/8/4RK2 w - - 0 1', _))).
% Mate, stalemate, the hundredth ply without progress, and mate on that ply.
:- expect(holds((read_position('7k/5KQ1/8/8/8/8/8/8 b - - 9 40', P), terminal(P),
                 outcome(P, win(max))))).
:- expect(holds((read_position('7k/5K2/6Q1/8/8/8/8/8 b - - 9 40', P), terminal(P),
                 outcome(P, draw)))).
:- expect(holds((read_position('7k/8/6Q1/8/8/8/5K2/8 w - - 100 80', P), terminal(P),
                 outcome(P, draw)))).
:- expect(holds((read_position('7k/5KQ1/8/8/8/8/8/8 b - - 100 80', P), outcome(P, win(max))))).
% The king may castle with an attacked rook or past an attacked b1, but not out of check,
% through it or into it.
:- expect(holds((read_position('1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1', P), move(P, e1g1, _),
                 move(P, e1c1, Q), write_position(Q, '1r2k3/8/8/8/8/8/8/2KR3R b - - 1 1')))).
:- expect(fails((read_position('3rk1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1', P),
                 member(M, [e1g1, e1c1]), move(P, M, _)))).
:- expect(fails((read_position('k3r3/8/8/8/8/8/8/R3K2R w KQ - 0 1', P),
                 member(M, [e1g1, e1c1]), move(P, M, _)))).
% A right is gone once the king or the rook has moved, or the rook is taken.
:- expect(holds((read_position('r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1', P), move(P, a1a8, Q),
                 write_position(Q, 'R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1'),
                 move(Q, e8e7, R), write_position(R, 'R6r/4k3/8/8/8/8/8/4K2R w K - 1 2')))).
:- expect(holds((read_position('4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2', P), move(P, e5d6, Q),
                 write_position(Q, '4k3/8/3P4/8/8/8/8/4K3 b - - 0 2')))).
:- expect(fails((sample(_, P), \+ forced(P), findall(M-Q, ( move(P, M, Q), noisy(P, M) ), Moves),
                 findall(M-Q, noisy_move(P, M, Q), Found), \+ ( msort(Moves, S), msort(Found, S) )))).
:- expect(fails((read_position('8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2', P), move(P, e5d6, _)))).
:- expect(holds((read_position('1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1', P),
                 findall(M, (move(P, M, _), sub_atom(M, 0, _, _, a7)), Ms),
                 msort(Ms, [a7a8b, a7a8n, a7a8q, a7a8r, a7b8b, a7b8n, a7b8q, a7b8r])))).

initial(chess(w, board(wr,wn,wb,wq,wk,wb,wn,wr,
                       wp,wp,wp,wp,wp,wp,wp,wp,
                        e, e, e, e, e, e, e, e,
                        e, e, e, e, e, e, e, e,
                        e, e, e, e, e, e, e, e,
                        e, e, e, e, e, e, e, e,
                       bp,bp,bp,bp,bp,bp,bp,bp,
                       br,bn,bb,bq,bk,bb,bn,br), 15, 0, 0, 1, 0)).

max_to_move(chess(w, _, _, _, _, _, _)).

terminal(chess(_, _, _, _, Clock, _, _)) :-
    Clock >= 100,
    !.
terminal(Pos) :-
    \+ move(Pos, _, _).

outcome(Pos, Result) :-
    Pos = chess(Side, _, _, _, _, _, _),
    (   in_check(Pos),
        \+ move(Pos, _, _)
    ->  loses(Side, Result)
    ;   Result = draw
    ).

loses(w, win(min)).
loses(b, win(max)).

in_check(chess(Side, Board, _, _, _, _, _)) :-
    king(Side, King, Other),
    args_with(Board, King, K),
    hit(Other, Board, K),
    !.

% Material and the men's places, 0 where neither side can mate.  At the end of a game
% outcome/2 speaks.
static_eval(chess(_, Board, _, _, _, _, Score), Value) :-
    (   args_with(Board, wp, _)
    ->  tapered(Score, Value)
    ;   dead(Board)
    ->  Value = 0
    ;   tapered(Score, Value)
    ).

% From the middlegame to the endgame, as officers leave the board, the value goes from the
% first to the second of the two sums in Score.
tapered(Score, Value) :-
    Sums is Score + 305000050000,
    Middle is Sums mod 100000 - 50000,
    End is Sums // 100000 mod 100000 - 50000,
    Lost is min(24, max(0, Sums // 10000000000 - 30)),
    Value is (Middle * (24 - Lost) + End * Lost) // 24.

% Neither side has more than its king, but for one minor piece.
dead(Board) :-
    \+ ( member(Man, [bp, wr, br, wq, bq]), args_with(Board, Man, _) ),
    findall(S, ( member(Man, [wn, wb, bn, bb]), args_with(Board, Man, S) ), Minors),
    \+ Minors = [_, _|_].

% The evaluation is trusted where nothing is to be won at once and no king is in check.  Elsewhere
% a search goes on: with moves that take a man worth about as much as the taker or one that is not
% guarded, and with new queens.  Who is in check has to answer it.
quiet(Pos) :-
    \+ in_check(Pos),
    Pos = chess(Side, Board, _, _, _, _, _),
    \+ tempting(Side, Board, _, _).

% tempting(Side, Board, From, To): a man can take another as noisy/2 says, or become a queen, but for
% threats to its king.
tempting(Side, Board, From, To) :-
    pawn(Side, Pawn),
    args_with(Board, Pawn, From),
    ahead(From, Side, _, _, Left, Right),
    ( To = Left ; To = Right ),
    arg(To, Board, Taken),
    taken(Taken, Side).
tempting(Side, Board, From, To) :-
    pawn(Side, Pawn),
    last(Side, From, One, Left, Right),
    arg(From, Board, Pawn),
    (   arg(One, Board, e),
        To = One
    ;   ( To = Left ; To = Right ),
        arg(To, Board, Taken),
        taken(Taken, Side)
    ).
tempting(Side, Board, From, To) :-
    king(Side, _, Other),
    officer(Side, Man, Kind),
    man(Man, _, _, Risked),
    args_with(Board, Man, From),
    ray(Kind, From, [T|Ts]),
    arg(T, Board, Found),
    meets(Found, T, Ts, Board, To, Taken),
    man(Taken, Other, _, Won),
    pays(Won, Risked, Board, From, Man, To, Other).
tempting(Side, Board, From, To) :-
    king(Side, King, Other),
    args_with(Board, King, From),
    ray(k, From, [To|_]),
    arg(To, Board, Taken),
    taken(Taken, Side),
    put_args(Board, [From-e, To-King], After),
    \+ attacked(Other, After, To).

% taken(Man, Side): Side can take the man.
taken(wp, b). taken(wn, b). taken(wb, b). taken(wr, b). taken(wq, b). taken(bp, w). taken(bn, w).
taken(bb, w). taken(br, w). taken(bq, w).

% meets(Found, T, Ts, Board, To, Man): the first man on a line, from T, on which Found stands.
meets(e, _, [T|Ts], Board, To, Man) :-
    !,
    arg(T, Board, Found),
    meets(Found, T, Ts, Board, To, Man).
meets(Man, To, _, _, To, Man) :-
    Man \== e.

% A man worth Won, on To, is worth taking by one worth Risked.
pays(Won, Risked, Board, From, Man, To, Other) :-
    (   Won + 50 >= Risked
    ->  true
    ;   put_args(Board, [From-e, To-Man], After),
        \+ attacked(Other, After, To)
    ).

% The noisy moves of a side that is not in check.
noisy_move(Pos, Label, Next) :-
    Pos = chess(Side, Board, _, _, _, _, _),
    king(Side, King, Other),
    args_with(Board, King, K),
    findall(From-To, tempting(Side, Board, From, To), Pairs),
    Pairs \== [],
    findall(Threat, threat(Other, Board, K, Threat), Threats),
    member(From-To, Pairs),
    (   From =:= K
    ->  true
    ;   allowed(Threats, From, To)
    ),
    taking(Pos, From, To, Label, Next).

taking(Pos, From, To, Label, chess(Other, Board, Rights, 0, 0, Number, Score)) :-
    Pos = chess(Side, Board0, Rights0, _, _, Number0, Score0),
    arg(From, Board0, Man0),
    arg(To, Board0, Taken),
    square(From, Name, _, Mask, _),
    square(To, ToName, Place, _, _),
    (   pawn(Side, Man0),
        last(Side, From, _, _, _)
    ->  promoted(Side, Man, Kind),
        places(Man, Lost, Places),
        atomic_list_concat([Name, ToName, Kind], Label)
    ;   Man = Man0,
        Lost = 0,
        places(Man, _, Places),
        atom_concat(Name, ToName, Label)
    ),
    (   Taken == e
    ->  Kind == q,
        Rights = Rights0,
        Score1 = Score0
    ;   Rights1 is Rights0 /\ Mask,
        take(Taken, To, now(0, Rights1, Score0), now(_, Rights, Score1))
    ),
    turn(Side, Other, Number0, Number),
    put_args(Board0, [From-e, To-Man], Board),
    worth(Man0, From, Worth0),
    arg(Place, Places, Worth),
    Score is Score1 - Worth0 + Worth - Lost.

noisy(chess(Side, Board, _, _, _, _, _), Label) :-
    sub_atom(Label, 2, 2, _, ToName),
    square(To, ToName, _, _, _),
    arg(To, Board, Taken),
    (   Taken == e
    ->  sub_atom(Label, 4, 1, 0, q)
    ;   sub_atom(Label, 0, 2, _, FromName),
        square(From, FromName, _, _, _),
        arg(From, Board, Taker),
        man(Taken, Other, _, Won),
        man(Taker, Side, _, Risked),
        pays(Won, Risked, Board, From, Taker, To, Other)
    ).

forced(Pos) :-
    in_check(Pos).

% The number of the move grows with every second ply.
acyclic.
move_counter(5).
move_counter(6).

% A pass is hardly ever best while the side has two officers and is not in check.
pass(chess(Side, Board, Rights, _, Clock, Number0, Score),
     chess(Other, Board, Rights, 0, Clock, Number, Score)) :-
    turn(Side, Other, Number0, Number).

null_ok(Pos) :-
    Pos = chess(Side, Board, _, _, _, _, _),
    findall(S, ( officer(Side, Man, _), args_with(Board, Man, S) ), [_, _|_]),
    \+ in_check(Pos).

% ---- Moves -------------------------------------------------------------------------------

% The threats to the king are found once in a position and tell which moves of the other men
% would leave it attacked.  So only king's moves and en passant look at the board again.
move(Pos, Label, Next) :-
    Pos = chess(Side, Board, _, _, _, _, _),
    king(Side, King, Other),
    args_with(Board, King, K),
    findall(Threat, threat(Other, Board, K, Threat), Threats),
    legal(Pos, K, Threats, Label, Next).

% Pawns and officers.
legal(Pos, _, Threats, Label, chess(Other, Board, Rights, Passed, Clock, Number, Score)) :-
    Pos = chess(Side, Board0, _, _, _, Number0, _),
    turn(Side, Other, Number0, Number),
    (   Threats == []
    ->  step(Pos, From, Name, To, Man, Places, Passed, now(Clock, Rights, Score0))
    ;   step(Pos, From, Name, To, Man, Places, Passed, now(Clock, Rights, Score0)),
        allowed(Threats, From, To)
    ),
    square(To, ToName, Place, _, _),
    atom_concat(Name, ToName, Label),
    put_args(Board0, [From-e, To-Man], Board),
    arg(Place, Places, Worth),
    Score is Score0 + Worth.

% Pawns that promote.
legal(Pos, _, Threats, Label, chess(Other, Board, Rights, 0, 0, Number, Score)) :-
    Pos = chess(Side, Board0, Rights0, _, _, Number0, Score0),
    pawn(Side, Pawn),
    last(Side, From, One, Left, Right),
    arg(From, Board0, Pawn),
    turn(Side, Other, Number0, Number),
    worth(Pawn, From, Worth),
    Score1 is Score0 - Worth,
    Now = now(0, Rights0, Score1),
    (   ( T = Left ; T = Right ),
        arg(T, Board0, Found),
        Found \== e,
        reach(Found, T, [], Board0, Side, Now, To, now(_, Rights, Score2))
    ;   arg(One, Board0, e),
        To = One,
        Rights = Rights0,
        Score2 = Score1
    ),
    allowed(Threats, From, To),
    promoted(Side, Man, Kind),
    put_args(Board0, [From-e, To-Man], Board),
    places(Man, Lost, _),
    worth(Man, To, ManWorth),
    Score is Score2 + ManWorth - Lost,
    square(From, Name, _, _, _),
    square(To, ToName, _, _, _),
    atomic_list_concat([Name, ToName, Kind], Label).

% En passant: the pawn to be taken stands where it would step from the square it skipped, and
% can be taken from where it could take from there.
legal(Pos, K, _, Label, chess(Other, Board, Rights, 0, 0, Number, Score)) :-
    Pos = chess(Side, Board0, Rights, To, _, Number0, Score0),
    turn(Side, Other, Number0, Number),
    ahead(To, Other, Taken, _, Left, Right),
    pawn(Side, Pawn),
    ( From = Left ; From = Right ),
    arg(From, Board0, Pawn),
    put_args(Board0, [From-e, Taken-e, To-Pawn], Board),
    \+ attacked(Other, Board, K),
    pawn(Other, TakenPawn),
    worth(TakenPawn, Taken, TakenWorth),
    worth(Pawn, From, Worth0),
    worth(Pawn, To, Worth),
    Score is Score0 - TakenWorth - Worth0 + Worth,
    square(From, Name, _, _, _),
    square(To, ToName, _, _, _),
    atom_concat(Name, ToName, Label).

% The king steps.
legal(Pos, K, _, Label, chess(Other, Board, Rights, 0, Clock, Number, Score)) :-
    Pos = chess(Side, Board0, Rights0, _, Clock0, Number0, Score0),
    turn(Side, Other, Number0, Number),
    king(Side, King, _),
    worth(King, K, Worth0),
    square(K, Name, _, Mask, _),
    Rights1 is Rights0 /\ Mask,
    Clock1 is Clock0 + 1,
    Score1 is Score0 - Worth0,
    ray(k, K, [T|Ts]),
    arg(T, Board0, Found),
    reach(Found, T, Ts, Board0, Side, now(Clock1, Rights1, Score1), To,
          now(Clock, Rights, Score2)),
    put_args(Board0, [K-e, To-King], Board),
    \+ attacked(Other, Board, To),
    worth(King, To, Worth),
    Score is Score2 + Worth,
    square(To, ToName, _, _, _),
    atom_concat(Name, ToName, Label).

% Castling: a right implies that king and rook are at home.
legal(Pos, K, Threats, Label, chess(Other, Board, Rights, 0, Clock, Number, Score)) :-
    Pos = chess(Side, Board0, Rights0, _, Clock0, Number0, Score0),
    castling(Side, Right, Label, To, Rook, RookFrom, RookTo, Between),
    Rights0 /\ Right =\= 0,
    arg(RookTo, Board0, e),
    arg(To, Board0, e),
    arg(Between, Board0, e),
    \+ memberchk(threat(none, _), Threats),
    turn(Side, Other, Number0, Number),
    \+ attacked(Other, Board0, RookTo),
    \+ attacked(Other, Board0, To),
    king(Side, King, _),
    put_args(Board0, [K-e, RookFrom-e, RookTo-Rook, To-King], Board),
    square(K, _, _, Mask, _),
    Rights is Rights0 /\ Mask,
    Clock is Clock0 + 1,
    worth(King, K, King0),
    worth(King, To, King1),
    worth(Rook, RookFrom, Rook0),
    worth(Rook, RookTo, Rook1),
    Score is Score0 - King0 + King1 - Rook0 + Rook1.

turn(w, b, Number, Number).
turn(b, w, Number0, Number) :-
    Number is Number0 + 1.

% castling(Side, Right, Label, King's new square, Rook, its squares, one more to be empty).
castling(w, 8, e1g1, 7, wr, 8, 6, 7).
castling(w, 4, e1c1, 3, wr, 1, 4, 2).
castling(b, 2, e8g8, 63, br, 64, 62, 63).
castling(b, 1, e8c8, 59, br, 57, 60, 58).

% step(Pos, From, Name, To, Man, Places, Passed, Now): Man can go from From, whose name is Name,
% to To, but for threats to its king.  Places is what it is worth on each square.
% now(Clock, Rights, Score) is what the move makes of these, where the board without Man has Score.
step(Pos, From, Name, To, Pawn, Places, Passed, Now) :-
    Pos = chess(Side, Board, Rights, _, _, _, Score),
    pawn(Side, Pawn),
    places(Pawn, _, Places),
    args_with(Board, Pawn, From),
    ahead(From, Side, One, Two, Left, Right),
    square(From, Name, Place, _, _),
    arg(Place, Places, Worth),
    Score1 is Score - Worth,
    Now1 = now(0, Rights, Score1),
    (   ( T = Left ; T = Right ),
        arg(T, Board, Found),
        Found \== e,
        reach(Found, T, [], Board, Side, Now1, To, Now),
        Passed = 0
    ;   arg(One, Board, e),
        Now = Now1,
        (   To = One,
            Passed = 0
        ;   arg(Two, Board, e),
            To = Two,
            Passed = One
        )
    ).
step(Pos, From, Name, To, Man, Places, 0, Now) :-
    Pos = chess(Side, Board, Rights, _, Clock, _, Score),
    Clock1 is Clock + 1,
    officer(Side, Man, Kind),
    places(Man, _, Places),
    args_with(Board, Man, From),
    square(From, Name, Place, Mask, _),
    Rights1 is Rights /\ Mask,
    arg(Place, Places, Worth),
    Score1 is Score - Worth,
    ray(Kind, From, [T|Ts]),
    arg(T, Board, Found),
    reach(Found, T, Ts, Board, Side, now(Clock1, Rights1, Score1), To, Now).

% ray(Kind, From, Squares): one of the lines along which a man moves, nearest square first.
ray(n, From, [To]) :- knight(From, To).
ray(b, From, Ray) :- diagonal(From, Ray).
ray(r, From, Ray) :- straight(From, Ray).
ray(q, From, Ray) :- straight(From, Ray).
ray(q, From, Ray) :- diagonal(From, Ray).
ray(k, From, [To]) :- straight(From, [To|_]).
ray(k, From, [To]) :- diagonal(From, [To|_]).

% reach(Found, T, Ts, Board, Side, Now0, To, Now): T, on which Found stands, or one of Ts, the
% squares behind it, can be moved to.
reach(e, T, _, _, _, Now, T, Now).
reach(e, _, [T|Ts], Board, Side, Now0, To, Now) :-
    arg(T, Board, Found),
    reach(Found, T, Ts, Board, Side, Now0, To, Now).
reach(wp, T, _, _, b, Now0, T, Now) :- take(wp, T, Now0, Now).
reach(wn, T, _, _, b, Now0, T, Now) :- take(wn, T, Now0, Now).
reach(wb, T, _, _, b, Now0, T, Now) :- take(wb, T, Now0, Now).
reach(wr, T, _, _, b, Now0, T, Now) :- take(wr, T, Now0, Now).
reach(wq, T, _, _, b, Now0, T, Now) :- take(wq, T, Now0, Now).
reach(bp, T, _, _, w, Now0, T, Now) :- take(bp, T, Now0, Now).
reach(bn, T, _, _, w, Now0, T, Now) :- take(bn, T, Now0, Now).
reach(bb, T, _, _, w, Now0, T, Now) :- take(bb, T, Now0, Now).
reach(br, T, _, _, w, Now0, T, Now) :- take(br, T, Now0, Now).
reach(bq, T, _, _, w, Now0, T, Now) :- take(bq, T, Now0, Now).

take(Man, S, now(_, Rights0, Score0), now(0, Rights, Score)) :-
    places(Man, Lost, Places),
    square(S, _, Place, Mask, _),
    arg(Place, Places, Worth),
    Rights is Rights0 /\ Mask,
    Score is Score0 - Worth + Lost.

% ---- Check -------------------------------------------------------------------------------

% threat(By, Board, K, threat(Man, Line)): By attacks square K, where Man is none, or would if
% the other side's man on square Man left the line; a move to Line, which ends with the
% attacker, parries it.
threat(By, Board, K, threat(Man, Line)) :-
    square(K, _, _, _, At),
    slider(By, Attacker, Kind),
    args_with(Board, Attacker, S),
    square(S, _, _, _, AtS),
    aligned(Kind, At, AtS, Step0),
    (   S > K
    ->  Step = Step0
    ;   Step is -Step0
    ),
    T is K + Step,
    sight(T, S, Step, By, Board, none, Man, Line).
threat(By, Board, K, threat(none, [S])) :-
    officer(By, Knight, n),
    args_with(Board, Knight, S),
    knight(S, K).
threat(By, Board, K, threat(none, [S])) :-
    pawn(By, Pawn),
    turn(Side, By, 0, _),
    ahead(K, Side, _, _, Left, Right),
    ( S = Left ; S = Right ),
    arg(S, Board, Pawn).

% aligned(Kind, At, AtS, Step): a man of this kind sees from one square to the other on an
% empty board; Step leads upwards.
aligned(q, at(File, _, _, _), at(File, _, _, _), 8).
aligned(q, at(_, Rank, _, _), at(_, Rank, _, _), 1).
aligned(q, at(_, _, Diagonal, _), at(_, _, Diagonal, _), 9).
aligned(q, at(_, _, _, Anti), at(_, _, _, Anti), 7).
aligned(r, at(File, _, _, _), at(File, _, _, _), 8).
aligned(r, at(_, Rank, _, _), at(_, Rank, _, _), 1).
aligned(b, at(_, _, Diagonal, _), at(_, _, Diagonal, _), 9).
aligned(b, at(_, _, _, Anti), at(_, _, _, Anti), 7).

% sight(T, S, Step, By, Board, Man0, Man, Line): from T on to S stands at most one man, not of
% By and none if Man0 is one already.
sight(S, S, _, _, _, Man, Man, [S]) :-
    !.
sight(T, S, Step, By, Board, Man0, Man, [T|Line]) :-
    arg(T, Board, Found),
    (   Found == e
    ->  Man1 = Man0
    ;   Man0 == none,
        man(Found, Side, _, _),
        Side \== By,
        Man1 = T
    ),
    T1 is T + Step,
    sight(T1, S, Step, By, Board, Man1, Man, Line).

% hit(By, Board, S): By attacks the square with another man than the king.
hit(By, Board, S) :-
    square(S, _, _, _, At),
    slider(By, Attacker, Kind),
    args_with(Board, Attacker, A),
    square(A, _, _, _, AtA),
    aligned(Kind, At, AtA, Step0),
    (   A > S
    ->  Step = Step0
    ;   Step is -Step0
    ),
    T is S + Step,
    clear(T, A, Step, Board).
hit(By, Board, S) :-
    officer(By, Knight, n),
    args_with(Board, Knight, A),
    knight(A, S).
hit(By, Board, S) :-
    turn(Side, By, 0, _),
    pawn_attacks(Side, Board, S).

% clear(T, S, Step, Board): no man stands from T on before S.
clear(S, S, _, _) :-
    !.
clear(T, S, Step, Board) :-
    arg(T, Board, e),
    T1 is T + Step,
    clear(T1, S, Step, Board).

attacked(By, Board, S) :-
    hit(By, Board, S).
attacked(By, Board, S) :-
    king(By, King, _),
    args_with(Board, King, K),
    ray(k, K, [S|_]).

% allowed(Threats, From, To): the move parries the threats.
allowed([], _, _).
allowed([threat(Man, Line)|Threats], From, To) :-
    (   Man \== none,
        Man \== From
    ->  true
    ;   memberchk(To, Line)
    ),
    allowed(Threats, From, To).

% ---- Men ---------------------------------------------------------------------------------

% man(Man, Side, FEN's letter, Worth): Worth is what exchanges reckon with.
man(wp, w, 'P', 100). man(wn, w, 'N', 320). man(wb, w, 'B', 330). man(wr, w, 'R', 500).
man(wq, w, 'Q', 950). man(wk, w, 'K', 0). man(bp, b, p, 100). man(bn, b, n, 320).
man(bb, b, b, 330). man(br, b, r, 500). man(bq, b, q, 950). man(bk, b, k, 0).

worth(Man, S, Value) :-
    places(Man, _, Places),
    square(S, _, Place, _, _),
    arg(Place, Places, Value).

% king(Side, King, Other side).
king(w, wk, b).
king(b, bk, w).

pawn(w, wp).
pawn(b, bp).

officer(w, wn, n). officer(w, wb, b). officer(w, wr, r). officer(w, wq, q). officer(b, bn, n).
officer(b, bb, b). officer(b, br, r). officer(b, bq, q).

slider(w, wb, b). slider(w, wr, r). slider(w, wq, q). slider(b, bb, b). slider(b, br, r).
slider(b, bq, q).

promoted(w, wq, q). promoted(w, wr, r). promoted(w, wb, b). promoted(w, wn, n). promoted(b, bq, q).
promoted(b, br, r). promoted(b, bb, b). promoted(b, bn, n).

% ---- Places ------------------------------------------------------------------------------
% places(Man, Lost, Places): what a man is worth to White on each square of the files a to d, as on
% the others, from the first rank up: in hundredths of a pawn, 100000 times the worth in the endgame
% plus that in the middlegame.  Lost counts what the board loses with the man on the way to the
% endgame, in units of 10^10: a queen is 4 of 24.
places(wp,0,t(0,0,0,0,10300062,10300090,10000080,10300064,9900064,10000080,9100080,9500082,10700062,10300080,
  9200082,8900104,12500072,11700087,10500090,9700102,18500082,18500092,17000107,16000112,26000152,25500162,
  24000142,23000152,0,0,0,0)).
places(wn,10000000000,t(23500255,24000313,26300300,26700310,24500307,26500305,27500327,28000335,26300317,
  27700335,28500349,29900351,27000327,28700343,30100353,30700357,27300335,29000353,30300363,30700380,26000325,
  27000370,29000385,29300405,25000285,27000315,26500375,28000365,21000215,24000265,26500295,26000305)).
places(wb,10000000000,t(28000340,29100352,28500347,29300342,28200365,28800382,29500376,30000364,29000365,
  29700376,30800380,31200375,29500360,30200372,31000372,31200388,29900356,30500366,31000382,31000405,30200355,
  29600390,30000398,30000398,29200330,29500370,30200360,29200360,28500340,28200360,29000310,29200325)).
places(wr,20000000000,t(50000455,51200460,51200477,50900491,50600430,50400460,51000463,50900471,50600435,
  50900453,50600463,50800467,51400443,51400455,51500467,51200475,51600455,51400465,51800485,51300495,51800475,
  51600500,51600505,51600510,52200505,52200510,52000535,51400540,52200505,52200510,52600500,52400520)).
places(wq,40000000000,t(90401005,91001005,91501012,91801026,91401002,91201015,91801028,92401026,92801012,
  92501024,95201015,94801016,94001012,96201008,96201014,97801014,95001005,96501005,96801012,98201015,93201020,
  94801015,95801035,98001040,94001010,96200990,97001025,97801020,94001020,95801040,96001055,96401060)).
places(wk,0,t(14800195,16800230,18200212,18200155,17400200,19200205,20500175,21200145,18000178,20200182,
  21200170,22200155,18200155,20200180,22200165,22600158,19400175,22200185,22600180,22800170,20800190,22000210,
  22800205,21800185,18800200,21500200,21400185,21700185,14000160,17000200,18200200,18500170)).
places(bp,0,t(0,0,0,0,-26000152,-25500162,-24000142,-23000152,-18500082,-18500092,-17000107,-16000112,
  -12500072,-11700087,-10500090,-9700102,-10700062,-10300080,-9200082,-8900104,-9900064,-10000080,-9100080,
  -9500082,-10300062,-10300090,-10000080,-10300064,0,0,0,0)).
places(bn,10000000000,t(-21000215,-24000265,-26500295,-26000305,-25000285,-27000315,-26500375,-28000365,
  -26000325,-27000370,-29000385,-29300405,-27300335,-29000353,-30300363,-30700380,-27000327,-28700343,
  -30100353,-30700357,-26300317,-27700335,-28500349,-29900351,-24500307,-26500305,-27500327,-28000335,
  -23500255,-24000313,-26300300,-26700310)).
places(bb,10000000000,t(-28500340,-28200360,-29000310,-29200325,-29200330,-29500370,-30200360,-29200360,
  -30200355,-29600390,-30000398,-30000398,-29900356,-30500366,-31000382,-31000405,-29500360,-30200372,
  -31000372,-31200388,-29000365,-29700376,-30800380,-31200375,-28200365,-28800382,-29500376,-30000364,
  -28000340,-29100352,-28500347,-29300342)).
places(br,20000000000,t(-52200505,-52200510,-52600500,-52400520,-52200505,-52200510,-52000535,-51400540,
  -51800475,-51600500,-51600505,-51600510,-51600455,-51400465,-51800485,-51300495,-51400443,-51400455,
  -51500467,-51200475,-50600435,-50900453,-50600463,-50800467,-50600430,-50400460,-51000463,-50900471,
  -50000455,-51200460,-51200477,-50900491)).
places(bq,40000000000,t(-94001020,-95801040,-96001055,-96401060,-94001010,-96200990,-97001025,-97801020,
  -93201020,-94801015,-95801035,-98001040,-95001005,-96501005,-96801012,-98201015,-94001012,-96201008,
  -96201014,-97801014,-92801012,-92501024,-95201015,-94801016,-91401002,-91201015,-91801028,-92401026,
  -90401005,-91001005,-91501012,-91801026)).
places(bk,0,t(-14000160,-17000200,-18200200,-18500170,-18800200,-21500200,-21400185,-21700185,-20800190,
  -22000210,-22800205,-21800185,-19400175,-22200185,-22600180,-22800170,-18200155,-20200180,-22200165,
  -22600158,-18000178,-20200182,-21200170,-22200155,-17400200,-19200205,-20500175,-21200145,-14800195,
  -16800230,-18200212,-18200155)).

% ---- Pictures and FEN --------------------------------------------------------------------

show(Pos, Lines) :-
    Pos = chess(Side, Board, _, _, _, _, _),
    ranks(Board, Ranks),
    rank_lines(Ranks, Picture),
    side_name(Side, Name),
    (   terminal(Pos)
    ->  Status = 'the game is over'
    ;   in_check(Pos)
    ->  atom_concat(Name, ' to move, in check', Status)
    ;   atom_concat(Name, ' to move', Status)
    ),
    append(Picture, [Status], Lines).

ranks(Board, Ranks) :-
    findall(Letters,
            ( between(1, 8, Row), First is 65 - 8 * Row, rank(Board, First, Letters) ),
            Ranks).

rank(Board, First, Letters) :-
    findall(Letter,
            ( between(0, 7, File), S is First + File, arg(S, Board, Man), letter(Man, Letter) ),
            Letters).

letter(e, '.') :- !.
letter(Man, Letter) :- man(Man, _, Letter, _).

side_name(w, 'White').
side_name(b, 'Black').

write_position(chess(Side, Board, Rights, Passed, Clock, Number, _), Text) :-
    ranks(Board, Ranks),
    rights_text(Rights, Castling),
    passed_text(Passed, EnPassant),
    write_fen(Ranks, [Side, Castling, EnPassant, Clock, Number], Text).

rights_text(Rights, Text) :-
    findall(Letter, ( right(Bit, Letter, _, _, _, _), Rights /\ Bit =\= 0 ), Letters),
    (   Letters == []
    ->  Text = '-'
    ;   atomic_list_concat(Letters, Text)
    ).

% right(Bit, Letter, King, its square, Rook, its square).
right(8, 'K', wk, 5, wr, 8).
right(4, 'Q', wk, 5, wr, 1).
right(2, k, bk, 61, br, 64).
right(1, q, bk, 61, br, 57).

passed_text(Passed, Text) :-
    (   Passed =:= 0
    ->  Text = '-'
    ;   square(Passed, Text, _, _, _)
    ).

% Fails unless the text is a position that the laws allow, as far as it can tell by itself.
read_position(Text, Pos) :-
    read_fen(Text, Ranks, [Side, Castling, EnPassant, Clock, Number]),
    board(Ranks, Board),
    side_name(Side, _),
    Pos = chess(Side, Board, Rights, Passed, Clock, Number, Score),
    rights(Castling, Board, Rights),
    passed(EnPassant, Side, Board, Passed),
    Number >= 1,
    \+ exposed(Side, Board),
    findall(Worth,
            ( arg(S, Board, Man), Man \== e, places(Man, Lost, _), worth(Man, S, Worth0),
              Worth is Worth0 - Lost ),
            Worths),
    sum_list([240000000000|Worths], Score),
    !.

% The ranks come from the eighth down, the board is numbered from the first up.
board(Ranks, Board) :-
    reverse(Ranks, Upward),
    append(Upward, Letters),
    maplist(letter, Men, Letters),
    Board =.. [board|Men],
    one(Board, wk),
    one(Board, bk),
    \+ ( args_with(Board, wp, S), outer(S) ),
    \+ ( args_with(Board, bp, S), outer(S) ).

one(Board, Man) :-
    findall(S, args_with(Board, Man, S), [_]).

outer(S) :-
    square(S, _, _, _, at(_, Rank, _, _)),
    ( Rank =:= 1 ; Rank =:= 8 ).

rights(Text, Board, Rights) :-
    between(0, 15, Rights),
    rights_text(Rights, Text),
    !,
    \+ ( right(Bit, _, King, K, Rook, R),
         Rights /\ Bit =\= 0,
         \+ ( arg(K, Board, King), arg(R, Board, Rook) ) ).

% The pawn stands before the square it skipped, which is empty as is the one it came from.
passed(-, _, _, 0) :-
    !.
passed(Name, Side, Board, Passed) :-
    square(Passed, Name, _, _, _),
    king(Side, _, Other),
    ahead(From, Other, Passed, To, _, _),
    pawn(Other, Pawn),
    arg(To, Board, Pawn),
    arg(Passed, Board, e),
    arg(From, Board, e).

% The side that has moved must not have left its king attacked.
exposed(Side, Board) :-
    king(Side, _, Other),
    king(Other, King, _),
    args_with(Board, King, K),
    attacked(Side, Board, K).

% ---- Advice -------------------------------------------------------------------------------
% Tried first: a new queen; then the most valuable victim, taken by the least valuable attacker, as
% in J. Condon and K. Thompson, "Belle chess hardware", 1982; then men that leave a pawn's attack,
% then whoever gains in evaluation.  Last come men that go where a pawn takes them.

prefer(chess(Side, Board, _, _, _, _, _), Label, Weight) :-
    sub_atom(Label, 0, 2, _, FromName),
    sub_atom(Label, 2, 2, _, ToName),
    square(From, FromName, Place0, _, _),
    square(To, ToName, Place, _, _),
    arg(From, Board, Man),
    arg(To, Board, Taken),
    man(Man, _, _, Risked),
    (   Taken == e
    ->  places(Man, _, Places),
        arg(Place0, Places, Worth0),
        arg(Place, Places, Worth),
        sign(Side, Sign),
        Gain is Sign * (Worth mod 100000 - Worth0 mod 100000),
        step_weight(Side, Board, Risked, From, To, Gain, Weight)
    ;   man(Taken, Other, _, Victim),
        (   Victim + 30 < Risked,
            put_args(Board, [From-e, To-Man], After),
            attacked(Other, After, To)
        ->  Weight is Victim - Risked
        ;   Weight is 1000 + Victim - Risked // 10
        )
    ).

sign(w, 1).
sign(b, -1).

step_weight(Side, Board, Risked, From, To, Gain, Weight) :-
    (   Risked =:= 100,
        last(Side, From, _, _, _)
    ->  Weight = 2000
    ;   pawn_attacks(Side, Board, To)
    ->  Weight is Gain - Risked
    ;   pawn_attacks(Side, Board, From)
    ->  Weight is Gain + Risked // 2
    ;   Weight = Gain
    ).

% A pawn of the other side's attacks the square: it stands where one of Side's would take.
pawn_attacks(Side, Board, S) :-
    ahead(S, Side, _, _, Left, Right),
    turn(Side, Other, 0, _),
    pawn(Other, Pawn),
    (   arg(Left, Board, Pawn)
    ->  true
    ;   arg(Right, Board, Pawn)
    ).

% ---- Positions to measure at --------------------------------------------------------------

% Openings, and the test of Ivan Bratko and Danny Kopec, "A test for comparison of human and
% computer performance in chess", 1982: half its positions are tactical, half positional.
sample(Name, Pos) :-
    opening(Name, Moves),
    initial(Start),
    atomic_list_concat(Labels, ' ', Moves),
    play(Labels, Start, Pos).
sample(Name, Pos) :-
    bratko_kopec(Name, Text),
    read_position(Text, Pos).

play([], Pos, Pos).
play([Label|Labels], Pos0, Pos) :-
    move(Pos0, Label, Pos1),
    play(Labels, Pos1, Pos).

opening('Italian game, ply 6', 'e2e4 e7e5 g1f3 b8c6 f1c4 f8c5').
opening('French, Winawer, ply 7', 'e2e4 e7e6 d2d4 d7d5 b1c3 f8b4 e4e5').
opening('Caro-Kann, classical, ply 8', 'e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4 c8f5').
opening('Queen''s gambit declined, ply 9', 'd2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3').
opening('Sicilian, Najdorf, ply 10', 'e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6').
opening('King''s Indian, ply 12', 'd2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6 g1f3 e8g8 f1e2 e7e5').

bratko_kopec('BK.01', '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1').
bratko_kopec('BK.02', '3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1').
bratko_kopec('BK.03', '2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1').
bratko_kopec('BK.04', 'rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1').
bratko_kopec('BK.05', 'r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1').
bratko_kopec('BK.06', '2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1').
bratko_kopec('BK.07', '1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - 0 1').
bratko_kopec('BK.08', '4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1').
bratko_kopec('BK.09', '2kr1bnr/pbpq4/2n1pp2/3p3p/3P1P1B/2N2N1Q/PPP3PP/2KR1B1R w - - 0 1').
bratko_kopec('BK.10', '3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1').
bratko_kopec('BK.11', '2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - 0 1').
bratko_kopec('BK.12', 'r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1').
bratko_kopec('BK.13', 'r2q1rk1/4bppp/p2p4/2pP4/3pP3/3Q4/PP1B1PPP/R3R1K1 w - - 0 1').
bratko_kopec('BK.14', 'rnb2r1k/pp2p2p/2pp2p1/q2P1p2/8/1Pb2NP1/PB2PPBP/R2Q1RK1 w - - 0 1').
bratko_kopec('BK.15', '2r3k1/1p2q1pp/2b1pr2/p1pp4/6Q1/1P1PP1R1/P1PN2PP/5RK1 w - - 0 1').
bratko_kopec('BK.16', 'r1bqkb1r/4npp1/p1p4p/1p1pP1B1/8/1B6/PPPN1PPP/R2Q1RK1 w kq - 0 1').
bratko_kopec('BK.17', 'r2q1rk1/1ppnbppp/p2p1nb1/3Pp3/2P1P1P1/2N2N1P/PPB1QP2/R1B2RK1 b - - 0 1').
bratko_kopec('BK.18', 'r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1').
bratko_kopec('BK.19', '3rr3/2pq2pk/p2p1pnp/8/2QBPP2/1P6/P5PP/4RRK1 b - - 0 1').
bratko_kopec('BK.20', 'r4k2/pb2bp1r/1p1qp2p/3pNp2/3P1P2/2N3P1/PPP1Q2P/2KRR3 w - - 0 1').
bratko_kopec('BK.21', '3rn2k/ppb2rpp/2ppqp2/5N2/2P1P3/1P5Q/PB3PPP/3RR1K1 w - - 0 1').
bratko_kopec('BK.22', '2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 1').
bratko_kopec('BK.23', 'r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq - 0 1').
bratko_kopec('BK.24', 'r2qnrnk/p2b2b1/1p1p2pp/2pPpp2/1PP1P3/PRNBB3/3QNPPP/5RK1 w - - 0 1').

% ---- Geometry ----------------------------------------------------------------------------
% Squares, steps and lines are facts, not sums: they are asked for with every move.

% square(Square, Name, Place, Mask, At): Place is its number in the tables of places/3; Mask keeps the castling rights that outlast a move from or to the square; At is
% at(File, Rank, Diagonal, Antidiagonal).
square(1,a1,1,11,at(1,1,0,2)). square(2,b1,2,15,at(2,1,1,3)). square(3,c1,3,15,at(3,1,2,4)).
square(4,d1,4,15,at(4,1,3,5)). square(5,e1,4,3,at(5,1,4,6)). square(6,f1,3,15,at(6,1,5,7)).
square(7,g1,2,15,at(7,1,6,8)). square(8,h1,1,7,at(8,1,7,9)). square(9,a2,5,15,at(1,2,-1,3)).
square(10,b2,6,15,at(2,2,0,4)). square(11,c2,7,15,at(3,2,1,5)). square(12,d2,8,15,at(4,2,2,6)).
square(13,e2,8,15,at(5,2,3,7)). square(14,f2,7,15,at(6,2,4,8)). square(15,g2,6,15,at(7,2,5,9)).
square(16,h2,5,15,at(8,2,6,10)). square(17,a3,9,15,at(1,3,-2,4)). square(18,b3,10,15,at(2,3,-1,5)).
square(19,c3,11,15,at(3,3,0,6)). square(20,d3,12,15,at(4,3,1,7)). square(21,e3,12,15,at(5,3,2,8)).
square(22,f3,11,15,at(6,3,3,9)). square(23,g3,10,15,at(7,3,4,10)). square(24,h3,9,15,at(8,3,5,11)).
square(25,a4,13,15,at(1,4,-3,5)). square(26,b4,14,15,at(2,4,-2,6)). square(27,c4,15,15,at(3,4,-1,7)).
square(28,d4,16,15,at(4,4,0,8)). square(29,e4,16,15,at(5,4,1,9)). square(30,f4,15,15,at(6,4,2,10)).
square(31,g4,14,15,at(7,4,3,11)). square(32,h4,13,15,at(8,4,4,12)). square(33,a5,17,15,at(1,5,-4,6)).
square(34,b5,18,15,at(2,5,-3,7)). square(35,c5,19,15,at(3,5,-2,8)). square(36,d5,20,15,at(4,5,-1,9)).
square(37,e5,20,15,at(5,5,0,10)). square(38,f5,19,15,at(6,5,1,11)). square(39,g5,18,15,at(7,5,2,12)).
square(40,h5,17,15,at(8,5,3,13)). square(41,a6,21,15,at(1,6,-5,7)). square(42,b6,22,15,at(2,6,-4,8)).
square(43,c6,23,15,at(3,6,-3,9)). square(44,d6,24,15,at(4,6,-2,10)). square(45,e6,24,15,at(5,6,-1,11)).
square(46,f6,23,15,at(6,6,0,12)). square(47,g6,22,15,at(7,6,1,13)). square(48,h6,21,15,at(8,6,2,14)).
square(49,a7,25,15,at(1,7,-6,8)). square(50,b7,26,15,at(2,7,-5,9)). square(51,c7,27,15,at(3,7,-4,10)).
square(52,d7,28,15,at(4,7,-3,11)). square(53,e7,28,15,at(5,7,-2,12)). square(54,f7,27,15,at(6,7,-1,13)).
square(55,g7,26,15,at(7,7,0,14)). square(56,h7,25,15,at(8,7,1,15)). square(57,a8,29,14,at(1,8,-7,9)).
square(58,b8,30,15,at(2,8,-6,10)). square(59,c8,31,15,at(3,8,-5,11)). square(60,d8,32,15,at(4,8,-4,12)).
square(61,e8,32,12,at(5,8,-3,13)). square(62,f8,31,15,at(6,8,-2,14)). square(63,g8,30,15,at(7,8,-1,15)).
square(64,h8,29,13,at(8,8,0,16)).

% ahead(Square, Side, One, Two, Left, Right): where a pawn goes and takes; 0 where it may not.
ahead(1,w,9,0,0,10). ahead(2,w,10,0,9,11). ahead(3,w,11,0,10,12). ahead(4,w,12,0,11,13). ahead(5,w,13,0,12,14).
ahead(6,w,14,0,13,15). ahead(7,w,15,0,14,16). ahead(8,w,16,0,15,0). ahead(9,w,17,25,0,18).
ahead(10,w,18,26,17,19). ahead(11,w,19,27,18,20). ahead(12,w,20,28,19,21). ahead(13,w,21,29,20,22).
ahead(14,w,22,30,21,23). ahead(15,w,23,31,22,24). ahead(16,w,24,32,23,0). ahead(17,w,25,0,0,26).
ahead(17,b,9,0,0,10). ahead(18,w,26,0,25,27). ahead(18,b,10,0,9,11). ahead(19,w,27,0,26,28).
ahead(19,b,11,0,10,12). ahead(20,w,28,0,27,29). ahead(20,b,12,0,11,13). ahead(21,w,29,0,28,30).
ahead(21,b,13,0,12,14). ahead(22,w,30,0,29,31). ahead(22,b,14,0,13,15). ahead(23,w,31,0,30,32).
ahead(23,b,15,0,14,16). ahead(24,w,32,0,31,0). ahead(24,b,16,0,15,0). ahead(25,w,33,0,0,34).
ahead(25,b,17,0,0,18). ahead(26,w,34,0,33,35). ahead(26,b,18,0,17,19). ahead(27,w,35,0,34,36).
ahead(27,b,19,0,18,20). ahead(28,w,36,0,35,37). ahead(28,b,20,0,19,21). ahead(29,w,37,0,36,38).
ahead(29,b,21,0,20,22). ahead(30,w,38,0,37,39). ahead(30,b,22,0,21,23). ahead(31,w,39,0,38,40).
ahead(31,b,23,0,22,24). ahead(32,w,40,0,39,0). ahead(32,b,24,0,23,0). ahead(33,w,41,0,0,42).
ahead(33,b,25,0,0,26). ahead(34,w,42,0,41,43). ahead(34,b,26,0,25,27). ahead(35,w,43,0,42,44).
ahead(35,b,27,0,26,28). ahead(36,w,44,0,43,45). ahead(36,b,28,0,27,29). ahead(37,w,45,0,44,46).
ahead(37,b,29,0,28,30). ahead(38,w,46,0,45,47). ahead(38,b,30,0,29,31). ahead(39,w,47,0,46,48).
ahead(39,b,31,0,30,32). ahead(40,w,48,0,47,0). ahead(40,b,32,0,31,0). ahead(41,w,49,0,0,50).
ahead(41,b,33,0,0,34). ahead(42,w,50,0,49,51). ahead(42,b,34,0,33,35). ahead(43,w,51,0,50,52).
ahead(43,b,35,0,34,36). ahead(44,w,52,0,51,53). ahead(44,b,36,0,35,37). ahead(45,w,53,0,52,54).
ahead(45,b,37,0,36,38). ahead(46,w,54,0,53,55). ahead(46,b,38,0,37,39). ahead(47,w,55,0,54,56).
ahead(47,b,39,0,38,40). ahead(48,w,56,0,55,0). ahead(48,b,40,0,39,0). ahead(49,b,41,33,0,42).
ahead(50,b,42,34,41,43). ahead(51,b,43,35,42,44). ahead(52,b,44,36,43,45). ahead(53,b,45,37,44,46).
ahead(54,b,46,38,45,47). ahead(55,b,47,39,46,48). ahead(56,b,48,40,47,0). ahead(57,b,49,0,0,50).
ahead(58,b,50,0,49,51). ahead(59,b,51,0,50,52). ahead(60,b,52,0,51,53). ahead(61,b,53,0,52,54).
ahead(62,b,54,0,53,55). ahead(63,b,55,0,54,56). ahead(64,b,56,0,55,0).

% last(Side, Square, One, Left, Right): the same for the pawns that promote with their next move.
last(w,49,57,0,58). last(w,50,58,57,59). last(w,51,59,58,60). last(w,52,60,59,61). last(w,53,61,60,62).
last(w,54,62,61,63). last(w,55,63,62,64). last(w,56,64,63,0). last(b,9,1,0,2). last(b,10,2,1,3).
last(b,11,3,2,4). last(b,12,4,3,5). last(b,13,5,4,6). last(b,14,6,5,7). last(b,15,7,6,8). last(b,16,8,7,0).

% knight(From, To): the knight's hops.
knight(1,18). knight(1,11). knight(2,19). knight(2,17). knight(2,12). knight(3,20). knight(3,18). knight(3,13).
knight(3,9). knight(4,21). knight(4,19). knight(4,14). knight(4,10). knight(5,22). knight(5,20). knight(5,15).
knight(5,11). knight(6,23). knight(6,21). knight(6,16). knight(6,12). knight(7,24). knight(7,22). knight(7,13).
knight(8,23). knight(8,14). knight(9,26). knight(9,19). knight(9,3). knight(10,27). knight(10,25).
knight(10,20). knight(10,4). knight(11,28). knight(11,26). knight(11,21). knight(11,17). knight(11,5).
knight(11,1). knight(12,29). knight(12,27). knight(12,22). knight(12,18). knight(12,6). knight(12,2).
knight(13,30). knight(13,28). knight(13,23). knight(13,19). knight(13,7). knight(13,3). knight(14,31).
knight(14,29). knight(14,24). knight(14,20). knight(14,8). knight(14,4). knight(15,32). knight(15,30).
knight(15,21). knight(15,5). knight(16,31). knight(16,22). knight(16,6). knight(17,34). knight(17,27).
knight(17,11). knight(17,2). knight(18,35). knight(18,33). knight(18,28). knight(18,12). knight(18,3).
knight(18,1). knight(19,36). knight(19,34). knight(19,29). knight(19,25). knight(19,13). knight(19,9).
knight(19,4). knight(19,2). knight(20,37). knight(20,35). knight(20,30). knight(20,26). knight(20,14).
knight(20,10). knight(20,5). knight(20,3). knight(21,38). knight(21,36). knight(21,31). knight(21,27).
knight(21,15). knight(21,11). knight(21,6). knight(21,4). knight(22,39). knight(22,37). knight(22,32).
knight(22,28). knight(22,16). knight(22,12). knight(22,7). knight(22,5). knight(23,40). knight(23,38).
knight(23,29). knight(23,13). knight(23,8). knight(23,6). knight(24,39). knight(24,30). knight(24,14).
knight(24,7). knight(25,42). knight(25,35). knight(25,19). knight(25,10). knight(26,43). knight(26,41).
knight(26,36). knight(26,20). knight(26,11). knight(26,9). knight(27,44). knight(27,42). knight(27,37).
knight(27,33). knight(27,21). knight(27,17). knight(27,12). knight(27,10). knight(28,45). knight(28,43).
knight(28,38). knight(28,34). knight(28,22). knight(28,18). knight(28,13). knight(28,11). knight(29,46).
knight(29,44). knight(29,39). knight(29,35). knight(29,23). knight(29,19). knight(29,14). knight(29,12).
knight(30,47). knight(30,45). knight(30,40). knight(30,36). knight(30,24). knight(30,20). knight(30,15).
knight(30,13). knight(31,48). knight(31,46). knight(31,37). knight(31,21). knight(31,16). knight(31,14).
knight(32,47). knight(32,38). knight(32,22). knight(32,15). knight(33,50). knight(33,43). knight(33,27).
knight(33,18). knight(34,51). knight(34,49). knight(34,44). knight(34,28). knight(34,19). knight(34,17).
knight(35,52). knight(35,50). knight(35,45). knight(35,41). knight(35,29). knight(35,25). knight(35,20).
knight(35,18). knight(36,53). knight(36,51). knight(36,46). knight(36,42). knight(36,30). knight(36,26).
knight(36,21). knight(36,19). knight(37,54). knight(37,52). knight(37,47). knight(37,43). knight(37,31).
knight(37,27). knight(37,22). knight(37,20). knight(38,55). knight(38,53). knight(38,48). knight(38,44).
knight(38,32). knight(38,28). knight(38,23). knight(38,21). knight(39,56). knight(39,54). knight(39,45).
knight(39,29). knight(39,24). knight(39,22). knight(40,55). knight(40,46). knight(40,30). knight(40,23).
knight(41,58). knight(41,51). knight(41,35). knight(41,26). knight(42,59). knight(42,57). knight(42,52).
knight(42,36). knight(42,27). knight(42,25). knight(43,60). knight(43,58). knight(43,53). knight(43,49).
knight(43,37). knight(43,33). knight(43,28). knight(43,26). knight(44,61). knight(44,59). knight(44,54).
knight(44,50). knight(44,38). knight(44,34). knight(44,29). knight(44,27). knight(45,62). knight(45,60).
knight(45,55). knight(45,51). knight(45,39). knight(45,35). knight(45,30). knight(45,28). knight(46,63).
knight(46,61). knight(46,56). knight(46,52). knight(46,40). knight(46,36). knight(46,31). knight(46,29).
knight(47,64). knight(47,62). knight(47,53). knight(47,37). knight(47,32). knight(47,30). knight(48,63).
knight(48,54). knight(48,38). knight(48,31). knight(49,59). knight(49,43). knight(49,34). knight(50,60).
knight(50,44). knight(50,35). knight(50,33). knight(51,61). knight(51,57). knight(51,45). knight(51,41).
knight(51,36). knight(51,34). knight(52,62). knight(52,58). knight(52,46). knight(52,42). knight(52,37).
knight(52,35). knight(53,63). knight(53,59). knight(53,47). knight(53,43). knight(53,38). knight(53,36).
knight(54,64). knight(54,60). knight(54,48). knight(54,44). knight(54,39). knight(54,37). knight(55,61).
knight(55,45). knight(55,40). knight(55,38). knight(56,62). knight(56,46). knight(56,39). knight(57,51).
knight(57,42). knight(58,52). knight(58,43). knight(58,41). knight(59,53). knight(59,49). knight(59,44).
knight(59,42). knight(60,54). knight(60,50). knight(60,45). knight(60,43). knight(61,55). knight(61,51).
knight(61,46). knight(61,44). knight(62,56). knight(62,52). knight(62,47). knight(62,45). knight(63,53).
knight(63,48). knight(63,46). knight(64,54). knight(64,47).

% straight(From, Squares), diagonal(From, Squares): the lines to the edge, nearest square first.
straight(1,[9,17,25,33,41,49,57]). straight(1,[2,3,4,5,6,7,8]). straight(2,[10,18,26,34,42,50,58]).
straight(2,[3,4,5,6,7,8]). straight(2,[1]). straight(3,[11,19,27,35,43,51,59]). straight(3,[4,5,6,7,8]).
straight(3,[2,1]). straight(4,[12,20,28,36,44,52,60]). straight(4,[5,6,7,8]). straight(4,[3,2,1]).
straight(5,[13,21,29,37,45,53,61]). straight(5,[6,7,8]). straight(5,[4,3,2,1]).
straight(6,[14,22,30,38,46,54,62]). straight(6,[7,8]). straight(6,[5,4,3,2,1]).
straight(7,[15,23,31,39,47,55,63]). straight(7,[8]). straight(7,[6,5,4,3,2,1]).
straight(8,[16,24,32,40,48,56,64]). straight(8,[7,6,5,4,3,2,1]). straight(9,[17,25,33,41,49,57]).
straight(9,[10,11,12,13,14,15,16]). straight(9,[1]). straight(10,[18,26,34,42,50,58]).
straight(10,[11,12,13,14,15,16]). straight(10,[9]). straight(10,[2]). straight(11,[19,27,35,43,51,59]).
straight(11,[12,13,14,15,16]). straight(11,[10,9]). straight(11,[3]). straight(12,[20,28,36,44,52,60]).
straight(12,[13,14,15,16]). straight(12,[11,10,9]). straight(12,[4]). straight(13,[21,29,37,45,53,61]).
straight(13,[14,15,16]). straight(13,[12,11,10,9]). straight(13,[5]). straight(14,[22,30,38,46,54,62]).
straight(14,[15,16]). straight(14,[13,12,11,10,9]). straight(14,[6]). straight(15,[23,31,39,47,55,63]).
straight(15,[16]). straight(15,[14,13,12,11,10,9]). straight(15,[7]). straight(16,[24,32,40,48,56,64]).
straight(16,[15,14,13,12,11,10,9]). straight(16,[8]). straight(17,[25,33,41,49,57]).
straight(17,[18,19,20,21,22,23,24]). straight(17,[9,1]). straight(18,[26,34,42,50,58]).
straight(18,[19,20,21,22,23,24]). straight(18,[17]). straight(18,[10,2]). straight(19,[27,35,43,51,59]).
straight(19,[20,21,22,23,24]). straight(19,[18,17]). straight(19,[11,3]). straight(20,[28,36,44,52,60]).
straight(20,[21,22,23,24]). straight(20,[19,18,17]). straight(20,[12,4]). straight(21,[29,37,45,53,61]).
straight(21,[22,23,24]). straight(21,[20,19,18,17]). straight(21,[13,5]). straight(22,[30,38,46,54,62]).
straight(22,[23,24]). straight(22,[21,20,19,18,17]). straight(22,[14,6]). straight(23,[31,39,47,55,63]).
straight(23,[24]). straight(23,[22,21,20,19,18,17]). straight(23,[15,7]). straight(24,[32,40,48,56,64]).
straight(24,[23,22,21,20,19,18,17]). straight(24,[16,8]). straight(25,[33,41,49,57]).
straight(25,[26,27,28,29,30,31,32]). straight(25,[17,9,1]). straight(26,[34,42,50,58]).
straight(26,[27,28,29,30,31,32]). straight(26,[25]). straight(26,[18,10,2]). straight(27,[35,43,51,59]).
straight(27,[28,29,30,31,32]). straight(27,[26,25]). straight(27,[19,11,3]). straight(28,[36,44,52,60]).
straight(28,[29,30,31,32]). straight(28,[27,26,25]). straight(28,[20,12,4]). straight(29,[37,45,53,61]).
straight(29,[30,31,32]). straight(29,[28,27,26,25]). straight(29,[21,13,5]). straight(30,[38,46,54,62]).
straight(30,[31,32]). straight(30,[29,28,27,26,25]). straight(30,[22,14,6]). straight(31,[39,47,55,63]).
straight(31,[32]). straight(31,[30,29,28,27,26,25]). straight(31,[23,15,7]). straight(32,[40,48,56,64]).
straight(32,[31,30,29,28,27,26,25]). straight(32,[24,16,8]). straight(33,[41,49,57]).
straight(33,[34,35,36,37,38,39,40]). straight(33,[25,17,9,1]). straight(34,[42,50,58]).
straight(34,[35,36,37,38,39,40]). straight(34,[33]). straight(34,[26,18,10,2]). straight(35,[43,51,59]).
straight(35,[36,37,38,39,40]). straight(35,[34,33]). straight(35,[27,19,11,3]). straight(36,[44,52,60]).
straight(36,[37,38,39,40]). straight(36,[35,34,33]). straight(36,[28,20,12,4]). straight(37,[45,53,61]).
straight(37,[38,39,40]). straight(37,[36,35,34,33]). straight(37,[29,21,13,5]). straight(38,[46,54,62]).
straight(38,[39,40]). straight(38,[37,36,35,34,33]). straight(38,[30,22,14,6]). straight(39,[47,55,63]).
straight(39,[40]). straight(39,[38,37,36,35,34,33]). straight(39,[31,23,15,7]). straight(40,[48,56,64]).
straight(40,[39,38,37,36,35,34,33]). straight(40,[32,24,16,8]). straight(41,[49,57]).
straight(41,[42,43,44,45,46,47,48]). straight(41,[33,25,17,9,1]). straight(42,[50,58]).
straight(42,[43,44,45,46,47,48]). straight(42,[41]). straight(42,[34,26,18,10,2]). straight(43,[51,59]).
straight(43,[44,45,46,47,48]). straight(43,[42,41]). straight(43,[35,27,19,11,3]). straight(44,[52,60]).
straight(44,[45,46,47,48]). straight(44,[43,42,41]). straight(44,[36,28,20,12,4]). straight(45,[53,61]).
straight(45,[46,47,48]). straight(45,[44,43,42,41]). straight(45,[37,29,21,13,5]). straight(46,[54,62]).
straight(46,[47,48]). straight(46,[45,44,43,42,41]). straight(46,[38,30,22,14,6]). straight(47,[55,63]).
straight(47,[48]). straight(47,[46,45,44,43,42,41]). straight(47,[39,31,23,15,7]). straight(48,[56,64]).
straight(48,[47,46,45,44,43,42,41]). straight(48,[40,32,24,16,8]). straight(49,[57]).
straight(49,[50,51,52,53,54,55,56]). straight(49,[41,33,25,17,9,1]). straight(50,[58]).
straight(50,[51,52,53,54,55,56]). straight(50,[49]). straight(50,[42,34,26,18,10,2]). straight(51,[59]).
straight(51,[52,53,54,55,56]). straight(51,[50,49]). straight(51,[43,35,27,19,11,3]). straight(52,[60]).
straight(52,[53,54,55,56]). straight(52,[51,50,49]). straight(52,[44,36,28,20,12,4]). straight(53,[61]).
straight(53,[54,55,56]). straight(53,[52,51,50,49]). straight(53,[45,37,29,21,13,5]). straight(54,[62]).
straight(54,[55,56]). straight(54,[53,52,51,50,49]). straight(54,[46,38,30,22,14,6]). straight(55,[63]).
straight(55,[56]). straight(55,[54,53,52,51,50,49]). straight(55,[47,39,31,23,15,7]). straight(56,[64]).
straight(56,[55,54,53,52,51,50,49]). straight(56,[48,40,32,24,16,8]). straight(57,[58,59,60,61,62,63,64]).
straight(57,[49,41,33,25,17,9,1]). straight(58,[59,60,61,62,63,64]). straight(58,[57]).
straight(58,[50,42,34,26,18,10,2]). straight(59,[60,61,62,63,64]). straight(59,[58,57]).
straight(59,[51,43,35,27,19,11,3]). straight(60,[61,62,63,64]). straight(60,[59,58,57]).
straight(60,[52,44,36,28,20,12,4]). straight(61,[62,63,64]). straight(61,[60,59,58,57]).
straight(61,[53,45,37,29,21,13,5]). straight(62,[63,64]). straight(62,[61,60,59,58,57]).
straight(62,[54,46,38,30,22,14,6]). straight(63,[64]). straight(63,[62,61,60,59,58,57]).
straight(63,[55,47,39,31,23,15,7]). straight(64,[63,62,61,60,59,58,57]). straight(64,[56,48,40,32,24,16,8]).

diagonal(1,[10,19,28,37,46,55,64]). diagonal(2,[11,20,29,38,47,56]). diagonal(2,[9]).
diagonal(3,[12,21,30,39,48]). diagonal(3,[10,17]). diagonal(4,[13,22,31,40]). diagonal(4,[11,18,25]).
diagonal(5,[14,23,32]). diagonal(5,[12,19,26,33]). diagonal(6,[15,24]). diagonal(6,[13,20,27,34,41]).
diagonal(7,[16]). diagonal(7,[14,21,28,35,42,49]). diagonal(8,[15,22,29,36,43,50,57]).
diagonal(9,[18,27,36,45,54,63]). diagonal(9,[2]). diagonal(10,[19,28,37,46,55,64]). diagonal(10,[17]).
diagonal(10,[3]). diagonal(10,[1]). diagonal(11,[20,29,38,47,56]). diagonal(11,[18,25]). diagonal(11,[4]).
diagonal(11,[2]). diagonal(12,[21,30,39,48]). diagonal(12,[19,26,33]). diagonal(12,[5]). diagonal(12,[3]).
diagonal(13,[22,31,40]). diagonal(13,[20,27,34,41]). diagonal(13,[6]). diagonal(13,[4]). diagonal(14,[23,32]).
diagonal(14,[21,28,35,42,49]). diagonal(14,[7]). diagonal(14,[5]). diagonal(15,[24]).
diagonal(15,[22,29,36,43,50,57]). diagonal(15,[8]). diagonal(15,[6]). diagonal(16,[23,30,37,44,51,58]).
diagonal(16,[7]). diagonal(17,[26,35,44,53,62]). diagonal(17,[10,3]). diagonal(18,[27,36,45,54,63]).
diagonal(18,[25]). diagonal(18,[11,4]). diagonal(18,[9]). diagonal(19,[28,37,46,55,64]). diagonal(19,[26,33]).
diagonal(19,[12,5]). diagonal(19,[10,1]). diagonal(20,[29,38,47,56]). diagonal(20,[27,34,41]).
diagonal(20,[13,6]). diagonal(20,[11,2]). diagonal(21,[30,39,48]). diagonal(21,[28,35,42,49]).
diagonal(21,[14,7]). diagonal(21,[12,3]). diagonal(22,[31,40]). diagonal(22,[29,36,43,50,57]).
diagonal(22,[15,8]). diagonal(22,[13,4]). diagonal(23,[32]). diagonal(23,[30,37,44,51,58]). diagonal(23,[16]).
diagonal(23,[14,5]). diagonal(24,[31,38,45,52,59]). diagonal(24,[15,6]). diagonal(25,[34,43,52,61]).
diagonal(25,[18,11,4]). diagonal(26,[35,44,53,62]). diagonal(26,[33]). diagonal(26,[19,12,5]).
diagonal(26,[17]). diagonal(27,[36,45,54,63]). diagonal(27,[34,41]). diagonal(27,[20,13,6]).
diagonal(27,[18,9]). diagonal(28,[37,46,55,64]). diagonal(28,[35,42,49]). diagonal(28,[21,14,7]).
diagonal(28,[19,10,1]). diagonal(29,[38,47,56]). diagonal(29,[36,43,50,57]). diagonal(29,[22,15,8]).
diagonal(29,[20,11,2]). diagonal(30,[39,48]). diagonal(30,[37,44,51,58]). diagonal(30,[23,16]).
diagonal(30,[21,12,3]). diagonal(31,[40]). diagonal(31,[38,45,52,59]). diagonal(31,[24]).
diagonal(31,[22,13,4]). diagonal(32,[39,46,53,60]). diagonal(32,[23,14,5]). diagonal(33,[42,51,60]).
diagonal(33,[26,19,12,5]). diagonal(34,[43,52,61]). diagonal(34,[41]). diagonal(34,[27,20,13,6]).
diagonal(34,[25]). diagonal(35,[44,53,62]). diagonal(35,[42,49]). diagonal(35,[28,21,14,7]).
diagonal(35,[26,17]). diagonal(36,[45,54,63]). diagonal(36,[43,50,57]). diagonal(36,[29,22,15,8]).
diagonal(36,[27,18,9]). diagonal(37,[46,55,64]). diagonal(37,[44,51,58]). diagonal(37,[30,23,16]).
diagonal(37,[28,19,10,1]). diagonal(38,[47,56]). diagonal(38,[45,52,59]). diagonal(38,[31,24]).
diagonal(38,[29,20,11,2]). diagonal(39,[48]). diagonal(39,[46,53,60]). diagonal(39,[32]).
diagonal(39,[30,21,12,3]). diagonal(40,[47,54,61]). diagonal(40,[31,22,13,4]). diagonal(41,[50,59]).
diagonal(41,[34,27,20,13,6]). diagonal(42,[51,60]). diagonal(42,[49]). diagonal(42,[35,28,21,14,7]).
diagonal(42,[33]). diagonal(43,[52,61]). diagonal(43,[50,57]). diagonal(43,[36,29,22,15,8]).
diagonal(43,[34,25]). diagonal(44,[53,62]). diagonal(44,[51,58]). diagonal(44,[37,30,23,16]).
diagonal(44,[35,26,17]). diagonal(45,[54,63]). diagonal(45,[52,59]). diagonal(45,[38,31,24]).
diagonal(45,[36,27,18,9]). diagonal(46,[55,64]). diagonal(46,[53,60]). diagonal(46,[39,32]).
diagonal(46,[37,28,19,10,1]). diagonal(47,[56]). diagonal(47,[54,61]). diagonal(47,[40]).
diagonal(47,[38,29,20,11,2]). diagonal(48,[55,62]). diagonal(48,[39,30,21,12,3]). diagonal(49,[58]).
diagonal(49,[42,35,28,21,14,7]). diagonal(50,[59]). diagonal(50,[57]). diagonal(50,[43,36,29,22,15,8]).
diagonal(50,[41]). diagonal(51,[60]). diagonal(51,[58]). diagonal(51,[44,37,30,23,16]). diagonal(51,[42,33]).
diagonal(52,[61]). diagonal(52,[59]). diagonal(52,[45,38,31,24]). diagonal(52,[43,34,25]). diagonal(53,[62]).
diagonal(53,[60]). diagonal(53,[46,39,32]). diagonal(53,[44,35,26,17]). diagonal(54,[63]). diagonal(54,[61]).
diagonal(54,[47,40]). diagonal(54,[45,36,27,18,9]). diagonal(55,[64]). diagonal(55,[62]). diagonal(55,[48]).
diagonal(55,[46,37,28,19,10,1]). diagonal(56,[63]). diagonal(56,[47,38,29,20,11,2]).
diagonal(57,[50,43,36,29,22,15,8]). diagonal(58,[51,44,37,30,23,16]). diagonal(58,[49]).
diagonal(59,[52,45,38,31,24]). diagonal(59,[50,41]). diagonal(60,[53,46,39,32]). diagonal(60,[51,42,33]).
diagonal(61,[54,47,40]). diagonal(61,[52,43,34,25]). diagonal(62,[55,48]). diagonal(62,[53,44,35,26,17]).
diagonal(63,[56]). diagonal(63,[54,45,36,27,18,9]). diagonal(64,[55,46,37,28,19,10,1]).
