// Parameters as sliders and boxes, what a change of them changes, and a match between the two settings.

import * as analysis from "../analysis";
import { resetParams, setParam } from "../document";
import type { Param } from "../protocol";
import * as s from "../state";
import * as tune from "../tune";
import { long, short } from "../values";

export function TunePanel() {
  const params = s.params.value;
  return (
    <section class="panel" aria-label="Sliders">
      {params.length === 0 ? (
        <p class="muted">
          These rules have no parameters. A parameter is a line such as <code>:- param(man, 10, 0..100, "what a man is worth").</code>
        </p>
      ) : (
        <div class="params">
          {params.map((param) => (
            <Slider key={param.name} param={param} />
          ))}
          <button type="button" onClick={() => resetParams()} disabled={Object.keys(s.changed.value).length === 0}>
            Values of the file
          </button>
        </div>
      )}
      <Changes />
      {params.length > 0 && <MatchBox />}
    </section>
  );
}

function Slider({ param }: { param: Param }) {
  const value = s.changed.value[param.name] ?? param.value;
  const set = (text: string) => {
    tune.rememberBefore();
    setParam(param.name, text);
  };
  const id = `param-${param.name}`;
  const whole = param.low !== null && param.high !== null && Number.isInteger(param.low) && Number.isInteger(param.high) && !value.includes(".");
  return (
    <div class={`param ${param.name in s.changed.value ? "changed" : ""}`}>
      <label for={id}>
        <code>{param.name}</code> <span class="about">{param.about}</span>
      </label>
      {param.values ? (
        <select id={id} value={value} onChange={(event) => set(event.currentTarget.value)}>
          {param.values.map((choice) => (
            <option>{choice}</option>
          ))}
        </select>
      ) : param.low !== null && param.high !== null ? (
        <span class="slide">
          <input id={id} type="range" min={param.low} max={param.high} step={whole ? 1 : (param.high - param.low) / 200} value={value} onInput={(event) => set(event.currentTarget.value)} />
          <input type="number" aria-label={`${param.name}, number`} min={param.low} max={param.high} step={whole ? 1 : "any"} value={value} onChange={(event) => set(event.currentTarget.value)} />
        </span>
      ) : (
        <input id={id} type="text" value={value} onChange={(event) => set(event.currentTarget.value)} />
      )}
    </div>
  );
}

