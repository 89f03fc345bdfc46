// What the page shows, as signals. Functions that change several of them together are in game.ts and document.ts.

import { computed, signal } from "@preact/signals";
import type { Param, Problem, Position } from "./protocol";
import type { Game, Rules, Start } from "./workspace";

export interface OpenFile {
  name: string;
  path: string;
  version: string;
}

/** One move of the game that is shown, and the position after the move. */
export interface Ply {
  label: string;
  after: Position | null;
}

export type Player = "person" | "program";
export type Tab = "rules" | "board" | "analysis" | "why" | "tree" | "tune" | "goals";
export type Theme = "system" | "light" | "dark";

/** The file that the server was started with. */
export const home = signal<OpenFile | null>(null);
/** The file that the text belongs to: the server's file, or null for an example and a new text. */
export const file = signal<OpenFile | null>(null);
export const overlays = signal<string[]>([]);
/** The file of solved positions that the server was started with. */
export const table = signal<string | null>(null);
export const textName = signal("game.pl");
/** The text as it is on disk, or as the example gave it. */
export const savedText = signal("");
export const currentText = signal("");
export const dirty = computed(() => currentText.value !== savedText.value);
export const outside = signal<{ version: string; text: string | null } | null>(null);

export const problems = signal<Problem[]>([]);
/** What random games found in the text that is loaded, beside `problems`. */
export const playProblems = signal<Problem[]>([]);
/** The error of the last load, if the check found none. */
export const loadProblems = signal<Problem[]>([]);
export const checkMs = signal<number | null>(null);

/** The rules that the board follows: the last text without errors. */
export const rules = signal<Rules | null>(null);
export const params = signal<Param[]>([]);
export const changed = signal<Record<string, string>>({});

export const start = signal<Start>({});
export const first = signal<Position | null>(null);
export const line = signal<Ply[]>([]);
export const at = signal(0);
export const position = computed<Position | null>(() => (at.value === 0 ? first.value : (line.value[at.value - 1]?.after ?? null)));
export const labels = computed(() => line.value.slice(0, at.value).map((ply) => ply.label));
export const game = computed<Game | null>(() => (rules.value ? { rules: rules.value, start: start.value, moves: labels.value } : null));

export const players = signal<{ max: Player; min: Player }>({ max: "person", min: "person" });
export const rollByHand = signal(false);
export const thinkSeconds = signal(1);
export const thinking = signal(false);
export const flipped = signal(false);
export const preview = signal<Position | null>(null);
export const message = signal("");

export const tab = signal<Tab>("analysis");
export const theme = signal<Theme>("system");
export const connection = signal<"connecting" | "open" | "lost" | "refused">("connecting");

/** Tells a screen reader, and the line under the board. */
export function say(text: string): void {
  message.value = text;
}
