// The command lines of the commands, and what their answers mean. This file does not depend on VS Code.

/** A question of a command: the arguments of `alphorn`. */
export const valueArgs = (file: string): string[] => ["value", file];
export const perftArgs = (file: string, depth: number): string[] => ["perft", file, "--depth", String(depth)];
export const testArgs = (file: string): string[] => ["test", file];
export const playArgs = (file: string): string[] => ["play", file];
export const serveArgs = (file: string): string[] => ["serve", file];
export const listArgs = (): string[] => ["new", "--list", "--json"];

/** The arguments that draw the search tree as a picture on standard output. */
export const treeArgs = (file: string, depth: number, theme: "light" | "dark"): string[] => [
  "tree", file, "--depth", String(depth), "--format", "svg", "--theme", theme,
];

export const newArgs = (name: string, template: Template): string[] => [
  "new", name, "--board", template.board, "--moves", template.moves,
];

/** A template of `alphorn new`. */
export interface Template {
  board: string;
  moves: string;
  about: string;
}

/** The templates that `alphorn new --list --json` prints. */
export function templates(printed: string): Template[] {
  const reply: unknown = JSON.parse(printed);
  const rows = (reply as { templates?: unknown }).templates;
  if (!Array.isArray(rows)) {
    throw new Error("alphorn new --list --json prints no templates; update alphorn");
  }
  return rows.map((row: Record<string, unknown>) => ({
    board: String(row.board),
    moves: String(row.moves),
    about: String(row.about),
  }));
}

/** Why a name is no name of a game; `undefined` if it is one. */
export function wrongName(name: string): string | undefined {
  if (name === "") {
    return "Type a name, such as pebbles";
  }
  return /^[a-z][a-z0-9_]*$/.test(name) ? undefined : "Use small letters, digits and _, beginning with a letter";
}

/** The depth that was typed; `undefined` if it is no depth from 1 to `most`. */
export function depthOf(typed: string, most: number): number | undefined {
  const depth = /^\s*\d{1,3}\s*$/.test(typed) ? Number(typed) : NaN;
  return depth >= 1 && depth <= most ? depth : undefined;
}

/** The first address that a text names: that of the server of Studio. */
export function addressIn(printed: string): string | undefined {
  return /\bhttps?:\/\/[^\s"'<>]+/.exec(printed)?.[0].replace(/[.,;)]+$/, "");
}

/** The message of a command that failed: the first lines of its errors. */
export function failure(err: string, status: number | undefined): string {
  const lines = err.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== "");
  const told = lines.find((line) => /^[×x] /.test(line))?.replace(/^[×x] /, "");
  return told ?? lines[0] ?? `alphorn ended with status ${status ?? "unknown"}`;
}
