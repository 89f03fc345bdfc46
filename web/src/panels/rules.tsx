// The rules: the editor, and under it the list of everything that is wrong with the text.

import { useEffect, useRef } from "preact/hooks";
import * as doc from "../document";
import { RulesEditor, fixName } from "../editor";
import { completeRules, hoverRules } from "../language";
import * as s from "../state";

export function RulesPanel() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const editor = new RulesEditor(box.current!, {
      text: s.currentText.value,
      onChange: doc.edited,
      onSave: () => void doc.save(),
      onFormat: () => void doc.format(),
      complete: completeRules,
      hover: hoverRules,
    });
    doc.attach(editor);
    return () => editor.view.destroy();
  }, []);
  return (
    <section class="panel rules-panel" aria-label="Rules">
      <div class="editor" ref={box} />
      <Problems />
    </section>
  );
}

function Problems() {
  const found = s.problems.value;
  const load = [...s.playProblems.value, ...s.loadProblems.value].filter((problem) => !found.some((other) => other.message === problem.message));
  const all = [...found, ...load].filter((problem, i, list) => list.findIndex((other) => other.message === problem.message && other.places[0]?.start === problem.places[0]?.start) === i).sort((a, b) => Number(a.level !== "error") - Number(b.level !== "error"));
  const errors = all.filter((problem) => problem.level === "error").length;
  const ms = s.checkMs.value;
  return (
    <details class="problems" open={errors > 0}>
      <summary>
        <span class={`lamp ${errors > 0 ? "bad" : all.length > 0 ? "warn" : "good"}`} aria-hidden="true" />
        {all.length === 0 ? "No problems" : `${errors} ${errors === 1 ? "error" : "errors"}, ${all.length - errors} ${all.length - errors === 1 ? "warning" : "warnings"}`}
        {ms !== null && <span class="muted"> checked in {ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms</span>}
        {errors > 0 && s.rules.value && <span class="muted"> · the board shows the last rules without errors</span>}
      </summary>
      <ul>
        {all.slice(0, 100).map((problem) => (
          <li class={`problem ${problem.level}`}>
            <button type="button" class="go-to" onClick={() => problem.places[0] && doc.showPlace(problem.places[0].start)}>
              <span class="code">{problem.code}</span> {problem.places[0] && <span class="where">line {problem.places[0].line}</span>} {problem.message}
            </button>
            {problem.help && <span class="help">help: {problem.help}</span>}
            {problem.edits.length > 0 && problem.edits.every((edit) => edit.file === s.textName.value) && (
              <button type="button" class="fix" onClick={() => doc.fix(problem)}>
                {fixName(problem.edits)}
              </button>
            )}
          </li>
        ))}
        {all.length > 100 && <li>{all.length - 100} more</li>}
      </ul>
    </details>
  );
}
