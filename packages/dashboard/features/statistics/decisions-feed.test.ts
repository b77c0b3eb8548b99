import assert from "node:assert/strict";
import { test } from "node:test";
import type { ScoredRequestData } from "@stile/protocol/dashboard-statistics";
import { appendOlder, NO_FEED, receive, relabel, showWaiting } from "./decisions-feed.ts";

function decision(id: number): ScoredRequestData {
  return {
    decisionId: String(id),
    atMs: id,
    requestId: `request-${id}`,
    source: "widget",
    recommendation: "allow",
    outcome: "token",
    score: 0.05,
    contributions: [],
    action: null,
    host: null,
    device: "desktop",
    solveMs: 400,
    label: null,
  };
}

/** A page of the newest decisions, from `newest` down to `oldest`. */
function page(newest: number, oldest: number, hasMore = true) {
  const decisions = Array.from({ length: newest - oldest + 1 }, (_, at) => decision(newest - at));
  return { decisions, hasMore };
}

const ids = (decisions: readonly { decisionId: string }[]) =>
  decisions.map(({ decisionId }) => Number(decisionId));

test("shows the first answer at once", () => {
  const feed = receive(NO_FEED, page(3, 1, false));
  assert.deepEqual(ids(feed.shown), [3, 2, 1]);
  assert.deepEqual(feed.waiting, []);
});

test("lets new decisions wait without moving a row, and puts them on top on request", () => {
  const feed = receive(receive(NO_FEED, page(3, 1)), page(5, 3));
  assert.deepEqual(ids(feed.shown), [3, 2, 1]);
  assert.deepEqual(ids(feed.waiting), [5, 4]);
  const after = showWaiting(feed);
  assert.deepEqual(ids(after.shown), [5, 4, 3, 2, 1]);
  assert.deepEqual(after.waiting, []);
});

test("changes nothing for the same answer twice", () => {
  const feed = receive(receive(NO_FEED, page(3, 1)), page(5, 3));
  assert.deepEqual(receive(feed, page(5, 3)), feed);
});

test("starts the list from scratch if more came than one answer holds, so that no hole is hidden", () => {
  const feed = receive(receive(NO_FEED, page(3, 1)), page(90, 41));
  assert.equal(feed.hasGap, true);
  const after = showWaiting(feed);
  assert.deepEqual(ids(after.shown), ids(page(90, 41).decisions));
  assert.equal(after.hasMore, true);
});

test("adds older pages below, each decision once", () => {
  const feed = appendOlder(receive(NO_FEED, page(9, 6)), page(6, 4, false));
  assert.deepEqual(ids(feed.shown), [9, 8, 7, 6, 5, 4]);
  assert.equal(feed.hasMore, false);
  assert.equal(
    receive(feed, page(10, 7)).hasMore,
    false,
    "the newest page says nothing of the end of the list",
  );
});

test("shows a label at once, and the service's value afterwards", () => {
  const feed = relabel(receive(NO_FEED, page(2, 1)), "2", "bot");
  assert.deepEqual(feed.shown[0], { ...decision(2), label: "bot" });
  assert.deepEqual(receive(feed, page(2, 1)).shown[0], decision(2));
});
