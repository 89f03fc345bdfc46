// The text of the rules: opened, checked as it is typed, kept in the browser, saved, and reloaded when the file changes.

import { batch, effect } from "@preact/signals";
import type { RulesEditor } from "./editor";
import { board, load, report } from "./game";
import { fromAddress, type Link } from "./permalink";
import { ConnectionLost, RequestError, type Problem, type Reply } from "./protocol";
import * as s from "./state";
import { reasoner } from "./reasoner";
import { Workspace, paramFields } from "./workspace";
import * as drafts from "./drafts";
import type { Draft } from "./drafts";

const KEEP_AFTER_MS = 40;
const LOAD_AFTER_MS = 200;
/** The code of the diagnostic for a parameter that the rules do not have. */
const NO_PARAMETER = "A0211";

/** The socket for texts: checks, completion, the file. */
export const language = new Workspace();
let editor: RulesEditor | null = null;
let asked = 0;
let checking = false;
let again = false;
let keepTimer = 0;
let loadTimer = 0;
let begun = false;

interface FileReply {
  file: { name: string; path: string; text: string; version: string } | null;
  with: string[];
  table: string | null;
  params: Record<string, unknown>;
  example: string | null;
}

export function attach(made: RulesEditor): void {
  editor = made;
  editor.replace(s.currentText.value);
  editor.show(s.problems.value, s.textName.value);
}

/** Asks the server for its file, and puts a kept draft in its place if there is one. */
export async function begin(): Promise<void> {
  const link = fromAddress();
  const reply = await language.send<FileReply>({ request: "file" });
  s.connection.value = "open";
  const given = Object.fromEntries(Object.entries(reply.params ?? {}).map(([name, value]) => [name, String(value)]));
  batch(() => {
    s.overlays.value = reply.with ?? [];
    s.table.value = reply.table ?? null;
  });
  if (reply.file) {
    const { name, path, version } = reply.file;
    s.home.value = { name, path, version };
  }
  const linked = link.example !== null && (await openLinked(link.example));
  if (!linked) await openUsual(reply);
  begun = true;
  s.changed.value = { ...(linked ? {} : given), ...link.params };
  await check();
  if (!errors().length) await loadNow(link);
}

/** The server's file with the draft of it, or else the last text without a file, or else an example. */
async function openUsual(reply: FileReply): Promise<void> {
  if (!reply.file) {
    const draft = drafts.own() ?? drafts.read(null);
    if (draft) takeDraft(draft);
    else await openExample(reply.example ?? "tictactoe", false);
    return;
  }
  const { name, path, text, version } = reply.file;
  s.file.value = { name, path, version };
  s.textName.value = name;
  const draft = drafts.read(path);
  s.savedText.value = text;
  if (draft && draft.text !== text) {
    setText(draft.text);
    if (draft.version !== version) s.outside.value = { version, text };
    else s.say("Your unsaved text is back.");
  } else setText(text);
}

function takeDraft(draft: Draft): void {
  s.savedText.value = draft.changed === false ? draft.text : "";
  s.textName.value = draft.name ?? "game.pl";
  setText(draft.text);
}

/** Whether the page begins with a reload: its address is then no link that somebody has followed. */
const isReload = () => !begun && (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming | undefined)?.type !== "navigate";

/**
 * Opens the game that the address names. A text of an earlier visit is put aside; only a reload shows the text of this tab
 * again. Returns false if there is no such game.
 */
async function openLinked(name: string): Promise<boolean> {
  const own = drafts.own();
  if (own?.name === `${name}.pl` && isReload()) {
    takeDraft(own);
    return true;
  }
  const draft = own ?? drafts.read(null);
  let text: string;
  try {
    ({ text } = await language.send<{ text: string }>({ request: "example", name }));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (draft?.name === `${name}.pl`) {
      takeDraft(draft);
      return true;
    }
    s.say(`The address names a game that Alphorn does not have: ${name}.`);
    return false;
  }
  if (draft && draft.changed !== false && draft.text !== text) drafts.putAside(draft);
  openText(`${name}.pl`, text);
  return true;
}

/** Follows an address that was changed by hand, or that a link of this page has set. */
export async function follow(link: Link): Promise<void> {
  if (link.example !== null && `${link.example}.pl` !== s.textName.value) {
    if (!s.file.value) keepDraft();
    if (!(await openLinked(link.example))) return;
    s.changed.value = link.params;
    await check();
  } else {
    if (link.example === null && s.home.value && !s.file.value) await reopen();
    s.changed.value = link.params;
  }
  await loadNow(link);
}

/** Brings a text back that was put aside. The text that it replaces is put aside if it was changed. */
export async function bringBack(draft: Draft): Promise<void> {
  if (!s.file.value && s.dirty.value) drafts.putAside({ text: s.currentText.value, version: null, name: s.textName.value });
  drafts.take(draft);
  drafts.offered.value = null;
  openText(draft.name ?? "game.pl", draft.text, "");
  await check();
  await loadNow({ moves: [] });
}

