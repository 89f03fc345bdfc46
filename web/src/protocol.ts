// The messages of the protocol that the page uses, as types. docs/protocol.md and docs/schema describe all of them.

export interface Place {
  file: string;
  line: number;
  column: number;
  /** Offsets in bytes of the UTF-8 text. */
  start: number;
  end: number;
  label: string;
}

export interface Edit {
  file: string;
  start: number;
  end: number;
  text: string;
}

export interface Problem {
  code: string;
  level: "error" | "warning" | "advice" | "note";
  message: string;
  help?: string | null;
  places: Place[];
  edits: Edit[];
}

export type Side = "max" | "min";
export type Turn = Side | "chance" | null;

export interface Square {
  name: string;
  x: number;
  y: number;
  shape: "square" | "hex" | "point" | "slot";
  tone: "light" | "dark" | null;
  mark?: boolean;
}

export interface PieceFace {
  text: string;
  shape: string;
  tone: string | null;
  count?: number;
  /** The face of a card; missing if it lies face down. */
  card?: { rank: string; suit: string | null };
}

export interface Piece extends PieceFace {
  square?: string;
  x?: number;
  y?: number;
}

export interface BoardData {
  source: "draw" | "show" | "term" | "none";
  width: number;
  height: number;
  squares: Square[];
  pieces: Piece[];
  lines: { x1: number; y1: number; x2: number; y2: number; tone: string | null }[];
  labels: { x: number; y: number; text: string }[];
  pockets: { side: Side | null; text: string; pieces: PieceFace[] }[];
  dice: number[];
  text: string[];
}

export interface Move {
  label: string;
  next: string;
  weight?: number | null;
  squares?: string[];
  /** What a chance outcome shows. */
  shows?: { dice: number[]; text: string };
}

export interface Position {
  position: string;
  picture: string[] | null;
  turn: Turn;
  outcome: Side | "draw" | null;
  repetition: boolean;
  played: string[];
  moves?: Move[];
  board?: BoardData;
}

export interface Param {
  name: string;
  value: string;
  low: number | null;
  high: number | null;
  values: string[] | null;
  about: string;
}

export interface LoadReply {
  files: string[];
  warnings: Problem[];
  game: Position | null;
  params?: Param[];
}

export interface Line {
  value: number | null;
  exact: boolean;
  best: string | null;
  pv: string[];
}

export interface Iteration {
  event: string;
  depth: number;
  reached: number;
  exact: boolean;
  nodes: number;
  evals: number;
  seconds: number;
  lines: Line[];
  value: number | null;
  best: string | null;
}

export interface ValueReply extends Line {
  outcome: Side | "draw" | null;
  plies: number | null;
  average: boolean;
  end: string;
  depth: number;
  to_end: boolean;
  nodes: number;
  evals: number;
  seconds: number;
  nodes_per_second: number;
  stopped: boolean;
  lines?: Line[];
  /** Whether the value comes from the file of solved positions. */
  from_table?: boolean;
}

export interface TreeNode {
  id: number;
  parent: number | null;
  ply: number;
  label: string | null;
  weight: number | null;
  position: string;
  turn: Side | "chance" | "horizon" | "over";
  window: [number | null, number | null] | null;
  static: number | null;
  value: number | null;
  bound: "exact" | "at_least" | "at_most" | null;
  pv: boolean;
  cut: { reason: string; alpha: number | null; beta: number | null; deep: boolean } | null;
  skipped: string[];
  same_as: number | null;
  quiet: boolean;
  visited: boolean;
  folded: number;
  again: number;
  children?: number;
}

export interface TreeReply {
  algorithm: string;
  depth: number;
  value: number | null;
  pv: string[];
  visited: number;
  evaluated: number;
  folded: number;
  again: number;
  /** The number of positions that the server keeps. */
  kept: number;
  nodes: TreeNode[];
  stopped?: boolean;
  svg?: string | null;
}

export interface ProofStep {
  goal: string;
  as_called: boolean;
  place: Place | null;
  by: string;
  clause: { number: number; of: number; place: Place | null } | null;
  solutions: number | null;
  parts: ProofStep[];
  folded: number;
}

export interface Failure {
  goal: string;
  place: Place | null;
  reason: string;
  clauses: {
    number: number;
    head: string;
    place: Place | null;
    mismatch: string | null;
    note: string;
    goals: { goal: string; place: Place | null; mark: string }[];
    times: number;
    because: Failure | null;
  }[];
  omitted: number;
  parts: Failure[];
}

export type Reply = Record<string, unknown> & { reply?: string; event?: string; id?: unknown };

/** An answer with `"error"`: its diagnostic, and all diagnostics if a text did not load. */
export class RequestError extends Error {
  constructor(
    readonly problem: Problem,
    readonly problems: Problem[],
  ) {
    super(problem.message);
  }
}

/** The socket closed before the answer came. */
export class ConnectionLost extends Error {
  constructor() {
    super("the connection to Alphorn is closed");
  }
}

/** The request was stopped before it was sent. */
export class Superseded extends Error {
  constructor() {
    super("the request was stopped");
  }
}
