import assert from "node:assert/strict";
import { test } from "node:test";
import { CHALLENGE_BYTES } from "@stile/pow/challenge";
import {
  createWorld,
  NOON_MS,
  referenceTo,
  VISITOR_AGENT,
  VISITOR_IP,
  type World,
} from "@stile/testkit/world/world";
import { parseIpAddress } from "../../domain/visitor/ip-address.ts";
import type { Visitor } from "../../domain/visitor/visitor.ts";
import { bindChallenge, openChallenge } from "../../services/challenge/sign-challenge.ts";
import { browserScope } from "../../services/visitor/browser-scope.ts";
import { networkName } from "../../services/visitor/visitor-digests.ts";
import { deleteSite } from "../site/delete-site.ts";
import { updateSite } from "../site/update-site.ts";
import { type ChallengeAnswer, issueChallenge } from "./issue-challenge.ts";

const BUDGET = 100;

async function shop(change = {}) {
  const world = await createWorld();
  const { site } = await world.createSite(change);
  return { world, site, siteKey: site.siteKey, reference: referenceTo(site) };
}

type Asking = {
  host?: string | undefined;
  ip?: string;
  userAgent?: string;
  language?: string;
  bindingAddress?: undefined;
};

function visitorOf(change: Asking): Visitor {
  const { ip = VISITOR_IP, userAgent = VISITOR_AGENT, language = "de" } = change;
  const address = parseIpAddress(ip);
  const bindingAddress = "bindingAddress" in change ? undefined : address;
  return {
    address,
    bindingAddress,
    country: undefined,
    userAgent,
    riskHeaders: { "accept-language": language },
  };
}

function ask(world: World, siteKey: string, change: Asking = {}) {
  return issueChallenge(world.node, {
    requestId: "request-1",
    siteKey,
    actionName: "login",
    wantsFallback: false,
    host: "host" in change ? change.host : "shop.example",
    visitor: visitorOf(change),
  });
}

/** Kinds of the answers to `count` requests; `ipOf` gives the address of each. */
async function askMany(world: World, siteKey: string, count: number, ipOf: (i: number) => string) {
  const kinds = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    const { kind } = await ask(world, siteKey, { ip: ipOf(i) });
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return Object.fromEntries(kinds);
}

function issuedOf(answer: ChallengeAnswer) {
  assert.ok(answer.kind === "issued", answer.kind);
  return answer.issued;
}

test("issues a signed challenge with the site's mode, theme and language (D8, challenge)", async () => {
  const { world, siteKey } = await shop({ mode: "interactive", theme: "dark", language: "de" });
  const issued = issuedOf(await ask(world, siteKey));
  assert.deepEqual([issued.mode, issued.theme, issued.language], ["interactive", "dark", "de"]);
  assert.equal(issued.expiresAtMs, NOON_MS + 300_000);
  assert.equal(issued.challenge.interaction, "click");
  assert.equal(Buffer.from(issued.text, "base64url").length, CHALLENGE_BYTES);
  const open = openChallenge(world.node.cryptography, issued.text);
  assert.deepEqual(open?.challenge.siteKey, siteKey);
});

test("a signed challenge cannot be changed in any bit, and no other node's key opens it (D8, challenge)", async () => {
  const { world, siteKey } = await shop();
  const { text } = issuedOf(await ask(world, siteKey));
  const bytes = Buffer.from(text, "base64url");
  let accepted = 0;
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    if (openChallenge(world.node.cryptography, flipped.toString("base64url")) !== undefined)
      accepted++;
  }
  for (let length = 0; length < text.length; length++) {
    if (openChallenge(world.node.cryptography, text.slice(0, length)) !== undefined) accepted++;
  }
  if (openChallenge(world.node.cryptography, `${text}A`) !== undefined) accepted++;
  const stranger = await createWorld();
  if (openChallenge(stranger.node.cryptography, text) !== undefined) accepted++;
  assert.equal(accepted, 0);
});

