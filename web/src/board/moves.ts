// From clicks to moves: which squares begin a move, and which moves are meant by the squares that were clicked.

import type { Move, Position } from "../protocol";

export type Click =
  | { kind: "play"; label: string }
  | { kind: "choose"; square: string }
  | { kind: "ask"; moves: Move[] }
  | { kind: "drop" }
  | { kind: "illegal"; squares: string[] };

const ends = (move: Move) => move.squares!.at(-1)!;

/** Where a name stands in a word from a place on: not inside a longer number. */
function find(word: string, name: string, from: number): number {
  const digit = (c: string | undefined) => c !== undefined && c >= "0" && c <= "9";
  for (let at = word.indexOf(name, from); at >= 0; at = word.indexOf(name, at + 1)) {
    const inside = (digit(name[0]) && digit(word[at - 1])) || (digit(name.at(-1)) && digit(word[at + name.length]));
    if (!inside) return at;
  }
  return -1;
}

/** The squares of a move as the ways of its pieces: each word of a label such as `8/4 6/4` is a way of its own. */
export function ways(move: Move): string[][] {
  const left = [...(move.squares ?? [])];
  const found: string[][] = [];
  for (const word of move.label.split(/\s+/)) {
    const way: string[] = [];
    let from = 0;
    for (let at = 0; left.length > 0 && (at = find(word, left[0], from)) >= 0; ) {
      from = at + left[0].length;
      way.push(left.shift()!);
    }
    // The label `10/8 8/6` names the square 8 once only.
    const joint = found.at(-1)?.at(-1);
    if (way.length > 0 && joint !== undefined && find(word, joint, 0) >= 0 && find(word, joint, 0) < find(word, way[0], 0)) way.unshift(joint);
    if (way.length > 0) found.push(way);
  }
  return left.length === 0 ? found : [move.squares ?? []];
}

/** The moves that can be clicked, by their first square. */
export function starting(moves: Move[], square: string): Move[] {
  return moves.filter((move) => move.squares && move.squares[0] === square);
}

export function targets(moves: Move[], chosen: string | null): Set<string> {
  const from = chosen === null ? moves.filter((move) => move.squares?.length) : starting(moves, chosen);
  return new Set(from.map((move) => (chosen === null ? move.squares![0] : ends(move))));
}

function meant(moves: Move[]): Click {
  return moves.length === 1 ? { kind: "play", label: moves[0].label } : { kind: "ask", moves };
}

export function click(moves: Move[], chosen: string | null, square: string): Click {
  if (chosen !== null) {
    const fitting = starting(moves, chosen).filter((move) => ends(move) === square);
    if (fitting.length > 0) return meant(fitting);
    if (square === chosen) return { kind: "drop" };
  }
  const from = starting(moves, square);
  if (from.length === 0) return { kind: "illegal", squares: chosen === null ? [square] : [chosen, square] };
  const alone = from.filter((move) => move.squares!.length === 1);
  return alone.length === from.length ? meant(alone) : { kind: "choose", square };
}

/** A label for squares between which no move is legal, written as the legal moves are: to ask why not. */
export function labelFor(position: Position, squares: string[]): string | null {
  for (const move of position.moves ?? []) {
    const own = move.squares ?? [];
    if (own.length !== squares.length || !own.every((name) => move.label.includes(name))) continue;
    let label = move.label;
    own.forEach((name, i) => (label = label.replace(name, `\u0000${i}\u0000`)));
    squares.forEach((name, i) => (label = label.replace(`\u0000${i}\u0000`, name)));
    return label;
  }
  return null;
}
