// The page: the rules on the left, the board in the middle, a panel of tabs on the right; on a phone one at a time.

import { effect } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import * as analysis from "./analysis";
import * as doc from "./document";
import { report } from "./game";
import { KEYS, TABS, listen } from "./keys";
import { AnalysisPanel } from "./panels/analysis";
import { BoardPanel } from "./panels/board";
import { GoalsPanel } from "./panels/goals";
import { Header, Notices } from "./panels/header";
import { RulesPanel } from "./panels/rules";
import { TreePanel } from "./panels/tree";
import { TunePanel } from "./panels/tune";
import { WhyPanel } from "./panels/why";
import { followAddress, fromAddress } from "./permalink";
import * as players from "./players";
import * as s from "./state";
import * as storage from "./storage";
import * as tune from "./tune";
import "./style.css";

function Tabs() {
  const choose = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const tabs = [...document.querySelectorAll<HTMLButtonElement>(".tabs [role=tab]")].filter((tab) => tab.offsetParent !== null);
    const here = tabs.findIndex((tab) => tab.dataset.tab === s.tab.value);
    const next = tabs[(here + step + tabs.length) % tabs.length];
    s.tab.value = next.dataset.tab as s.Tab;
    next.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Parts" onKeyDown={choose}>
      {TABS.map(({ id, name }) => (
        <button type="button" role="tab" key={id} data-tab={id} class={`tab-${id}`} id={`tab-${id}`} aria-selected={s.tab.value === id} aria-controls={`panel-${id}`} tabIndex={s.tab.value === id ? 0 : -1} onClick={() => (s.tab.value = id)}>
          {name}
        </button>
      ))}
    </div>
  );
}

function Part({ id, children }: { id: s.Tab; children: preact.ComponentChildren }) {
  return (
    <div class={`part part-${id} ${s.tab.value === id ? "here" : ""}`} data-panel={id} id={`panel-${id}`} role="tabpanel" aria-labelledby={`tab-${id}`}>
      {children}
    </div>
  );
}

let openHelp = () => {};

function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    openHelp = () => dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} aria-label="Keys" class="help-box">
      <h2>Keys</h2>
      <dl>
        {KEYS.map(([keys, what]) => (
          <div>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}

function Page() {
  return (
    <>
      <Header help={() => openHelp()} />
      <Notices />
      <main>
        <Part id="rules">
          <RulesPanel />
        </Part>
        <Part id="board">
          <div id="main-board" tabIndex={-1} />
          <BoardPanel />
        </Part>
        <div class="side">
          <Tabs />
          <Part id="analysis">
            <AnalysisPanel />
          </Part>
          <Part id="why">
            <WhyPanel />
          </Part>
          <Part id="tree">
            <TreePanel />
          </Part>
          <Part id="tune">
            <TunePanel />
          </Part>
          <Part id="goals">
            <GoalsPanel />
          </Part>
        </div>
      </main>
      <Help />
    </>
  );
}

s.theme.value = storage.read<s.Theme>("theme", "system");
effect(() => {
  const theme = s.theme.value;
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
});

if (matchMedia("(max-width: 900px)").matches) s.tab.value = "board";
analysis.depthLimit.value = fromAddress().depth;
render(<Page />, document.getElementById("app")!);
listen(() => openHelp());
doc
  .begin()
  .then(() => {
    followAddress(analysis.depthLimit);
    window.addEventListener("hashchange", () => {
      const link = fromAddress();
      analysis.depthLimit.value = link.depth;
      doc.follow(link).catch(report);
    });
  })
  .catch((error) => {
    report(error);
    doc.unreachable();
  });
analysis.follow();
players.follow();
tune.follow();
