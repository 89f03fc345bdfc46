// The address holds the position, the depth and the parameters, so that a copied address shows the same.

import { effect } from "@preact/signals";
import * as s from "./state";
import type { Start } from "./workspace";

export interface Link {
  example: string | null;
  start: Start;
  moves: string[];
  at: number;
  params: Record<string, string>;
  depth: number | null;
}

export function fromAddress(): Link {
  const fields = new URLSearchParams(location.hash.slice(1));
  const params: Record<string, string> = {};
  for (const [name, value] of fields) if (name.startsWith("p.")) params[name.slice(2)] = value;
  const start: Start = {};
  if (fields.get("opening")) start.opening = Number(fields.get("opening"));
  if (fields.get("position")) start.position = fields.get("position")!;
  const moves = fields.getAll("m");
  return {
    example: fields.get("game"),
    start,
    moves,
    at: fields.has("at") ? Number(fields.get("at")) : moves.length,
    params,
    depth: fields.get("depth") ? Number(fields.get("depth")) : null,
  };
}

/** Keeps the address true while the game goes on. */
export function followAddress(depth: { value: number | null }): void {
  effect(() => {
    const fields = new URLSearchParams();
    if (!s.rules.value) return;
    if (!s.file.value) fields.set("game", s.textName.value.replace(/\.pl$/, ""));
    if (s.start.value.opening !== undefined) fields.set("opening", String(s.start.value.opening));
    if (s.start.value.position !== undefined) fields.set("position", s.start.value.position);
    for (const ply of s.line.value) fields.append("m", ply.label);
    if (s.at.value < s.line.value.length) fields.set("at", String(s.at.value));
    for (const [name, value] of Object.entries(s.changed.value)) fields.set(`p.${name}`, value);
    if (depth.value !== null) fields.set("depth", String(depth.value));
    const hash = fields.toString();
    history.replaceState(null, "", `${location.pathname}${location.search}${hash ? `#${hash}` : ""}`);
  });
}
