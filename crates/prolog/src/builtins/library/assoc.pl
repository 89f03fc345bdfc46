:- module(assoc,
          [ empty_assoc/1, is_assoc/1, get_assoc/3, get_assoc/5, put_assoc/4, gen_assoc/3,
            list_to_assoc/2, ord_list_to_assoc/2, assoc_to_list/2, assoc_to_keys/2, assoc_to_values/2,
            map_assoc/2, map_assoc/3, max_assoc/3, min_assoc/3, del_assoc/4, del_min_assoc/4, del_max_assoc/4
          ]).

:- meta_predicate map_assoc(1, ?), map_assoc(2, ?, ?).

% Association lists as AVL trees.  (Adelson-Velsky and Landis, 1962.)
%
% A tree is t, the empty one, or t(Key, Value, Balance, Left, Right), where
% Balance is < if Left is the higher subtree, > if Right is, else -.
% The heights of subtrees differ by at most one.  The terms are those of
% SWI-Prolog, so that they print the same.

%! empty_assoc(?Assoc)  Assoc has no keys.
empty_assoc(t).

%! is_assoc(@Term)  Term is an association list: in order and balanced.
is_assoc(Term) :-
    nonvar(Term),
    assoc_keys_and_height(Term, [], Keys, _),
    is_ordered_keys(Keys).

assoc_keys_and_height(Tree, Keys0, Keys, Height) :-
    nonvar(Tree),
    (   Tree = t ->
        Keys = Keys0,
        Height = 0
    ;   Tree = t(K, _, Balance, Left, Right),
        assoc_keys_and_height(Right, Keys0, Keys1, RightHeight),
        assoc_keys_and_height(Left, [K|Keys1], Keys, LeftHeight),
        Difference is LeftHeight - RightHeight,
        assoc_balance(Difference, Balance0),
        Balance == Balance0,
        Height is max(LeftHeight, RightHeight) + 1
    ).

assoc_balance(0, -).
assoc_balance(1, <).
assoc_balance(-1, >).

is_ordered_keys([]).
is_ordered_keys([K|Keys]) :-
    is_ordered_keys(Keys, K).

is_ordered_keys([], _).
is_ordered_keys([K|Keys], Before) :-
    Before @< K,
    is_ordered_keys(Keys, K).

%! get_assoc(+Key, +Assoc, -Value)  Key has Value in Assoc.
get_assoc(Key, Tree, Value) :-
    (   nonvar(Tree), Tree = t(K, V, _, Left, Right) ->
        compare(Order, Key, K),
        get_assoc_by(Order, Key, V, Left, Right, Value)
    ;   Tree == t -> fail
    ;   var(Tree) -> throw(error(instantiation_error, _))
    ;   throw(error(type_error(btree, Tree), _))
    ).

get_assoc_by(=, _, Value, _, _, Value).
get_assoc_by(<, Key, _, Left, _, Value) :-
    get_assoc(Key, Left, Value).
get_assoc_by(>, Key, _, _, Right, Value) :-
    get_assoc(Key, Right, Value).

%! get_assoc(+Key, +Assoc0, -Value0, -Assoc, -Value)  Assoc is Assoc0 with Value for the Value0 of Key.
get_assoc(Key, t(K, V, B, Left, Right), Value0, t(K, V1, B, Left1, Right1), Value) :-
    compare(Order, Key, K),
    (   Order = (=) ->
        Value0 = V,
        Value = V1,
        Left1 = Left,
        Right1 = Right
    ;   Order = (<) ->
        V1 = V,
        Right1 = Right,
        get_assoc(Key, Left, Value0, Left1, Value)
    ;   V1 = V,
        Left1 = Left,
        get_assoc(Key, Right, Value0, Right1, Value)
    ).

%! put_assoc(+Key, +Assoc0, +Value, -Assoc)  Assoc is Assoc0, where Key has Value.
put_assoc(Key, Assoc0, Value, Assoc) :-
    assoc_insert(Assoc0, Key, Value, Assoc1, _),
    Assoc = Assoc1.

% Grown is yes if the tree became higher.
assoc_insert(Tree, Key, Value, New, Grown) :-
    (   Tree == t ->
        New = t(Key, Value, -, t, t),
        Grown = yes
    ;   nonvar(Tree), Tree = t(K, V, B, Left, Right) ->
        compare(Order, Key, K),
        assoc_insert_by(Order, Key, Value, K, V, B, Left, Right, New, Grown)
    ;   no_rule(assoc, insert(Tree, Key, Value, New, Grown))
    ).

