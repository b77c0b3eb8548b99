import assert from "node:assert/strict";
import { test } from "node:test";
import { CHALLENGE_BYTES } from "@stile/pow/challenge";
import { parseClientAddress } from "../domain/client-address.ts";
import type { Visitor } from "../domain/visitor.ts";
import { createWorld, NOON_MS, referenceTo, VISITOR_AGENT, VISITOR_IP, type World } from "../fixtures/world.ts";
import { deleteSite } from "./delete-site.ts";
import { type ChallengeAnswer, issueChallenge } from "./issue-challenge.ts";
import { browserScope } from "./steps/browser-scope.ts";
import { openChallenge } from "./steps/challenge-signing.ts";
import { updateSite } from "./update-site.ts";

const BUDGET = 100;
const RESERVE = 100;

async function shop(change = {}) {
  const world = await createWorld();
  const { site } = await world.createSite(change);
  return { world, site, siteKey: site.siteKey, reference: referenceTo(site) };
}

type Asking = { host?: string | undefined; ip?: string; userAgent?: string; language?: string };

function visitorOf({ ip = VISITOR_IP, userAgent = VISITOR_AGENT, language = "de" }: Asking): Visitor {
  const address = parseClientAddress(ip);
  const riskHeaders = { "accept-language": language };
  return { address, bindingAddress: address, country: undefined, userAgent, riskHeaders };
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

/** Kinds of the answers to `count` requests, each from the address `ipOf` gives. */
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

test("issues a signed challenge with the site's mode, theme and language (D8)", async () => {
  const { world, siteKey } = await shop({ mode: "interactive", theme: "dark", language: "de" });
  const issued = issuedOf(await ask(world, siteKey));
  assert.deepEqual([issued.mode, issued.theme, issued.language], ["interactive", "dark", "de"]);
  assert.equal(issued.expiresAtMs, NOON_MS + 300_000);
  assert.equal(issued.challenge.interaction, "click");
  assert.equal(Buffer.from(issued.text, "base64url").length, CHALLENGE_BYTES);
  const open = openChallenge(world.node.cryptography, issued.text);
  assert.deepEqual(open?.challenge.siteKey, siteKey);
});

test("a signed challenge can't be changed in any bit, and no other node's key opens it (D8)", async () => {
  const { world, siteKey } = await shop();
  const { text } = issuedOf(await ask(world, siteKey));
  const bytes = Buffer.from(text, "base64url");
  let accepted = 0;
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    if (openChallenge(world.node.cryptography, flipped.toString("base64url")) !== undefined) accepted++;
  }
  for (let length = 0; length < text.length; length++) {
    if (openChallenge(world.node.cryptography, text.slice(0, length)) !== undefined) accepted++;
  }
  if (openChallenge(world.node.cryptography, `${text}A`) !== undefined) accepted++;
  const stranger = await createWorld();
  if (openChallenge(stranger.node.cryptography, text) !== undefined) accepted++;
  assert.equal(accepted, 0);
});

test("unknown, deleted or malformed key: invalid_site_key (D8)", async () => {
  const { world, siteKey, reference } = await shop();
  for (const key of ["", "pk_", "x".repeat(256)]) assert.equal((await ask(world, key)).kind, "invalid_site_key");
  await deleteSite(world.node, reference);
  assert.equal((await ask(world, siteKey)).kind, "invalid_site_key");
});

test("foreign origin: domain_mismatch; own host, subdomain and none at all are accepted (D8)", async () => {
  const { world, siteKey } = await shop();
  assert.deepEqual(await ask(world, siteKey, { host: "evil.example" }), {
    kind: "domain_mismatch",
    host: "evil.example",
  });
  for (const host of ["shop.example", "www.shop.example", undefined]) {
    assert.equal((await ask(world, siteKey, { host })).kind, "issued", host ?? "none");
  }
});

test("disabled site: site_disabled (D8)", async () => {
  const { world, siteKey, reference } = await shop();
  await updateSite(world.node, reference, { isEnabled: false });
  assert.equal((await ask(world, siteKey)).kind, "site_disabled");
});

test("one client may use the account's whole budget and gets nothing beyond it (D10)", async () => {
  const { world, siteKey } = await shop();
  assert.deepEqual(await askMany(world, siteKey, BUDGET + 20, () => VISITOR_IP), { issued: BUDGET, limited: 20 });
});

