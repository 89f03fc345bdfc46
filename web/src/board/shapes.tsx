// Pieces as SVG shapes in a square from -50 to 50. The shapes are our own drawings.

import type { ComponentChildren } from "preact";
import type { PieceFace } from "../protocol";

const PATHS: Record<string, string> = {
  pawn: "M0-31a12 12 0 0 1 8.5 20.500L14-6v6H7q2 16 13 22l3 5v8h-46v-8l3-5q11-6 13-22h-7v-6l5.5-4.500A12 12 0 0 1 0-31z",
  rook: "M-25-36h11v7h9v-7H5v7h9v-7h11v17l-7 6v27l6 6 3 7v8h-54v-8l3-7 6-6v-27l-7-6z",
  knight: "M-8-38l5 7q16 2 23 20 6 17 4 38l3 4v6h-48v-6l3-5q0-12 8-19 6-6 6-12-7 1-12 6-4 6-8 8-6 2-10-5 0-6 6-13 3-14 13-20z",
  bishop: "M0-42a5.5 5.5 0 0 1 3.5 9.700Q20-18 18-4q-1 8-8 13h5v6h-5q3 8 15 11v9h-50v-9q12-3 15-11h-5v-6h5q-7-5-8-13-2-14 14.5-28.300A5.5 5.5 0 0 1 0-42z",
  queen: "M-34-28l15 19 5-27 14 25 14-25 5 27 15-19-9 39 4 7-2 4 2 13H-29l2-13-2-4 4-7z",
  king: "M-4-45h8v7h7v8H4v8q17-9 26-2 10 9 2 22-4 7-9 11l4 8-2 5 3 13h-56l3-13-2-5 4-8q-5-4-9-11-8-13 2-22 9-7 26 2v-8h-7v-8h7z",
  star: "M0-38l9.5 25 27 1.3-21 16.8 7 26L0 16.3-22.5 31.100l7-26-21-16.8 27-1.300z",
  triangle: "M0-34l34 60h-68z",
};

const CHESS = new Set(["king", "queen", "rook", "bishop", "knight", "pawn"]);
const KINDS = new Set(["disc", "ring", "cross", "square", "bar", ...Object.keys(PATHS)]);

/** How much smaller a text is drawn so that it fits into one square. */
function fontSize(text: string): number {
  const length = [...text].length;
  return length <= 1 ? 62 : length === 2 ? 46 : length === 3 ? 34 : Math.max(10, 100 / length);
}

function outline(shape: string): ComponentChildren {
  if (shape === "disc") return <circle r="38" />;
  if (shape === "ring") return <circle class="hollow" r="31" />;
  if (shape === "cross") return <path class="hollow" d="M-28-28L28 28M28-28L-28 28" />;
  if (shape === "square") return <rect x="-32" y="-32" width="64" height="64" rx="6" />;
  if (shape === "bar") return <rect x="-9" y="-40" width="18" height="80" rx="6" />;
  return <path d={PATHS[shape]} />;
}

/** The height of a card, whose width is 1. */
export const CARD_HEIGHT = 1.4;

const SUITS: Record<string, string> = {
  hearts: "M0 9C-13-1-11-11-5.500-11-2.500-11-.500-9 0-6.500.500-9 2.500-11 5.500-11 11-11 13-1 0 9z",
  diamonds: "M0-12L9 0 0 12-9 0z",
  spades: "M0-12C7-5 11-1 11 4 11 9 4 9.500 1.500 6q.500 4 3 6h-9q2.500-2 3-6C-4 9.500-11 9-11 4-11-1-7-5 0-12z",
  clubs: "M0-12a5.200 5.200 0 0 1 4.300 8.200A5.300 5.300 0 1 1 1.500 4q.500 5 3 8h-9q2.500-3 3-8A5.300 5.300 0 1 1-4.300-3.800 5.200 5.200 0 0 1 0-12z",
};

