// Two lists: the legal moves of the position, and the moves of the game so far.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import * as analysis from "../analysis";
import { Dice } from "../board/shapes";
import { jump, look, play } from "../game";
import type { Move, Position } from "../protocol";
import * as s from "../state";
import { long, short } from "../values";

const SHOWN = 200;
/** Grows with each look and each end of one: only the last look is shown. */
let looks = 0;
/** Where the pointer was pressed last. */
let pressed = [-1, -1];
document.addEventListener("pointerdown", (event) => (pressed = [event.clientX, event.clientY]), true);

/**
 * Shows the board of a position while the mouse or the focus of the keyboard is on something. A finger shows no
 * preview, and neither does a button that appears under a mouse that has just clicked: the click shows the new position.
 */
export function previewing(position: () => Promise<Position> | null) {
  let here = false;
  const enter = () => {
    if (here) return;
    here = true;
    const mine = ++looks;
    position()?.then((found) => {
      if (mine === looks) s.preview.value = found;
    }, () => {});
  };
  const leave = () => {
    here = false;
    looks += 1;
    s.preview.value = null;
  };
  const pointed = (event: PointerEvent) => {
    const atRest = event.clientX === pressed[0] && event.clientY === pressed[1];
    if (event.pointerType === "mouse" && !atRest) enter();
  };
  return {
    onPointerEnter: pointed,
    onPointerMove: pointed,
    onPointerLeave: leave,
    onFocus: (event: FocusEvent) => {
      if ((event.currentTarget as HTMLElement).matches(":focus-visible")) enter();
    },
    onBlur: leave,
  };
}

/** What to call a move. A chance outcome is called by what it shows, if its label is only a number. In a game without labels the label is the next position, and the squares say more. */
function nameOf(move: Move, moves: Move[]): string {
  const squares = (of: Move) => of.squares?.join("–") ?? "";
  if (move.shows && /^\d+$/.test(move.label)) {
    const { dice, text } = move.shows;
    const name = [text, dice.join("-")].filter((part) => part !== "").join(" ");
    return name === "" || moves.some((other) => other !== move && other.shows?.text === text && other.shows.dice.join("-") === dice.join("-")) ? move.label : name;
  }
  if (move.label !== move.next || squares(move) === "") return move.label;
  return moves.some((other) => other !== move && squares(other) === squares(move)) ? move.label : squares(move);
}

function MoveLabel({ move, moves }: { move: Move; moves: Move[] }) {
  const { dice = [], text = "" } = move.shows ?? {};
  if (dice.length === 0) return <span class="label">{nameOf(move, moves)}</span>;
  return (
    <>
      {text !== "" && <span class="label">{text}</span>}
      <Dice values={dice} />
    </>
  );
}

function Probability({ weight, total }: { weight: number; total: number }) {
  const share = (100 * weight) / total;
  const digits = share >= 9.95 ? 0 : share >= 0.095 ? 1 : 2;
  return (
    <span class="value" title={`probability ${weight} of ${total}`}>
      {share < 0.005 ? "<0.01" : share.toFixed(digits)}%
    </span>
  );
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
              title={value ? `${move.label}: ${long(value.value, value.exact)}` : move.shows?.text || move.label}
              onClick={() => void play(move.label)}
              {...previewing(() => look(move.next))}
            >
              <MoveLabel move={move} moves={moves} />
              {value && <span class="value">{short(value.value)}</span>}
              {chance && <Probability weight={move.weight ?? 1} total={total} />}
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

/** The name of the move that led to a ply. */
function playedName(i: number): string {
  const { label } = s.line.value[i];
  const moves = (i === 0 ? s.first.value : s.line.value[i - 1].after)?.moves ?? [];
  const move = moves.find((known) => known.label === label);
  return move ? nameOf(move, moves) : label;
}

export function GameMoves() {
  const line = s.line.value;
  const at = s.at.value;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // Scrolls the list alone, and not the page around it.
    const now = list.current?.querySelector<HTMLElement>(".now");
    if (!list.current || !now) return;
    const { top, bottom } = list.current.getBoundingClientRect();
    const box = now.getBoundingClientRect();
    if (box.top < top) list.current.scrollTop -= top - box.top;
    else if (box.bottom > bottom) list.current.scrollTop += box.bottom - bottom;
  }, [at, line.length]);
  if (line.length === 0) return null;
  const graph = analysis.graph.value;
  return (
    <details class="played" open>
      <summary>Moves of the game</summary>
      <ol class="game-moves" ref={list}>
        {line.map((_, i) => (
          <li>
            <button type="button" aria-current={s.at.value === i + 1 ? "step" : undefined} class={s.at.value === i + 1 ? "now" : ""} onClick={() => jump(i + 1)}>
              <span class="number">{i + 1}.</span> {playedName(i)}
              {graph[i + 1]?.mark && <span class={`mark mark-${graph[i + 1].mark.length}${graph[i + 1].mark.endsWith("!") ? "i" : ""}`}>{graph[i + 1].mark}</span>}
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}