test("once the budget is used up, clients with fewer than 3 this minute draw on the reserve (D10)", async () => {
  const { world, siteKey } = await shop();
  await askMany(world, siteKey, BUDGET, () => VISITOR_IP);
  assert.deepEqual(await askMany(world, siteKey, 5, () => "198.51.100.1"), { issued: 3, limited: 2 });
  const others = await askMany(world, siteKey, RESERVE, (i) => `198.51.100.${i + 2}`);
  assert.deepEqual(others, { issued: RESERVE - 3, limited: 3 });
});

test("the budget is the account's, over all of its sites, and refills with the minutes (spec 8)", async () => {
  const { world, siteKey } = await shop();
  const { site: second } = await world.createSite();
  await askMany(world, siteKey, BUDGET, () => VISITOR_IP);
  assert.equal((await ask(world, second.siteKey)).kind, "limited");
  world.clock.advance(120_000);
  assert.equal((await ask(world, second.siteKey)).kind, "issued");
});

test("a flood on the demo's site leaves the account's sites what they would have had without it (D10)", async () => {
  const sitesGet = async (flood: number) => {
    const { world, siteKey } = await shop();
    const { site: demo } = await world.createSite();
    const node = { ...world.node, settings: { ...world.node.settings, demoSiteKey: demo.siteKey } };
    await askMany({ ...world, node }, demo.siteKey, flood, (i) => `203.0.113.${i % 250}`);
    return await askMany({ ...world, node }, siteKey, BUDGET, (i) => `198.51.100.${i}`);
  };
  assert.deepEqual(await sitesGet(BUDGET + RESERVE + 50), await sitesGet(0));
});

test("refused requests draw nothing from the budget (D8, D10)", async () => {
  const { world, siteKey } = await shop();
  for (let i = 0; i < BUDGET; i++) await ask(world, siteKey, { host: "evil.example" });
  assert.deepEqual(await askMany(world, siteKey, BUDGET, () => VISITOR_IP), { issued: BUDGET });
});

test("the account's own limits replace those of the service (D10)", async () => {
  const world = await createWorld();
  const account = { accountId: "acc_small", name: "Small", createdAtMs: 0, challengePerMinute: 2, reservePerMinute: 1 };
  await world.store.sites.insertAccount(account);
  const { site } = await world.createSite();
  await world.store.sites.insertSite({
    ...site,
    siteKey: "pk_smallsmallsmallsmall00",
    accountId: "acc_small",
    secretKeys: [],
  });
  const kinds = await askMany(world, "pk_smallsmallsmallsmall00", 6, (i) => `198.51.100.${i}`);
  assert.deepEqual(kinds, { issued: 3, limited: 3 });
});

test("a browser that was stepped up gets only stepped-up challenges, of this site alone (D9)", async () => {
  const { world, siteKey } = await shop();
  const { site: second } = await world.createSite();
  const browser = browserScope(world.node.cryptography, visitorOf({}));
  world.node.history.demandStepUp(siteKey, browser, NOON_MS + 600_000);
  const stageOf = async (key: string, change: Asking = {}) => issuedOf(await ask(world, key, change)).challenge.stage;
  assert.equal(await stageOf(siteKey), "stepped_up");
  assert.equal(await stageOf(siteKey, { ip: "198.51.100.1" }), "first");
  assert.equal(await stageOf(second.siteKey), "first");
  world.clock.setTo(NOON_MS + 600_000);
  assert.equal(await stageOf(siteKey), "first");
});

test("what one browser did steps no neighbour behind the same address up: another browser, another language (D9)", async () => {
  const { world, siteKey } = await shop();
  const browser = browserScope(world.node.cryptography, visitorOf({}));
  world.node.history.demandStepUp(siteKey, browser, NOON_MS + 600_000);
  for (const change of [{ userAgent: `${VISITOR_AGENT} Firefox/143.0` }, { language: "fr" }]) {
    assert.equal(issuedOf(await ask(world, siteKey, change)).challenge.stage, "first", JSON.stringify(change));
  }
});

test("counts what was issued (spec 1, View Statistics)", async () => {
  const { world, site, siteKey } = await shop();
  await askMany(world, siteKey, 3, () => VISITOR_IP);
  await ask(world, siteKey, { host: "evil.example" });
  assert.equal(await world.countOf(site, "challenge_issued"), 3);
});