assoc_insert_by(=, Key, Value, _, _, B, Left, Right, t(Key, Value, B, Left, Right), no).
assoc_insert_by(<, Key, Value, K, V, B, Left, Right, New, Grown) :-
    assoc_insert(Left, Key, Value, Left1, Grown1),
    (   Grown1 == no ->
        New = t(K, V, B, Left1, Right),
        Grown = no
    ;   assoc_left_heavier(B, K, V, Left1, Right, New, Grown)
    ).
assoc_insert_by(>, Key, Value, K, V, B, Left, Right, New, Grown) :-
    assoc_insert(Right, Key, Value, Right1, Grown1),
    (   Grown1 == no ->
        New = t(K, V, B, Left, Right1),
        Grown = no
    ;   assoc_right_heavier(B, K, V, Left, Right1, New, Grown)
    ).

% The left subtree became higher by one than Balance says, or the right one
% lower.  Higher says whether the tree is higher than it was by Balance.
assoc_left_heavier(-, K, V, Left, Right, t(K, V, <, Left, Right), yes).
assoc_left_heavier(>, K, V, Left, Right, t(K, V, -, Left, Right), no).
assoc_left_heavier(<, K, V, Left, Right, New, Higher) :-
    Left = t(LK, LV, LB, A, B),
    assoc_rotate_right(LB, K, V, LK, LV, A, B, Right, New, Higher).

assoc_rotate_right(<, K, V, LK, LV, A, B, Right, t(LK, LV, -, A, t(K, V, -, B, Right)), no).
assoc_rotate_right(-, K, V, LK, LV, A, B, Right, t(LK, LV, >, A, t(K, V, <, B, Right)), yes).
assoc_rotate_right(>, K, V, LK, LV, A, t(MK, MV, MB, B1, B2), Right, New, no) :-
    assoc_split_balance(MB, Balance1, Balance2),
    New = t(MK, MV, -, t(LK, LV, Balance1, A, B1), t(K, V, Balance2, B2, Right)).

assoc_right_heavier(-, K, V, Left, Right, t(K, V, >, Left, Right), yes).
assoc_right_heavier(<, K, V, Left, Right, t(K, V, -, Left, Right), no).
assoc_right_heavier(>, K, V, Left, Right, New, Higher) :-
    Right = t(RK, RV, RB, B, C),
    assoc_rotate_left(RB, K, V, RK, RV, Left, B, C, New, Higher).

assoc_rotate_left(>, K, V, RK, RV, Left, B, C, t(RK, RV, -, t(K, V, -, Left, B), C), no).
assoc_rotate_left(-, K, V, RK, RV, Left, B, C, t(RK, RV, <, t(K, V, >, Left, B), C), yes).
assoc_rotate_left(<, K, V, RK, RV, Left, t(MK, MV, MB, B1, B2), C, New, no) :-
    assoc_split_balance(MB, Balance1, Balance2),
    New = t(MK, MV, -, t(K, V, Balance1, Left, B1), t(RK, RV, Balance2, B2, C)).

% The middle tree of a double rotation goes to both sides.
assoc_split_balance(-, -, -).
assoc_split_balance(<, -, >).
assoc_split_balance(>, <, -).

%! gen_assoc(?Key, +Assoc, ?Value)  Key has Value in Assoc; enumerates in the order of keys.
gen_assoc(Key, Assoc, Value) :-
    (   '$ground'(Key) -> get_assoc(Key, Assoc, Value)
    ;   nonvar(Assoc) -> gen_assoc_any(Assoc, Key, Value)
    ;   must_be(assoc, Assoc)
    ).

gen_assoc_any(t(_, _, _, Left, _), Key, Value) :-
    gen_assoc_any(Left, Key, Value).
gen_assoc_any(t(Key, Value, _, _, _), Key, Value).
gen_assoc_any(t(_, _, _, _, Right), Key, Value) :-
    gen_assoc_any(Right, Key, Value).

%! list_to_assoc(+Pairs, -Assoc)  Assoc has the keys and values of Pairs, K-V each, in which no key stands twice.
list_to_assoc(Pairs, Assoc) :-
    assoc_pairs(Pairs, Pairs),
    msort(Pairs, Sorted),
    (   assoc_unique(Sorted) -> true
    ;   throw(error(domain_error(unique_key_pairs, Pairs), _))
    ),
    length(Sorted, Length),
    assoc_of_sorted(Length, Sorted, [], Assoc1, _),
    Assoc = Assoc1.

