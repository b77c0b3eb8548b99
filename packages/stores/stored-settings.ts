import type { Site, SiteSettings } from "@stile/core/domain/site/site";

/** What no query asks for of a site, kept as JSON. */
export type StoredSettings = Omit<SiteSettings, "name">;

/** Settings that sites lack that were stored before there was one: as its default was then. */
export const LATER_SETTINGS = {
  proofOfBrowser: "auto",
  signedAgents: "judge",
  onUnavailable: "submit",
  noScript: "off",
  contact: "",
} as const satisfies Partial<StoredSettings>;

/** The settings of a site as text. */
export function settingsText(site: Site): string {
  // Named one by one, so that nothing of a site goes into this column by accident.
  const settings: StoredSettings = {
    domains: site.domains,
    mode: site.mode,
    theme: site.theme,
    language: site.language,
    isEnabled: site.isEnabled,
    tokenLifeSeconds: site.tokenLifeSeconds,
    binding: site.binding,
    thresholds: site.thresholds,
    difficultyOffset: site.difficultyOffset,
    signedAgents: site.signedAgents,
    verifyPerMinute: site.verifyPerMinute,
    scorePerMinute: site.scorePerMinute,
    proofOfBrowser: site.proofOfBrowser,
    onUnavailable: site.onUnavailable,
    noScript: site.noScript,
    contact: site.contact,
  };
  return JSON.stringify(settings);
}