test("answers invalid_site_key for an unknown, deleted or malformed key (D8, challenge)", async () => {
  const { world, siteKey, reference } = await shop();
  for (const key of ["", "pk_", "x".repeat(256)])
    assert.equal((await ask(world, key)).kind, "invalid_site_key");
  await deleteSite(world.node, reference);
  assert.equal((await ask(world, siteKey)).kind, "invalid_site_key");
});

test("answers domain_mismatch for a foreign origin, and accepts the site's host, a subdomain and no origin (D8, challenge)", async () => {
  const { world, siteKey } = await shop();
  assert.deepEqual(await ask(world, siteKey, { host: "evil.example" }), {
    kind: "domain_mismatch",
    host: "evil.example",
  });
  for (const host of ["shop.example", "www.shop.example", undefined]) {
    assert.equal((await ask(world, siteKey, { host })).kind, "issued", host ?? "none");
  }
});

test("answers site_disabled for a disabled site (D8, challenge)", async () => {
  const { world, siteKey, reference } = await shop();
  await updateSite(world.node, reference, { isEnabled: false });
  assert.equal((await ask(world, siteKey)).kind, "site_disabled");
});

test("one client may use as much as its network may draw and gets nothing beyond it (spec 8; D10, limits)", async () => {
  const { world, siteKey } = await shop();
  assert.deepEqual(await askMany(world, siteKey, BUDGET + 20, () => VISITOR_IP), {
    issued: BUDGET,
    limited: 20,
  });
});

test("a network that used up its limit leaves every other network its own (D10, limits)", async () => {
  const { world, siteKey } = await shop();
  await askMany(world, siteKey, 500, (i) => `203.0.113.${i % 256}`);
  assert.deepEqual(await askMany(world, siteKey, 120, () => "198.51.100.1"), {
    issued: BUDGET,
    limited: 20,
  });
  assert.deepEqual(await askMany(world, siteKey, 30, (i) => `198.18.${i}.1`), { issued: 30 });
  await askMany(world, siteKey, 500, (i) => `2001:db8:1:${i}::1`);
  assert.deepEqual(await askMany(world, siteKey, 30, (i) => `2001:db8:${i + 2}::1`), {
    issued: 30,
  });
});

test("behind one address, a client with few requests is served next to a program over the limit (D10, limits)", async () => {
  const { world, siteKey } = await shop();
  await askMany(world, siteKey, 1000, () => VISITOR_IP);
  const kinds = [];
  for (let i = 0; i < 30; i++)
    kinds.push((await ask(world, siteKey, { userAgent: `Browser ${i % 7}` })).kind);
  assert.deepEqual(new Set(kinds), new Set(["issued"]));
  assert.equal((await ask(world, siteKey)).kind, "limited");
});

test("behind an undeclared proxy visitors share its limit, and differ by their agents (D5, binding; D10, limits)", async () => {
  const { world, siteKey } = await shop();
  const hidden = (userAgent: string) =>
    ask(world, siteKey, { userAgent, bindingAddress: undefined });
  for (let i = 0; i < 500; i++) await hidden("Program");
  assert.equal((await hidden("Program")).kind, "limited");
  assert.equal((await hidden("Browser")).kind, "issued");
});

test("the limit is the account's, over all of its sites, and refills with the minutes (spec 8)", async () => {
  const { world, siteKey } = await shop();
  const { site: second } = await world.createSite();
  await askMany(world, siteKey, BUDGET, () => VISITOR_IP);
  assert.equal((await ask(world, second.siteKey)).kind, "limited");
  world.clock.advance(120_000);
  assert.equal((await ask(world, second.siteKey)).kind, "issued");
});

test("a flood on the demo's site takes nothing from the account's other sites (D10, limits)", async () => {
  const sitesGet = async (flood: number) => {
    const world = await createWorld({ challengeTotal: BUDGET });
    const { site } = await world.createSite();
    const { site: demo } = await world.createSite();
    const node = { ...world.node, settings: { ...world.node.settings, demoSiteKey: demo.siteKey } };
    await askMany({ ...world, node }, demo.siteKey, flood, (i) => `10.${i >> 8}.${i & 255}.1`);
    return await askMany({ ...world, node }, site.siteKey, BUDGET + 20, () => VISITOR_IP);
  };
  assert.deepEqual(await sitesGet(10 * BUDGET), await sitesGet(0));
});

