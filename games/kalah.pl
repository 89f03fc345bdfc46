% Kalah: sow the seeds of a house one by one around the board, past the other side's store;
% a last seed in the own store moves again, in an empty house of one's own it captures what
% lies opposite.  When a side has no seeds left, the rest goes to their owner's store.
% Source: W. Champion, 1940; small boards solved by Irving, Donkers and Uiterwijk, 2000.

:- use_module(library(alphorn)).

:- param(seeds, 4, 1..10, "seeds in each house at the start").
:- param(houses, 6, 1..6, "houses on each side").
:- param(capture, nonempty, [nonempty, always], "whether no seeds opposite can be captured").

% A Python program that sows seed by seed finds the same counts and the same value.
:- expect(perft(1) = 6).
:- expect(perft(2) = 35).
:- expect(perft(3) = 185).
:- expect(perft(7) = 114430).
:- expect(value(pos(min, 0x19030002000001, 0x0b020200010001)) = 4).
:- expect(best(pos(min, 0x19030002000001, 0x0b020200010001), 30) = 5).
% A capture, and none; an extra move; a lap of 13 that captures; the end of the game.
:- expect(holds(move(pos(max, 0x00010000000001, 0x00010300000001), 1,
                     pos(min, 0x04010000000000, 0x00010000000001)))).
:- expect(holds(move(pos(max, 0x00010000000001, 0x00010000000001), 1,
                     pos(min, 0x00010000000100, 0x00010000000001)))).
:- expect(holds(move(pos(max, 0x00010000000001, 0x00010000000001), 6,
                     pos(max, 0x01000000000001, 0x00010000000001)))).
:- expect(holds(move(pos(max, 0x0000000d000000, 0x00000000000001), 4,
                     pos(min, 0x03010100010101, 0x00010101000102)))).
:- expect(holds(move(pos(min, 0x05000000000302, 0x0a010000000000), 6,
                     pos(min, 0x0a000000000000, 0x0b000000000000)))).
:- expect(holds(read_position('4 0 0 0 0 0 9 0 0 0 0 0 1 2 min',
                              pos(min, 0x09000000000004, 0x02010000000000)))).

% pos(Player to move, MAX, MIN).  A side is one number, a byte for each house and one for
% the store above them: 0x03_00_01 is one seed in house 1, none in house 2, three in store.
initial(pos(max, Side, Side)) :-
    param(seeds, Seeds),
    param(houses, Houses),
    ones(Houses, Ones),
    Side is Seeds * Ones.

max_to_move(pos(max, _, _)).

% A move is the number of the house: house 1 is the farthest from its owner's store.
move(pos(max, Max, Min), House, pos(Next, Max1, Min1)) :-
    play(Max, Min, House, Max1, Min1, Last),
    next(Last, max, min, Next).
move(pos(min, Max, Min), House, pos(Next, Max1, Min1)) :-
    play(Min, Max, House, Min1, Max1, Last),
    next(Last, min, max, Next).

% The mover's places are the own houses, the own store, the other side's houses.  The
% seeds of House go to the next places; Last is the place of the last one.
play(Mine, Theirs, House, Mine3, Theirs3, Last) :-
    param(houses, Houses),
    between(1, Houses, House),
    Seeds is Mine >> (8 * House - 8) /\ 0xFF,
    Seeds > 0,
    Store is Houses + 1,
    Last is (House + Seeds) mod (Houses + Store),
    Rounds is (House + Seeds) // (Houses + Store),
    ones(House, Before),
    ones(Houses, All),
    ones(Store, AllAndStore),
    InMine is min(Last, Store),
    ones(InMine, Ours),
    InTheirs is max(Last - Store, 0),
    ones(InTheirs, Others),
    Mine1 is Mine - (Seeds << (8 * House - 8)) - Before + Rounds * AllAndStore + Ours,
    Theirs1 is Theirs + Rounds * All + Others,
    capture(Last, Houses, Mine1, Theirs1, Mine2, Theirs2),
    finish(Houses, Mine2, Theirs2, Mine3, Theirs3).

% One in each of the first N places.
ones(N, Ones) :-
    Ones is 0x01010101010101 >> (56 - 8 * N).

% A last seed that lies alone in an own house takes those opposite.
capture(Last, Houses, Mine, Theirs, Mine1, Theirs1) :-
    (   Last >= 1,
        Last =< Houses,
        Mine >> (8 * Last - 8) /\ 0xFF =:= 1,
        Shift is 8 * (Houses - Last),
        Seeds is Theirs >> Shift /\ 0xFF,
        can_take(Seeds)
    ->  Mine1 is Mine - (1 << (8 * Last - 8)) + ((Seeds + 1) << (8 * Houses)),
        Theirs1 is Theirs - (Seeds << Shift)
    ;   Mine1 = Mine,
        Theirs1 = Theirs
    ).

