// The search tree: opened by hand, or all nodes in the order of the search; windows, bounds and cutoffs in each row.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { BoardPicture } from "../board/picture";
import { download } from "../document";
import { look } from "../game";
import type { Position, TreeNode } from "../protocol";
import * as s from "../state";
import * as t from "../tree";
import { long, short } from "../values";
import { VirtualList } from "./virtual";

export function TreePanel() {
  const boards = useSignal(false);
  const shown = t.tree.value;
  const stale = shown !== null && shown.game !== s.game.value && JSON.stringify(shown.game) !== JSON.stringify(s.game.value);
  return (
    <section class="panel tree-panel" aria-label="Tree">
      <div class="options">
        <label>
          Depth
          <input type="number" min="1" max="40" value={t.depth.value} onChange={(event) => (t.depth.value = Math.max(1, Number(event.currentTarget.value) || 1))} />
        </label>
        <label>
          Algorithm
          <select value={t.algorithm.value} onChange={(event) => (t.algorithm.value = event.currentTarget.value)}>
            <option value="">usual</option>
            {[...t.TREE_ALGORITHMS, ...t.CHANCE_ALGORITHMS].map((name) => (
              <option>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Keep
          <select value={t.maxNodes.value} onChange={(event) => (t.maxNodes.value = Number(event.currentTarget.value))}>
            {[1000, 20_000, 100_000, 200_000].map((n) => (
              <option value={n}>{n.toLocaleString("en")} nodes</option>
            ))}
          </select>
        </label>
        <label title="Show moves that were cut off too, with the values that the search did not need">
          <input type="checkbox" checked={t.whole.value} onChange={(event) => (t.whole.value = event.currentTarget.checked)} />
          Cut-off moves
        </label>
        <label title="Try first the moves that the advice of the rules prefers">
          <input type="checkbox" checked={t.advised.value} onChange={(event) => (t.advised.value = event.currentTarget.checked)} />
          Advice
        </label>
        <button type="button" class="primary" onClick={() => void t.build()} disabled={t.busy.value !== ""}>
          Search tree
        </button>
        <button type="button" onClick={() => void t.compare()} disabled={t.busy.value !== ""}>
          Compare algorithms
        </button>
        {t.busy.value !== "" && (
          <button type="button" onClick={t.cancel}>
            Stop
          </button>
        )}
      </div>
      {t.busy.value && <p class="muted" role="status">{t.busy.value}</p>}
      {t.trouble.value && <p class="problem error">{t.trouble.value}</p>}
      {t.compared.value.length > 0 && <Compared />}
      {shown ? (
        <>
          <p class="figures">
            {shown.reply.algorithm}, depth {shown.reply.depth}: value <b>{short(shown.reply.value)}</b> · <b>{shown.reply.visited.toLocaleString("en")}</b> nodes visited, {shown.reply.evaluated.toLocaleString("en")} evaluated
            {shown.reply.folded > 0 && `, ${shown.reply.folded.toLocaleString("en")} left out`}
            {stale && " · of another position"}
          </p>
          <Tools boards={boards.value} setBoards={(on) => (boards.value = on)} total={shown.total} />
          <Rows boards={boards.value} />
          <Details />
        </>
      ) : (
        t.compared.value.length === 0 && <p class="muted">The tree of a plain search of this position: windows, bounds, cutoffs and their reasons.</p>
      )}
    </section>
  );
}

function Tools({ boards, setBoards, total }: { boards: boolean; setBoards: (on: boolean) => void; total: number }) {
  const step = t.selected.value;
  return (
    <div class="options tree-tools">
      <label class="step">
        Step
        <input type="range" min="0" max={total - 1} value={step} aria-label="Step of the search" onInput={(event) => void t.reveal(Number(event.currentTarget.value))} />
        <output>
          {step + 1} of {total.toLocaleString("en")}
        </output>
      </label>
      <button type="button" aria-label="Step back" title="Step back" disabled={step === 0} onClick={() => void t.reveal(step - 1)}>◀</button>
      <button type="button" aria-label="Step forward" title="Step forward" disabled={step >= total - 1} onClick={() => void t.reveal(step + 1)}>▶</button>
      <button type="button" onClick={() => void t.find((node) => node.cut !== null)}>
        Next cutoff
      </button>
      <label>
        <input type="checkbox" checked={t.searchOrder.value} onChange={(event) => (t.searchOrder.value = event.currentTarget.checked)} />
        All, in search order
      </label>
      <label>
        <input type="checkbox" checked={boards} onChange={(event) => setBoards(event.currentTarget.checked)} />
        Boards
      </label>
      <button
        type="button"
        onClick={() =>
          void t.picture().then((svg) => {
            if (svg) download("tree.svg", svg, "image/svg+xml");
          })
        }
      >
        SVG
      </button>
    </div>
  );
}

function Rows({ boards }: { boards: boolean }) {
  const arrived = t.arrived.value;
  const opened = t.opened.value;
  const order = t.searchOrder.value;
  const rows = useMemo(() => (order ? [] : t.rows()), [arrived, opened, order]);
  const count = order ? t.tree.value!.total : rows.length;
  const at = (index: number): t.Row => {
    if (!order) return rows[index];
    return { node: t.node(index), id: index, open: false, leaf: true };
  };
  const current = order ? t.selected.value : rows.findIndex((row) => row.id === t.selected.value);
  const keys = (event: KeyboardEvent) => {
    const row = current >= 0 && current < count ? at(current) : null;
    const go = (index: number) => {
      if (index >= 0 && index < count) t.selected.value = at(index).id;
    };
    if (event.key === "ArrowDown") go(current + 1);
    else if (event.key === "ArrowUp") go(current - 1);
    else if (event.key === "PageDown") go(Math.min(count - 1, current + 15));
    else if (event.key === "PageUp") go(Math.max(0, current - 15));
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(count - 1);
    else if (event.key === "ArrowRight" && row && !row.open && !row.leaf) void t.toggle(row.id);
    else if (event.key === "ArrowLeft" && row) {
      if (row.open) void t.toggle(row.id);
      else if (row.node?.parent !== null && row.node) t.selected.value = row.node.parent;
    } else if (event.key === "Enter" && row && !row.leaf) void t.toggle(row.id);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <VirtualList
      count={count}
      height={boards ? 84 : 26}
      current={current}
      label="Search tree. Right opens a node, left closes it."
      active={`node-${t.selected.value}`}
      onKeyDown={keys}
      onRange={(from, to) => {
        if (order) void t.fetchSteps(from, to);
      }}
      row={(index) => <NodeRow row={at(index)} boards={boards} />}
    />
  );
}

const bound = (node: TreeNode) => (node.bound === "at_least" ? "≥" : node.bound === "at_most" ? "≤" : "");
const edge = (value: number | null, infinite: string) => (value === null ? infinite : short(value));

function NodeRow({ row, boards }: { row: t.Row; boards: boolean }) {
  const { node, id } = row;
  if (!node) return <div class="node waiting">…</div>;
  const chosen = t.selected.value === id;
  return (
    <div
      id={`node-${id}`}
      class={`node to-${node.turn} ${chosen ? "now" : ""} ${node.pv ? "pv" : ""} ${node.visited ? "" : "unvisited"}`}
      role="treeitem"
      aria-level={node.ply + 1}
      aria-selected={chosen}
      aria-expanded={row.leaf ? undefined : row.open}
      style={{ paddingLeft: `${Math.min(node.ply, 24) * 1.1 + 0.3}em` }}
      onClick={() => (t.selected.value = id)}
      onDblClick={() => {
        if (!row.leaf) void t.toggle(id);
      }}
    >
      <span
        class="twist"
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          t.selected.value = id;
          if (!row.leaf) void t.toggle(id);
        }}
      >
        {row.leaf ? "·" : row.open ? "▾" : "▸"}
      </span>
      {boards && <LittleBoard position={node.position} />}
      <span class={`who who-${node.turn}`} aria-hidden="true">
        {node.turn === "max" ? "▲" : node.turn === "min" ? "▼" : node.turn === "chance" ? "◆" : node.turn === "over" ? "■" : "□"}
      </span>
      <span class="label">{node.label ?? "root"}</span>
      <b class="value" title={long(node.value, node.bound === "exact")}>
        {bound(node)}
        {short(node.value)}
      </b>
      {node.window && (node.window[0] !== null || node.window[1] !== null) && (
        <span class="window" title="The window alpha, beta in which the node was searched">
          ({edge(node.window[0], "−∞")}, {edge(node.window[1], "∞")})
        </span>
      )}
      {node.cut && <span class="cut">✂ cutoff{node.skipped.length > 0 && `: ${node.skipped.length} skipped`}</span>}
      {node.same_as !== null && <span class="same">as step {node.same_as + 1}</span>}
      {!node.visited && <span class="same">not searched</span>}
      {node.folded > 0 && <span class="same">+{node.folded}</span>}
    </div>
  );
}

function LittleBoard({ position }: { position: string }) {
  const found = useSignal<Position | null>(null);
  useEffect(() => {
    let here = true;
    found.value = null;
    look(position).then((shown) => {
      if (here) found.value = shown;
    }, () => {});
    return () => {
      here = false;
    };
  }, [position]);
  const board = found.value?.board;
  if (!found.value) return <span class="little" />;
  return board && board.squares.length > 0 ? (
    <span class="little">
      <BoardPicture board={board} label={`Board of ${position}`} />
    </span>
  ) : (
    <pre class="little">{(found.value.picture ?? [position]).join("\n")}</pre>
  );
}

function Details() {
  void t.arrived.value;
  const node = t.node(t.selected.value);
  if (!node) return null;
  const turns: Record<string, string> = { max: "MAX moves here", min: "MIN moves here", chance: "a chance move", horizon: "the horizon: the evaluation gives the value", over: "the game is over" };
  return (
    <div class="details" role="region" aria-label="The chosen node" tabIndex={0} aria-live="polite">
      <LittleBoard position={node.position} />
      <div>
        <p>
          Step {node.id + 1}: <b>{node.label ?? "root"}</b>, ply {node.ply}; {turns[node.turn]}.
        </p>
        <p>
          {node.window && `Window (${edge(node.window[0], "−∞")}, ${edge(node.window[1], "∞")}). `}
          Value {node.bound === "at_least" ? "at least " : node.bound === "at_most" ? "at most " : ""}
          {short(node.value)}
          {node.static !== null && `, evaluation ${short(node.static)}`}.
        </p>
        {node.cut && (
          <p class="cut-reason">
            Cutoff because {node.cut.reason}: {node.turn === "max" ? `this node is worth at least ${edge(node.cut.alpha, "−∞")}, and MIN has ${edge(node.cut.beta, "∞")} elsewhere` : `this node is worth at most ${edge(node.cut.beta, "∞")}, and MAX has ${edge(node.cut.alpha, "−∞")} elsewhere`}
            {node.cut.deep && " (a deep cutoff)"}. Not searched: {node.skipped.slice(0, 8).join(", ")}
            {node.skipped.length > 8 && ` and ${node.skipped.length - 8} more`}.
          </p>
        )}
      </div>
    </div>
  );
}

function Compared() {
  const entries = t.compared.value;
  const most = Math.max(1, ...entries.map((entry) => Math.max(entry.visited ?? 0, entry.unadvised ?? 0)));
  const same = entries.every((entry) => entry.unadvised !== null && entry.unadvised === entry.visited);
  const bar = (count: number | null) => count !== null && <meter min={0} max={most} value={count} aria-label={`${Math.round((100 * count) / most)} percent of the most nodes`} />;
  return (
    <div class="table-box">
      <table class="compared">
        <caption>
          Nodes at depth {t.depth.value}
          {same && "; the advice of these rules changes no count"}
        </caption>
        <thead>
          <tr>
            <th scope="col">algorithm</th>
            <th scope="col">visited</th>
            <th scope="col">without advice</th>
            <th scope="col">evaluated</th>
            <th scope="col">share</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr>
              <th scope="row">{entry.name}</th>
              <td class="number">{entry.visited?.toLocaleString("en") ?? (entry.error || "…")}</td>
              <td class="number">{entry.unadvised?.toLocaleString("en") ?? (entry.error ? "" : "…")}</td>
              <td class="number">{entry.evaluated?.toLocaleString("en") ?? ""}</td>
              <td class="bars">
                {bar(entry.visited)}
                {entry.unadvised !== entry.visited && bar(entry.unadvised)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
