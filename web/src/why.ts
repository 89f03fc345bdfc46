// Questions about reasons, and their answers. The clauses of an answer are marked in the editor.

import { signal } from "@preact/signals";
import { markPlaces } from "./document";
import { RequestError, type Failure, type Place, type Problem, type ProofStep } from "./protocol";
import * as analysis from "./analysis";
import * as s from "./state";
import { reasoner } from "./reasoner";


export interface Leaf {
  picture: string[] | null;
  position: string;
  evaluation: string | null;
  outcome: string | null;
  end: string;
  proof: ProofStep[] | null;
}

export interface Explained {
  move: string;
  value: number;
  exact: boolean;
  pv: string[];
  turn: string;
  better_moves: number;
  moves: number;
  best: { move: string; value: number; pv: string[] } | null;
  refutation: string | null;
  leaf: Leaf | null;
}

export type Answer =
  | { kind: "waiting"; title: string }
  | { kind: "proof"; title: string; answer: Record<string, string> | null; proof: ProofStep[] }
  | { kind: "failure"; title: string; failing: Failure | null; smallest: { message: string; label: string } | null }
  | { kind: "explained"; title: string; explained: Explained }
  | { kind: "error"; title: string; problem: Problem };

export const answer = signal<Answer | null>(null);
const LONGEST = 60;
let last = 0;

async function ask<T>(title: string, request: object, shape: (reply: T) => Answer): Promise<void> {
  const mine = ++last;
  const game = s.game.value;
  if (!game) return;
  answer.value = { kind: "waiting", title };
  reasoner.stop();
  let shown: Answer;
  try {
    shown = shape(await reasoner.ask<T>(game, request));
  } catch (error) {
    if (!(error instanceof RequestError)) return;
    shown = { kind: "error", title, problem: error.problem };
  }
  if (mine !== last) return;
  answer.value = shown;
  mark(shown);
}

interface WhyReply {
  answer: Record<string, string> | null;
  found: number;
  proof: ProofStep[] | null;
}

interface WhyNotReply {
  fails: boolean;
  failing: Failure | null;
  smallest: { message: string; label: string } | null;
}

export function askWhy(goal: string): Promise<void> {
  return ask<WhyReply>(`Why ${goal}?`, { request: "why", goal, longest: LONGEST, depth: 12 }, (reply) =>
    reply.proof ? { kind: "proof", title: `Why ${goal}?`, answer: reply.answer, proof: reply.proof } : { kind: "failure", title: `${goal} has no answer`, failing: null, smallest: null },
  );
}

export function askWhyNot(goal: string): Promise<void> {
  const title = `Why not ${goal}?`;
  return ask<WhyNotReply>(title, { request: "whynot", goal, longest: LONGEST }, (reply) =>
    reply.fails ? { kind: "failure", title, failing: reply.failing, smallest: reply.smallest } : { kind: "failure", title: `${goal} is legal: it has an answer`, failing: null, smallest: null },
  );
}

/** Why a move has its value: where its line leads, and the clauses that value the last position. */
export function askExplain(move: string): Promise<void> {
  const title = `Why is ${move} worth its value?`;
  const depth = Math.max(1, Math.min(analysis.found.value?.depth ?? 4, 6));
  return ask<Explained>(title, { request: "explain", move, depth, time: 5 }, (reply) => ({ kind: "explained", title, explained: reply }));
}

/** The value that the rules give the position that is shown, without a search. */
export function askEvaluation(): Promise<void> {
  const position = s.position.value;
  if (!position) return Promise.resolve();
  const predicate = position.outcome !== null ? "outcome" : "static_eval";
  return askWhy(`${predicate}(${position.position}, Value)`).then(() => {
    if (answer.value && "title" in answer.value) answer.value = { ...answer.value, title: `Why does ${predicate}/2 give this value here?` };
  });
}

function mark(shown: Answer): void {
  const places: { start: number; end: number; kind: string }[] = [];
  const take = (place: Place | null | undefined, kind: string) => {
    if (place && place.file === s.textName.value) places.push({ start: place.start, end: place.end, kind });
  };
  const proofs = (steps: ProofStep[], depth: number) => {
    for (const step of steps) {
      take(step.clause?.place, depth === 0 ? "first" : "used");
      if (step.by === "builtin") take(step.place, "used");
      proofs(step.parts, depth + 1);
    }
  };
  const failures = (failure: Failure | null) => {
    if (!failure) return;
    for (const clause of failure.clauses) {
      take(clause.place, "used");
      for (const goal of clause.goals) if (goal.mark === "failed") take(goal.place, "failed");
      failures(clause.because);
    }
    failure.parts.forEach(failures);
  };
  if (shown.kind === "proof") proofs(shown.proof, 0);
  if (shown.kind === "explained") proofs(shown.explained.leaf?.proof ?? [], 0);
  if (shown.kind === "failure") failures(shown.failing);
  const seen = new Set<string>();
  markPlaces(places.filter((p) => !seen.has(`${p.start}.${p.end}`) && seen.add(`${p.start}.${p.end}`)));
}

export function clearWhy(): void {
  last += 1;
  answer.value = null;
  markPlaces([], false);
}
