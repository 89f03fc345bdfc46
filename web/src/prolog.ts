// Colours for Prolog text: a tokeniser that reads a line at a time. It only colours; Alphorn itself parses.

import { StreamLanguage, type StringStream } from "@codemirror/language";
import { tags } from "@lezer/highlight";

interface State {
  comment: boolean;
  /** The quote of a text that goes on in the next line. */
  quote: string | null;
  /** Whether the next token begins a clause. */
  begin: boolean;
}

const GAME = new Set(
  "initial moves move max_to_move min_to_move terminal outcome static_eval chance show draw at position acyclic repetition expect param use_module include table advice".split(" "),
);
/** Words that also name terms, such as at(2, 3): only at the start of a clause they belong to the game. */
const TERMS = new Set("at position table move include".split(" "));
const WORDS = new Set("is mod rem rdiv div xor dynamic discontiguous initialization".split(" "));
const SYMBOLS = /[+\-*/\\^<>=~:.?@#&$]/;

function quoted(stream: StringStream, state: State, quote: string): string {
  let next: string | void;
  while ((next = stream.next())) {
    if (next === "\\") stream.next();
    else if (next === quote) {
      if (stream.peek() === quote) stream.next();
      else {
        state.quote = null;
        return quote === "'" ? "atom" : "string";
      }
    }
  }
  state.quote = quote;
  return quote === "'" ? "atom" : "string";
}

function comment(stream: StringStream, state: State): string {
  state.comment = !stream.skipTo("*/");
  if (state.comment) stream.skipToEnd();
  else stream.match("*/");
  return "comment";
}

function token(stream: StringStream, state: State): string | null {
  if (state.comment) return comment(stream, state);
  if (state.quote) return quoted(stream, state, state.quote);
  if (stream.eatSpace()) return null;
  if (stream.match("%")) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match("/*")) return comment(stream, state);
  const begin = state.begin;
  state.begin = false;
  if (stream.match(/^0'(\\.|''|[^'])/) || stream.match(/^0[xob][0-9a-fA-F]+/) || stream.match(/^\d[\d_]*(\.\d+)?([eE][+-]?\d+)?/)) return "number";
  if (stream.match(/^[_\p{Lu}][\p{L}\p{N}_]*/u)) return "variableName";
  if (stream.match(/^[\p{Ll}\p{Lo}][\p{L}\p{N}_]*/u)) {
    const word = stream.current();
    if (WORDS.has(word)) return "operatorKeyword";
    if (begin) return GAME.has(word) ? "gameKeyword" : "definition";
    return stream.peek() === "(" ? (GAME.has(word) && !TERMS.has(word) ? "gameKeyword" : "function") : "atom";
  }
  const next = stream.next()!;
  if (next === "'" || next === '"' || next === "`") return quoted(stream, state, next);
  if (next === "." && (stream.eol() || /[\s%]/.test(stream.peek()!))) {
    state.begin = true;
    return "punctuation";
  }
  if (SYMBOLS.test(next)) {
    stream.eatWhile(SYMBOLS);
    if (stream.current() === ":-" || stream.current() === "-->") state.begin = begin;
    return "operator";
  }
  if (next === "!") return "controlKeyword";
  return /[()[\]{}]/.test(next) ? "bracket" : "punctuation";
}

export const prolog = StreamLanguage.define<State>({
  name: "prolog",
  startState: () => ({ comment: false, quote: null, begin: true }),
  copyState: (state) => ({ ...state }),
  token,
  tokenTable: { definition: tags.definition(tags.variableName), function: tags.special(tags.variableName), gameKeyword: tags.keyword },
  languageData: { commentTokens: { line: "%", block: { open: "/*", close: "*/" } }, closeBrackets: { brackets: ["(", "[", "{", '"', "'"] } },
});
