// Values as text. A win for MAX in N plies is 1000000 - N, a win for MIN is N - 1000000.

import type { Position } from "./protocol";

const WIN = 1_000_000;
const LONGEST = 100_000;

export function winPlies(value: number): number | null {
  return Math.abs(value) > WIN - LONGEST && Math.abs(value) <= WIN ? WIN - Math.abs(value) : null;
}

/** Few characters: `+#5` is a win for MAX in 5 plies. */
export function short(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  const plies = winPlies(value);
  if (plies !== null && Number.isInteger(plies)) return `${value > 0 ? "+" : "−"}#${plies}`;
  const digits = Number.isInteger(value) ? String(Math.abs(value)) : Math.abs(value) >= 100 ? Math.abs(value).toFixed(1) : Math.abs(value).toFixed(2);
  return value < 0 ? `−${digits}` : value > 0 ? `+${digits}` : "0";
}

/** A sentence for a tooltip and for screen readers. */
export function long(value: number | null | undefined, exact: boolean): string {
  if (value === null || value === undefined) return "no value yet";
  const plies = winPlies(value);
  const sure = exact ? "exact" : "an estimate";
  if (plies !== null && Number.isInteger(plies)) return `${value > 0 ? "MAX" : "MIN"} wins in ${plies} ${plies === 1 ? "ply" : "plies"}, ${sure}`;
  return `${short(value)} for MAX, ${sure}`;
}

/** A value between -1 (MIN wins) and 1 (MAX wins), for the bar and the graph. `scale` is a large estimate of this game. */
export function share(value: number, scale: number): number {
  if (winPlies(value) !== null) return value > 0 ? 1 : -1;
  return Math.tanh(value / (scale || 1)) * 0.9;
}

export function side(turn: string | null | undefined): string {
  return turn === "max" ? "MAX" : turn === "min" ? "MIN" : turn === "chance" ? "chance" : "";
}

export function state(position: Position): string {
  if (position.outcome === "max") return "MAX wins";
  if (position.outcome === "min") return "MIN wins";
  if (position.outcome === "draw") return "A draw";
  if (position.repetition) return "The position repeats";
  if (position.turn === null) return "The game is over";
  return position.turn === "chance" ? "A chance move" : `${side(position.turn)} to move`;
}

export function count(n: number): string {
  return n >= 1e9 ? `${(n / 1e9).toFixed(1)} G` : n >= 1e6 ? `${(n / 1e6).toFixed(1)} M` : n >= 1e4 ? `${(n / 1e3).toFixed(0)} k` : String(n);
}