/** Puts a text into the editor, as if it had been opened. */
export function setText(text: string): void {
  s.currentText.value = text;
  editor?.replace(text);
}

export async function openExample(name: string, thenLoad = true): Promise<void> {
  const reply = await language.send<{ name: string; text: string }>({ request: "example", name });
  openText(`${name}.pl`, reply.text);
  if (thenLoad) {
    await check();
    await loadNow({ moves: [] });
  }
}

/** A text that is not the server's file: saving it downloads it, and never writes the file. `saved` is what was saved of it. */
export function openText(name: string, text: string, saved = text): void {
  batch(() => {
    s.file.value = null;
    s.outside.value = null;
    s.textName.value = name;
    s.savedText.value = saved;
    s.changed.value = {};
    s.line.value = [];
    s.at.value = 0;
    s.start.value = {};
  });
  setText(text);
  keepDraft();
}

/** Small rules to start from, as `alphorn new` writes them. */
export async function openNew(): Promise<void> {
  const reply = await language.send<{ text: string }>({ request: "template", name: "mygame" });
  openText("mygame.pl", reply.text);
  await check();
  await loadNow({ moves: [] });
}

/** The text of the server's file, in place of the text in the editor. */
export async function reopen(): Promise<void> {
  const reply = await language.send<FileReply>({ request: "file" });
  if (!reply.file) return;
  const { name, path, version, text } = reply.file;
  batch(() => {
    s.file.value = { name, path, version };
    s.home.value = s.file.value;
    s.outside.value = null;
    s.textName.value = name;
    s.changed.value = {};
    s.line.value = [];
    s.at.value = 0;
    s.start.value = {};
  });
  await takeFile(text);
}

/** The last text without a file that the browser keeps. */
export const keptText = () => drafts.read(null);

export async function openKept(): Promise<void> {
  const draft = keptText();
  if (!draft) return;
  openText(draft.name ?? "game.pl", draft.text, "");
  await check();
  await loadNow({ moves: [] });
}

/** Formats the text as `alphorn fmt` does. */
export async function format(): Promise<void> {
  const before = s.currentText.value;
  try {
    const reply = await language.send<{ text: string }>({ request: "format", text: before });
    if (before !== s.currentText.value || reply.text === before) return;
    editor?.change(reply.text);
  } catch (error) {
    report(error);
  }
}

/** Plays a few random games with the rules: some mistakes show only in a game. */
async function playCheck(): Promise<void> {
  const text = s.currentText.value;
  try {
    const reply = await reasoner.send<{ files: { problems: Problem[] }[] }>({
      request: "check",
      texts: [{ name: s.textName.value, text }],
      with: s.overlays.value,
      params: paramFields(s.changed.value),
      time: 1,
    });
    if (text !== s.currentText.value) return;
    const known = new Set(s.problems.value.map((problem) => problem.message));
    s.playProblems.value = reply.files.flatMap((checked) => checked.problems).filter((problem) => !known.has(problem.message));
    editor?.show([...s.problems.value, ...s.playProblems.value], s.textName.value);
  } catch {
    // The check was stopped for a question of the reader; the next change of the text starts it again.
  }
}

function keepDraft(): void {
  const open = s.file.value;
  if (open && !s.dirty.value) drafts.drop(open.path);
  else drafts.keep(open?.path ?? null, { text: s.currentText.value, version: open?.version ?? null, name: s.textName.value, changed: s.dirty.value });
}

/**
 * Called for each change in the editor. The check begins at once, so Alphorn checks while the browser paints. While a
 * check runs the next one waits, so a long text is not checked too often.
 */
export function edited(text: string): void {
  s.currentText.value = text;
  asked = performance.now();
  clearTimeout(keepTimer);
  void check();
  keepTimer = window.setTimeout(keepDraft, KEEP_AFTER_MS);
}

export function errors(): Problem[] {
  return s.problems.value.filter((problem) => problem.level === "error");
}

export async function check(): Promise<void> {
  if (checking) {
    again = true;
    return;
  }
  checking = true;
  const text = s.currentText.value;
  const begun = performance.now();
  clearTimeout(loadTimer);
  try {
    const reply = await language.send<{ files: { problems: Problem[] }[] }>({
      request: "check",
      texts: [{ name: s.textName.value, text }],
      with: s.overlays.value,
      params: paramFields(s.changed.value),
      playouts: 0,
    });
    showProblems(reply.files.flatMap((checked) => checked.problems));
  } catch (error) {
    if (error instanceof RequestError) showProblems(error.problems);
    else if (!(error instanceof ConnectionLost)) report(error);
  }
  checking = false;
  s.checkMs.value = performance.now() - Math.max(begun, asked);
  document.documentElement.dataset.checked = String(Number(document.documentElement.dataset.checked ?? 0) + 1);
  if (s.problems.value.some((problem) => problem.code === NO_PARAMETER) && Object.keys(s.changed.value).length > 0) {
    // The address or the sliders set a parameter that these rules do not have.
    s.changed.value = {};
    again = true;
  }
  if (again) {
    again = false;
    await check();
  } else if (!errors().length && text !== s.rules.value?.text) {
    loadTimer = window.setTimeout(() => void loadNow({}), LOAD_AFTER_MS);
  }
}

