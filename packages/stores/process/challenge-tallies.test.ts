import assert from "node:assert/strict";
import { test } from "node:test";
import type { Draw } from "@stile/core/domain/challenge/decide-draw";
import { createChallengeTallies } from "./challenge-tallies.ts";

const T0 = Date.UTC(2026, 0, 15, 12, 0, 0);
const LIMIT = { isAdmitted: true, perMinute: 1, remaining: 0, resetsInMs: 0 };
const DRAW: Draw = { isAdmitted: true, account: "budget", network: "budget", limit: LIMIT };

function tallies(bounds = {}) {
  const held = createChallengeTallies({
    maxOwners: 100,
    maxNetworks: 100,
    maxInner: 100,
    ...bounds,
  });
  const find = (network: string, nowMs = T0, inner = ["client", "agent"], siteKey = "site") =>
    held.find({ accountId: "acc", siteKey, provider: "provider", network, inner }, nowMs);
  const ask = (network: string, draw: Partial<Draw> = {}, ...more: [number?, string[]?, string?]) =>
    held.count(find(network, ...more), { ...DRAW, ...draw });
  return { find, ask, held };
}

test("counts a request at every level, and which budget it drew from (D10, limits)", () => {
  const { find, ask } = tallies();
  ask("net");
  ask("net", { network: "reserve" });
  ask("net", { account: "reserve" });
  ask("net", { isAdmitted: false, network: "reserve", account: "closed" });
  const { account, sites, site, provider, network, inner } = find("net");
  assert.deepEqual(
    [account.asked, site.asked, network.asked, inner[0]?.asked, inner[1]?.asked],
    [4, 4, 4, 4, 4],
  );
  assert.deepEqual(
    [account.drawn, account.reserved, network.drawn, network.reserved],
    [2, 1, 2, 1],
  );
  assert.deepEqual([site.helped, network.helped, inner[0]?.helped, inner[1]?.helped], [1, 1, 2, 2]);
  assert.deepEqual([provider?.asked, provider?.helped, provider?.children], [4, 1, 1]);
  assert.deepEqual(
    [sites.children, account.children, network.children, inner[0]?.children],
    [1, 1, 1, 1],
  );
});

test("counts each agent of a client once, in the minute of its last request (D10, limits)", () => {
  const { find, ask } = tallies();
  for (const agent of ["a", "b", "c", "a"]) ask("net", {}, T0, ["client", agent]);
  ask("net", {}, T0 + 60_000, ["client", "b"]);
  const client = find("net", T0 + 60_000, ["client"]).inner[0];
  assert.deepEqual([client?.children, client?.childrenBefore], [1, 2]);
});

test("remembers only the previous minute, and grants no second budget if the clock goes back (D10, limits)", () => {
  const { find, ask } = tallies();
  for (let i = 0; i < 4; i++) ask("net");
  assert.deepEqual(
    [find("net", T0 + 60_000).network.drawn, find("net", T0 + 60_000).network.drawnBefore],
    [0, 4],
  );
  assert.equal(find("net", T0 + 59_999).network.drawnBefore, 4);
  assert.equal(find("net", T0 + 180_000).network.drawnBefore, 0);
  const other = tallies();
  other.ask("net", {}, T0);
  assert.equal(other.find("net", T0 - 1).network.drawn, 1);
  assert.equal(other.find("net", T0 - 60_001).network.drawn, 0);
});

test("keeps memory bounded under 200,000 addresses: forgets those that asked longest ago", () => {
  const { find, ask } = tallies({ maxNetworks: 1000, maxInner: 2000 });
  for (let i = 0; i < 200_000; i++) ask(`net ${i}`, {}, T0, [`client ${i}`, `agent ${i}`]);
  const remembered = { networks: 0, inner: 0 };
  for (let i = 0; i < 200_000; i++) {
    const { network, inner } = find(`net ${i}`, T0, [`client ${i}`]);
    remembered.networks += network.asked;
    remembered.inner += inner[0]?.asked ?? 0;
  }
  assert.ok(remembered.networks <= 2000 && remembered.inner <= 4000, JSON.stringify(remembered));
  assert.equal(find("net", T0).account.asked, 200_000);
});

test("keeps a network at its limit during a flood while it asks; invented agents evict no network", () => {
  const { find, ask } = tallies({ maxNetworks: 1000, maxInner: 100 });
  for (let i = 0; i < 100; i++) ask("busy");
  for (let i = 0; i < 50_000; i++) {
    ask(`net ${i}`, {}, T0, []);
    if (i % 900 === 0) ask("busy", { isAdmitted: false });
  }
  assert.equal(find("busy").network.drawn, 100);
  for (let i = 0; i < 50_000; i++) ask("made up", {}, T0, ["client", `agent ${i}`]);
  assert.equal(find("busy").network.drawn, 100);
});

test("counts a request only in its own account, site and network", () => {
  const { find, ask, held } = tallies();
  for (let i = 0; i < 9; i++) ask("net");
  const other = held.find(
    {
      accountId: "acc 2",
      siteKey: "site 2",
      provider: undefined,
      network: "net",
      inner: ["client", "agent"],
    },
    T0,
  );
  for (const tally of [other.account, other.site, other.network, ...other.inner])
    assert.equal(tally.asked, 0);
  for (const tally of [find("net 2").network, ...find("net 2").inner]) assert.equal(tally.asked, 0);
});
