// A socket that holds the same game as the page: it loads the rules and repeats the moves when they differ.

import { Connection } from "./socket";
import { Superseded, type LoadReply, type Position, type Reply } from "./protocol";

/** The rules that are loaded and how they are set. */
export interface Rules {
  name: string;
  text: string;
  with: string[];
  params: Record<string, string>;
}

/** Where a game starts: an opening by its number, or a position as a term. */
export interface Start {
  opening?: number;
  position?: string;
}

export interface Game {
  rules: Rules;
  start: Start;
  moves: string[];
}

export function sameRules(a: Rules | null, b: Rules | null): boolean {
  return a === b || (!!a && !!b && a.name === b.name && a.text === b.text && JSON.stringify([a.with, a.params]) === JSON.stringify([b.with, b.params]));
}

const prints = new WeakMap<Rules, string>();

/** A short key of rules and their parameters: results for one key are not mixed with those of another. */
export function fingerprint(rules: Rules): string {
  let print = prints.get(rules);
  if (print === undefined) {
    const text = JSON.stringify([rules.name, rules.text, rules.with, rules.params]);
    let [a, b] = [0x811c9dc5, 0x9e3779b9];
    for (let i = 0; i < text.length; i += 1) {
      a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
      b = Math.imul(b ^ text.charCodeAt(i), 0x85ebca6b) ^ (b >>> 13);
    }
    print = `${text.length}.${a >>> 0}.${b >>> 0}`;
    prints.set(rules, print);
  }
  return print;
}

/** The value of a parameter as the protocol wants it: numbers as numbers. */
export function paramFields(params: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value]),
  );
}

export function loadRequest(rules: Rules, keep: boolean): object {
  return {
    request: "load",
    texts: [{ name: rules.name, text: rules.text }],
    with: rules.with,
    params: paramFields(rules.params),
    keep,
    board: true,
  };
}

/** Requests of one workspace wait for each other only while the game is being set up. */
export class Workspace {
  readonly connection = new Connection();
  private held: Game | null = null;
  private generation = -1;
  private setup: Promise<unknown> = Promise.resolve();
  private running = new Set<number>();
  /** Grows with each stop: what was asked before is not sent after it. */
  private stops = 0;

  /** Brings the workspace to `game`, then sends the request. */
  ask<T = Reply>(game: Game, request: object, onEvent?: (event: Reply) => void): Promise<T> {
    const asked = this.stops;
    const ready = this.setup.then(() => this.follow(game));
    this.setup = ready.catch(() => {});
    return ready.then(() => {
      if (asked !== this.stops) throw new Superseded();
      return this.send<T>(request, onEvent);
    });
  }

  /** Sends a request that does not depend on the game. */
  send<T = Reply>(request: object, onEvent?: (event: Reply) => void): Promise<T> {
    const answer = this.connection.request<T>(request, onEvent);
    const id = answer.id;
    this.running.add(id);
    const done = () => this.running.delete(id);
    answer.then(done, done);
    return answer;
  }

  /** Stops every request that has no answer yet. */
  stop(): void {
    this.stops += 1;
    for (const id of this.running) this.connection.cancel(id);
  }

  private async follow(game: Game): Promise<void> {
    const connection = this.connection;
    if (this.generation !== connection.generation) this.held = null;
    const held = this.held;
    this.held = null;
    let made = held?.moves ?? [];
    if (!held || !sameRules(held.rules, game.rules)) {
      await connection.request<LoadReply>(loadRequest(game.rules, false));
      this.generation = connection.generation;
      made = [];
      if (game.start.position !== undefined || game.start.opening !== undefined) await connection.request({ request: "new", ...game.start });
    } else if (JSON.stringify(held.start) !== JSON.stringify(game.start)) {
      await connection.request({ request: "new", ...game.start });
      made = [];
    }
    let same = 0;
    while (same < made.length && same < game.moves.length && made[same] === game.moves[same]) same += 1;
    const requests: Promise<unknown>[] = [];
    if (made.length > same) requests.push(connection.request<Position>({ request: "undo", count: made.length - same }));
    for (const move of game.moves.slice(same)) requests.push(connection.request<Position>({ request: "move", move }));
    await Promise.all(requests);
    this.held = { ...game, moves: [...game.moves] };
  }

  /** Says what the workspace holds, when the caller has set it up by requests of its own. */
  holds(game: Game | null): void {
    this.held = game;
    this.generation = this.connection.generation;
  }

  close(): void {
    this.connection.close();
  }
}
