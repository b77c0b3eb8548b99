import assert from "node:assert/strict";
import { test } from "node:test";
import { createChallengeTallies } from "@stile/stores/process/challenge-tallies";
import fc from "fast-check";
import type { DrawNames } from "../../ports/challenge/challenge-tallies.ts";
import { type Draw, type DrawRules, decideDraw } from "./decide-draw.ts";
import { pricedRate } from "./fair-share.ts";

const NOON_MS = Date.UTC(2026, 0, 15, 12, 0, 0);
const RULES: DrawRules = { total: 1000, network: 100, leastShare: 3 };

type Asker = Partial<DrawNames> & { readonly isKnown?: boolean; readonly atMs?: number };

/** An account whose clock stands still, unless a request gives its own time. */
function account(rules: Partial<DrawRules> = {}) {
  const tallies = createChallengeTallies({ maxOwners: 10, maxNetworks: 20_000, maxInner: 20_000 });
  const find = ({ isKnown: _, atMs = NOON_MS, ...names }: Asker) =>
    tallies.find(
      {
        accountId: "acc",
        siteKey: "site",
        provider: undefined,
        network: "net",
        inner: ["client", "agent"],
        ...names,
      },
      atMs,
    );
  const ask = (asker: Asker): Draw => {
    const path = find(asker);
    const known = { isKnown: asker.isKnown ?? false, nowMs: asker.atMs ?? NOON_MS };
    const draw = decideDraw(path, { ...RULES, ...rules }, known);
    tallies.count(path, draw);
    return draw;
  };
  const admitted = (count: number, askerOf: (i: number) => Asker): number =>
    Array.from({ length: count }, (_, i) => ask(askerOf(i))).filter(({ isAdmitted }) => isAdmitted)
      .length;
  const priceOf = (asker: Asker): number =>
    pricedRate(find(asker), asker.isKnown ?? false, asker.atMs ?? NOON_MS);
  return { ask, admitted, priceOf };
}

const inNetwork = (network: string, agent = "agent"): Asker => ({
  network,
  inner: ["client", agent],
});
const asAgent = (agent: string): Asker => inNetwork("net", agent);

test("a lone client gets exactly what one network may draw, in any 60 s, and learns when it may draw again (spec 8; D10, limits)", () => {
  const { ask, admitted } = account();
  assert.equal(
    admitted(150, () => ({ atMs: NOON_MS + 30_000 })),
    100,
  );
  assert.equal(ask({ atMs: NOON_MS + 30_000 }).limit.resetsInMs, 30_600);
  assert.equal(
    admitted(150, () => ({ atMs: NOON_MS + 90_000 })),
    50,
  );
});

test("a lone client never gets more than its limit in a minute, however small the limit and whenever it asks", () => {
  const seconds = fc.array(fc.integer({ min: 0, max: 59_999 }), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), seconds, seconds, (limit, first, second) => {
      const { admitted } = account({ network: limit });
      const minutes = [first, second].map((moments) => [...moments].sort((a, b) => a - b));
      for (const [minute, moments] of minutes.entries()) {
        const at = (i: number) => ({ atMs: NOON_MS + 60_000 * minute + (moments[i] ?? 0) });
        assert.ok(admitted(moments.length, at) <= limit);
      }
    }),
  );
});

test("a network over its limit affects neither others nor the account's other sites (D10, limits)", () => {
  const { admitted } = account();
  assert.equal(
    admitted(5000, () => ({})),
    100,
  );
  assert.equal(
    admitted(30, (i) => inNetwork(`honest ${i}`)),
    30,
  );
  assert.equal(
    admitted(30, (i) => ({ ...inNetwork(`honest ${i}`), siteKey: "other" })),
    30,
  );
});

test("thirty people behind one address are told apart from the one program among them, by their agents (D10, limits)", () => {
  const { admitted } = account();
  assert.equal(
    admitted(3000, () => asAgent("program")),
    100,
  );
  assert.equal(
    admitted(30, (i) => asAgent(`browser ${i % 7}`)),
    30,
  );
  assert.equal(
    admitted(100, () => asAgent("program")),
    0,
  );
});

test("one /56 of a /48 cannot use up the reserve of the other households, whatever addresses it takes (D10, limits)", () => {
  const { admitted } = account();
  assert.equal(
    admitted(1000, (i) => ({ inner: ["attacker's", `client ${i}`, "agent"] })),
    175,
  );
  assert.equal(
    admitted(3, () => ({ inner: ["neighbour's", "client", "agent"] })),
    0,
    "alone in the network, they had its whole reserve before the neighbour came",
  );
  const shared = account();
  shared.ask({ inner: ["neighbour's", "client", "agent"] });
  assert.equal(
    shared.admitted(1000, (i) => ({ inner: ["attacker's", `client ${i}`, "agent"] })),
    149,
  );
  assert.equal(
    shared.admitted(20, () => ({ inner: ["neighbour's", "client", "agent"] })),
    20,
  );
});