test("refused requests draw nothing from the budget (D8, challenge; D10, limits)", async () => {
  const { world, siteKey } = await shop();
  for (let i = 0; i < BUDGET; i++) await ask(world, siteKey, { host: "evil.example" });
  assert.deepEqual(await askMany(world, siteKey, BUDGET, () => VISITOR_IP), { issued: BUDGET });
});

/** Creates a site of an account that has limits of its own; returns its world and its key. */
async function siteWithLimits(challengePerMinute: number, totalPerMinute: number) {
  const world = await createWorld();
  const accountId = "acc_small";
  const limits = { challengePerMinute, totalPerMinute };
  await world.store.sites.insertAccount({ accountId, name: "Small", createdAtMs: 0, ...limits });
  const { site } = await world.createSite();
  const siteKey = "pk_smallsmallsmallsmall00";
  await world.store.sites.insertSite({ ...site, siteKey, accountId, secretKeys: [] });
  return { world, siteKey };
}

test("the account's own limit of a network replaces that of the service (D10, limits)", async () => {
  const { world, siteKey } = await siteWithLimits(2, 5);
  const kinds = await askMany(world, siteKey, 8, () => VISITOR_IP);
  assert.deepEqual(kinds, { issued: 2, limited: 6 });
});

test("the account's own total replaces that of the service, and opens its reserve to other networks (D10, limits)", async () => {
  const { world, siteKey } = await siteWithLimits(8, 5);
  const kinds = await askMany(world, siteKey, 8, () => VISITOR_IP);
  assert.deepEqual(kinds, { issued: 5, limited: 3 });
  assert.equal((await ask(world, siteKey, { ip: "198.51.100.1" })).kind, "issued", "in reserve");
});

test("a browser that was stepped up gets only stepped-up challenges, on this site alone (D9, submission)", async () => {
  const { world, siteKey } = await shop();
  const { site: second } = await world.createSite();
  const browser = browserScope(world.node.cryptography, visitorOf({}));
  world.node.visitorMemory.demandStepUp(siteKey, browser, NOON_MS + 600_000);
  const stageOf = async (key: string, change: Asking = {}) =>
    issuedOf(await ask(world, key, change)).challenge.stage;
  assert.equal(await stageOf(siteKey), "stepped_up");
  assert.equal(await stageOf(siteKey, { ip: "198.51.100.1" }), "first");
  assert.equal(await stageOf(second.siteKey), "first");
  world.clock.setTo(NOON_MS + 600_000);
  assert.equal(await stageOf(siteKey), "first");
});

test("a signature is verified, and spent, only for an admitted visitor who would be stepped up (D9, submission)", async () => {
  const world = await createWorld({ challenge: 5, challengeTotal: 5 });
  const { siteKey } = (await world.createSite({ signedAgents: "let_through" })).site;
  let looks = 0;
  const visitor: Visitor = {
    ...visitorOf({}),
    get signedAgent() {
      looks += 1;
      return "Otter";
    },
  };
  const request = {
    requestId: "request-1",
    siteKey,
    actionName: "login",
    wantsFallback: false,
    host: "shop.example",
  };
  assert.equal(
    issuedOf(await issueChallenge(world.node, { ...request, visitor })).challenge.stage,
    "first",
  );
  assert.equal(looks, 0);
  world.node.visitorMemory.demandStepUp(
    siteKey,
    browserScope(world.node.cryptography, visitor),
    NOON_MS + 600_000,
  );
  assert.equal(
    issuedOf(await issueChallenge(world.node, { ...request, visitor })).challenge.stage,
    "first",
  );
  assert.equal(looks, 1);
  await askMany(world, siteKey, 20, () => VISITOR_IP);
  assert.equal((await issueChallenge(world.node, { ...request, visitor })).kind, "limited");
  assert.equal(looks, 1);
});

