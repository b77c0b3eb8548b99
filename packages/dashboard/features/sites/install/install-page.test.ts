import assert from "node:assert/strict";
import { test } from "node:test";
import type { InstallData } from "@stile/protocol/dashboard-statistics";
import { drawn, renderPage } from "@stile/testkit/page/render-page";
import { h } from "preact";

const { Steps } = await import("./install-page.tsx");

const HOUR = 3_600_000;
const now = Date.now();
const UNSEEN: InstallData = {
  lastChallengeAtMs: null,
  lastTokenAtMs: null,
  lastVerifiedAtMs: null,
  refusedHosts: [],
  lastRefusal: null,
  nowMs: now,
};
const steps = (seen: Partial<InstallData>) => {
  const markup = renderPage(h(Steps, { install: { ...UNSEEN, ...seen } }));
  return {
    items: drawn(markup, "li").map(({ text }) => text),
    all: drawn(markup, "p").at(-1)?.text,
  };
};

test("says for each step of the integration whether it was seen, or what to do", () => {
  const { items, all } = steps({ lastChallengeAtMs: now - HOUR });
  assert.equal(items[0], "A challenge was issued Seen 1 hour ago");
  assert.match(
    items[1] ?? "",
    /^The challenge was solved and a token issued Not seen yet Wait a moment/,
  );
  assert.match(items[2] ?? "", /^Your server verified the token Not seen yet Submit the form\./);
  assert.equal(all, "");
});

test("calls the integration complete only when all three steps were seen", () => {
  const [lastChallengeAtMs, lastTokenAtMs, lastVerifiedAtMs] = [now, now, now];
  assert.equal(steps({ lastChallengeAtMs, lastTokenAtMs }).all, "");
  assert.equal(
    steps({ lastChallengeAtMs, lastTokenAtMs, lastVerifiedAtMs }).all,
    "All three steps work.",
  );
});
