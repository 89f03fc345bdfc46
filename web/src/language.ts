// Completion and hover: what Alphorn's tables know. A server without these requests is asked once only.

import { snippet, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import type { EditorView, Tooltip } from "@codemirror/view";
import { language } from "./document";
import { ByteOffsets, byteOf } from "./offsets";
import { RequestError } from "./protocol";
import * as s from "./state";

const refused = new Set<string>();

async function ask<T>(request: string, text: string, unit: number): Promise<T | null> {
  if (refused.has(request)) return null;
  try {
    return await language.send<T>({ request, texts: [{ name: s.textName.value, text }], offset: byteOf(text, unit) });
  } catch (error) {
    if (error instanceof RequestError && error.problem.code === "A0620") refused.add(request);
    return null;
  }
}

interface Item {
  label: string;
  kind: string;
  detail: string;
  about: string;
  /** Text with places to fill in, such as `${1:Name}`; `\` stands before `$`, `}` and `\` that are text. */
  snippet: string;
  /** A line to insert as well, such as a directive that loads a library. */
  also: { offset: number; text: string } | null;
}

export async function completeRules(context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\p{L}\p{N}_]+/u);
  if (!word && !context.explicit) return null;
  const text = context.state.doc.toString();
  const reply = await ask<{ start: number; end: number; items: Item[] }>("complete", text, context.pos);
  if (!reply || reply.items.length === 0) return null;
  const offsets = new ByteOffsets(text);
  const options: Completion[] = reply.items.map((item, rank) => ({
    label: item.label,
    detail: item.detail || undefined,
    info: item.about ? () => described(item.about) : undefined,
    boost: -Math.min(99, rank),
    apply: (view, completion, from, to) => insert(view, completion, item, from, to, text),
  }));
  return { from: offsets.unit(reply.start), to: offsets.unit(reply.end), options, validFor: /^[\p{L}\p{N}_]*$/u };
}

function insert(view: EditorView, completion: Completion, item: Item, from: number, to: number, text: string): void {
  let shift = 0;
  if (item.also) {
    const at = new ByteOffsets(text).unit(item.also.offset);
    view.dispatch({ changes: { from: at, insert: item.also.text } });
    if (at <= from) shift = item.also.text.length;
  }
  if (item.snippet.includes("${")) snippet(item.snippet)(view, completion, from + shift, to + shift);
  else {
    const plain = item.snippet.replace(/\\([$}\\])/g, "$1") || item.label;
    view.dispatch({ changes: { from: from + shift, to: to + shift, insert: plain }, selection: { anchor: from + shift + plain.length }, userEvent: "input.complete" });
  }
}

export async function hoverRules(view: EditorView, position: number): Promise<Tooltip | null> {
  const text = view.state.doc.toString();
  const reply = await ask<{ hover: { start: number; end: number; about: string } | null }>("hover", text, position);
  if (!reply?.hover) return null;
  const offsets = new ByteOffsets(text);
  const { start, end, about } = reply.hover;
  return { pos: offsets.unit(start), end: offsets.unit(end), above: true, create: () => ({ dom: described(about) }) };
}

/** Markdown as elements: paragraphs, blocks of code, code in a line, strong words. All of it is text. */
function described(markdown: string): HTMLElement {
  const whole = document.createElement("div");
  whole.className = "hover";
  for (const [i, part] of markdown.split(/^```.*$/m).entries()) {
    if (part.trim() === "") continue;
    if (i % 2 === 1) {
      whole.appendChild(document.createElement("pre")).textContent = part.replace(/^\n|\n$/g, "");
      continue;
    }
    for (const paragraph of part.trim().split(/\n\s*\n/)) {
      const made = whole.appendChild(document.createElement("p"));
      for (const piece of paragraph.split(/(`[^`]+`|\*\*[^*]+\*\*)/)) {
        const kind = /^`.+`$/.test(piece) ? "code" : /^\*\*.+\*\*$/.test(piece) ? "strong" : null;
        if (kind === null) made.append(piece);
        else made.appendChild(document.createElement(kind)).textContent = kind === "code" ? piece.slice(1, -1) : piece.slice(2, -2);
      }
    }
  }
  return whole;
}
