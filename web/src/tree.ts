// The search tree: it stays with the server, and the page asks for the children that it shows.

import { signal } from "@preact/signals";
import { report } from "./game";
import { RequestError, type TreeNode, type TreeReply } from "./protocol";
import * as s from "./state";
import { reasoner } from "./reasoner";
import { Workspace, type Game } from "./workspace";

export const TREE_ALGORITHMS = ["alphabeta", "minimax", "pvs", "f1", "f2", "f2g2"];
export const CHANCE_ALGORITHMS = ["star1", "expectiminimax"];
export const PAGE = 200;
/** How many children are asked for at once when a node is opened. */
const CHILDREN = 1000;

export interface Shown {
  game: Game;
  reply: TreeReply;
  total: number;
}

export interface Row {
  node: TreeNode | null;
  id: number;
  open: boolean;
  leaf: boolean;
}

export const depth = signal(4);
export const algorithm = signal("");
export const maxNodes = signal(20_000);
export const whole = signal(false);
/** Whether advice orders the moves. */
export const advised = signal(true);
export const tree = signal<Shown | null>(null);
export const busy = signal("");
export const trouble = signal("");
export const opened = signal<Set<number>>(new Set());
export const selected = signal(0);
/** Whether the list shows all nodes in the order of the search, not the tree that is opened by hand. */
export const searchOrder = signal(false);
/** Changes when nodes arrive. */
export const arrived = signal(0);
/** The nodes of an algorithm, with the moves in the order of the advice and in the order of the rules. */
export interface Compared {
  name: string;
  visited: number | null;
  unadvised: number | null;
  evaluated: number | null;
  error: string;
}

export const compared = signal<Compared[]>([]);

export const treeSocket = new Workspace();
const nodes = new Map<number, TreeNode>();
const children = new Map<number, number[]>();
const asked = new Set<number>();
let run = 0;

export const node = (id: number) => nodes.get(id) ?? null;

function store(list: TreeNode[]): void {
  for (const item of list) nodes.set(item.id, item);
}

function request(extra: object): object {
  return { request: "tree", depth: depth.value, ...(algorithm.value ? { algorithm: algorithm.value } : {}), ...(whole.value ? { whole: true } : {}), ...(advised.value ? {} : { no_advice: true }), ...extra };
}

export async function build(): Promise<void> {
  const game = s.game.value;
  if (!game) return;
  const mine = ++run;
  treeSocket.stop();
  busy.value = "Searching…";
  trouble.value = "";
  try {
    const reply = await treeSocket.ask<TreeReply>(game, request({ max_nodes: maxNodes.value, lazy: true }));
    if (mine !== run) return;
    nodes.clear();
    children.clear();
    asked.clear();
    store(reply.nodes);
    const root = reply.nodes[0];
    if (root) await fetchChildren(root.id);
    tree.value = { game, reply, total: reply.kept };
    opened.value = new Set(root ? [root.id] : []);
    selected.value = root?.id ?? 0;
    arrived.value += 1;
  } catch (error) {
    if (mine === run) fail(error);
  } finally {
    if (mine === run) busy.value = "";
  }
}

function fail(error: unknown): void {
  if (error instanceof RequestError) trouble.value = error.problem.help ? `${error.message}; ${error.problem.help}` : error.message;
  else report(error);
}

export function cancel(): void {
  treeSocket.stop();
  reasoner.stop();
}

/** Asks for the children of a node, once. */
async function fetchChildren(id: number): Promise<void> {
  if (children.has(id)) return;
  const mine = run;
  const below: number[] = [];
  for (;;) {
    const reply = await treeSocket.send<{ children: number; nodes: TreeNode[] }>({ request: "tree-nodes", node: id, from: below.length, limit: CHILDREN });
    if (mine !== run) return;
    store(reply.nodes);
    below.push(...reply.nodes.map((n) => n.id));
    if (reply.nodes.length === 0 || below.length >= reply.children) break;
  }
  children.set(id, below);
  arrived.value += 1;
}

