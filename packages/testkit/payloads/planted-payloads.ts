import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Site } from "@stile/core/domain/site/site";
import { toDecisionId } from "@stile/core/domain/statistics/decision";
import { MAX_NAMES_PER_DAY, type SiteSum } from "@stile/core/domain/statistics/metrics";
import type { Store } from "@stile/core/ports/store";
import { DEFAULT_THRESHOLDS } from "@stile/protocol/limits";
import { newMember, newSession, type SignedInMember } from "../contract/dashboard.ts";
import type { ServiceFixture } from "../contract/service-fixtures.ts";
import { newSite, type TestSite } from "../contract/sites.ts";

/** An account in which every text that anybody could have chosen is a payload. */
export type PlantedAccount = {
  readonly owner: SignedInMember;
  /** Its visitors sent the payloads as action, host and request id. */
  readonly visited: TestSite;
  /**
   * Sites with as many payloads as a site may have domains, and all of these in their name and
   * language too.
   */
  readonly crowded: readonly { readonly siteKey: string; readonly payloads: readonly string[] }[];
};

const DAY_MS = 86_400_000;
/** Deleted sites are shown too, in their own list. */
const DELETED = 12;
const CROWD = 50;

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function siteOf(accountId: string, domains: readonly string[], nowMs: number): Site {
  const name = domains.join(" ");
  const digest = digestOf(`${accountId} ${name}`);
  return {
    siteKey: `pk_${digest.replace(/[-_]/g, "x")}`,
    accountId,
    name,
    domains,
    mode: "managed",
    theme: "auto",
    language: name,
    isEnabled: true,
    tokenLifeSeconds: 300,
    binding: "off",
    thresholds: DEFAULT_THRESHOLDS,
    difficultyOffset: 0,
    signedAgents: "judge",
    verifyPerMinute: null,
    scoreSignals: "expected",
    onUnavailable: "submit",
    noScript: "wait",
    contact: name,
    scorePerMinute: null,
    createdAtMs: nowMs,
    deletedAtMs: null,
    secretKeys: [{ digest, lastFour: "\"'<>", createdAtMs: nowMs, replacedAtMs: null }],
    revision: 1,
  };
}

/** Plants a site for each payload, some deleted ones, and the crowded ones, which it returns. */
async function plantSites(
  { ports, store }: ServiceFixture,
  accountId: string,
  payloads: readonly string[],
) {
  const nowMs = ports.clock.nowMs();
  const insert = async (site: Site): Promise<void> => {
    assert.equal(await store.sites.insertSite(site), "stored", site.name);
  };
  for (const payload of payloads) await insert(siteOf(accountId, [payload], nowMs));
  for (const payload of payloads.slice(0, DELETED)) {
    const deleted = siteOf(accountId, [payload, "deleted"], nowMs);
    await insert({ ...deleted, name: payload, deletedAtMs: nowMs, secretKeys: [] });
  }
  const crowded = [];
  for (let at = 0; at < payloads.length; at += CROWD) {
    const group = payloads.slice(at, at + CROWD);
    const site = siteOf(accountId, group, nowMs);
    await insert(site);
    crowded.push({ siteKey: site.siteKey, payloads: group });
  }
  return crowded;
}

async function plantPeople(
  fixture: ServiceFixture,
  owner: SignedInMember,
  payloads: readonly string[],
): Promise<void> {
  const { accountId } = owner.member;
  const createdAtMs = fixture.ports.clock.nowMs();
  const life = { createdAtMs, expiresAtMs: createdAtMs + DAY_MS };
  for (const [index, payload] of payloads.entries()) {
    await newMember(fixture, accountId, "viewer", { name: payload, email: payload });
    await newSession(fixture, owner.member, { device: payload });
    const link = {
      linkId: payload,
      tokenDigest: digestOf(`link ${index}`),
      role: "viewer",
      ...life,
    } as const;
    await fixture.store.links.insertLink({
      ...link,
      purpose: "invite",
      accountId,
      userId: null,
      removesSecondFactors: false,
      madeBy: null,
    });
    await fixture.store.auditLog.append({
      accountId,
      atMs: createdAtMs,
      actor: { userId: null, name: payload },
      action: "site_updated",
      subject: payload,
      siteKey: null,
      changes: [{ field: payload, before: payload, after: [payload, { [payload]: payload }] }],
    });
  }
}

async function plantVisits(
  store: Store,
  siteKey: string,
  payloads: readonly string[],
  nowMs: number,
): Promise<void> {
  const sums = payloads.flatMap((payload, index): SiteSum[] => {
    // Only so many names per day are counted separately.
    const atMs = nowMs - Math.floor(index / MAX_NAMES_PER_DAY) * DAY_MS;
    return (["challenge_solved", `host:${payload}`, `score:${payload}:50`] as const).map(
      (metric) => {
        return { siteKey, metric, atMs, count: 1 + index };
      },
    );
  });
  await store.statistics.add(sums);
  for (const [index, payload] of payloads.entries()) {
    // The log keeps only so many decisions per second.
    const atMs = nowMs - 60_000 + 100 * index;
    store.decisions.append({
      siteKey,
      decisionId: toDecisionId(atMs, new Uint8Array(4)),
      atMs,
      requestId: payload,
      source: "widget",
      recommendation: "block",
      outcome: "blocked",
      score: 0.9,
      contributions: [{ flag: "automation_webdriver", weight: 3 }],
      action: payload,
      host: payload,
      device: "desktop",
      solveMs: 900,
      label: null,
    });
    // It keeps even fewer refusals per minute.
    const refusedAtMs = nowMs - (1 + index) * 60_000;
    store.decisions.append({
      siteKey,
      decisionId: toDecisionId(refusedAtMs, new Uint8Array(4).fill(1)),
      atMs: refusedAtMs,
      requestId: payload,
      outcome: "refused",
      reason: "domain_mismatch",
      action: payload,
      host: payload,
    });
  }
  await store.decisions.flush();
}

/** Writes the payloads next to the running service, bypassing every rule of its endpoints. */
export async function plantPayloads(
  fixture: ServiceFixture,
  payloads: readonly string[],
): Promise<PlantedAccount> {
  const nowMs = fixture.ports.clock.nowMs();
  const accountId = `acc_${digestOf(String(nowMs)).slice(0, 12)}`;
  const limits = { challengePerMinute: null, totalPerMinute: null };
  await fixture.store.sites.insertAccount({
    accountId,
    name: payloads.join(" "),
    createdAtMs: nowMs,
    ...limits,
  });
  const visited = await newSite(fixture, { name: "Visited" }, accountId);
  const passkeys = payloads.map((name, index) => ({
    passkeyId: digestOf(`passkey ${index}`),
    name,
    publicKey: new Uint8Array(1),
    counter: 0,
    transports: [],
    createdAtMs: nowMs,
    lastUsedAtMs: null,
  }));
  const person = { name: payloads.join(" "), passkeys };
  const owner = await newSession(fixture, await newMember(fixture, accountId, "owner", person));
  const crowded = await plantSites(fixture, accountId, payloads);
  await plantPeople(fixture, owner, payloads);
  await plantVisits(fixture.store, visited.siteKey, payloads, nowMs);
  return { owner, visited, crowded };
}
