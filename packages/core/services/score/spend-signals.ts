import type { Challenge } from "@stile/pow/challenge";
import { challengeExpiresAtMs } from "../../domain/challenge/challenge.ts";
import type { Site } from "../../domain/site/site.ts";
import type { BindingDifference } from "../../domain/token/binding.ts";
import type { Observations } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { PageSignals } from "../../ports/visitor/page-signals.ts";
import { openChallenge } from "../challenge/sign-challenge.ts";
import { withFreshSite } from "../site/with-fresh-site.ts";
import { digestClaim, findSiteDifferences, type VisitorClaim } from "../token/binding-claim.ts";
import { keyReference } from "../visitor/key-reference.ts";

/**
 * The parsed result of `stile.collect()`: its signed challenge and the page's observations (D7,
 * score request).
 */
export type CollectedSignals = Pick<PageSignals, "observe"> & { readonly challenge: string };

/** The page's observations, and the challenge under which they were collected. */
export type CollectedVisit = { readonly challenge: Challenge; readonly observations: Observations };

/** The collected signals after they were spent. */
export type Collected = {
  readonly observations: Partial<Observations>;
  /** The observations under a genuine challenge; undefined if there was none. */
  readonly visit: CollectedVisit | undefined;
  /** How the visitor that the site's server names differs from the collector of the signals. */
  readonly differences: readonly BindingDifference[];
  readonly isReplayed: boolean;
};

/** The signals as sent; `unreadable` if they are not what `collect()` returns. */
export type SignalFields = VisitorClaim & {
  readonly signals: CollectedSignals | "unreadable" | undefined;
};

/**
 * Spends the challenge in the signals. If it is forged, foreign or stale, they count as withheld;
 * if it is spent, as replayed (D7, score request).
 */
export async function spendSignals(
  ports: Pick<ServicePorts, "cryptography" | "directory" | "challenges">,
  site: Site,
  fields: SignalFields,
  nowMs: number,
): Promise<Collected> {
  const { signals } = fields;
  if (signals === undefined)
    return { observations: {}, visit: undefined, differences: [], isReplayed: false };
  const unread = { environment: "withheld", behaviour: "withheld" } as const;
  const withheld: Collected = {
    observations: unread,
    visit: undefined,
    differences: [],
    isReplayed: false,
  };
  if (signals === "unreadable") return withheld;
  const open = openChallenge(ports.cryptography, signals.challenge);
  if (open === undefined || open.challenge.siteKey !== site.siteKey) return withheld;
  const expiresAtMs = challengeExpiresAtMs(open.challenge);
  if (nowMs >= expiresAtMs) return withheld;
  const isReplayed = await withFreshSite<boolean | "retired">(ports.directory, async () => {
    const current = await ports.directory.findSite(site.siteKey);
    if (current === undefined) return false;
    // Meanwhile the store may have begun a run that does not know the earlier spends under the
    // challenge's key (D3, single use).
    if (ports.cryptography.isRetired(open.challenge.keyId)) return "retired";
    const { siteKey, revision: siteRevision } = current;
    const { id: challengeId, issuedAtMs } = open.challenge;
    const times = { issuedAtMs, retainUntilMs: expiresAtMs, nowMs };
    const outcome = await ports.challenges.spend({
      siteKey,
      siteRevision,
      challengeId,
      ...times,
      onSpent: [],
    });
    return outcome === "site_changed" ? { kind: outcome, siteKey } : outcome === "already_spent";
  });
  if (isReplayed === "retired") return withheld;
  const { challenge } = open;
  const key = keyReference(challenge.keyId, "binding", challenge.issuedAtMs);
  const differences = findSiteDifferences(
    ports.cryptography,
    site,
    challenge,
    digestClaim(ports.cryptography, key, fields),
  );
  const observations = signals.observe();
  return { observations, visit: { challenge, observations }, differences, isReplayed };
}
