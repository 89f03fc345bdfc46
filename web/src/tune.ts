// Sliders: what a change of parameters changed in the search, and a match between two settings.

import { effect, signal } from "@preact/signals";
import * as analysis from "./analysis";
import { RequestError, type Reply } from "./protocol";
import * as s from "./state";
import { Workspace, fingerprint, paramFields } from "./workspace";

export interface Baseline {
  params: Record<string, string>;
  found: analysis.Found;
}

/** What the search found before the parameters were changed. */
export const baseline = signal<Baseline | null>(null);

/** Called before the first change: keeps what the search has found. */
export function rememberBefore(): void {
  const found = analysis.found.value;
  if (!baseline.value && found && found.value !== null) baseline.value = { params: s.changed.value, found };
}

export interface SoFar {
  games: number;
  wins: number;
  draws: number;
  losses: number;
  score: number;
  elo: number | null;
  elo_low: number | null;
  elo_high: number | null;
  llr: number | null;
}

export interface Match {
  running: boolean;
  a: Record<string, string>;
  b: Record<string, string>;
  points: SoFar[];
  sprt: { lower: number; upper: number } | null;
  ended: string;
  verdict: string;
  error: string;
}

export const match = signal<Match | null>(null);
export const games = signal(100);
export const nodesPerMove = signal(1000);
export const testing = signal(false);
const contest = new Workspace();

interface MatchReply {
  games: number;
  ended: string;
  stopped: boolean;
  sprt: { accepted: string | null } | null;
}

export async function play(): Promise<void> {
  const game = s.game.value;
  if (!game) return;
  const own: Record<string, string> = baseline.value?.params ?? {};
  const settings = (params: Record<string, string>) => ({ params: paramFields(params), nodes: nodesPerMove.value });
  const errorRate = 0.05;
  const lower = Math.log(errorRate / (1 - errorRate));
  let made: Match = { running: true, a: s.changed.value, b: own, points: [], sprt: testing.value ? { lower, upper: -lower } : null, ended: "", verdict: "", error: "" };
  match.value = made;
  const rules = { ...game.rules, params: {} };
  let drawing = false;
  const update = (change: Partial<Match>) => {
    made = { ...made, ...change };
    if (drawing) return;
    drawing = true;
    requestAnimationFrame(() => {
      drawing = false;
      match.value = made;
    });
  };
  try {
    const request = {
      request: "match",
      a: settings(made.a),
      b: settings(made.b),
      games: testing.value ? undefined : games.value + (games.value % 2),
      ...(testing.value ? { sprt: "elo0=0,elo1=20" } : {}),
    };
    const reply = await contest.ask<MatchReply>({ rules, start: {}, moves: [] }, request, (event: Reply) => {
      const so = event.so_far as (SoFar & { pairs: number }) | null | undefined;
      if (event.event === "game" && so) update({ points: [...made.points, { ...so, games: so.pairs * 2 }] });
    });
    update({ running: false, ended: reply.stopped ? "stopped" : reply.ended, verdict: reply.sprt?.accepted ?? "" });
  } catch (error) {
    if (error instanceof RequestError) update({ running: false, error: error.problem.help ? `${error.message}; ${error.problem.help}` : error.message });
    else update({ running: false, error: error instanceof Error ? error.message : String(error) });
  }
}

export function stop(): void {
  contest.stop();
}

export function follow(): void {
  // Another position or text: what was found before no longer compares. Parameters may differ.
  let last = "";
  effect(() => {
    const game = s.game.value;
    const key = JSON.stringify([game && fingerprint({ ...game.rules, params: {} }), game?.start, game?.moves]);
    if (key !== last) baseline.value = null;
    last = key;
  });
}