can_take(Seeds) :-
    (   Seeds > 0
    ->  true
    ;   param(capture, always)
    ).

% Where a side has no seeds in its houses, all seeds go to the stores.
finish(Houses, Mine, Theirs, Mine1, Theirs1) :-
    InHouses is (1 << (8 * Houses)) - 1,
    (   Mine /\ InHouses =\= 0,
        Theirs /\ InHouses =\= 0
    ->  Mine1 = Mine,
        Theirs1 = Theirs
    ;   collected(Houses, Mine, Mine1),
        collected(Houses, Theirs, Theirs1)
    ).

% The rest by 255 is the sum of the bytes: there are no more than 120 seeds.
collected(Houses, Side, Collected) :-
    Collected is (Side mod 255) << (8 * Houses).

next(Last, Player, Other, Next) :-
    param(houses, Houses),
    (   Last =:= Houses + 1
    ->  Next = Player
    ;   Next = Other
    ).

terminal(pos(_, Max, _)) :-
    param(houses, Houses),
    Max /\ ((1 << (8 * Houses)) - 1) =:= 0.

outcome(Pos, score(Score)) :-
    static_eval(Pos, Score).

% What MAX has in store more than MIN.
static_eval(pos(_, Max, Min), Score) :-
    param(houses, Houses),
    Score is (Max >> (8 * Houses)) - (Min >> (8 * Houses)).

value_range(Low, High) :-
    param(seeds, Seeds),
    param(houses, Houses),
    High is 2 * Seeds * Houses,
    Low is -High.
acyclic.

% The notation: MAX's houses and store, MIN's houses and store, who is to move.
write_position(pos(Player, Max, Min), Text) :-
    counts(Max, Ours),
    counts(Min, Theirs),
    append([Ours, Theirs, [Player]], Words),
    atomic_list_concat(Words, ' ', Text).

read_position(Text, pos(Player, Max, Min)) :-
    atomic_list_concat(Words, ' ', Text),
    append(Numbers, [Player], Words),
    memberchk(Player, [max, min]),
    maplist(atom_number, Numbers, Counts),
    param(houses, Houses),
    Places is Houses + 1,
    length(Ours, Places),
    length(Theirs, Places),
    append(Ours, Theirs, Counts),
    sum_list(Counts, Seeds),
    Seeds < 255,
    side(Ours, Max),
    side(Theirs, Min).

counts(Side, Counts) :-
    param(houses, Houses),
    Store is Houses + 1,
    findall(N, ( between(1, Store, Place), N is Side >> (8 * Place - 8) /\ 0xFF ), Counts).

side([], 0).
side([N|Counts], Side) :-
    integer(N),
    N >= 0,
    side(Counts, Rest),
    Side is Rest << 8 + N.

% MIN's houses are above, the first one on the right; MAX's below, the first on the left.
show(pos(_, Max, Min), [Above, Stores, Below]) :-
    counts(Max, Ours),
    counts(Min, Upside),
    append(Houses, [Store], Ours),
    reverse(Upside, [OtherStore|Others]),
    row(['   '|Others], Above),
    row(['   '|Houses], Below),
    maplist([_, '   ']>>true, Houses, Gap),
    append([OtherStore|Gap], [Store], Middle),
    row(Middle, Stores).

row(Fields, Line) :-
    maplist([Field, Text]>>format(atom(Text), "~t~w~3|", [Field]), Fields, Texts),
    atomic_list_concat(Texts, Line).

% MAX's houses below from the left to the right, MIN's above from the right to the left, each
% store behind the last house.
draw(pos(Player, Max, Min), Items) :-
    param(houses, Houses),
    findall(Item, seeds_item(Houses, Max, Min, Item), Seeds),
    findall(click(House, [Name]),
            ( between(1, Houses, House),
              house_name(Player, House, Name) ),
            Clicks),
    append(Seeds, Clicks, Items).

seeds_item(Houses, Max, Min, Item) :-
    side_place(Houses, Max, Min, Side, Seeds, House, X, Y),
    house_name(Side, House, Name),
    (   Item = square(Name, X, Y)
    ;   Item = piece(Name, text(Seeds))
    ).

side_place(Houses, Max, _, max, Seeds, House, House, Y) :-
    seeds_in(Houses, Max, House, Seeds),
    row_of(Houses, House, 1, Y).
side_place(Houses, _, Min, min, Seeds, House, X, Y) :-
    seeds_in(Houses, Min, House, Seeds),
    row_of(Houses, House, 2, Y),
    X is Houses + 1 - House.

seeds_in(Houses, Side, House, Seeds) :-
    Store is Houses + 1,
    between(1, Store, House),
    Seeds is Side >> (8 * House - 8) /\ 0xFF.

row_of(Houses, House, Row, Y) :-
    (   House > Houses
    ->  Y = 1.5
    ;   Y = Row
    ).

house_name(Side, House, Name) :-
    atomic_list_concat([Side, ' ', House], Name).
