% gives: A0313
initial(hide(max, [])).
max_to_move(hide(max, _)).
mask(wolf).
mask(owl).
role(crown).
role(guard).
move(hide(max, []), Mask, hide(min, Roles)) :- mask(Mask), roles(Mask, Roles).
move(hide(min, Masks), guess(Mask, Role), hide(max, Rest)) :-
    mask(Mask),
    role(Role),
    selectchk(masked(Mask, _), Masks, Rest).
roles(Crown, Roles) :- findall(masked(M, R), (mask(M), given(M, Crown, R)), Roles).
given(Crown, Crown, king) :- !.
given(_, _, guard).
crowned(Masks) :- memberchk(masked(_, crown), Masks).
static_eval(hide(_, Masks), 1) :- crowned(Masks), !.
static_eval(_, 0).
