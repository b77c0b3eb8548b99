import { randomBytes } from "node:crypto";
import type { Account } from "@stile/core/domain/account/account";
import type {
  ChallengeSpend,
  ChallengeSpendOutcome,
} from "@stile/core/domain/challenge/challenge-spend";
import type { LimitState, RateRequest } from "@stile/core/domain/rate-window";
import type { SecretKeyRecord } from "@stile/core/domain/site/secret-key";
import type { Site } from "@stile/core/domain/site/site";
import { METRIC_KINDS } from "@stile/core/domain/statistics/metrics";
import type { Redemption, RedemptionOutcome } from "@stile/core/domain/token/single-use";
import type { TimedCount } from "@stile/core/ports/statistics/statistics";
import type { Store } from "@stile/core/ports/store";

/** A guarantee that every engine must keep. It is checked on empty tables. */
export type Guarantee = { readonly name: string; readonly check: (store: Store) => Promise<void> };

/** The time at which the suites begin: the first millisecond of a clock minute. */
export const T0 = Date.UTC(2026, 0, 15, 12, 0, 0);

/** A site of its own account, with one secret key; `over` replaces parts of it. */
export function newSite(over: Partial<Site> = {}): Site {
  return {
    siteKey: `pk_${randomBytes(11).toString("hex")}`,
    accountId: "acc_1",
    name: `Site ${randomBytes(4).toString("hex")}`,
    domains: ["example.com", "xn--bcher-kva.example"],
    mode: "managed",
    theme: "auto",
    language: "auto",
    isEnabled: true,
    tokenLifeSeconds: 300,
    binding: "strict",
    thresholds: { challenge: 0.3, block: 0.6 },
    difficultyOffset: -1,
    signedAgents: "judge",
    verifyPerMinute: null,
    scorePerMinute: 250,
    scoreSignals: "none",
    onUnavailable: "block",
    noScript: "wait",
    contact: "help@example.com",
    createdAtMs: T0,
    deletedAtMs: null,
    secretKeys: [newSecret()],
    revision: 1,
    ...over,
  };
}

/** A stored secret key, with its own digest. */
export function newSecret(over: Partial<SecretKeyRecord> = {}): SecretKeyRecord {
  return {
    digest: randomBytes(32).toString("base64url"),
    lastFour: "a1B2",
    createdAtMs: T0,
    replacedAtMs: null,
    ...over,
  };
}

/** An account; `over` replaces parts of it. */
export function newAccount(over: Partial<Account> = {}): Account {
  return {
    accountId: "acc_1",
    name: "Default",
    createdAtMs: T0,
    challengePerMinute: null,
    totalPerMinute: 40,
    ...over,
  };
}

/** Adds an account with one site to an empty store. */
export async function seedSite(store: Store, over: Partial<Site> = {}): Promise<Site> {
  const site = newSite(over);
  await store.sites.insertAccount(newAccount({ accountId: site.accountId }));
  await store.sites.insertSite(site);
  return site;
}

/** An attempt to redeem its own token, at T0, far below every limit. */
export function redemptionOf(
  site: Pick<Site, "siteKey" | "revision">,
  over: Partial<Redemption> = {},
): Redemption {
  return {
    siteKey: site.siteKey,
    siteRevision: site.revision,
    tokenId: randomBytes(12),
    issuedAtMs: T0,
    retainUntilMs: T0 + 360_000,
    nowMs: T0,
    perMinute: 100_000,
    repeatDigest: undefined,
    isRepeatOnly: false,
    onSpent: ["token_redeemed"],
    onReplayed: ["refused:token_already_used"],
    ...over,
  };
}

/** An attempt to spend its own challenge, at T0. */
export function spendOf(
  site: Pick<Site, "siteKey" | "revision">,
  over: Partial<ChallengeSpend> = {},
): ChallengeSpend {
  return {
    siteKey: site.siteKey,
    siteRevision: site.revision,
    challengeId: randomBytes(16),
    issuedAtMs: T0,
    retainUntilMs: T0 + 300_000,
    nowMs: T0,
    onSpent: ["challenge_solved"],
    ...over,
  };
}

/** Redeems all within one turn of the event loop. The outcomes are in the given order. */
export function redeemAll(
  store: Store,
  redemptions: readonly Redemption[],
): Promise<RedemptionOutcome[]> {
  return Promise.all(redemptions.map((redemption) => store.tokens.redeem(redemption)));
}

/** Spends all within one turn of the event loop. The outcomes are in the given order. */
export function spendAll(
  store: Store,
  spends: readonly ChallengeSpend[],
): Promise<ChallengeSpendOutcome[]> {
  return Promise.all(spends.map((spend) => store.challenges.spend(spend)));
}

/** Makes all requests within one turn of the event loop. The answers are in the given order. */
export function consumeAll(store: Store, requests: readonly RateRequest[]): Promise<LimitState[]> {
  return Promise.all(requests.map((request) => store.limiter.consume(request)));
}

/** All counts of a site in minutes that start in [fromMs, toMs). */
export async function readMinutes(
  store: Store,
  siteKey: string,
  fromMs = 0,
  toMs: number = Number.MAX_SAFE_INTEGER,
): Promise<readonly TimedCount[]> {
  return await store.statistics.readSeries({
    siteKey,
    resolution: "minute",
    kinds: METRIC_KINDS,
    fromMs,
    toMs,
  });
}
