// A console for goals: answers as a table, the history of goals, and the trace of a goal.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { RequestError, type Problem } from "../protocol";
import * as s from "../state";
import * as storage from "../storage";
import { reasoner } from "../reasoner";

interface Step {
  port?: string;
  depth?: number;
  goal?: string;
  answer?: Record<string, string>;
}

interface Entry {
  goal: string;
  running: boolean;
  answers?: Record<string, string>[];
  complete?: boolean;
  output?: string;
  steps?: Step[];
  problem?: Problem;
}

const entries = signal<Entry[]>([]);
const text = signal("");
const LIMIT = 100;
const STEPS = 2000;
let recall = -1;

function set(goal: string, made: Partial<Entry>): void {
  entries.value = entries.value.map((entry, i) => (i === entries.value.length - 1 && entry.goal === goal ? { ...entry, ...made } : entry));
}

async function run(how: "query" | "trace"): Promise<void> {
  const goal = text.value.trim().replace(/^\?-\s*/, "").replace(/\.$/, "");
  const game = s.game.value;
  if (!goal || !game) return;
  const before = storage.read<string[]>("goals", []).filter((old) => old !== goal);
  storage.write("goals", [...before, goal].slice(-100));
  recall = -1;
  text.value = "";
  entries.value = [...entries.value.slice(-49), { goal, running: true }];
  const request = how === "query" ? { request: "query", goal, limit: LIMIT } : { request: "trace", goal, limit: STEPS };
  try {
    const reply = await reasoner.ask<{ answers: Record<string, string>[]; complete: boolean; output: string; error?: Problem; steps?: Step[] }>(game, request);
    set(goal, {
      running: false,
      answers: how === "query" ? reply.answers : undefined,
      complete: reply.complete,
      output: reply.output,
      steps: reply.steps,
      problem: reply.error ?? undefined,
    });
  } catch (error) {
    if (error instanceof RequestError) set(goal, { running: false, problem: error.problem });
    else set(goal, { running: false });
  }
}

export function GoalsPanel() {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [entries.value]);
  const running = entries.value.some((entry) => entry.running);
  return (
    <section class="panel goals-panel" aria-label="Goals">
      <div class="console" role="log" aria-label="Answers">
        {entries.value.length === 0 && (
          <p class="muted">
            Type a goal, such as <code>initial(P)</code> or <code>initial(P), move(P, M, Next)</code>. Enter runs the goal, ↑ brings earlier goals back.
          </p>
        )}
        {entries.value.map((entry) => (
          <Shown entry={entry} />
        ))}
        <div ref={end} />
      </div>
      <form
        class="goal-row"
        onSubmit={(event) => {
          event.preventDefault();
          void run("query");
        }}
      >
        <span aria-hidden="true" class="prompt">
          ?-
        </span>
        <textarea
          rows={1}
          aria-label="Goal"
          value={text.value}
          spellcheck={false}
          autocapitalize="off"
          onInput={(event) => (text.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.shiftKey) {
              event.preventDefault();
              void run(event.altKey ? "trace" : "query");
            } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
              const past = storage.read<string[]>("goals", []);
              if (past.length === 0 || text.value.includes("\n")) return;
              recall = event.key === "ArrowUp" ? Math.min(past.length - 1, recall + 1) : Math.max(-1, recall - 1);
              text.value = recall < 0 ? "" : past[past.length - 1 - recall];
              event.preventDefault();
            }
          }}
        />
        <button type="submit">Run</button>
        <button type="button" title="The calls of the goal (Alt+Enter)" onClick={() => void run("trace")}>
          Trace
        </button>
        <button type="button" class="quiet" onClick={() => (running ? reasoner.stop() : (entries.value = []))}>
          {running ? "Stop" : "Clear"}
        </button>
      </form>
    </section>
  );
}

function Shown({ entry }: { entry: Entry }) {
  const names = [...new Set((entry.answers ?? []).flatMap((answer) => Object.keys(answer)))];
  return (
    <div class="entry">
      <p class="goal">
        <span class="prompt">?-</span> <code>{entry.goal}</code>{" "}
        <button type="button" class="link" onClick={() => (text.value = entry.goal)}>
          again
        </button>
      </p>
      {entry.running && <p class="muted">…</p>}
      {entry.output && <pre class="output">{entry.output}</pre>}
      {entry.answers && entry.answers.length > 0 && names.length > 0 && (
        <div class="table-box" tabIndex={0} role="region" aria-label="Table of answers">
          <table>
            <thead>
              <tr>
                <th scope="col">#</th>
                {names.map((name) => (
                  <th scope="col">{name}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {entry.answers.map((answer, i) => (
                <tr>
                  <td class="number">{i + 1}</td>
                  {names.map((name) => (
                    <td>
                      <code>{answer[name] ?? ""}</code>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {entry.answers && !entry.running && (
        <p class="muted">
          {entry.answers.length === 0 ? (entry.problem ? "" : "no") : names.length === 0 ? "yes" : `${entry.answers.length} ${entry.answers.length === 1 ? "answer" : "answers"}${entry.complete ? "" : ", and more"}`}
        </p>
      )}
      {entry.steps && <Trace steps={entry.steps} />}
      {entry.problem && (
        <p class="problem error">
          <span class="code">{entry.problem.code}</span> {entry.problem.message}
          {entry.problem.help && <span class="help"> help: {entry.problem.help}</span>}
        </p>
      )}
    </div>
  );
}

function Trace({ steps }: { steps: Step[] }) {
  return (
    <div class="trace" tabIndex={0} role="region" aria-label="Trace">
      {steps.map((step) =>
        step.answer ? (
          <div class="port-answer">
            {Object.entries(step.answer)
              .map(([name, value]) => `${name} = ${value}`)
              .join(", ") || "yes"}
          </div>
        ) : (
          <div class={`port-${step.port}`} style={{ paddingLeft: `${Math.min(step.depth ?? 0, 30) * 0.9}em` }}>
            <span class="port">{step.port}</span> <code>{step.goal}</code>
          </div>
        ),
      )}
    </div>
  );
}
