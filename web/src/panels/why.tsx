// Reasons: the proof of a value, or why a move is not legal. Each step names its clause, and shows it in the editor.

import { useSignal } from "@preact/signals";
import { showPlace } from "../document";
import type { Failure, Place, ProofStep } from "../protocol";
import * as s from "../state";
import { short } from "../values";
import { answer, askEvaluation, askExplain, askWhy, askWhyNot, clearWhy, type Answer, type Explained } from "../why";

export function WhyPanel() {
  const goal = useSignal("");
  const position = s.position.value;
  const ask = (question: (goal: string) => Promise<void>) => {
    if (goal.value.trim()) void question(goal.value.trim());
  };
  return (
    <section class="panel" aria-label="Why">
      <form
        class="ask-row"
        onSubmit={(event) => {
          event.preventDefault();
          ask(askWhy);
        }}
      >
        <input type="text" aria-label="A move or a goal" placeholder="a move or a goal" list="legal-labels" value={goal.value} onInput={(event) => (goal.value = event.currentTarget.value)} spellcheck={false} autocapitalize="off" />
        <datalist id="legal-labels">
          {position?.moves?.slice(0, 300).map((move) => (
            <option value={move.label} />
          ))}
        </datalist>
        <button type="submit">Why?</button>
        <button type="button" onClick={() => ask(askWhyNot)}>
          Why not?
        </button>
      </form>
      <p class="ask-row">
        <button type="button" onClick={() => void askEvaluation()} disabled={!position}>
          The value that the rules give here
        </button>
        {position?.moves && position.turn !== "chance" && position.moves.length > 0 && (
          <label>
            The value of
            <select
              value=""
              onChange={(event) => {
                if (event.currentTarget.value) void askExplain(event.currentTarget.value);
                event.currentTarget.value = "";
              }}
            >
              <option value="">a move…</option>
              {position.moves.slice(0, 300).map((move) => (
                <option>{move.label}</option>
              ))}
            </select>
          </label>
        )}
        {answer.value && (
          <button type="button" class="quiet" onClick={clearWhy}>
            Clear
          </button>
        )}
      </p>
      {answer.value ? <Shown answer={answer.value} /> : <p class="muted">Click a value in the analysis, or a square on which no move is legal. The clauses that answer are marked in the rules.</p>}
    </section>
  );
}

function Shown({ answer }: { answer: Answer }) {
  return (
    <div class="answer" aria-live="polite">
      <h2>{answer.title}</h2>
      {answer.kind === "waiting" && <p class="muted">Asking…</p>}
      {answer.kind === "error" && (
        <p class="problem error">
          <span class="code">{answer.problem.code}</span> {answer.problem.message}
          {answer.problem.help && <span class="help"> help: {answer.problem.help}</span>}
        </p>
      )}
      {answer.kind === "proof" && (
        <>
          {answer.answer && Object.keys(answer.answer).length > 0 && (
            <p class="bindings">
              {Object.entries(answer.answer).map(([name, value]) => (
                <code>
                  {name} = {value}
                </code>
              ))}
            </p>
          )}
          <Steps steps={answer.proof} open={2} />
        </>
      )}
      {answer.kind === "failure" && (
        <>
          {answer.smallest && <p class="smallest">{answer.smallest.message}</p>}
          {answer.failing && <FailureTree failure={answer.failing} />}
          {!answer.failing && !answer.smallest && <p>Nothing fails.</p>}
        </>
      )}
      {answer.kind === "explained" && <ExplainedMove explained={answer.explained} />}
    </div>
  );
}

function ExplainedMove({ explained }: { explained: Explained }) {
  const { leaf, best } = explained;
  return (
    <>
      <p>
        <b>{explained.move}</b> is worth <b>{short(explained.value)}</b> ({explained.exact ? "exact" : "an estimate"}); {explained.better_moves === 0 ? "no move is better" : `${explained.better_moves} of ${explained.moves} moves are better`}.
        {explained.refutation && ` The best answer is ${explained.refutation}.`}
      </p>
      <p class="muted">Line: {explained.pv.join(" ")}</p>
      {best && best.move !== explained.move && (
        <p class="muted">
          Best: {best.pv.join(" ")} ({short(best.value)})
        </p>
      )}
      {leaf && (
        <>
          <p>
            At the end of the line {leaf.outcome ? (leaf.outcome === "draw" ? "the game is a draw." : `${leaf.outcome.toUpperCase()} has won.`) : leaf.evaluation !== null ? `the evaluation gives ${leaf.evaluation}:` : "the search ended."}
          </p>
          {leaf.picture && <pre class="leaf">{leaf.picture.join("\n")}</pre>}
          {leaf.proof && <Steps steps={leaf.proof} open={2} />}
        </>
      )}
    </>
  );
}

function Where({ place }: { place: Place | null | undefined }) {
  if (!place || place.file !== s.textName.value) return place && place.file !== "goal" ? <span class="where">{place.file}</span> : null;
  return (
    <button type="button" class="where link" onClick={() => showPlace(place.start)} title="Show this clause">
      line {place.line}
    </button>
  );
}

function Steps({ steps, open }: { steps: ProofStep[]; open: number }) {
  return (
    <ul class="proof">
      {steps.map((step) => {
        const how = step.by === "clause" && step.clause ? `clause ${step.clause.number} of ${step.clause.of}` : step.by;
        const head = (
          <>
            <code>{step.goal}</code> <span class="by">{how}</span>
            {step.folded > 0 && <span class="muted"> {step.folded} more steps</span>}
          </>
        );
        return (
          <li>
            {step.parts.length > 0 ? (
              <details open={open > 0}>
                <summary>{head}</summary>
                <Steps steps={step.parts} open={open - 1} />
              </details>
            ) : (
              <div class="leaf-step">{head}</div>
            )}
            <Where place={step.clause?.place ?? step.place} />
          </li>
        );
      })}
    </ul>
  );
}

function FailureTree({ failure }: { failure: Failure }) {
  return (
    <div class="failure">
      <p>
        <code>{failure.goal}</code>: {failure.reason}
      </p>
      {failure.clauses.map((clause) => (
        <div class="failed-clause">
          <p>
            clause {clause.number}: <code>{clause.head}</code> <Where place={clause.place} /> {clause.mismatch && <span class="by">{clause.mismatch}</span>} {clause.note && <span class="by">{clause.note}</span>}
          </p>
          {clause.goals.length > 0 && (
            <ul class="goals">
              {clause.goals.map((goal) => (
                <li class={`goal-${goal.mark}`}>
                  <span class="sign" aria-label={goal.mark}>
                    {goal.mark === "true" ? "✓" : goal.mark === "failed" ? "✗" : "·"}
                  </span>{" "}
                  <code>{goal.goal}</code> <Where place={goal.place} />
                </li>
              ))}
            </ul>
          )}
          {clause.because && clause.because.goal !== failure.goal && <FailureTree failure={clause.because} />}
        </div>
      ))}
      {failure.parts.map((part) => (
        <FailureTree failure={part} />
      ))}
      {failure.omitted > 0 && <p class="muted">{failure.omitted} more clauses</p>}
    </div>
  );
}
