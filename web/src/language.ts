// Completion and hover: what Alphorn's tables know. A server without these requests is asked once only.

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { EditorView, Tooltip } from "@codemirror/view";
import { language } from "./document";
import { ByteOffsets, byteOf } from "./offsets";
import { RequestError } from "./protocol";
import * as s from "./state";

const refused = new Set<string>();

async function ask<T>(request: string, text: string, unit: number): Promise<T | null> {
  if (refused.has(request)) return null;
  try {
    return await language.send<T>({ request, name: s.textName.value, text, offset: byteOf(text, unit) });
  } catch (error) {
    if (error instanceof RequestError && error.problem.code === "A0620") refused.add(request);
    return null;
  }
}

interface CompleteReply {
  start: number;
  end: number;
  items: { label: string; insert?: string | null; kind?: string | null; detail?: string | null; doc?: string | null }[];
}

interface HoverReply {
  start: number;
  end: number;
  title: string | null;
  doc: string | null;
  clauses?: string[];
}

export async function completeRules(context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\p{L}\p{N}_]+/u);
  if (!word && !context.explicit) return null;
  const text = context.state.doc.toString();
  const reply = await ask<CompleteReply>("complete", text, context.pos);
  if (!reply || reply.items.length === 0) return null;
  const offsets = new ByteOffsets(text);
  const options: Completion[] = reply.items.map((item) => ({
    label: item.label,
    apply: item.insert ?? undefined,
    detail: item.detail ?? undefined,
    info: item.doc ?? undefined,
    type: item.kind ?? undefined,
  }));
  return { from: offsets.unit(reply.start), options, validFor: /^[\p{L}\p{N}_]*$/u };
}

export async function hoverRules(view: EditorView, position: number): Promise<Tooltip | null> {
  const text = view.state.doc.toString();
  const reply = await ask<HoverReply>("hover", text, position);
  if (!reply || (!reply.title && !reply.doc)) return null;
  const offsets = new ByteOffsets(text);
  const pos = offsets.unit(reply.start);
  return {
    pos,
    end: offsets.unit(reply.end),
    above: true,
    create() {
      const dom = document.createElement("div");
      dom.className = "hover";
      if (reply.title) dom.appendChild(document.createElement("code")).textContent = reply.title;
      if (reply.doc) dom.appendChild(document.createElement("p")).textContent = reply.doc;
      for (const clause of reply.clauses ?? []) dom.appendChild(document.createElement("pre")).textContent = clause;
      return { dom };
    },
  };
}
