// The board with its controls: clicks, keys, the sides, the legal moves and the moves of the game.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import * as analysis from "../analysis";
import { click, labelFor, starting, targets, ways } from "../board/moves";
import { BoardPicture, type Marks } from "../board/picture";
import { Dice, PieceShape } from "../board/shapes";
import { jump, newGame, play } from "../game";
import { moveNow } from "../players";
import type { BoardData, Move, Position, Square } from "../protocol";
import * as s from "../state";
import { long, share, short, state } from "../values";
import { askWhyNot } from "../why";
import { GameMoves, LegalMoves } from "./moves";

export function BoardPanel() {
  const shown = s.preview.value ?? s.position.value;
  if (!shown) return <NoGame />;
  return (
    <section class="panel board-panel" aria-label="Board" data-ply={s.at.value} data-over={String(s.position.value?.outcome !== null)}>
      <div class="board-row">
        <ValueBar />
        <div class={`board-box ${s.preview.value ? "is-preview" : ""}`}>
          {shown.board && shown.board.squares.length > 0 ? <Squares position={shown} live={!s.preview.value} /> : <TextBoard position={shown} />}
        </div>
      </div>
      {shown.board && <Beside board={shown.board} />}
      <Status position={shown} />
      <Controls />
      <LegalMoves />
      <GameMoves />
    </section>
  );
}

function NoGame() {
  const wrong = s.problems.value.some((problem) => problem.level === "error");
  return (
    <section class="panel board-panel empty" aria-label="Board">
      <p>
        {s.connection.value === "connecting"
          ? "Connecting…"
          : wrong
            ? "The board appears when the rules have no errors. The list below the rules shows them with their fixes."
            : s.rules.value
              ? "These rules define no start position yet: write initial(Pos)."
              : "Loading…"}
      </p>
      {s.message.value && <p role="status">{s.message.value}</p>}
      {s.loadProblems.value.map((problem) => (
        <p class="problem error">
          <span class="code">{problem.code}</span> {problem.message}
          {problem.help && <span class="help"> help: {problem.help}</span>}
        </p>
      ))}
    </section>
  );
}

/** The squares of the move before the position that is shown. */
function lastSquares(): Set<string> {
  const ply = s.at.value;
  if (ply === 0) return new Set();
  const before = ply === 1 ? s.first.value : s.line.value[ply - 2]?.after;
  const move = before?.moves?.find((m) => m.label === s.line.value[ply - 1].label);
  return new Set(move?.squares ?? []);
}

function valuesOn(moves: Move[], chosen: string | null): Map<string, { text: string; best: boolean }> {
  const values = new Map<string, { text: string; best: boolean }>();
  const lines = analysis.found.value?.lines ?? [];
  lines.forEach((line, rank) => {
    const move = moves.find((m) => m.label === line.best);
    const squares = move?.squares ?? [];
    if (!squares.length || line.value === null) return;
    if (chosen === null ? squares.length > 1 : squares[0] !== chosen) return;
    const place = squares.at(-1)!;
    if (!values.has(place)) values.set(place, { text: short(line.value), best: rank === 0 });
  });
  return values;
}

function bestArrows(moves: Move[]): string[][] {
  const best = analysis.found.value?.lines[0]?.best;
  const move = moves.find((m) => m.label === best);
  return move ? ways(move) : [];
}