/** Asks for nodes of the search order: pages of nodes that are not here yet. */
export async function fetchSteps(from: number, to: number): Promise<void> {
  const shown = tree.value;
  if (!shown) return;
  const mine = run;
  const pages: number[] = [];
  for (let page = Math.floor(from / PAGE); page <= Math.floor((to - 1) / PAGE); page += 1) if (!asked.has(page)) pages.push(page);
  for (const page of pages) {
    asked.add(page);
    try {
      const reply = await treeSocket.send<{ nodes: TreeNode[] }>({ request: "tree-nodes", range: [page * PAGE, Math.min(shown.total, (page + 1) * PAGE)] });
      if (mine !== run) return;
      store(reply.nodes);
      arrived.value += 1;
    } catch (error) {
      asked.delete(page);
      fail(error);
    }
  }
}

export async function toggle(id: number): Promise<void> {
  const next = new Set(opened.value);
  if (next.delete(id)) {
    opened.value = next;
    return;
  }
  try {
    await fetchChildren(id);
    opened.value = new Set(opened.value).add(id);
  } catch (error) {
    fail(error);
  }
}

/** Opens everything above a node, and selects the node. */
export async function reveal(id: number): Promise<void> {
  selected.value = id;
  if (searchOrder.value) return;
  try {
    if (!nodes.has(id)) await fetchSteps(id, id + 1);
    const path: number[] = [];
    for (let here = nodes.get(id); here && here.parent !== null; ) {
      path.push(here.parent);
      if (!nodes.has(here.parent)) await fetchSteps(here.parent, here.parent + 1);
      here = nodes.get(here.parent);
    }
    for (const above of path.reverse()) await fetchChildren(above);
    opened.value = new Set([...opened.value, ...path]);
  } catch (error) {
    fail(error);
  }
}

/** The next node in the order of the search that satisfies `wanted`, from the selected node on. */
export async function find(wanted: (n: TreeNode) => boolean): Promise<void> {
  const shown = tree.value;
  if (!shown) return;
  for (let id = selected.value + 1; id < shown.total; id += 1) {
    if (!nodes.has(id)) await fetchSteps(id, id + 1);
    const here = nodes.get(id);
    if (here && wanted(here)) return reveal(id);
  }
}

/** The rows of the opened tree, the root first. A node without fetched children is closed. */
export function rows(): Row[] {
  const list: Row[] = [];
  const shown = tree.value;
  if (!shown) return list;
  const stack = [shown.reply.nodes[0]?.id ?? 0];
  while (stack.length > 0) {
    const id = stack.pop()!;
    const here = nodes.get(id) ?? null;
    const below = children.get(id);
    const open = opened.value.has(id) && below !== undefined;
    list.push({ node: here, id, open, leaf: here !== null && here.children === 0 });
    if (open) for (let i = below.length - 1; i >= 0; i -= 1) stack.push(below[i]);
  }
  return list;
}

/** Counts the nodes of each algorithm in the same position, with advice and without. */
export async function compare(): Promise<void> {
  const game = s.game.value;
  if (!game) return;
  const chance = algorithm.value !== "" && CHANCE_ALGORITHMS.includes(algorithm.value);
  const names = chance ? CHANCE_ALGORITHMS : ["minimax", "f1", "f2", "alphabeta", "pvs"];
  compared.value = names.map((name) => ({ name, visited: null, unadvised: null, evaluated: null, error: "" }));
  const count = (name: string, extra: object) => reasoner.ask<TreeReply>(game, { request: "tree", depth: depth.value, algorithm: name, max_nodes: 1, ...extra });
  for (const name of names) {
    busy.value = `Counting ${name}…`;
    const change = (found: Partial<Compared>) => (compared.value = compared.value.map((entry) => (entry.name === name ? { ...entry, ...found } : entry)));
    try {
      const reply = await count(name, {});
      change({ visited: reply.visited, evaluated: reply.evaluated, error: reply.stopped ? "stopped" : "" });
      if (!reply.stopped) change({ unadvised: (await count(name, { no_advice: true })).visited });
    } catch (error) {
      change({ error: error instanceof Error ? error.message : "" });
    }
  }
  busy.value = "";
}

export async function picture(): Promise<string | null> {
  const game = s.game.value;
  if (!game) return null;
  try {
    const reply = await reasoner.ask<TreeReply>(game, request({ max_nodes: Math.min(maxNodes.value, 400), svg: true }));
    return reply.svg ?? null;
  } catch (error) {
    fail(error);
    return null;
  }
}
