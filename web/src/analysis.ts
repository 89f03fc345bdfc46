// The search of the position that is shown: iterations stream in, the value of each position of the game is kept.

import { batch, computed, effect, signal } from "@preact/signals";
import { look, report } from "./game";
import { RequestError, type Iteration, type Line, type Position, type Reply, type ValueReply } from "./protocol";
import * as s from "./state";
import * as storage from "./storage";
import { winPlies } from "./values";
import { Workspace, fingerprint, type Game } from "./workspace";

export interface Found {
  lines: Line[];
  value: number | null;
  exact: boolean;
  depth: number;
  nodes: number;
  seconds: number;
  running: boolean;
  outcome: string | null;
  end: string | null;
  average: boolean;
  /** Whether the value comes from the file of solved positions. */
  solved: boolean;
}

/** What the search found for one position of the game, for the graph. */
export interface Valued {
  value: number;
  exact: boolean;
  best: string | null;
  depth: number;
}

export const on = signal(storage.read("analysis", true));
export const lineCount = signal(storage.read("lines", 3));
export const everyMove = signal(storage.read("everyMove", false));
export const depthLimit = signal<number | null>(null);
export const seconds = signal(storage.read("seconds", 10));
export const algorithm = signal("auto");
export const found = signal<Found | null>(null);
/** Values by game so far: the key of `keyOf`. */
export const valued = signal<Map<string, Valued>>(new Map());
export const reviewing = signal<{ done: number; of: number } | null>(null);

export const searcher = new Workspace();
const reviewer = new Workspace();
let run = 0;

export const keyOf = (game: Game) => JSON.stringify([fingerprint(game.rules), game.start, game.moves]);

/** A large estimate of this game, by which bars and graphs are scaled. */
export const scale = computed(() => {
  const estimates = [...valued.value.values()].map((v) => Math.abs(v.value)).filter((v) => winPlies(v) === null);
  return Math.max(1, ...estimates) * 2;
});

export const moveValues = computed<Map<string, Line>>(() => new Map((found.value?.lines ?? []).filter((l) => l.best !== null).map((l) => [l.best!, l])));

function keep(game: Game, value: Valued): void {
  const key = keyOf(game);
  const before = valued.value.get(key);
  if (before && before.depth > value.depth) return;
  const all = new Map(valued.value);
  all.set(key, value);
  valued.value = all;
}

/** Why the file of solved positions cannot be used for some rules, by the key of the rules. */
export const unusable = signal<Map<string, string>>(new Map());

/** Asks for a value: from the file of solved positions if there is one for these rules, else from a search. */
async function askValue(workspace: Workspace, game: Game, fields: object, onEvent?: (event: Reply) => void): Promise<ValueReply> {
  const request = { request: "value", ...fields };
  const rules = fingerprint(game.rules);
  if (s.table.value === null || unusable.value.has(rules)) return workspace.ask<ValueReply>(game, request, onEvent);
  try {
    return await workspace.ask<ValueReply>(game, { ...request, table: s.table.value }, onEvent);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const reply = await workspace.ask<ValueReply>(game, request, onEvent);
    // The request is correct without the file, so the file is the reason.
    unusable.value = new Map(unusable.value).set(rules, error.message);
    return reply;
  }
}

function options(): object {
  return {
    ...(depthLimit.value === null ? {} : { depth: depthLimit.value }),
    ...(algorithm.value === "auto" ? { lines: everyMove.value ? 500 : lineCount.value } : { algorithm: algorithm.value }),
    ...(seconds.value > 0 ? { time: seconds.value } : {}),
  };
}

/** Searches the position that is shown. A search that runs is stopped first. */
export async function search(): Promise<void> {
  const mine = ++run;
  searcher.stop();
  const game = s.game.value;
  const position = s.position.value;
  if (!game || !position) return;
  if (position.outcome !== null || (position.moves?.length === 0 && position.turn === null)) {
    found.value = null;
    return;
  }
  const base = { running: true, outcome: null, end: null, average: false, solved: false };
  found.value = { lines: [], value: null, exact: false, depth: 0, nodes: 0, seconds: 0, ...base };
  let waiting: Found | null = null;
  const draw = () => {
    if (mine === run && waiting) found.value = waiting;
    waiting = null;
  };
  try {
    const reply = await askValue(searcher, game, options(), (event: Reply) => {
      if (mine !== run || event.event !== "iteration") return;
      const it = event as unknown as Iteration;
      const first = waiting === null;
      waiting = { lines: it.lines, value: it.value, exact: it.exact, depth: it.reached, nodes: it.nodes, seconds: it.seconds, ...base };
      if (first) requestAnimationFrame(draw);
    });
    if (mine !== run) return;
    waiting = null;
    const { value, exact, depth, nodes, outcome, end, average } = reply;
    const lines = reply.lines?.length ? reply.lines : [{ value, exact, best: reply.best, pv: reply.pv }];
    batch(() => {
      found.value = { lines, value, exact, depth, nodes, seconds: reply.seconds, outcome, end, average, solved: reply.from_table === true, running: false };
      if (value !== null) keep(game, { value, exact, best: reply.best, depth: reply.to_end ? 10_000 : depth });
    });
  } catch (error) {
    if (mine !== run) return;
    if (found.value) found.value = { ...found.value, running: false };
    report(error);
  }
}

export function stop(): void {
  searcher.stop();
}

