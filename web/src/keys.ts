// Keys that work outside of texts and lists.

import * as analysis from "./analysis";
import { jump, newGame } from "./game";
import { moveNow } from "./players";
import * as s from "./state";

export const TABS: { id: s.Tab; name: string }[] = [
  { id: "rules", name: "Rules" },
  { id: "board", name: "Board" },
  { id: "analysis", name: "Analysis" },
  { id: "why", name: "Why" },
  { id: "tree", name: "Tree" },
  { id: "tune", name: "Sliders" },
  { id: "goals", name: "Goals" },
];

export const KEYS: [string, string][] = [
  ["←  →", "back, forward one move"],
  ["Home  End", "start of the game, last move"],
  ["Space", "analysis on or off"],
  ["G", "the program moves"],
  ["F", "turn the board"],
  ["N", "new game"],
  ["1 … 7", "rules, board, analysis, why, tree, sliders, goals"],
  ["Ctrl+S", "save"],
  ["Ctrl+Space", "complete a word in the rules"],
  ["Shift+Alt+F", "format the rules"],
  ["F8", "next problem in the rules"],
  ["Arrow keys, Enter", "on the board: choose squares"],
  ["Arrow keys", "in the tree: open, close, step"],
  ["?", "this list"],
];

const narrow = matchMedia("(max-width: 900px)");

/** Shows a panel. In a wide window the rules and the board are always there. */
export function go(tab: s.Tab): void {
  if (narrow.matches || (tab !== "rules" && tab !== "board")) s.tab.value = tab;
  requestAnimationFrame(() => {
    const panel = document.querySelector<HTMLElement>(`[data-panel="${tab}"]`);
    panel?.querySelector<HTMLElement>(tab === "rules" ? ".cm-content" : tab === "board" ? '[tabindex="0"]' : "input, textarea, button, [tabindex='0']")?.focus();
  });
}

export function listen(help: () => void): void {
  narrow.addEventListener("change", () => {
    if (!narrow.matches && (s.tab.value === "rules" || s.tab.value === "board")) s.tab.value = "analysis";
  });
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "s") event.preventDefault();
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (target.closest("input, textarea, select, .cm-editor, [contenteditable]")) return;
    const onButton = target.closest("button, summary, a, [role=button]") !== null;
    const key = event.key;
    if (key === "ArrowLeft") jump(s.at.value - 1);
    else if (key === "ArrowRight") jump(s.at.value + 1);
    else if (key === "Home") jump(0);
    else if (key === "End") jump(s.line.value.length);
    else if (key === " " && !onButton) analysis.on.value = !analysis.on.value;
    else if (key === "g") void moveNow();
    else if (key === "f") s.flipped.value = !s.flipped.value;
    else if (key === "n") void newGame();
    else if (key === "?") help();
    else if (/^[1-7]$/.test(key)) go(TABS[Number(key) - 1].id);
    else return;
    event.preventDefault();
  });
}
