import type { ServiceSettings } from "../service-settings.ts";

/**
 * Names the payer for a site's challenges, under which redeemed tokens are also remembered. It is
 * the site's account; the demo, which any stranger may use, has a budget of its own (D10, limits).
 */
export function payerOf(
  { demoSiteKey }: ServiceSettings,
  site: { siteKey: string; accountId: string },
): string {
  return site.siteKey === demoSiteKey ? `demo ${site.siteKey}` : site.accountId;
}