test("a browser's step-up does not affect neighbours behind the address with another browser or language (D9, submission)", async () => {
  const { world, siteKey } = await shop();
  const browser = browserScope(world.node.cryptography, visitorOf({}));
  world.node.visitorMemory.demandStepUp(siteKey, browser, NOON_MS + 600_000);
  for (const change of [{ userAgent: `${VISITOR_AGENT} Firefox/143.0` }, { language: "fr" }]) {
    assert.equal(
      issuedOf(await ask(world, siteKey, change)).challenge.stage,
      "first",
      JSON.stringify(change),
    );
  }
});

test("counts issued challenges (spec 1, View Statistics)", async () => {
  const { world, site, siteKey } = await shop();
  await askMany(world, siteKey, 3, () => VISITOR_IP);
  await ask(world, siteKey, { host: "evil.example" });
  assert.equal(await world.countOf(site, "challenge_issued"), 3);
});

test("a network that earned much of a site pays up to 32 times the base there, and shuts out no neighbour (D10, limits)", async () => {
  const { world, siteKey } = await shop();
  const { site: second } = await world.createSite();
  const { cryptography, tokenUsage } = world.node;
  const nowMs = world.clock.nowMs();
  const network = networkName(
    bindChallenge(cryptography, { actionName: undefined, visitor: visitorOf({}), nowMs }),
  );
  assert.ok(network);
  const difficultyOf = async (key: string, change: Asking = {}) =>
    issuedOf(await ask(world, key, change)).challenge.difficulty;
  const usual = await difficultyOf(siteKey);
  for (let i = 0; i < 60 * BUDGET; i++) tokenUsage.recordEarned(siteKey, network, nowMs);
  assert.equal(await difficultyOf(siteKey), usual * 2 ** 5);
  assert.equal(await difficultyOf(siteKey, { userAgent: "Neighbour" }), usual * 2 ** 5);
  assert.equal(await difficultyOf(second.siteKey), usual, "another site");
  assert.equal(await difficultyOf(siteKey, { ip: "198.51.100.1" }), usual, "another network");
  assert.equal(
    await difficultyOf(siteKey, { bindingAddress: undefined }),
    usual,
    "an unknown address",
  );
  world.clock.advance(3_600_000);
  assert.equal(await difficultyOf(siteKey), usual);
});

test("a busy network is believed twice a minute that it has no WebAssembly, and then has to wait (D8, challenge; D10, limits)", async () => {
  const { world, site, siteKey } = await shop();
  const node = { ...world.node, settings: { ...world.node.settings, algorithm: 1 } as const };
  const claim = (ip: string) =>
    issueChallenge(node, {
      requestId: "request-1",
      siteKey,
      actionName: "login",
      host: "shop.example",
      wantsFallback: true,
      visitor: visitorOf({ ip }),
    });
  const difficultyOf = async (ip: string) => issuedOf(await claim(ip)).challenge.difficulty;
  assert.equal(await difficultyOf(VISITOR_IP), 2 ** 13);
  const nowMs = world.clock.nowMs();
  const network =
    networkName(
      bindChallenge(node.cryptography, { actionName: "", visitor: visitorOf({}), nowMs }),
    ) ?? "";
  for (let i = 0; i < 200; i++) node.tokenUsage.recordEarned(site.siteKey, network, nowMs);
  assert.deepEqual(
    [await difficultyOf(VISITOR_IP), await difficultyOf(VISITOR_IP)],
    [2 ** 16, 2 ** 16],
  );
  const third = await claim(VISITOR_IP);
  assert.ok(third.kind === "limited" && third.limit.resetsInMs > 0, third.kind);
  assert.equal(
    issuedOf(await ask(world, siteKey)).challenge.difficulty,
    2 ** 19 * 2 ** 5,
    "others pay",
  );
  assert.equal(await difficultyOf("198.51.100.1"), 2 ** 13, "another network");
  world.clock.advance(third.limit.resetsInMs);
  assert.equal(await difficultyOf(VISITOR_IP), 2 ** 16);
});
