// The editor of rules: CodeMirror with diagnostics, fixes and marks of clauses. It knows texts and places, no game.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionSource } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldService, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  type DecorationSet,
  type HoverTooltipSource,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { ByteOffsets } from "./offsets";
import { prolog } from "./prolog";
import type { Edit, Problem } from "./protocol";

interface Marked {
  from: number;
  to: number;
  kind: string;
}

const setMarks = StateEffect.define<Marked[]>();

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) {
        const builder = new RangeSetBuilder<Decoration>();
        const sorted = effect.value.filter((m) => m.from < m.to).sort((a, b) => a.from - b.from || a.to - b.to);
        for (const mark of sorted) builder.add(mark.from, mark.to, Decoration.mark({ class: `why-mark why-${mark.kind}` }));
        return builder.finish();
      }
    }
    return transaction.docChanged ? value.map(transaction.changes) : value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** A clause folds from its first line to its last. */
const folding = foldService.of((state, from) => {
  const line = state.doc.lineAt(from);
  if (!/^\S.*(:-|-->)\s*$/.test(line.text)) return null;
  for (let number = line.number + 1; number <= Math.min(state.doc.lines, line.number + 400); number += 1) {
    const next = state.doc.line(number);
    if (/\.\s*(%.*)?$/.test(next.text)) return { from: line.to, to: next.to };
    if (/^\S/.test(next.text)) return null;
  }
  return null;
});

export interface EditorOptions {
  text: string;
  onChange: (text: string) => void;
  onSave: () => void;
  onFormat: () => void;
  complete: CompletionSource;
  hover: HoverTooltipSource;
}

export class RulesEditor {
  readonly view: EditorView;
  private quiet = false;

  constructor(parent: HTMLElement, options: EditorOptions) {
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        doc: options.text,
        extensions: [
          lineNumbers(),
          foldGutter(),
          lintGutter(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          indentUnit.of("    "),
          bracketMatching(),
          closeBrackets(),
          highlightSelectionMatches(),
          search({ top: true }),
          autocompletion({ override: [options.complete], icons: false }),
          hoverTooltip(options.hover),
          folding,
          prolog,
          syntaxHighlighting(classHighlighter),
          marks,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": "Rules of the game, Prolog", tabindex: "0" }),
          keymap.of([
            { key: "Mod-s", run: () => (options.onSave(), true), preventDefault: true },
            { key: "Shift-Alt-f", run: () => (options.onFormat(), true), preventDefault: true },
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...completionKeymap,
            ...lintKeymap,
          ]),
        ],
      }),
      // The change is told before it is drawn: Alphorn checks the text while the browser colours it.
      dispatchTransactions: (transactions, view) => {
        const last = transactions.at(-1);
        if (last && transactions.some((one) => one.docChanged) && !this.quiet) options.onChange(last.newDoc.toString());
        view.update(transactions);
      },
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Replaces the whole text without a call of `onChange`. Undo brings the old text back. */
  replace(text: string): void {
    this.quiet = true;
    const length = this.view.state.doc.length;
    this.view.dispatch({ changes: { from: 0, to: length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
    this.quiet = false;
  }

  /** Replaces the text as a person would: the change counts as typed. */
  change(text: string): void {
    const before = this.text;
    let from = 0;
    while (from < before.length && before[from] === text[from]) from += 1;
    let back = 0;
    while (back < before.length - from && back < text.length - from && before[before.length - 1 - back] === text[text.length - 1 - back]) back += 1;
    this.view.dispatch({ changes: { from, to: before.length - back, insert: text.slice(from, text.length - back) } });
  }

  show(problems: Problem[], name: string): void {
    const text = this.text;
    const offsets = new ByteOffsets(text);
    const own = problems.filter((problem) => problem.places[0]?.file === name);
    own.sort((a, b) => a.places[0].start - b.places[0].start);
    const diagnostics: Diagnostic[] = own.map((problem) => {
      const place = problem.places[0];
      const from = offsets.unit(place.start);
      const to = Math.max(from, Math.min(text.length, offsets.unit(place.end)));
      return {
        from,
        to: to === from ? Math.min(text.length, from + 1) : to,
        severity: problem.level === "error" ? "error" : problem.level === "warning" ? "warning" : "info",
        message: problem.message,
        renderMessage: () => describe(problem),
        actions: problem.edits.length > 0 ? [{ name: fixName(problem.edits), apply: () => this.fix(problem.edits) }] : [],
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  /** Carries out the edits of a diagnostic; their offsets are bytes of the present text. */
  fix(edits: Edit[]): void {
    const offsets = new ByteOffsets(this.text);
    const changes = [...edits].sort((a, b) => a.start - b.start).map((edit) => ({ from: offsets.unit(edit.start), to: offsets.unit(edit.end), insert: edit.text }));
    this.view.dispatch({ changes });
    this.view.focus();
  }

  /** Marks places of bytes, and scrolls to the first of them. */
  mark(places: { start: number; end: number; kind: string }[], scroll: boolean): void {
    const offsets = new ByteOffsets(this.text);
    const found = places.map((place) => ({ from: offsets.unit(place.start), to: offsets.unit(place.end), kind: place.kind }));
    const effects: StateEffect<unknown>[] = [setMarks.of(found)];
    if (scroll && found.length > 0) effects.push(EditorView.scrollIntoView(found[0].from, { y: "center" }));
    this.view.dispatch({ effects });
  }

  reveal(start: number): void {
    const anchor = new ByteOffsets(this.text).unit(start);
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }
}

export function fixName(edits: Edit[]): string {
  const text = edits[0].text.trim();
  if (edits.length > 1 || text.length > 40 || text.includes("\n")) return "Fix";
  return text === "" ? "Fix: remove" : `Fix: ${text}`;
}

function describe(problem: Problem): Node {
  const whole = document.createElement("div");
  const code = whole.appendChild(document.createElement("span"));
  code.className = "code";
  code.textContent = problem.code;
  whole.append(` ${problem.message}`);
  if (problem.help) {
    const help = whole.appendChild(document.createElement("div"));
    help.className = "help";
    help.textContent = `help: ${problem.help}`;
  }
  return whole;
}
