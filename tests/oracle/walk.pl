% What SWI-Prolog finds in positions of a game, as lines for tests/data/oracle/.
%
%     swipl -q -p library=lib tests/oracle/walk.pl -- games/x.pl N SEED [name=value ...]
%     swipl -q -p library=lib tests/oracle/walk.pl -- games/x.pl moves 'POSITION' [name=value ...]
%
% The first way walks at random from the openings and prints N positions or a
% few more, all that can be reached where there are not so many.  After a line
% of headings, one line a position, tab between:
%
%     position  as text
%     side      max or min to move; none or both where max_to_move/1 and
%               min_to_move/1 say so; chance where chance/2 does
%     state     over or on: terminal/1, or no moves where that is not defined
%     eval      what static_eval/2 gives, - where it is not defined
%     outcome   what outcome/2 gives, - where it is not defined or the game is on
%     moves     how many there are, in their order: 0 where the game is over
%     hash      64-bit FNV-1a of the UTF-8 text of the moves, a line each:
%               Label->Next with move/3, Next with moves/2, Weight-Next where
%               chance moves
%
% The second way prints the text that is hashed, for one position.

:- module(walk, []).
:- use_module(library(lists)).
:- use_module(library(utf8)).

:- set_prolog_flag(encoding, utf8).
:- initialization(main, main).

:- dynamic(taken/2).          % taken(Text, Position): to be printed
:- dynamic(complaint/0).      % something was wrong while the game was loaded

% No walk is longer: not every game ends by itself.
longest_walk(400).
% So many positions of a walk are taken at most, so that N come from many walks.
most_of_a_walk(10).

user:message_hook(_, Kind, _) :-
    memberchk(Kind, [error, warning]),
    assertz(walk:complaint),
    fail.

main :-
    set_stream(user_output, encoding(utf8)),
    set_stream(user_output, newline(posix)),
    current_prolog_flag(argv, Argv),
    (   Argv = [File, What, Which|Settings]
    ->  maplist(set, Settings),
        load(File),
        run(What, Which)
    ;   usage
    ).

usage :-
    format(user_error, "usage: walk.pl -- FILE (N SEED | moves POSITION) [name=value ...]~n", []),
    halt(2).

% The value is set before param/4 looks for one.
set(Setting) :-
    atomic_list_concat([Name, Text], =, Setting),
    !,
    (   atom_number(Text, Number)
    ->  Value = Number
    ;   Value = Text
    ),
    assertz(user:param(Name, Value)).
set(_) :-
    usage.

load(File) :-
    retractall(complaint),
    load_files(user:File, []),
    (   complaint
    ->  format(user_error, "~w does not load without complaint~n", [File]),
        halt(1)
    ;   true
    ).

run(moves, Text) :-
    !,
    term_to_atom(Pos, Text),
    moves(Pos, Moves),
    forall(member(Move, Moves), (move_text(Move, Line), format("~s", [Line]))).
run(Number, Start) :-
    atom_number(Number, N),
    atom_number(Start, Seed),
    nb_setval(random, Seed),
    findall(Pos, user:initial(Pos), Openings),
    reachable(Openings, N, Some, Whole),
    (   Whole == whole
    ->  maplist(take, Some)
    ;   Walks is 20 * N,
        walks(Walks, N, Openings),
        fill(Some, N),
        findall(Pos, taken(_, Pos), Walked),
        maplist(take_finished, Walked)
    ),
    format("position\tside\tstate\teval\toutcome\tmoves\thash~n"),
    forall(taken(Text, Pos), line(Text, Pos)).

% ---- Which positions ---------------------------------------------------------------------

% Breadth first: all positions where they are at most N, else some more than N.
reachable(Openings, N, All, Whole) :-
    empty_assoc(None),
    grow(Openings, [], None, N, [], Reversed, Whole),
    reverse(Reversed, All).

grow([], [], _, _, All, All, whole) :- !.
grow([], Later, Seen, N, All0, All, Whole) :-
    !,
    reverse(Later, Queue),
    grow(Queue, [], Seen, N, All0, All, Whole).
