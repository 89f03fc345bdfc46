// The line at the top: the file, examples, saving, the theme; and notices that need an answer.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import * as doc from "../document";
import * as drafts from "../drafts";
import { go } from "../keys";
import * as s from "../state";
import * as storage from "../storage";

interface Example {
  name: string;
  about: string;
}

export function Header({ help }: { help: () => void }) {
  const file = s.file.value;
  return (
    <header class="top">
      <a
        class="brand"
        href="#main-board"
        aria-label="Alphorn Studio, go to the board"
        onClick={(event) => {
          event.preventDefault();
          go("board");
        }}
      >
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="7" />
          <path d="M6 25h5c6 0 9-3 10-8l2-9" />
          <path d="M18.6 7.6l8.4 1.8" />
        </svg>
        <span>Alphorn</span>
      </a>
      <h1 class="file" title={file?.path ?? "not in a file"}>
        {s.textName.value}
        {s.dirty.value && <span class="dirty" title="not saved"> ●<span class="hidden"> not saved</span></span>}
      </h1>
      <span class="grow" />
      <Open />
      <button type="button" onClick={() => void doc.save()} title={file ? `Save ${file.path} (Ctrl+S)` : "Download the rules as a file (Ctrl+S)"}>
        {file ? "Save" : "Download"}
      </button>
      <button type="button" onClick={() => void copyLink()} title="Copy a link to this position">
        Link
      </button>
      <span class="theme">
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <circle cx="10" cy="10" r="7.5" />
          <path d="M10 2.5a7.5 7.5 0 0 1 0 15z" />
        </svg>
        <select
          aria-label="Colours"
          value={s.theme.value}
          onChange={(event) => {
            s.theme.value = event.currentTarget.value as s.Theme;
            storage.write("theme", s.theme.value);
          }}
        >
          <option value="system">System</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
      </span>
      <button type="button" class="keys-button" onClick={help} aria-label="Keys" title="Keys (?)">
        ?
      </button>
    </header>
  );
}

async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    s.say("The link is copied.");
  } catch {
    s.say("The address of the page is the link.");
  }
}

function Open() {
  const open = useSignal(false);
  const list = useSignal<Example[]>([]);
  const filter = useSignal("");
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open.value) return;
    if (list.value.length === 0) {
      doc.language.send<{ examples: Example[] }>({ request: "example" }).then((reply) => (list.value = reply.examples), () => {});
    }
    box.current?.querySelector("input")?.focus();
    const outside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) open.value = false;
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [open.value]);
  const choose = (action: () => void) => {
    open.value = false;
    if (s.dirty.value && !confirm("The text in the editor is not saved. Replace it? (Undo in the editor brings it back.)")) return;
    action();
  };
  const shown = list.value.filter((example) => `${example.name} ${example.about}`.toLowerCase().includes(filter.value.toLowerCase()));
  return (
    <div
      class="menu"
      ref={box}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          open.value = false;
          box.current?.querySelector("button")?.focus();
        }
      }}
    >
      <button type="button" aria-expanded={open.value} aria-haspopup="dialog" onClick={() => (open.value = !open.value)}>
        Games ▾
      </button>
      {open.value && (
        <div class="drop" role="dialog" aria-label="Games">
          <input type="search" placeholder="Search games" aria-label="Search games" value={filter.value} onInput={(event) => (filter.value = event.currentTarget.value)} />
          {s.home.value && (
            <button type="button" class="item" onClick={() => choose(() => void doc.reopen())}>
              <b>{s.home.value.name}</b> <span>the text on disk</span>
            </button>
          )}
          {s.home.value && doc.keptText() && (
            <button type="button" class="item" onClick={() => choose(() => void doc.openKept())}>
              <b>{doc.keptText()!.name ?? "game.pl"}</b> <span>the last text without a file</span>
            </button>
          )}
          {drafts.aside.value.map((draft) => (
            <button type="button" class="item" key={draft.text} onClick={() => choose(() => void doc.bringBack(draft))}>
              <b>{draft.name ?? "game.pl"}</b> <span>your text, put aside: {draft.text.split("\n", 1)[0].slice(0, 60)}</span>
            </button>
          ))}
          <button type="button" class="item" onClick={() => choose(() => void doc.openNew())}>
            <b>New game</b> <span>small rules to start from</span>
          </button>
          <div class="items">
            {shown.map((example) => (
              <button type="button" class="item" key={example.name} onClick={() => choose(() => void doc.openExample(example.name))}>
                <b>{example.name}</b> <span>{example.about}</span>
              </button>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

export function Notices() {
  const other = s.outside.value;
  const open = s.file.value;
  const offered = drafts.offered.value;
  return (
    <section class="notices" aria-label="Notices">
      {s.connection.value === "lost" && (
        <p class="notice bad" role="alert">
          There is no connection to Alphorn. Your text is kept in this browser; the page connects again by itself.
        </p>
      )}
      {s.connection.value === "refused" && (
        <p class="notice bad" role="alert">
          Alphorn was started again and has a new address: open the address that it printed. Your text is kept in this browser.
        </p>
      )}
      {offered && (
        <div class="notice" role="status">
          <p>The link has opened {s.textName.value}. Your own text {offered.name ?? "game.pl"} is kept.</p>
          <button type="button" onClick={() => void doc.bringBack(offered)}>
            Bring it back
          </button>
          <button type="button" class="quiet" onClick={() => (drafts.offered.value = null)}>
            Later (it is in the list of games)
          </button>
        </div>
      )}
      {other && open && (
        <div class="notice" role="alertdialog" aria-label="The file has changed">
          <p>
            {other.text === null ? `${open.name} was deleted on disk.` : `${open.name} was changed by another program, and your text is not saved.`}
          </p>
          <button type="button" onClick={() => void doc.settle("mine")}>
            Keep mine (write it to the file)
          </button>
          {other.text !== null && (
            <>
              <button type="button" onClick={() => void doc.settle("theirs")}>
                Take the file's text
              </button>
              <button type="button" class="quiet" onClick={() => doc.download(`mine-${open.name}`, s.currentText.value, "text/plain")}>
                Download mine
              </button>
            </>
          )}
          <button type="button" class="quiet" onClick={() => (s.outside.value = null)}>
            Later
          </button>
        </div>
      )}
    </section>
  );
}
