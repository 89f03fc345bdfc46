// Finds the program `alphorn`, and runs it. This file does not depend on VS Code.
import { spawn } from "node:child_process";
import { constants, accessSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** Where the program may be. */
export interface Surroundings {
  /** The value of `PATH`. */
  path: string;
  /** The folder of the user. */
  home: string;
  /** The folder to which a relative path in the settings is relative. */
  folder: string | undefined;
  /** The endings of the names of programs, such as `.exe`; only an empty one on Unix. */
  endings: string[];
  /** Whether a file can be run. */
  runs: (file: string) => boolean;
}

/** The surroundings of this process. */
export function surroundings(folder: string | undefined): Surroundings {
  const windows = process.platform === "win32";
  const runs = (file: string): boolean => {
    try {
      accessSync(file, windows ? constants.F_OK : constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  };
  const endings = windows ? [".exe", ".cmd", ""] : [""];
  return { path: process.env.PATH ?? "", home: homedir(), folder, endings, runs };
}

/** The program: the one of the setting, else the first one of `PATH`, else that of Cargo. */
export function findProgram(setting: string, around: Surroundings): string | undefined {
  const typed = setting.trim().replace(/^~(?=[\\/]|$)/, around.home);
  const folders = [...around.path.split(delimiter).filter((folder) => folder !== ""), join(around.home, ".cargo", "bin")];
  const candidates = (file: string): string[] => around.endings.map((ending) => file + ending);
  if (typed === "") {
    return folders.flatMap((folder) => candidates(join(folder, "alphorn"))).find(around.runs);
  }
  const isName = !/[\\/]/.test(typed);
  if (isName) {
    return folders.flatMap((folder) => candidates(join(folder, typed))).find(around.runs);
  }
  const file = isAbsolute(typed) ? typed : resolve(around.folder ?? around.home, typed);
  return candidates(file).find(around.runs);
}

/** What to tell the user if there is no program. */
export function missingMessage(setting: string): string {
  return setting.trim() === ""
    ? "The program alphorn is not in PATH. Install it with `cargo install --path .` in the repository of Alphorn, or set alphorn.path."
    : `There is no program ${setting.trim()}. Correct the setting alphorn.path, or leave it empty to search in PATH.`;
}

/** The result of a run of the program. */
export interface Ran {
  /** The exit status; `undefined` if a signal ended the program. */
  status: number | undefined;
  out: string;
  err: string;
}

/** The limit of kept output, in characters. */
export const MOST_OUTPUT = 16 * 1024 * 1024;

/** Options of a run. */
export interface RunOptions {
  cwd?: string;
  /** The text for standard input. */
  input?: string;
  /** Interrupts the program, which then prints what it has found. */
  signal?: AbortSignal;
  /** Hears each part of the output. */
  hear?: (part: string) => void;
}

/** How long an interrupted program may take to print its results, in milliseconds. */
const PATIENCE = 3000;

/** Runs the program to its end. The promise fails if the program cannot start. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { cwd: options.cwd, env: { ...process.env, NO_COLOR: "1" } });
    let [out, err] = ["", ""];
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      child.kill("SIGINT");
      timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
    };
    const keep = (old: string, part: string): string => (old.length + part.length > MOST_OUTPUT ? old : old + part);
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      out = keep(out, part);
      options.hear?.(part);
    });
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      err = keep(err, part);
      options.hear?.(part);
    });
    // A program that ends early closes its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
    child.on("error", fail);
    child.on("close", (status) => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", stop);
      done({ status: status ?? undefined, out, err });
    });
    if (options.signal?.aborted) {
      stop();
    } else {
      options.signal?.addEventListener("abort", stop, { once: true });
    }
  });
}