grow([Pos|Queue], Later, Seen, N, All0, All, Whole) :-
    text(Pos, Text),
    (   get_assoc(Text, Seen, _)
    ->  grow(Queue, Later, Seen, N, All0, All, Whole)
    ;   length(All0, N)
    ->  All = [Pos|All0],
        Whole = part
    ;   put_assoc(Text, Seen, true, Seen1),
        played(Pos, Moves),
        foldl(later, Moves, Later, Later1),
        grow(Queue, Later1, Seen1, N, [Pos|All0], All, Whole)
    ).

later(Move, Later, [Next|Later]) :-
    next(Move, Next).

walks(Walks, N, Openings) :-
    (   ( Walks =:= 0 ; enough(N) )
    ->  true
    ;   longest_walk(Plies),
        pick(Openings, Pos),
        walk(Plies, Pos, Visited),
        some_of(Visited, Some),
        maplist(take, Some),
        Walks1 is Walks - 1,
        walks(Walks1, N, Openings)
    ).

walk(Plies, Pos, [Pos|Visited]) :-
    (   Plies > 0,
        played(Pos, Moves),
        Moves \== []
    ->  pick(Moves, Move),
        next(Move, Next),
        Plies1 is Plies - 1,
        walk(Plies1, Next, Visited)
    ;   Visited = []
    ).

