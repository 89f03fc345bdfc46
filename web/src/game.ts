// The game on the board: loads rules, makes moves and takes them back. One workspace follows the board.

import { batch } from "@preact/signals";
import { ConnectionLost, RequestError, Superseded, type LoadReply, type Position, type Problem } from "./protocol";
import * as s from "./state";
import { Workspace, fingerprint, loadRequest, type Rules, type Start } from "./workspace";

export const board = new Workspace();
const FIELDS = { legal: true, board: true };

let queue: Promise<unknown> = Promise.resolve();

/** Runs one change of the game after the other. Errors are shown, not thrown. */
function inTurn<T>(work: () => Promise<T>): Promise<T | null> {
  const result = queue.then(work).catch((error: unknown) => {
    report(error);
    return null;
  });
  queue = result;
  return result;
}

export function report(error: unknown): void {
  if (error instanceof ConnectionLost || error instanceof Superseded) return;
  if (error instanceof RequestError) s.say(error.problem.help ? `${error.message}; ${error.problem.help}` : error.message);
  else s.say(String(error));
}

/** Loads rules. The moves are made again as far as they are still legal. */
export function load(rules: Rules, wanted: { start?: Start; moves?: string[]; at?: number } = {}): Promise<boolean | null> {
  return inTurn(async () => {
    const start = wanted.start ?? s.start.value;
    const moves = wanted.moves ?? s.line.value.map((ply) => ply.label);
    const ply = wanted.at ?? (wanted.moves ? moves.length : s.at.value);
    let reply: LoadReply;
    try {
      reply = await board.send<LoadReply>(loadRequest(rules, false));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      s.loadProblems.value = error.problems;
      return false;
    }
    s.loadProblems.value = reply.warnings.filter((problem: Problem) => problem.level === "error");
    if (!reply.game) {
      batch(() => {
        s.rules.value = rules;
        s.params.value = reply.params ?? [];
        s.first.value = null;
        s.line.value = [];
        s.at.value = 0;
      });
      return true;
    }
    let used: Start = start;
    const at = await board.connection
      .request<Position>({ request: "new", ...start, ...FIELDS })
      .catch(() => {
        used = {};
        return board.connection.request<Position>({ request: "new", ...FIELDS });
      });
    const played: s.Ply[] = [];
    for (const label of moves) {
      const after = await board.connection.request<Position>({ request: "move", move: label, ...FIELDS }).catch(() => null);
      if (!after) break;
      played.push({ label, after });
    }
    batch(() => {
      s.rules.value = rules;
      s.params.value = reply.params ?? [];
      s.start.value = used;
      s.first.value = at;
      s.line.value = played;
      s.at.value = Math.min(ply, played.length);
      s.preview.value = null;
    });
    board.holds({ rules, start: used, moves: played.map((p) => p.label) });
    return true;
  });
}

/** Makes a move in the position that is shown. Moves after this position are dropped if they differ. */
export function play(label: string): Promise<unknown> {
  return inTurn(async () => {
    const ahead = s.line.value[s.at.value];
    if (ahead && ahead.label === label && ahead.after) {
      s.at.value += 1;
      return;
    }
    const game = s.game.value;
    if (!game) return;
    const after = await board.ask<Position>(game, { request: "move", move: label, ...FIELDS });
    const line = [...s.line.value.slice(0, s.at.value), { label, after }];
    board.holds({ ...game, moves: line.map((p) => p.label) });
    batch(() => {
      s.line.value = line;
      s.at.value = line.length;
      s.preview.value = null;
      s.message.value = "";
    });
  });
}

export function jump(ply: number): void {
  s.at.value = Math.max(0, Math.min(ply, s.line.value.length));
  s.preview.value = null;
}

export function newGame(start: Start = {}): Promise<unknown> {
  return inTurn(async () => {
    const rules = s.rules.value;
    if (!rules) return;
    const at = await board.ask<Position>({ rules, start: s.start.value, moves: [] }, { request: "new", ...start, ...FIELDS });
    board.holds({ rules, start, moves: [] });
    batch(() => {
      s.start.value = start;
      s.first.value = at;
      s.line.value = [];
      s.at.value = 0;
      s.preview.value = null;
      s.message.value = "";
    });
  });
}

/** Makes several moves, such as a line of the analysis. */
export async function playAll(moves: string[]): Promise<void> {
  for (const label of moves) await play(label);
}

/** Positions that were looked at, for previews and little boards. */
const seen = new Map<string, Promise<Position>>();
const looker = new Workspace();

/** The board and the moves of a position, given as a term. */
export function look(position: string): Promise<Position> {
  const game = s.game.value;
  if (!game) return Promise.reject(new ConnectionLost());
  const key = `${fingerprint(game.rules)} ${position}`;
  const known = seen.get(key);
  if (known) return known;
  const answer = looker.ask<Position>({ ...game, start: {}, moves: [] }, { request: "moves", position, board: true });
  if (seen.size > 500) seen.clear();
  seen.set(key, answer);
  answer.catch(() => seen.delete(key));
  return answer;
}

/** The position after some moves from the position that is shown. */
export function lookAfter(moves: string[]): Promise<Position> {
  const game = s.game.value;
  if (!game) return Promise.reject(new ConnectionLost());
  return looker.ask<Position>({ ...game, moves: [...game.moves, ...moves] }, { request: "show", board: true });
}

/** One outcome of a chance move, by its weight. */
export function throwDice(position: Position): string | null {
  const moves = position.moves ?? [];
  const total = moves.reduce((sum, move) => sum + (move.weight ?? 1), 0);
  let left = Math.random() * total;
  for (const move of moves) {
    left -= move.weight ?? 1;
    if (left <= 0) return move.label;
  }
  return moves.at(-1)?.label ?? null;
}