test("a client that polls while refused stays refused, and one that stops recovers (D10, limits)", () => {
  const { ask, admitted } = account();
  ask(asAgent("browser"));
  admitted(200, () => asAgent("program"));
  const later = { ...asAgent("program"), atMs: NOON_MS + 59_000 };
  assert.equal(ask(later).isAdmitted, false);
  assert.equal(ask({ ...asAgent("program"), atMs: NOON_MS + 180_000 }).isAdmitted, true);
});

test("once the account's total is used up, networks with few requests draw on its reserve, to its end (D10, limits)", () => {
  const { ask, admitted } = account({ total: 200 });
  assert.equal(
    admitted(300, (i) => inNetwork(`attacker ${i % 3}`)),
    200,
  );
  assert.equal(ask(inNetwork("attacker 0")).isAdmitted, false);
  assert.equal(
    admitted(200, (i) => inNetwork(`honest ${i}`)),
    150,
  );
});

test("a quarter of every reserve is for agents with recently redeemed tokens, if they ask for little (D10, limits)", () => {
  const { ask, admitted } = account({ total: 200 });
  admitted(2000, (i) => inNetwork(`fresh ${i}`));
  assert.equal(ask(inNetwork("stranger")).isAdmitted, false);
  assert.equal(
    admitted(60, (i) => ({ ...inNetwork(`regular ${i}`), isKnown: true })),
    50,
  );
  const behindOne = account();
  behindOne.admitted(3000, (i) => asAgent(`made up ${i}`));
  assert.equal(behindOne.ask(asAgent("browser")).isAdmitted, false);
  assert.equal(behindOne.ask({ ...asAgent("browser"), isKnown: true }).isAdmitted, true);
  const polling = Array.from({ length: 10 }, () =>
    behindOne.ask({ ...asAgent("browser"), isKnown: true }),
  );
  assert.ok(polling.slice(3).every(({ isAdmitted }) => !isAdmitted));
});

test("a flood on one site from everywhere leaves the other sites their share of the reserve (D10, limits)", () => {
  const { ask, admitted } = account({ total: 100 });
  ask({ ...inNetwork("somebody"), siteKey: "other" });
  assert.equal(
    admitted(2000, (i) => inNetwork(`attacker ${i}`)),
    149,
  );
  assert.equal(
    admitted(25, (i) => ({ ...inNetwork(`honest ${i}`), siteKey: "other" })),
    25,
  );
});

test("a client with a whole IPv6 /32 and another /48 for each request leaves the reserve to others (D10, limits)", () => {
  const { ask, admitted } = account({ total: 200 });
  for (let i = 0; i < 4; i++) ask({ ...inNetwork(`early ${i}`), provider: `provider ${i}` });
  assert.equal(
    admitted(5000, (i) => ({ ...inNetwork(`attacker ${i}`), provider: "attacker's" })),
    200 - 4 + 40,
  );
  assert.equal(
    admitted(30, (i) => ({ ...inNetwork(`honest ${i}`), provider: `provider ${i % 4}` })),
    30,
  );
  assert.equal(
    admitted(30, (i) => inNetwork(`IPv4 ${i}`)),
    30,
  );
});

test("a program that spreads over agents, addresses or households pays for all of them (D10, limits)", () => {
  const spreads: ((i: number) => readonly string[])[] = [
    (i) => ["client", `agent ${i}`],
    (i) => [`client ${i}`, "agent"],
    (i) => ["household", `client ${i}`, "agent"],
    (i) => [`household ${i}`, "client", "agent"],
    (i) => [`household ${i % 4}`, `client ${i % 16}`, `agent ${i}`],
  ];
  for (const [which, innerOf] of spreads.entries()) {
    const { admitted, priceOf } = account();
    admitted(96, (i) => ({ inner: innerOf(i) }));
    assert.equal(priceOf({ inner: innerOf(95) }), 96, `spread ${which}`);
  }
});

test("people next to a busy program pay only for themselves, and so does a known agent next to synthetic ones (D10, limits)", () => {
  const { admitted, priceOf } = account();
  admitted(3000, () => asAgent("program"));
  admitted(7, (i) => asAgent(`browser ${i}`));
  assert.equal(priceOf(asAgent("program")), 3007);
  assert.equal(priceOf(asAgent("browser 3")), 8);
  const rotated = account();
  rotated.admitted(3000, (i) => asAgent(`made up ${i}`));
  assert.equal(rotated.priceOf({ ...asAgent("browser"), isKnown: true }), 8);
  assert.equal(rotated.priceOf(asAgent("browser")), 3000);
});

test("a program known under many agents pays for eight times the requests of each (D10, limits)", () => {
  const { admitted, priceOf } = account();
  admitted(3000, (i) => ({ ...asAgent(`made up ${i % 64}`), isKnown: true }));
  const price = priceOf({ ...asAgent("made up 7"), isKnown: true });
  assert.ok(price >= 8 * 46 && price <= 8 * 48, `${price}`);
});