/** The program's move in the position that is shown, or null if the search was stopped for another position. */
export async function think(secondsEach: number): Promise<string | null> {
  const mine = ++run;
  searcher.stop();
  const game = s.game.value;
  if (!game) return null;
  const reply = await askValue(searcher, game, { time: secondsEach });
  if (mine !== run) return null;
  if (reply.value !== null) keep(game, { value: reply.value, exact: reply.exact, best: reply.best, depth: reply.depth });
  return reply.best ?? s.position.value?.moves?.[0]?.label ?? null;
}

/** What the other side would play if the side to move passed; only where passing is a legal move. */
export const threat = signal<{ game: Game; line: Line } | null>(null);
export const passing = signal<string | null>(null);
/** How many moves are looked at to find one that passes. */
const MOST_PASSES = 8;

const stones = (position: Position) => JSON.stringify([position.board?.pieces, position.board?.pockets, position.board?.lines]);

/** A move that leaves the board as it is passes, whatever its label is. */
async function findPass(position: Position): Promise<string | null> {
  const moves = position.moves ?? [];
  const named = moves.find((move) => /^(pass|null)$/i.test(move.label));
  if (named || !position.board?.squares.length) return named?.label ?? null;
  const still = moves.filter((move) => move.squares?.length === 0);
  for (const move of still.slice(0, MOST_PASSES)) {
    const after = await look(move.next);
    if (after.turn !== position.turn && stones(after) === stones(position)) return move.label;
  }
  return null;
}

export async function findThreat(): Promise<void> {
  const game = s.game.value;
  const pass = passing.value;
  if (!game || pass === null) return;
  try {
    const reply = await askValue(reviewer, { ...game, moves: [...game.moves, pass] }, { time: 2 });
    threat.value = { game, line: reply };
  } catch (error) {
    report(error);
  }
}

/** Values every position of the game with a short search, for the graph and its marks. */
export async function review(): Promise<void> {
  if (reviewing.value) {
    reviewer.stop();
    reviewing.value = null;
    return;
  }
  const game = s.game.value;
  if (!game) return;
  const moves = s.line.value.map((ply) => ply.label);
  try {
    for (let n = 0; n <= moves.length; n += 1) {
      if (n > 0 && reviewing.value === null) return;
      reviewing.value = { done: n, of: moves.length + 1 };
      const here: Game = { ...game, moves: moves.slice(0, n) };
      const reply = await askValue(reviewer, here, { time: 0.5, ...(depthLimit.value === null ? {} : { depth: depthLimit.value }) });
      if (reply.value !== null) keep(here, { value: reply.value, exact: reply.exact, best: reply.best, depth: reply.depth });
    }
  } catch (error) {
    report(error);
  } finally {
    reviewing.value = null;
  }
}

export interface GraphPoint {
  ply: number;
  value: Valued | null;
  /** How much the move before lost: `?!` a little, `?` much, `??` a proved result. */
  mark: "" | "?!" | "?" | "??";
}

/** The fewest changes of the value that say what a usual change is. */
const FEW = 3;

/** The middle of the changes from move to move, by which a loss is large or small. Null if few are known. */
function usualChange(values: (Valued | null)[]): number | null {
  const changes: number[] = [];
  values.forEach((value, ply) => {
    const before = ply > 0 ? values[ply - 1] : null;
    if (value && before && result(value) === 0 && result(before) === 0 && value.value !== before.value) changes.push(Math.abs(value.value - before.value));
  });
  changes.sort((a, b) => a - b);
  return changes.length < FEW ? null : changes[Math.floor(changes.length / 2)];
}

const result = (v: Valued) => (winPlies(v.value) === null ? 0 : Math.sign(v.value));

export const graph = computed<GraphPoint[]>(() => {
  const rules = s.rules.value;
  if (!rules) return [];
  const moves = s.line.value.map((ply) => ply.label);
  const values = Array.from({ length: moves.length + 1 }, (_, ply) => valued.value.get(keyOf({ rules, start: s.start.value, moves: moves.slice(0, ply) })) ?? null);
  const usual = usualChange(values);
  const points: GraphPoint[] = [];
  for (const [ply, value] of values.entries()) {
    points.push({ ply, value, mark: "" });
    const before = points[ply - 1]?.value;
    const mover = ply === 0 ? null : ((ply === 1 ? s.first.value : s.line.value[ply - 2].after)?.turn ?? null);
    if (!value || !before || (mover !== "max" && mover !== "min")) continue;
    const sign = mover === "max" ? 1 : -1;
    const lost = sign * (before.value - value.value);
    if (sign * (result(before) - result(value)) > 0) points[ply].mark = before.exact && value.exact ? "??" : "?";
    else if (usual !== null && result(before) === 0 && result(value) === 0) points[ply].mark = lost > usual * 4 ? "?" : lost > usual * 2 ? "?!" : "";
  }
  return points;
});

/** Searches again whenever the position, the rules or the options change. */
export function follow(): void {
  effect(() => {
    s.game.value;
    s.position.value;
    const options = [lineCount.value, everyMove.value, depthLimit.value, seconds.value, algorithm.value];
    void options;
    const searching = on.value;
    if (s.thinking.peek()) return;
    queueMicrotask(() => {
      if (searching) void search();
      else {
        run += 1;
        searcher.stop();
        found.value = null;
      }
    });
  });
  effect(() => {
    const position = s.position.value;
    passing.value = null;
    if (!position || position.turn === "chance" || position.outcome !== null) return;
    findPass(position).then((label) => {
      if (position === s.position.value) passing.value = label;
    }, () => {});
  });
  effect(() => storage.write("analysis", on.value));
  effect(() => storage.write("lines", lineCount.value));
  effect(() => storage.write("everyMove", everyMove.value));
  effect(() => storage.write("seconds", seconds.value));
}
