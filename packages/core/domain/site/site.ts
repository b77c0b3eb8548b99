import type {
  Binding,
  NoScript,
  OnUnavailable,
  ScoreSignals,
  SignedAgentPolicy,
  SiteMode,
  Theme,
} from "@stile/protocol/site-settings";
import { type SecretKeyRecord, secretKeyState } from "./secret-key.ts";
import type { Thresholds } from "./thresholds.ts";

/** The settings of a site that its account may change (spec 2.4; D13, formats). */
export type SiteSettings = {
  readonly name: string;
  /** Hosts where the widget may run; their subdomains are included (D13, formats). */
  readonly domains: readonly string[];
  readonly mode: SiteMode;
  readonly theme: Theme;
  /** `auto` or a BCP 47 tag. */
  readonly language: string;
  readonly isEnabled: boolean;
  readonly tokenLifeSeconds: number;
  readonly binding: Binding;
  readonly thresholds: Thresholds;
  /** Added to the exponent of the difficulty, -1 .. +2. */
  readonly difficultyOffset: number;
  /** The treatment of bots that sign with a key the operator trusts (D9, submission). */
  readonly signedAgents: SignedAgentPolicy;
  /** Requests a minute; null takes the default of the service (D10, limits). */
  readonly verifyPerMinute: number | null;
  readonly scorePerMinute: number | null;
  /**
   * Whether requests for scores come with signals that the site's pages collected (D7, score
   * request).
   */
  readonly scoreSignals: ScoreSignals;
  /** The treatment of a form whose widget cannot reach the service (D15, outage). */
  readonly onUnavailable: OnUnavailable;
  /** The options of visitors without JavaScript (D18, no JavaScript). */
  readonly noScript: NoScript;
  /**
   * How blocked visitors reach the owner: an email address, an https address or a text; empty for
   * none (D13, formats).
   */
  readonly contact: string;
};

/** A site with its keys (spec 2.4). The site key identifies it. */
export type Site = SiteSettings & {
  readonly siteKey: string;
  readonly accountId: string;
  readonly createdAtMs: number;
  /** When it was deleted. Such a site only waits to be restored or purged (D12, states). */
  readonly deletedAtMs: number | null;
  readonly secretKeys: readonly SecretKeyRecord[];
  /**
   * Grows by one with every change of settings or keys. Transactions that spend something compare
   * it (D3, single use).
   */
  readonly revision: number;
};

/** Whether the digest belongs to a key that authenticates this site now (spec 5.3; D12, states). */
export function hasLiveSecret(site: Site, digest: string, nowMs: number): boolean {
  if (site.deletedAtMs !== null) return false;
  const secret = site.secretKeys.find((candidate) => candidate.digest === digest);
  return secret !== undefined && secretKeyState(secret, nowMs) !== "dead";
}

function changed(site: Site, change: Partial<Omit<Site, "siteKey" | "revision">>): Site {
  return { ...site, ...change, revision: site.revision + 1 };
}

/** The site with other settings (spec 1, Update Site). */
export function withSettings(site: Site, settings: Partial<SiteSettings>): Site {
  return changed(site, settings);
}

/**
 * The site with a new current key. The former one enters its 24 h of grace; dead keys are dropped
 * (D12, states).
 */
export function withRotatedSecret(site: Site, fresh: SecretKeyRecord, nowMs: number): Site {
  const kept = site.secretKeys
    .filter((secret) => secretKeyState(secret, nowMs) !== "dead")
    .map((secret) => (secret.replacedAtMs === null ? { ...secret, replacedAtMs: nowMs } : secret));
  return changed(site, { secretKeys: [...kept, fresh] });
}

/**
 * The site with another current key, which replaces one that nobody has seen: a repeat of the
 * change that made it. The unseen key stops working at once, and the grace of replaced keys does
 * not begin again.
 */
export function withUnseenReplaced(site: Site, fresh: SecretKeyRecord): Site {
  const kept = site.secretKeys.filter((secret) => secret.replacedAtMs !== null);
  return changed(site, { secretKeys: [...kept, fresh] });
}

/**
 * The site with only its current key: all replaced keys stop working at once ("revoke now"; D12,
 * states).
 */
export function withoutReplacedSecrets(site: Site): Site {
  return changed(site, {
    secretKeys: site.secretKeys.filter((secret) => secret.replacedAtMs === null),
  });
}

/** The site marked deleted, without any key (D12, states). */
export function asDeleted(site: Site, nowMs: number): Site {
  return changed(site, { deletedAtMs: nowMs, secretKeys: [] });
}

/** A deleted site restored, with a new secret key (D12, states). */
export function asRestored(site: Site, fresh: SecretKeyRecord): Site {
  return changed(site, { deletedAtMs: null, secretKeys: [fresh] });
}