%! ord_list_to_assoc(+Pairs, -Assoc)  As list_to_assoc/2, where Pairs is sorted already.
ord_list_to_assoc(Pairs, Assoc) :-
    assoc_pairs(Pairs, Pairs),
    (   assoc_unique(Pairs) -> true
    ;   throw(error(domain_error(key_ordered_pairs, Pairs), _))
    ),
    length(Pairs, Length),
    assoc_of_sorted(Length, Pairs, [], Assoc1, _),
    Assoc = Assoc1.

assoc_pairs(Rest, Pairs) :-
    (   var(Rest) -> throw(error(instantiation_error, _))
    ;   Rest == [] -> true
    ;   Rest = [Pair|Rest1] ->
        (   var(Pair) -> throw(error(instantiation_error, _))
        ;   Pair = _-_ -> assoc_pairs(Rest1, Pairs)
        ;   throw(error(type_error(pair, Pair), _))
        )
    ;   throw(error(type_error(list, Pairs), _))
    ).

% Each key stands before the next.
assoc_unique([]).
assoc_unique([K-_|Pairs]) :-
    assoc_unique_after(Pairs, K).

assoc_unique_after([], _).
assoc_unique_after([K1-_|Pairs], K) :-
    K @< K1,
    assoc_unique_after(Pairs, K1).

% A tree of the first Length pairs, with its height.
assoc_of_sorted(Length, Pairs, Rest, Tree, Height) :-
    (   Length =:= 0 ->
        Rest = Pairs,
        Tree = t,
        Height = 0
    ;   LeftLength is Length // 2,
        RightLength is Length - LeftLength - 1,
        assoc_of_sorted(LeftLength, Pairs, [K-V|Pairs1], Left, LeftHeight),
        assoc_of_sorted(RightLength, Pairs1, Rest, Right, RightHeight),
        Difference is LeftHeight - RightHeight,
        assoc_balance(Difference, Balance),
        Tree = t(K, V, Balance, Left, Right),
        Height is LeftHeight + 1
    ).

%! assoc_to_list(+Assoc, -Pairs)  Pairs holds K-V for each key, in order.
assoc_to_list(Assoc, Pairs) :-
    assoc_list(Assoc, [], Pairs).

assoc_list(Tree, Pairs0, Pairs) :-
    (   Tree == t -> Pairs = Pairs0
    ;   nonvar(Tree), Tree = t(K, V, _, Left, Right) ->
        assoc_list(Right, Pairs0, Pairs1),
        assoc_list(Left, [K-V|Pairs1], Pairs)
    ;   must_be(assoc, Tree),
        fail
    ).

%! assoc_to_keys(+Assoc, -Keys)  Keys is the list of keys, in order.
assoc_to_keys(Assoc, Keys) :-
    assoc_list(Assoc, [], Pairs),
    pairs_keys(Pairs, Keys).

%! assoc_to_values(+Assoc, -Values)  Values is the list of values, in the order of their keys.
assoc_to_values(Assoc, Values) :-
    assoc_list(Assoc, [], Pairs),
    pairs_values(Pairs, Values).

%! map_assoc(:Goal, +Assoc)  call(Goal, V) is true of every value V.
map_assoc(Goal, Assoc) :-
    map_assoc_tree(Assoc, Goal).

map_assoc_tree(t, _).
map_assoc_tree(t(_, V, _, Left, Right), Goal) :-
    map_assoc_tree(Left, Goal),
    call(Goal, V),
    map_assoc_tree(Right, Goal).

%! map_assoc(:Goal, +Assoc0, ?Assoc)  Assoc has the keys of Assoc0, and call(Goal, V0, V) is true of their values.
map_assoc(Goal, Assoc0, Assoc) :-
    map_assoc_trees(Assoc0, Goal, Assoc).

map_assoc_trees(t, _, t).
map_assoc_trees(t(K, V0, B, Left0, Right0), Goal, t(K, V, B, Left, Right)) :-
    map_assoc_trees(Left0, Goal, Left),
    call(Goal, V0, V),
    map_assoc_trees(Right0, Goal, Right).

%! max_assoc(+Assoc, -Key, -Value)  The greatest key and its value.
max_assoc(t(K, V, _, _, Right), Key, Value) :-
    (   Right == t ->
        Key = K,
        Value = V
    ;   max_assoc(Right, Key, Value)
    ).

