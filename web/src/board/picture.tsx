// A board as SVG. What a click does is the caller's; without a caller the picture is only looked at.

import type { ComponentChildren } from "preact";
import type { BoardData, Square } from "../protocol";
import { CARD_HEIGHT, PieceShape } from "./shapes";

export interface Marks {
  /** Squares of the last move. */
  last?: Set<string>;
  /** Squares with which a legal move begins, or ends if a square is chosen. */
  targets?: Set<string>;
  chosen?: string | null;
  values?: Map<string, { text: string; best: boolean }>;
  /** Ways from square to square, drawn as arrows. */
  arrows?: string[][];
}

/** What a square that can be clicked does. */
export interface SquareProps {
  label: string;
  tabIndex: number;
  onClick: () => void;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

interface Props {
  board: BoardData;
  flipped?: boolean;
  marks?: Marks;
  label: string;
  squareProps?: (square: Square) => SquareProps;
}

/** The largest side of a square on the page. */
const LARGEST_REM = 5.5;

type Point = [number, number];

const SLOT = { x: -0.48, y: 0.02 - CARD_HEIGHT / 2, width: 0.96, height: CARD_HEIGHT - 0.04, rx: 0.08 };
const HEX = "0,-0.5774 0.5,-0.2887 0.5,0.2887 0,0.5774 -0.5,0.2887 -0.5,-0.2887";

const HALF_HEIGHT = { square: 0.5, hex: 0.58, point: 0.5, slot: CARD_HEIGHT / 2 };

/** What surrounds everything that is drawn. */
function extent(board: BoardData): [number, number, number, number] {
  let [left, top, right, bottom] = [0, 0, board.width, board.height];
  const take = (x: number, y: number, w: number, h: number) => {
    left = Math.min(left, x - w);
    right = Math.max(right, x + w);
    top = Math.min(top, y - h);
    bottom = Math.max(bottom, y + h);
  };
  for (const square of board.squares) take(square.x, square.y, 0.5, HALF_HEIGHT[square.shape]);
  for (const piece of board.pieces) if (piece.square === undefined) take(piece.x ?? 0, piece.y ?? 0, 0.5, piece.shape === "card" ? CARD_HEIGHT / 2 : 0.5);
  for (const label of board.labels) take(label.x, label.y, Math.max(0.25, label.text.length * 0.11), 0.3);
  for (const line of board.lines) {
    take(line.x1, line.y1, 0.1, 0.1);
    take(line.x2, line.y2, 0.1, 0.1);
  }
  return [left - 0.06, top - 0.06, right - left + 0.12, bottom - top + 0.12];
}

function ground(square: Square, occupied: boolean): ComponentChildren {
  const tone = square.tone ?? "plain";
  if (square.shape === "hex") return <polygon class={`ground ${tone}`} points={HEX} />;
  if (square.shape === "point")
    return (
      <>
        <circle class="hit" r="0.46" />
        <circle class="dot" r="0.07" />
      </>
    );
  if (square.shape === "slot") return <rect class={`slot ${tone} ${occupied ? "filled" : ""}`} {...SLOT} />;
  return <rect class={`ground ${tone}`} x="-0.5" y="-0.5" width="1" height="1" />;
}

function halo(square: Square, kind: string): ComponentChildren {
  if (square.shape === "hex") return <polygon class={`halo ${kind}`} points={HEX} transform="scale(0.93)" />;
  if (square.shape === "point") return <circle class={`halo ${kind}`} r="0.44" />;
  if (square.shape === "slot") return <rect class={`halo ${kind}`} {...SLOT} />;
  return <rect class={`halo ${kind}`} x="-0.5" y="-0.5" width="1" height="1" />;
}

export function BoardPicture({ board, flipped = false, marks = {}, label, squareProps }: Props) {
  const [left, top, width, height] = extent(board);
  // Turned by half a circle around the middle of the picture; texts stay upright.
  const px = (x: number) => (flipped ? 2 * left + width - x : x);
  const py = (y: number) => (flipped ? 2 * top + height - y : y);
  const places = new Map(board.squares.map((square) => [square.name, square]));
  const occupied = new Set(board.pieces.map((piece) => piece.square));
  const arrows = (marks.arrows ?? []).map((way) => way.flatMap((name) => places.get(name) ?? []).map((square) => [px(square.x), py(square.y)] as Point));
  return (
    <svg class={`board ${flipped ? "flipped" : ""}`} style={{ maxWidth: `${(width * LARGEST_REM).toFixed(1)}rem` }} viewBox={`${left} ${top} ${width} ${height}`} role="group" aria-label={label}>
      {board.lines.map((line) => (
        <line class={`line tone-${line.tone ?? "none"}`} x1={px(line.x1)} y1={py(line.y1)} x2={px(line.x2)} y2={py(line.y2)} />
      ))}
      {board.squares.map((square) => {
        const { label: name, ...more } = squareProps?.(square) ?? { label: "" };
        const target = marks.targets?.has(square.name);
        return (
          <g key={square.name} class={`cell ${target ? "target" : ""}`} transform={`translate(${px(square.x)} ${py(square.y)})`} {...more} {...(squareProps ? { role: "button", "aria-label": name, "data-square": square.name } : {})}>
            {ground(square, occupied.has(square.name))}
            {square.shape === "slot" && board.pieces.filter((piece) => piece.square === square.name).map((piece) => <PieceShape piece={piece} size={1} />)}
            {square.shape === "slot" && target && halo(square, "may")}
            {square.mark && halo(square, "mark")}
            {marks.last?.has(square.name) && halo(square, "last")}
            {marks.chosen === square.name && halo(square, "chosen")}
          </g>
        );
      })}
      {board.pieces.map((piece) => {
        const place = piece.square === undefined ? { x: piece.x ?? 0, y: piece.y ?? 0 } : places.get(piece.square);
        // A card is drawn with its place, so that it covers the cards before it.
        if (!place || ("shape" in place && place.shape === "slot")) return null;
        return (
          <g class="stand" transform={`translate(${px(place.x)} ${py(place.y)})`}>
            <PieceShape piece={piece} size={piece.shape === "card" && piece.square !== undefined ? 0.68 : 0.98} />
          </g>
        );
      })}
      {marks.targets &&
        board.squares.map(
          (square) =>
            square.shape !== "slot" &&
            marks.targets!.has(square.name) && (
              <g class="stand" transform={`translate(${px(square.x)} ${py(square.y)})`}>
                {occupied.has(square.name) ? <circle class={`take ${marks.chosen ? "" : "soft"}`} r="0.43" /> : !marks.values?.has(square.name) && <circle class="go" r="0.13" />}
              </g>
            ),
        )}
      {marks.values &&
        board.squares.map((square) => {
          const value = marks.values!.get(square.name);
          if (!value) return null;
          return (
            <g class={`badge stand ${value.best ? "best" : ""}`} transform={`translate(${px(square.x)} ${py(square.y) + (occupied.has(square.name) ? (square.shape === "slot" ? 0.52 : 0.33) : 0)})`}>
              <rect x={-0.12 - value.text.length * 0.075} y="-0.16" width={0.24 + value.text.length * 0.15} height="0.32" rx="0.16" />
              <text font-size="0.24" dy=".35em" text-anchor="middle">
                {value.text}
              </text>
            </g>
          );
        })}
      {board.labels.map((text) => (
        <text class="coordinate" x={px(text.x)} y={py(text.y)} font-size={text.text.length > 12 ? 0.24 : 0.32} dy=".35em" text-anchor="middle">
          {text.text}
        </text>
      ))}
      {arrows.map((way) => way.length > 1 && <Arrow way={way} />)}
    </svg>
  );
}

function Arrow({ way }: { way: Point[] }) {
  const [[x1, y1], [x2, y2]] = way.slice(-2);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const tip = `${x2 - ux * 0.08},${y2 - uy * 0.08}`;
  const [bx, by] = [x2 - ux * 0.42, y2 - uy * 0.42];
  return (
    <g class="arrow stand">
      <polyline points={[...way.slice(0, -1), [bx, by]].map((point) => point.join(",")).join(" ")} />
      <polygon points={`${tip} ${bx - uy * 0.2},${by + ux * 0.2} ${bx + uy * 0.2},${by - ux * 0.2}`} />
    </g>
  );
}
