import type { Binding, ScoreSignals, SignedAgentPolicy } from "@stile/protocol/site-settings";
import type { SiteSettings } from "./site.ts";

/** The bindings from the weakest to the strictest (D5, binding). */
const BINDING_STRENGTH: readonly Binding[] = ["off", "flag", "strict", "strict_family"];

/** The treatment of signed bots, from the most permissive to the strictest (D9, submission). */
const SIGNED_AGENTS_STRENGTH: readonly SignedAgentPolicy[] = ["let_through", "judge"];

/**
 * How a site treats the signals of its score requests, from the weakest to the strictest (D7, score
 * request).
 */
const SCORE_SIGNALS_STRENGTH: readonly ScoreSignals[] = ["none", "expected"];

function isCovered(domain: string, domains: readonly string[]): boolean {
  return domains.some((known) => domain === known || domain.endsWith(`.${known}`));
}

type Guards = Pick<
  SiteSettings,
  "binding" | "thresholds" | "domains" | "signedAgents" | "scoreSignals"
>;

/**
 * Whether a change of settings weakens the site: a weaker binding, a higher threshold, a host that
 * no domain covered before, signed bots that are let through, or score requests that need no
 * signals. Such a change needs a fresh proof of identity (D16, operator).
 */
export function weakensSite(before: Guards, after: Guards): boolean {
  return (
    BINDING_STRENGTH.indexOf(after.binding) < BINDING_STRENGTH.indexOf(before.binding) ||
    after.thresholds.challenge > before.thresholds.challenge ||
    after.thresholds.block > before.thresholds.block ||
    SIGNED_AGENTS_STRENGTH.indexOf(after.signedAgents) <
      SIGNED_AGENTS_STRENGTH.indexOf(before.signedAgents) ||
    SCORE_SIGNALS_STRENGTH.indexOf(after.scoreSignals) <
      SCORE_SIGNALS_STRENGTH.indexOf(before.scoreSignals) ||
    after.domains.some((domain) => !isCovered(domain, before.domains))
  );
}