function Changes() {
  const before = tune.baseline.value;
  const now = analysis.found.value;
  if (!before || !now) return null;
  const old = new Map(before.found.lines.map((line, rank) => [line.best, { ...line, rank }]));
  const moves = new Set([...now.lines.map((line) => line.best), ...before.found.lines.map((line) => line.best)]);
  const fresh = new Map(now.lines.map((line, rank) => [line.best, { ...line, rank }]));
  return (
    <div class="changes" aria-live="polite">
      <h2>What changed</h2>
      <p>
        Value <b title={long(before.found.value, before.found.exact)}>{short(before.found.value)}</b> (depth {before.found.depth}) → <b class="new-value" title={long(now.value, now.exact)}>{short(now.value)}</b> (depth {now.depth}
        {now.running ? ", searching" : ""}). {before.found.lines[0]?.best === now.lines[0]?.best ? `The best move stays ${now.lines[0]?.best ?? ""}.` : `The best move was ${before.found.lines[0]?.best ?? "–"}, and is ${now.lines[0]?.best ?? "–"}.`}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">move</th>
            <th scope="col">before</th>
            <th scope="col">now</th>
            <th scope="col">rank</th>
          </tr>
        </thead>
        <tbody>
          {[...moves].slice(0, 30).map((label) => {
            const [a, b] = [old.get(label), fresh.get(label)];
            return (
              <tr class={a && b && a.value !== b.value ? "differs" : ""}>
                <th scope="row">{label ?? "–"}</th>
                <td class="number">{a ? short(a.value) : ""}</td>
                <td class="number">{b ? short(b.value) : ""}</td>
                <td class="number">{a && b ? (a.rank === b.rank ? a.rank + 1 : `${a.rank + 1} → ${b.rank + 1}`) : ""}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <button
        type="button"
        onClick={() => {
          tune.baseline.value = null;
          tune.rememberBefore();
        }}
      >
        Compare with these values from now on
      </button>
    </div>
  );
}

const named = (params: Record<string, string>) =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ") || "values of the file";

function MatchBox() {
  const match = tune.match.value;
  return (
    <div class="match">
      <h2>Match these two settings</h2>
      <p class="muted">
        A: {named(match?.running ? match.a : s.changed.value)} · B: {named(match?.running ? match.b : (tune.baseline.value?.params ?? {}))}
      </p>
      <div class="options">
        <label>
          Games
          <input type="number" min="2" max="100000" step="2" value={tune.games.value} disabled={tune.testing.value} onChange={(event) => (tune.games.value = Math.max(2, Number(event.currentTarget.value) || 100))} />
        </label>
        <label>
          Nodes a move
          <input type="number" min="10" max="1000000" value={tune.nodesPerMove.value} onChange={(event) => (tune.nodesPerMove.value = Math.max(1, Number(event.currentTarget.value) || 1000))} />
        </label>
        <label title="Play until a sequential probability ratio test decides between 0 and 20 Elo">
          <input type="checkbox" checked={tune.testing.value} onChange={(event) => (tune.testing.value = event.currentTarget.checked)} />
          SPRT
        </label>
        {match?.running ? (
          <button type="button" onClick={tune.stop}>
            Stop
          </button>
        ) : (
          <button type="button" class="primary" onClick={() => void tune.play()}>
            Play the match
          </button>
        )}
      </div>
      {match && <Score match={match} />}
    </div>
  );
}

function Score({ match }: { match: tune.Match }) {
  const last = match.points.at(-1);
  if (match.error) return <p class="problem error">{match.error}</p>;
  if (!last) return <p class="muted">{match.running ? "Playing…" : "No game was played."}</p>;
  const around = last.elo_low !== null && last.elo_high !== null ? (last.elo_high - last.elo_low) / 2 : null;
  return (
    <div aria-live="off">
      <p class="score">
        A has <b>{(100 * last.score).toFixed(1)}%</b> of <b>{last.games}</b> games: +{last.wins} ={last.draws} −{last.losses} · Elo <b>{last.elo === null ? "–" : last.elo.toFixed(1)}</b>
        {around !== null && ` ± ${around.toFixed(1)}`}
        {match.sprt && last.llr !== null && ` · LLR ${last.llr.toFixed(2)} (${match.sprt.lower.toFixed(2)} to ${match.sprt.upper.toFixed(2)})`}
        {!match.running && (match.verdict === "h1" ? " · A is stronger" : match.verdict === "h0" ? " · A is not stronger" : ` · ${match.ended === "games" ? "finished" : match.ended}`)}
      </p>
      <Curve match={match} />
    </div>
  );
}

/** Elo with its interval, or the log-likelihood ratio between its bounds, over the games. */
function Curve({ match }: { match: tune.Match }) {
  const [w, h] = [600, 120];
  const points = match.points.filter((point) => (match.sprt ? point.llr : point.elo) !== null);
  if (points.length < 2) return null;
  const value = (point: tune.SoFar) => (match.sprt ? point.llr! : point.elo!);
  const most = match.sprt ? match.sprt.upper * 1.1 : Math.max(20, ...points.slice(2).map((point) => Math.min(800, Math.abs(point.elo!) + 10)));
  const games = points.at(-1)!.games;
  const x = (point: tune.SoFar) => (point.games / games) * w;
  const y = (v: number) => h / 2 - (Math.max(-most, Math.min(most, v)) / most) * (h / 2 - 4);
  const path = points.map((point, i) => `${i === 0 ? "M" : "L"}${x(point).toFixed(1)} ${y(value(point)).toFixed(1)}`).join("");
  const banded = points.filter((point) => point.elo_low !== null && point.elo_high !== null);
  const band = match.sprt
    ? ""
    : [...banded.map((point) => `${x(point).toFixed(1)},${y(point.elo_high!).toFixed(1)}`), ...banded.reverse().map((point) => `${x(point).toFixed(1)},${y(point.elo_low!).toFixed(1)}`)].join(" ");
  return (
    <svg class="curve-box" viewBox={`0 0 ${w} ${h}`} role="img" aria-label={match.sprt ? `Log-likelihood ratio over ${games} games` : `Elo difference over ${games} games`}>
      {band && <polygon class="band" points={band} />}
      <line class="zero" x1="0" y1={h / 2} x2={w} y2={h / 2} />
      {match.sprt && (
        <>
          <line class="bound" x1="0" y1={y(match.sprt.upper)} x2={w} y2={y(match.sprt.upper)} />
          <line class="bound" x1="0" y1={y(match.sprt.lower)} x2={w} y2={y(match.sprt.lower)} />
        </>
      )}
      <path class="curve" d={path} />
    </svg>
  );
}