%! min_assoc(+Assoc, -Key, -Value)  The least key and its value.
min_assoc(t(K, V, _, Left, _), Key, Value) :-
    (   Left == t ->
        Key = K,
        Value = V
    ;   min_assoc(Left, Key, Value)
    ).

%! del_min_assoc(+Assoc0, -Key, -Value, -Assoc)  Assoc is Assoc0 without its least key.
del_min_assoc(Tree, Key, Value, New) :-
    assoc_delete_min(Tree, Key, Value, New, _).

%! del_max_assoc(+Assoc0, -Key, -Value, -Assoc)  Assoc is Assoc0 without its greatest key.
del_max_assoc(Tree, Key, Value, New) :-
    assoc_delete_max(Tree, Key, Value, New, _).

%! del_assoc(+Key, +Assoc0, -Value, -Assoc)  Assoc is Assoc0 without Key, which had Value.
del_assoc(Key, Tree, Value, New) :-
    assoc_delete(Tree, Key, Value, New, _).

% Shrunk is yes if the tree became lower.
assoc_delete(t(K, V, B, Left, Right), Key, Value, New, Shrunk) :-
    compare(Order, Key, K),
    assoc_delete_by(Order, K, V, B, Left, Right, Key, Value, New, Shrunk).

assoc_delete_by(=, _, V, B, Left, Right, _, V, New, Shrunk) :-
    (   Left == t ->
        New = Right,
        Shrunk = yes
    ;   Right == t ->
        New = Left,
        Shrunk = yes
    ;   B == (>) ->
        assoc_delete_min(Right, K1, V1, Right1, Shrunk1),
        assoc_right_shrunk(Shrunk1, B, K1, V1, Left, Right1, New, Shrunk)
    ;   assoc_delete_max(Left, K1, V1, Left1, Shrunk1),
        assoc_left_shrunk(Shrunk1, B, K1, V1, Left1, Right, New, Shrunk)
    ).
assoc_delete_by(<, K, V, B, Left, Right, Key, Value, New, Shrunk) :-
    assoc_delete(Left, Key, Value, Left1, Shrunk1),
    assoc_left_shrunk(Shrunk1, B, K, V, Left1, Right, New, Shrunk).
assoc_delete_by(>, K, V, B, Left, Right, Key, Value, New, Shrunk) :-
    assoc_delete(Right, Key, Value, Right1, Shrunk1),
    assoc_right_shrunk(Shrunk1, B, K, V, Left, Right1, New, Shrunk).

assoc_delete_min(t(K, V, B, Left, Right), Key, Value, New, Shrunk) :-
    (   Left == t ->
        Key = K,
        Value = V,
        New = Right,
        Shrunk = yes
    ;   assoc_delete_min(Left, Key, Value, Left1, Shrunk1),
        assoc_left_shrunk(Shrunk1, B, K, V, Left1, Right, New, Shrunk)
    ).

assoc_delete_max(t(K, V, B, Left, Right), Key, Value, New, Shrunk) :-
    (   Right == t ->
        Key = K,
        Value = V,
        New = Left,
        Shrunk = yes
    ;   assoc_delete_max(Right, Key, Value, Right1, Shrunk1),
        assoc_right_shrunk(Shrunk1, B, K, V, Left, Right1, New, Shrunk)
    ).

assoc_left_shrunk(no, B, K, V, Left, Right, t(K, V, B, Left, Right), no).
assoc_left_shrunk(yes, B, K, V, Left, Right, New, Shrunk) :-
    assoc_right_heavier(B, K, V, Left, Right, New, Higher),
    assoc_lower(B, Higher, Shrunk).

assoc_right_shrunk(no, B, K, V, Left, Right, t(K, V, B, Left, Right), no).
assoc_right_shrunk(yes, B, K, V, Left, Right, New, Shrunk) :-
    assoc_left_heavier(B, K, V, Left, Right, New, Higher),
    assoc_lower(B, Higher, Shrunk).

% A balanced tree that lost on one side keeps its height; else it is lower
% unless a rotation left it as high as it was.
assoc_lower(-, _, no).
assoc_lower(<, Higher, Shrunk) :-
    assoc_not(Higher, Shrunk).
assoc_lower(>, Higher, Shrunk) :-
    assoc_not(Higher, Shrunk).

assoc_not(yes, no).
assoc_not(no, yes).
