// Cards as pieces of draw/2, and the dice and probabilities of chance outcomes.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, assert, open, ply, quiet, serve, until } from "./harness.mjs";
import { copyOf, folder } from "./write.mjs";

const WHIST = readFileSync(join(ROOT, "tests", "studio", "rules", "whist.pl"), "utf8");

/** A long hand, whose cards lie one over the other; each can be played. */
const SUIT = `:- use_module(library(alphorn)).
:- use_module(library(draw)).
initial(hand(max, Cards)) :- findall(N-Suit, (member(Suit, [spades, hearts]), between(2, 8, N)), Cards).
max_to_move(hand(max, _)).
move(hand(P, Cards), take(Card), hand(Q, Left)) :- select(Card, Cards, Left), other(P, Q).
other(max, min).
other(min, max).
no_moves(loss).
acyclic.
draw(hand(_, Cards), Items) :-
    findall((N-S)-card(N, S), member(N-S, Cards), Faces),
    draw_hand(0, 0, [back|Faces], Items).
`;

function written(name, text) {
  const path = join(folder(), name);
  writeFileSync(path, text);
  return path;
}

const targets = (page) => page.$$eval(".cell.target", (cells) => cells.map((cell) => cell.dataset.square).sort());

export const tests = {
  async "cards are drawn, clicked and played to the end"({ page: make, keep }) {
    const server = keep(await serve(written("whist.pl", WHIST)));
    const page = await make();
    await open(page, server.url);
    await quiet(page);
    assert((await page.$$(".cell .card .face")).length === 8, "both hands lie face up");
    const small = await page.$$eval(".cell .card", (cards) => cards.filter((card) => card.getBoundingClientRect().width < 20).length);
    assert(small === 0, "each card can be read");
    assert((await targets(page)).join(" ") === "3-diamonds 9-spades ace-spades queen-hearts", `MAX may play each card: ${await targets(page)}`);
    await page.click('[data-square="9-spades"]');
    await until(async () => (await ply(page)) === 1, "9-spades is played");
    assert((await page.$$('[data-square="led"] .suit-spades')).length === 1, "the card that was led lies in the middle");
    assert((await targets(page)).join(" ") === "king-spades", "MIN follows suit");
    await page.click('[data-square="jack-diamonds"]');
    assert((await page.textContent(".hint")).includes("no legal move"), "another suit is no move");
    await page.click('[data-square="king-spades"]');
    await until(async () => (await ply(page)) === 2, "king-spades takes the trick");
    assert((await page.$$('[data-square="tricks_of_min"] .back')).length === 1, "the trick lies face down");
    for (let n = 3; n <= 8; n += 1) {
      await page.locator(".cell.target").first().click();
      await until(async () => (await ply(page)) === n, `move ${n} is made by a click`);
    }
    await page.waitForSelector('.board-panel[data-over="true"]');
  },

  async "each card of a long hand is clicked where it is seen"({ page: make, keep }) {
    const server = keep(await serve(written("suit.pl", SUIT)));
    const page = await make();
    await open(page, server.url);
    await quiet(page);
    for (const name of ["2-spades", "8-spades", "5-hearts", "8-hearts"]) {
      const before = await ply(page);
      const box = await (await page.$(`[data-square="${name}"]`)).boundingBox();
      await page.mouse.click(box.x + box.width * 0.15, box.y + box.height * 0.2);
      await until(async () => (await ply(page)) === before + 1, `${name} is played`);
      assert((await page.$(`[data-square="${name}"]`)) === null, `${name} is gone`);
    }
  },

  async "chance outcomes show dice and their probability"({ page: make, keep }) {
    const server = keep(await serve(copyOf("short_backgammon")));
    const page = await make();
    await open(page, server.url);
    await quiet(page);
    await page.getByLabel("Throw by hand").check();
    await page.getByRole("button", { name: "New", exact: true }).click();
    await until(async () => (await ply(page)) === 0 && (await page.textContent(".legal summary")).includes("outcomes"), "the outcomes are listed");
    const outcomes = await page.$$eval(".move-list .move", (list) => list.map((one) => [[...one.querySelectorAll(".die")].map((die) => die.getAttribute("aria-label")).join(), one.querySelector(".value").textContent].join(" ")));
    assert(outcomes[0] === "die: 1,die: 1 11%" && outcomes[1] === "die: 2,die: 1 22%", `outcomes: ${outcomes}`);
    await page.locator(".move-list .move").nth(1).click();
    await until(async () => (await ply(page)) === 1, "the outcome is chosen");
    const thrown = await page.$$eval(".beside .die", (dice) => dice.map((die) => die.getAttribute("aria-label")).join());
    assert(thrown === "die: 2,die: 1", `the board shows the dice: ${thrown}`);
    assert((await page.textContent(".game-moves .now")).includes("2-1"), "the list of moves names the dice");
  },
};
