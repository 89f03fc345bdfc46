// Decides whether a file *.pl is rules of Alphorn, Perl, or another Prolog program.

/** The values of the setting `alphorn.associate`. */
export type Association = "games" | "all" | "none";

/** The part of a text that decides, in characters. */
const LOOKED_AT = 64 * 1024;

const LIBRARY = /^\s*:-\s*(?:use_module|ensure_loaded)\s*\(\s*library\s*\(\s*alphorn\s*\)/m;
/** Alphorn in a comment, or the game of an overlay: `% overlay of nim.pl`. */
const FIRST_LINE = /^\s*(?:(?:%|\/\*).*\balphorn\b|%[%!]*\s*overlay\s+of\s+\S)/i;

/** Whether a clause of this predicate begins a line. */
function defines(text: string, name: string): boolean {
  return new RegExp(`^${name}\\s*\\(`, "m").test(text);
}

/**
 * Whether a text looks like rules of a game: it loads library(alphorn), names Alphorn or the game of an overlay in
 * its first line, or defines the predicates that every game needs.
 */
export function looksLikeRules(whole: string): boolean {
  const text = whole.slice(0, LOOKED_AT).replace(/^\uFEFF/, "");
  const firstLine = text.slice(0, text.search(/\r?\n|$/));
  if (FIRST_LINE.test(firstLine) || LIBRARY.test(text)) {
    return true;
  }
  const moves = defines(text, "moves") || defines(text, "move");
  const toMove = defines(text, "max_to_move") || defines(text, "min_to_move");
  return defines(text, "initial") && moves && toMove;
}

/** Whether a document becomes a document of Alphorn. */
export function isRules(setting: Association, path: string, languageId: string, text: string): boolean {
  if (!path.toLowerCase().endsWith(".pl") || !["perl", "prolog", "plaintext"].includes(languageId)) {
    return false;
  }
  switch (setting) {
    case "all":
      return true;
    case "none":
      return false;
    case "games":
      return looksLikeRules(text);
  }
}
