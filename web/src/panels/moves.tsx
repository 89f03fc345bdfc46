// Two lists: the legal moves of the position, and the moves of the game so far.

import { useSignal } from "@preact/signals";
import * as analysis from "../analysis";
import { jump, look, play } from "../game";
import type { Position } from "../protocol";
import * as s from "../state";
import { long, short } from "../values";

const SHOWN = 200;

/** Shows the board of a position while the pointer or the focus is on something. */
export function previewing(position: () => Promise<Position> | null) {
  let here = false;
  const enter = () => {
    here = true;
    position()?.then((found) => {
      if (here) s.preview.value = found;
    }, () => {});
  };
  const leave = () => {
    here = false;
    s.preview.value = null;
  };
  return { onMouseEnter: enter, onMouseLeave: leave, onFocus: enter, onBlur: leave };
}

export function LegalMoves() {
  const all = useSignal(false);
  const position = s.position.value;
  const moves = position?.moves ?? [];
  if (!position || moves.length === 0) return null;
  const values = analysis.moveValues.value;
  const best = analysis.found.value?.lines[0]?.best;
  const shown = all.value ? moves : moves.slice(0, SHOWN);
  const chance = position.turn === "chance";
  const total = moves.reduce((sum, move) => sum + (move.weight ?? 1), 0);
  return (
    <details class="legal" open>
      <summary>
        {moves.length} {chance ? "outcomes" : moves.length === 1 ? "legal move" : "legal moves"}
      </summary>
      <div class="move-list">
        {shown.map((move) => {
          const value = values.get(move.label);
          return (
            <button
              type="button"
              key={move.label}
              class={`move ${move.label === best ? "best" : ""}`}
              title={value ? long(value.value, value.exact) : undefined}
              onClick={() => void play(move.label)}
              {...previewing(() => look(move.next))}
            >
              <span class="label">{move.label}</span>
              {value && <span class="value">{short(value.value)}</span>}
              {chance && <span class="value">{Math.round((100 * (move.weight ?? 1)) / total)}%</span>}
            </button>
          );
        })}
        {shown.length < moves.length && (
          <button type="button" class="link" onClick={() => (all.value = true)}>
            {moves.length - shown.length} more
          </button>
        )}
      </div>
    </details>
  );
}

export function GameMoves() {
  const line = s.line.value;
  if (line.length === 0) return null;
  const graph = analysis.graph.value;
  return (
    <details class="played" open>
      <summary>Moves of the game</summary>
      <ol class="game-moves">
        {line.map((ply, i) => (
          <li>
            <button type="button" aria-current={s.at.value === i + 1 ? "step" : undefined} class={s.at.value === i + 1 ? "now" : ""} onClick={() => jump(i + 1)}>
              <span class="number">{i + 1}.</span> {ply.label}
              {graph[i + 1]?.mark && <span class={`mark mark-${graph[i + 1].mark.length}${graph[i + 1].mark.endsWith("!") ? "i" : ""}`}>{graph[i + 1].mark}</span>}
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}