% The last position, and others: the earlier the likelier, for a walk by chance
% spends most of its time where little is left on the board.
some_of(Visited, Some) :-
    most_of_a_walk(Most),
    length(Visited, Length),
    (   Length =< Most
    ->  Some = Visited
    ;   Last is Length - 1,
        findall(Ply,
                ( between(2, Most, _), chance(1000, U),
                  Ply is Last * U * U // 1000000 ),
                Plies),
        sort([Last|Plies], Sorted),
        findall(Pos, ( member(Ply, Sorted), nth0(Ply, Visited, Pos) ), Some)
    ).

% The walks go where most games go: what is missing comes from near the opening.
fill([], _).
fill([Pos|Rest], N) :-
    (   enough(N)
    ->  true
    ;   take(Pos),
        fill(Rest, N)
    ).

% Chance seldom ends a game as players do: so the first finished position that
% can be reached by one move is taken too.
take_finished(Pos) :-
    (   played(Pos, Moves),
        member(Move, Moves),
        next(Move, Next),
        over(Next)
    ->  take(Next)
    ;   true
    ).

take(Pos) :-
    text(Pos, Text),
    (   taken(Text, _)
    ->  true
    ;   assertz(taken(Text, Pos))
    ).

enough(N) :-
    predicate_property(walk:taken(_, _), number_of_clauses(Count)),
    Count >= N.

pick(List, Item) :-
    length(List, Length),
    chance(Length, I),
    nth0(I, List, Item).

% A number from 0 to Below - 1, by Knuth's generator for 64 bits: what SWI has
% built in may change from one version to the next.
chance(Below, Number) :-
    nb_getval(random, Random0),
    Random is (Random0 * 6364136223846793005 + 1442695040888963407) /\ 0xffffffffffffffff,
    nb_setval(random, Random),
    Number is (Random >> 33) mod Below.

% ---- What is found there -----------------------------------------------------------------

line(Text, Pos) :-
    (   over(Pos)
    ->  State = over,
        Moves = []
    ;   State = on,
        moves(Pos, Moves)
    ),
    side(Pos, Side),
    value(Pos, Value),
    result(State, Pos, Result),
    length(Moves, Count),
    foldl(hash, Moves, 0xcbf29ce4-0x84222325, High-Low),
    format("~w\t~w\t~w\t~w\t~w\t~d\t", [Text, Side, State, Value, Result, Count]),
    format("~|~`0t~16r~8+~`0t~16r~8+~n", [High, Low]).

side(Pos, chance) :-
    \+ over(Pos),
    thrown(Pos, _),
    !.
side(Pos, Side) :-
    (   own(max_to_move/1)
    ->  ( user:max_to_move(Pos) -> Max = yes ; Max = no )
    ;   Max = unknown
    ),
    (   own(min_to_move/1)
    ->  ( user:min_to_move(Pos) -> Min = yes ; Min = no )
    ;   Min = unknown
    ),
    side(Max, Min, Side).

side(yes, yes, both).
side(yes, no, max).
side(yes, unknown, max).
side(no, yes, min).
side(no, no, none).
side(no, unknown, min).
side(unknown, yes, min).
side(unknown, no, max).
side(unknown, unknown, none).

% The game is over; without terminal/1 it is where there is no move.
over(Pos) :-
    (   own(terminal/1)
    ->  once(user:terminal(Pos))
    ;   moves(Pos, [])
    ).

% What can happen where chance moves.
thrown(Pos, Outcomes) :-
    own(chance/2),
    once(user:chance(Pos, Outcomes)).

value(Pos, Text) :-
    (   own(static_eval/2)
    ->  answer(static_eval(Pos, Value), Value),
        (   number(Value)
        ->  text(Value, Text)
        ;   type_error(number, Value)
        )
    ;   Text = (-)
    ).

result(State, Pos, Text) :-
    (   State == over,
        own(outcome/2)
    ->  answer(outcome(Pos, Result), Result),
        text(Result, Text)
    ;   Text = (-)
    ).

answer(Goal, Value) :-
    (   user:Goal
    ->  must_be(ground, Value)
    ;   throw(no_answer(Goal))
    ).

% The moves where the game is on.
played(Pos, Moves) :-
    (   over(Pos)
    ->  Moves = []
    ;   moves(Pos, Moves)
    ).

% All moves in order, as Label->Next with move/3, next(Next) with moves/2; the
% pass where there are none and no_moves(pass) says so.
moves(Pos, Moves) :-
    thrown(Pos, Moves),
    !,
    must_be(ground, Moves).
moves(Pos, Moves) :-
    (   own(move/3)
    ->  findall(Label->Next, user:move(Pos, Label, Next), Moves0)
    ;   user:moves(Pos, Nexts)
    ->  findall(next(Next), member(Next, Nexts), Moves0)
    ;   Moves0 = []
    ),
    (   Moves0 == [],
        own(no_moves/1),
        user:no_moves(pass),
        user:pass(Pos, Next)
    ->  ( own(move/3) -> Moves = [pass->Next] ; Moves = [next(Next)] )
    ;   Moves = Moves0
    ),
    must_be(ground, Moves).

next(_->Next, Next).
next(_-Next, Next).
next(next(Next), Next).

move_text(Move, Codes) :-
    (   Move = (Label->Next)
    ->  text(Label, Text1),
        text(Next, Text2),
        format(codes(Codes), "~w->~w~n", [Text1, Text2])
    ;   Move = Weight-Next
    ->  text(Next, Text),
        format(codes(Codes), "~d-~w~n", [Weight, Text])
    ;   next(Move, Next),
        text(Next, Text),
        format(codes(Codes), "~w~n", [Text])
    ).

text(Term, Text) :-
    format(atom(Text), "~W", [Term, [quoted(true), ignore_ops(true), numbervars(false)]]).

% Two halves of 32 bits keep the numbers small: the prime is 2^40 + 0x1b3.
hash(Move, Hash0, Hash) :-
    move_text(Move, Codes),
    phrase(utf8_codes(Codes), Bytes),
    foldl(hash_byte, Bytes, Hash0, Hash).

hash_byte(Byte, High0-Low0, High-Low) :-
    Low1 is Low0 xor Byte,
    Product is Low1 * 0x1b3,
    Low is Product /\ 0xffffffff,
    High is (High0 * 0x1b3 + (Product >> 32) + (Low1 << 8)) /\ 0xffffffff.

% The game itself defines the predicate.
own(Name/Arity) :-
    functor(Head, Name, Arity),
    current_predicate(Name, user:Head),
    \+ predicate_property(user:Head, imported_from(_)).