function showProblems(found: Problem[]): void {
  s.playProblems.value = [];
  s.problems.value = found;
  editor?.show(found, s.textName.value);
}

/** Loads the text of the editor on the board. */
export function loadNow(wanted: Parameters<typeof load>[1]): Promise<boolean | null> {
  clearTimeout(loadTimer);
  board.stop();
  return load({ name: s.textName.value, text: s.currentText.value, with: s.overlays.value, params: s.changed.value }, wanted).then((done) => {
    if (done) void playCheck();
    return done;
  });
}

let paramTimer = 0;
export function setParam(name: string, value: string): void {
  s.changed.value = { ...s.changed.value, [name]: value };
  clearTimeout(paramTimer);
  paramTimer = window.setTimeout(() => void loadNow({}), 60);
}

export function resetParams(): void {
  s.changed.value = {};
  void loadNow({});
}

/** Saves the text; a file that has changed on disk is not overwritten, but asked about. */
export async function save(): Promise<void> {
  const open = s.file.value;
  if (!open) {
    download(s.textName.value, s.currentText.value, "text/plain");
    return;
  }
  const text = s.currentText.value;
  try {
    const reply = await language.send<{ saved: boolean; version: string; text?: string | null }>({ request: "save", text, version: open.version });
    if (reply.saved) {
      batch(() => {
        s.file.value = { ...open, version: reply.version };
        s.savedText.value = text;
        s.outside.value = null;
      });
      keepDraft();
      s.say(`Saved ${open.path}.`);
    } else s.outside.value = { version: reply.version, text: reply.text ?? null };
  } catch (error) {
    if (error instanceof ConnectionLost) s.say("Not saved: there is no connection. The browser keeps your text.");
    else report(error);
  }
}

/** The answer to a conflict: the text on disk, or the text of the editor over it. */
export async function settle(take: "mine" | "theirs"): Promise<void> {
  const other = s.outside.value;
  const open = s.file.value;
  if (!other || !open) return;
  s.file.value = { ...open, version: other.version };
  s.outside.value = null;
  if (take === "mine") await save();
  else if (other.text !== null) await takeFile(other.text);
}

async function takeFile(text: string): Promise<void> {
  s.savedText.value = text;
  setText(text);
  keepDraft();
  await check();
  if (!errors().length) await loadNow({});
}

function changedOutside(event: Reply): void {
  const open = s.file.value;
  if (!open || event.event !== "file-changed") return;
  const version = String(event.version);
  const text = event.text as string | null;
  if (version === open.version) return;
  if (text !== null && text === s.currentText.value) {
    s.file.value = { ...open, version };
    s.savedText.value = text;
    keepDraft();
  } else if (text !== null && !s.dirty.value) {
    s.file.value = { ...open, version };
    void takeFile(text);
    s.say(`${open.name} changed on disk; it is loaded again.`);
  } else s.outside.value = { version, text };
}

/** Tries to reach the server again. A server with another token answers 403. */
async function reconnect(): Promise<void> {
  try {
    const reply = await language.send<FileReply>({ request: "file" });
    s.connection.value = "open";
    if (reply.file) changedOutside({ event: "file-changed", ...reply.file });
    await check();
    if (!errors().length) await loadNow({});
  } catch {
    const answer = await fetch("./icon.svg", { cache: "no-store" }).catch(() => null);
    s.connection.value = answer && answer.status === 403 ? "refused" : "lost";
    window.setTimeout(() => void reconnect(), 1000);
  }
}

/** The first connection failed. */
export function unreachable(): void {
  void reconnect();
}

language.connection.onPush = changedOutside;
language.connection.onClose = () => {
  if (s.connection.value === "open") {
    s.connection.value = "lost";
    window.setTimeout(() => void reconnect(), 300);
  }
};

export function download(name: string, text: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function showPlace(start: number): void {
  s.tab.value = matchMedia("(max-width: 900px)").matches ? "rules" : s.tab.value;
  requestAnimationFrame(() => editor?.reveal(start));
}

export function markPlaces(places: { start: number; end: number; kind: string }[], scroll = true): void {
  editor?.mark(places, scroll);
}

export function fix(problem: Problem): void {
  editor?.fix(problem.edits);
}

effect(() => {
  document.title = `${s.dirty.value && s.file.value ? "● " : ""}${s.textName.value} – Alphorn Studio`;
});