function Squares({ position, live }: { position: Position; live: boolean }) {
  const board = position.board!;
  const chosen = useSignal<string | null>(null);
  const asked = useSignal<Move[]>([]);
  const focused = useSignal<string | null>(null);
  const illegal = useSignal<string[]>([]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    chosen.value = null;
    asked.value = [];
    illegal.value = [];
  }, [position.position, s.at.value]);
  const moves = live ? (position.moves ?? []) : [];
  const pick = chosen.value !== null && starting(moves, chosen.value).length > 0 ? chosen.value : null;
  const press = (square: string) => {
    const meant = click(moves, pick, square);
    asked.value = meant.kind === "ask" ? meant.moves : [];
    illegal.value = meant.kind === "illegal" ? meant.squares : [];
    chosen.value = meant.kind === "choose" ? meant.square : null;
    if (meant.kind === "play") void play(meant.label);
    if (meant.kind === "illegal" && s.tab.value === "why") whyNot(position, meant.squares);
  };
  const goal = live ? targets(moves, pick) : new Set<string>();
  const marks: Marks = live
    ? { last: lastSquares(), targets: goal, chosen: pick, values: valuesOn(moves, pick), arrows: pick ? [] : bestArrows(moves) }
    : {};
  const names = new Map(board.pieces.filter((p) => p.square !== undefined).map((p) => [p.square!, `${p.text}${(p.count ?? 1) > 1 ? ` ${p.count} times` : ""}`]));
  const stop = focused.value !== null && board.squares.some((q) => q.name === focused.value) ? focused.value : board.squares[0]?.name;
  const squareProps = (square: Square) => ({
    label: `${square.name}, ${names.get(square.name) ?? "empty"}${pick === square.name ? ", chosen" : goal.has(square.name) ? (pick ? ", move here" : ", can move") : ""}`,
    tabIndex: square.name === stop ? 0 : -1,
    onClick: () => {
      focused.value = square.name;
      press(square.name);
    },
    onFocus: () => (focused.value = square.name),
    onKeyDown: (event: KeyboardEvent) => {
      const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      const step = steps[event.key];
      if (event.key === "Enter" || event.key === " ") press(square.name);
      else if (event.key === "Escape") chosen.value = null;
      else if (step) {
        const next = neighbour(board, square, step, s.flipped.value);
        if (next) {
          focused.value = next.name;
          box.current?.querySelector<SVGGElement>(`[data-square="${CSS.escape(next.name)}"]`)?.focus();
        }
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
  });
  return (
    <div class="squares" ref={box}>
      <BoardPicture board={board} flipped={s.flipped.value} marks={marks} label={live ? "Board. Arrow keys go from square to square, Enter chooses." : "Preview of the board"} squareProps={live ? squareProps : undefined} />
      {asked.value.length > 0 && (
        <div class="ask" role="dialog" aria-label="Which move?">
          <p>Which move?</p>
          {asked.value.map((move) => (
            <button type="button" onClick={() => void play(move.label)}>
              {move.label}
            </button>
          ))}
          <button type="button" class="quiet" onClick={() => (asked.value = [])}>
            Cancel
          </button>
        </div>
      )}
      {illegal.value.length > 0 && position.outcome === null && (
        <p class="hint">
          {illegal.value.join(" to ")}: no legal move.{" "}
          <button type="button" class="link" onClick={() => whyNot(position, illegal.value)}>
            Why not?
          </button>
        </p>
      )}
    </div>
  );
}

function whyNot(position: Position, squares: string[]): void {
  s.tab.value = "why";
  void askWhyNot(labelFor(position, squares) ?? labelFor(position, squares.slice(-1)) ?? squares.join("-"));
}

/** The nearest square in the direction of an arrow key. */
function neighbour(board: BoardData, from: Square, [dx, dy]: [number, number], flipped: boolean): Square | null {
  const sign = flipped ? -1 : 1;
  let best: Square | null = null;
  let least = Infinity;
  for (const square of board.squares) {
    const [x, y] = [(square.x - from.x) * sign, (square.y - from.y) * sign];
    const along = x * dx + y * dy;
    const across = Math.abs(x * dy) + Math.abs(y * dx);
    if (along < 0.2) continue;
    const distance = along + across * 2.5;
    if (distance < least) [best, least] = [square, distance];
  }
  return best;
}

function TextBoard({ position }: { position: Position }) {
  const text = position.picture?.length ? position.picture.join("\n") : position.position;
  return (
    <pre class="text-board" tabIndex={0} role="img" aria-label={`Position: ${text}`}>
      {text}
    </pre>
  );
}

/** The dice of the chance outcome before the position that is shown. */
function thrown(): number[] {
  const ply = s.at.value;
  if (ply === 0 || s.preview.value) return [];
  const before = ply === 1 ? s.first.value : s.line.value[ply - 2]?.after;
  return before?.moves?.find((move) => move.label === s.line.value[ply - 1].label)?.shows?.dice ?? [];
}

function Beside({ board }: { board: BoardData }) {
  const dice = board.dice.length > 0 ? board.dice : thrown();
  return (
    <div class="beside">
      {dice.length > 0 && <Dice values={dice} />}
      {board.pockets.map((pocket) => (
        <span class={`pocket side-${pocket.side ?? "none"}`}>
          {pocket.text && <span class="pocket-name">{pocket.text}</span>}
          {pocket.pieces.map((piece) => (
            <svg viewBox={piece.shape === "card" ? "-70 -70 140 140" : "-50 -50 100 100"} role="img" aria-label={`${piece.text}${(piece.count ?? 1) > 1 ? ` ${piece.count} times` : ""}`}>
              <PieceShape piece={piece} size={100} />
            </svg>
          ))}
        </span>
      ))}
      {board.squares.length > 0 && board.text.length > 0 && <pre class="board-text">{board.text.join("\n")}</pre>}
    </div>
  );
}

function ValueBar() {
  const found = analysis.found.value;
  const value = found?.value ?? (s.position.value?.outcome === "max" ? 1e6 : s.position.value?.outcome === "min" ? -1e6 : null);
  if (!analysis.on.value) return null;
  const part = value === null ? 0 : share(value, analysis.scale.value);
  return (
    <div class={`value-bar ${s.flipped.value ? "flipped" : ""}`} role="img" aria-label={`Value: ${long(value, found?.exact ?? true)}`} title={long(value, found?.exact ?? true)}>
      <div class="fill" style={{ height: `${50 + 50 * part}%` }} />
    </div>
  );
}

function Status({ position }: { position: Position }) {
  return (
    <p class="status">
      <span class={`turn turn-${position.outcome ? "over" : position.turn ?? "over"}`} aria-hidden="true" />
      <strong>{state(position)}</strong>
      {s.thinking.value && <span class="thinking"> Alphorn is thinking…</span>}
      {s.preview.value && <span class="muted"> preview</span>}
      <span class="message" role="status">
        {s.message.value}
      </span>
    </p>
  );
}

const ICONS = {
  first: "M4 4h2.5v12H4zM16 4v12L7.5 10z",
  back: "M14 4v12L5 10z",
  forward: "M6 4v12l9-6z",
  last: "M13.5 4H16v12h-2.5zM4 4v12l8.5-6z",
};

function Icon({ name }: { name: keyof typeof ICONS }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}

function Controls() {
  const plies = s.line.value.length;
  const chance = s.position.value?.turn === "chance" || (s.first.value?.turn === "chance") || s.line.value.some((ply) => ply.after?.turn === "chance");
  return (
    <div class="controls" role="toolbar" aria-label="Game">
      <span class="group">
        <button type="button" title="Start of the game (Home)" aria-label="Start of the game" disabled={s.at.value === 0} onClick={() => jump(0)}><Icon name="first" /></button>
        <button type="button" title="Back one move (←)" aria-label="Back one move" disabled={s.at.value === 0} onClick={() => jump(s.at.value - 1)}><Icon name="back" /></button>
        <button type="button" title="Forward one move (→)" aria-label="Forward one move" disabled={s.at.value === plies} onClick={() => jump(s.at.value + 1)}><Icon name="forward" /></button>
        <button type="button" title="Last move (End)" aria-label="Last move" disabled={s.at.value === plies} onClick={() => jump(plies)}><Icon name="last" /></button>
      </span>
      <button type="button" title="The program moves (G)" onClick={() => void moveNow()} disabled={s.thinking.value || s.position.value?.outcome !== null}>
        {s.position.value?.turn === "chance" ? "Throw" : "Move"}
      </button>
      <button type="button" title="Turn the board (F)" onClick={() => (s.flipped.value = !s.flipped.value)} aria-pressed={s.flipped.value}>Flip</button>
      <button type="button" title="New game (N)" onClick={() => void newGame()}>New</button>
      <span class="group players">
        {(["max", "min"] as const).map((side) => (
          <label>
            {side.toUpperCase()}
            <select value={s.players.value[side]} onChange={(event) => (s.players.value = { ...s.players.value, [side]: event.currentTarget.value as s.Player })}>
              <option value="person">person</option>
              <option value="program">program</option>
            </select>
          </label>
        ))}
        <label title="Seconds that the program thinks about a move">
          Seconds
          <input type="number" min="0.1" max="600" step="0.1" value={s.thinkSeconds.value} onChange={(event) => (s.thinkSeconds.value = Math.max(0.05, Number(event.currentTarget.value) || 1))} />
        </label>
        {chance && (
          <label>
            <input type="checkbox" checked={s.rollByHand.value} onChange={(event) => (s.rollByHand.value = event.currentTarget.checked)} />
            Throw by hand
          </label>
        )}
      </span>
    </div>
  );
}