/** A card in a frame of 96 by 136. Its rank stands in the corner too, so that it is seen when another card covers it. */
function Card({ piece }: { piece: PieceFace }) {
  const { card, count = 1 } = piece;
  const paper = (shift: number) => <rect class="paper" x={shift - 47} y={shift - 67} width="94" height="134" rx="9" />;
  // The cards below stand out a little.
  const frame = (
    <>
      {count > 2 && paper(6)}
      {count > 1 && paper(3)}
      {paper(0)}
    </>
  );
  const pile = count > 1 && (
    <g class="pile-count">
      <rect x="6" y="38" width="38" height="26" rx="13" />
      <text x="25" y="51" dy=".35em" font-size="20" text-anchor="middle">
        {count}
      </text>
    </g>
  );
  if (!card)
    return (
      <>
        {frame}
        <rect class="back" x="-39" y="-59" width="78" height="118" rx="5" />
        <path class="lattice" d="M-39-20L0-59 39-20M-39 20L39-58M-39 58L39-20M-39-58L39 20M-39-20L39 58M-39 20L0 59 39 20" />
        {pile}
      </>
    );
  const suit = SUITS[card.suit ?? ""];
  const other = suit || piece.tone ? "" : (card.suit ?? "");
  const rank = [...card.rank].length;
  return (
    <g class={`face suit-${suit ? card.suit : "other"}`}>
      {frame}
      <text x="-40" y="-48" dy=".35em" font-size={rank <= 2 ? 27 : 54 / rank + 4}>
        {card.rank}
      </text>
      {suit && <path d={suit} transform="translate(-29 -19) scale(.95)" />}
      {suit ? (
        <path d={suit} transform="translate(10 20) scale(2.300)" />
      ) : (
        <text x="0" y={other ? 8 : 14} dy=".35em" font-size={rank <= 2 ? 52 : 104 / rank} text-anchor="middle">
          {card.rank}
        </text>
      )}
      {other && (
        <text x="0" y="48" dy=".35em" font-size={Math.min(20, 150 / [...other].length)} text-anchor="middle">
          {other}
        </text>
      )}
      {pile}
    </g>
  );
}

export function PieceShape({ piece, size }: { piece: PieceFace; size: number }) {
  if (piece.shape === "card")
    return (
      <g class={`card tone-${piece.tone ?? "none"}`} transform={`scale(${size / 100})`}>
        <Card piece={piece} />
      </g>
    );
  const shape = KINDS.has(piece.shape) ? piece.shape : "text";
  const scale = (CHESS.has(shape) ? 1.06 : 1) * (size / 100);
  return (
    <g class={`piece tone-${piece.tone ?? "none"} shape-${shape}`} transform={`scale(${scale})`}>
      {shape === "text" ? (
        <text font-size={fontSize(piece.text)} dy=".35em" text-anchor="middle">
          {piece.text}
        </text>
      ) : (
        outline(shape)
      )}
      {(piece.count ?? 1) > 1 && (
        <text class="count" font-size="38" dy=".35em" text-anchor="middle">
          {piece.count}
        </text>
      )}
    </g>
  );
}

const PIPS: Record<number, [number, number][]> = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

export function Die({ value }: { value: number }) {
  const pips = PIPS[value];
  return (
    <svg class="die" viewBox="0 0 40 40" role="img" aria-label={`die: ${value}`}>
      <rect x="1.5" y="1.5" width="37" height="37" rx="8" />
      {pips ? (
        pips.map(([x, y]) => <circle cx={20 + x * 10} cy={20 + y * 10} r="3.8" />)
      ) : (
        <text x="20" y="20" dy=".35em" text-anchor="middle" font-size="18">
          {value}
        </text>
      )}
    </svg>
  );
}

export function Dice({ values }: { values: number[] }) {
  return (
    <span class="dice">
      {values.map((value) => (
        <Die value={value} />
      ))}
    </span>
  );
}
