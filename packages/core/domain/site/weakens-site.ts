import type { Binding, SignedAgents } from "@stile/protocol/site-settings";
import type { SiteSettings } from "./site.ts";

/** The bindings from the weakest to the strictest (D5). */
const BINDING_STRENGTH: readonly Binding[] = ["off", "flag", "strict", "strict_family"];

/** What happens to signed bots, from the most permissive to the strictest (D9). */
const SIGNED_AGENTS_STRENGTH: readonly SignedAgents[] = ["let_through", "judge"];

function isCovered(domain: string, domains: readonly string[]): boolean {
  return domains.some((known) => domain === known || domain.endsWith(`.${known}`));
}

type Guards = Pick<SiteSettings, "binding" | "thresholds" | "domains" | "signedAgents">;

/**
 * Whether a change of settings weakens the site: a weaker binding, a higher threshold, a host that no domain covered
 * before, or signed bots that are let through. Such a change needs a fresh proof of identity (D16).
 */
export function weakensSite(before: Guards, after: Guards): boolean {
  return (
    BINDING_STRENGTH.indexOf(after.binding) < BINDING_STRENGTH.indexOf(before.binding) ||
    after.thresholds.challenge > before.thresholds.challenge ||
    after.thresholds.block > before.thresholds.block ||
    SIGNED_AGENTS_STRENGTH.indexOf(after.signedAgents) < SIGNED_AGENTS_STRENGTH.indexOf(before.signedAgents) ||
    after.domains.some((domain) => !isCovered(domain, before.domains))
  );
}
