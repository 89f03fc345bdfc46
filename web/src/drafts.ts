// Texts that the browser keeps until they are saved, and texts that a link has put aside.

import { signal } from "@preact/signals";
import * as storage from "./storage";

export interface Draft {
  text: string;
  /** The version of the file that was changed; null for a text without a file. */
  version: string | null;
  name?: string;
  /** Whether the text differs from the example that was opened. Old drafts do not say it. */
  changed?: boolean;
}

const TAB = "own-text";
const ASIDE = "aside";
const MOST_ASIDE = 5;

/** The texts that are put aside, the last first. */
export const aside = signal<Draft[]>(storage.read<Draft[]>(ASIDE, []));
/** The text that the page offers to bring back. */
export const offered = signal<Draft | null>(null);

const key = (path: string | null) => `draft:${path ?? ""}`;

/** The draft of a file, or the last text without a file. */
export const read = (path: string | null) => storage.read<Draft | null>(key(path), null);

export function drop(path: string | null): void {
  storage.remove(key(path));
}

export function keep(path: string | null, draft: Draft): void {
  storage.write(key(path), draft);
  if (path === null) storage.write(TAB, draft, tab());
}

/** The last text without a file of this tab: a reload shows it again. */
export const own = () => storage.read<Draft | null>(TAB, null, tab());

function tab(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/** Keeps a text that another one replaces, and offers to bring it back. */
export function putAside(draft: Draft): void {
  const others = aside.value.filter((other) => other.text !== draft.text);
  aside.value = [draft, ...others].slice(0, MOST_ASIDE);
  storage.write(ASIDE, aside.value);
  offered.value = draft;
}

/** Removes a text from those that are put aside. */
export function take(draft: Draft): void {
  aside.value = aside.value.filter((other) => other.text !== draft.text);
  storage.write(ASIDE, aside.value);
  if (offered.value?.text === draft.text) offered.value = null;
}
