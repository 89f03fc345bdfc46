// The search of the position: its value, its lines, and the graph of the values of the game.

import * as analysis from "../analysis";
import { lookAfter, playAll } from "../game";
import type { Line } from "../protocol";
import * as s from "../state";
import { count, long, short } from "../values";
import { fingerprint } from "../workspace";
import { askEvaluation, askExplain } from "../why";
import { Graph } from "./graph";
import { previewing } from "./moves";

const ALGORITHMS = ["auto", "alphabeta", "pvs", "mtdf", "minimax", "mcts", "playouts", "expectiminimax", "star1", "star2"];

export function AnalysisPanel() {
  const on = analysis.on.value;
  const found = analysis.found.value;
  return (
    <section class="panel" aria-label="Analysis">
      <div class="analysis-head">
        <label class="switch">
          <input type="checkbox" role="switch" checked={on} onChange={(event) => (analysis.on.value = event.currentTarget.checked)} />
          <span>Analysis</span>
        </label>
        <button
          type="button"
          class="big-value"
          title={`${long(found?.value, found?.exact ?? false)}. Click: why this value?`}
          disabled={!found?.value && found?.value !== 0}
          onClick={() => {
            s.tab.value = "why";
            const best = found?.lines[0]?.best;
            void (best ? askExplain(best) : askEvaluation());
          }}
        >
          {short(found?.value)}
        </button>
        <span class={`sure ${found?.exact ? "exact" : ""}`}>{found?.value === null || !found ? "" : found.exact ? "exact" : "estimate"}</span>
        <span class="grow" />
        {found?.running ? (
          <button type="button" onClick={analysis.stop}>
            Stop
          </button>
        ) : (
          on && (
            <button type="button" onClick={() => void analysis.search()}>
              Search again
            </button>
          )
        )}
      </div>
      <p class="figures" aria-live="off">
        {found ? (
          <>
            depth <b>{found.depth}</b> · <b>{count(found.nodes)}</b> nodes · <b>{found.seconds > 0 ? count(Math.round(found.nodes / found.seconds)) : "–"}</b> nodes/s · {found.seconds.toFixed(1)} s
            {found.running ? <span class="running"> searching…</span> : found.solved ? " · from the solved file" : found.end === "over" || found.exact ? " · to the end of the game" : ""}
          </>
        ) : on ? (
          "The game is over."
        ) : (
          "The analysis is off. Space turns it on."
        )}
      </p>
      {found && (
        <ol class="lines">
          {found.lines.slice(0, analysis.everyMove.value ? Math.max(analysis.lineCount.value, 5) : analysis.lineCount.value).map((line, rank) => (
            <LineRow key={rank} line={line} />
          ))}
        </ol>
      )}
      <Unusable />
      {analysis.passing.value !== null && <Threat />}
      <Options />
      <Graph />
    </section>
  );
}

/** Says why the file of solved positions is not used. */
function Unusable() {
  const rules = s.rules.value;
  const why = rules && analysis.unusable.value.get(fingerprint(rules));
  return why ? <p class="muted">The solved file is not used: {why}.</p> : null;
}

function Threat() {
  const threat = analysis.threat.value;
  const here = threat !== null && threat.game === s.game.value;
  return (
    <p class="figures">
      <button type="button" onClick={() => void analysis.findThreat()} title="What the other side plays if this side passes">
        Threat
      </button>{" "}
      {here && (
        <>
          After a pass: <b>{threat.line.pv.join(" ") || "no move"}</b> ({short(threat.line.value)})
        </>
      )}
    </p>
  );
}

function LineRow({ line }: { line: Line }) {
  const moves = line.pv.length > 0 ? line.pv : line.best === null ? [] : [line.best];
  return (
    <li class="line-row">
      <button
        type="button"
        class="value"
        title={`${long(line.value, line.exact)}. Click: why?`}
        onClick={() => {
          s.tab.value = "why";
          void (line.best ? askExplain(line.best) : askEvaluation());
        }}
      >
        {short(line.value)}
      </button>
      <span class="pv">
        {moves.map((label, i) => (
          <button type="button" title="Hover shows the board; click makes these moves" onClick={() => void playAll(moves.slice(0, i + 1))} {...previewing(() => lookAfter(moves.slice(0, i + 1)))}>
            {label}
          </button>
        ))}
      </span>
    </li>
  );
}

function Options() {
  return (
    <div class="options">
      <label>
        Lines
        <select value={analysis.lineCount.value} onChange={(event) => (analysis.lineCount.value = Number(event.currentTarget.value))} disabled={analysis.algorithm.value !== "auto"}>
          {[1, 2, 3, 5, 8].map((n) => (
            <option value={n}>{n}</option>
          ))}
        </select>
      </label>
      <label title="Search a value for each legal move. The search is then less deep.">
        <input type="checkbox" checked={analysis.everyMove.value} onChange={(event) => (analysis.everyMove.value = event.currentTarget.checked)} disabled={analysis.algorithm.value !== "auto"} />
        Every move
      </label>
      <label>
        Depth
        <input
          type="number"
          min="1"
          max="1000"
          placeholder="any"
          value={analysis.depthLimit.value ?? ""}
          onChange={(event) => (analysis.depthLimit.value = event.currentTarget.value === "" ? null : Math.max(1, Number(event.currentTarget.value)))}
        />
      </label>
      <label>
        Seconds
        <input type="number" min="0" max="86400" value={analysis.seconds.value} onChange={(event) => (analysis.seconds.value = Math.max(0, Number(event.currentTarget.value)))} title="0: no limit" />
      </label>
      <label>
        Algorithm
        <select value={analysis.algorithm.value} onChange={(event) => (analysis.algorithm.value = event.currentTarget.value)}>
          {ALGORITHMS.map((name) => (
            <option>{name}</option>
          ))}
        </select>
      </label>
      <button type="button" onClick={() => void analysis.review()} disabled={s.line.value.length === 0}>
        {analysis.reviewing.value ? `Stop (${analysis.reviewing.value.done} of ${analysis.reviewing.value.of})` : "Value the game"}
      </button>
    </div>
  );
}
