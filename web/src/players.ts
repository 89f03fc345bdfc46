// The program moves for the sides that are set to it, and throws the dice.

import { effect } from "@preact/signals";
import * as analysis from "./analysis";
import { play, report, throwDice } from "./game";
import * as s from "./state";

let turn = 0;

/** Whether the program, and not a person, acts in the position that is shown. */
function ours(): boolean {
  const position = s.position.value;
  if (!position || s.at.value < s.line.value.length) return false;
  if (position.turn === "chance") return !s.rollByHand.value;
  return position.turn !== null && s.players.value[position.turn] === "program";
}

/** One move of the program for the side to move, or one throw. */
export async function moveNow(): Promise<void> {
  const position = s.position.value;
  if (!position || position.outcome !== null || position.repetition || !position.moves?.length) return;
  const mine = ++turn;
  if (position.turn === "chance") {
    const label = throwDice(position);
    if (label !== null) await play(label);
    return;
  }
  s.thinking.value = true;
  let label: string | null = null;
  try {
    label = await analysis.think(s.thinkSeconds.value);
  } catch (error) {
    report(error);
  }
  if (mine !== turn) return;
  s.thinking.value = false;
  if (label !== null && s.position.value === position) await play(label);
}

/** Moves whenever it is the program's turn. */
export function follow(): void {
  effect(() => {
    void [s.position.value, s.players.value, s.rollByHand.value];
    window.setTimeout(() => {
      if (ours()) void moveNow();
    }, 0);
  });
}
