import type { Site, SiteSettings } from "@stile/core/domain/site/site";

/** The parts of a site that no query filters by, stored as JSON. */
export type StoredSettings = Omit<SiteSettings, "name">;

/**
 * Values for settings that a site lacks because it was stored before they existed: their default at
 * that time.
 */
export const LATER_SETTINGS = {
  scoreSignals: "expected",
  signedAgents: "judge",
  onUnavailable: "submit",
  noScript: "off",
  contact: "",
} as const satisfies Partial<StoredSettings>;

/** The settings of a site as text. */
export function settingsText(site: Site): string {
  // The fields are listed one by one, so that no other field of a site gets into this column by
  // accident.
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
    scoreSignals: site.scoreSignals,
    onUnavailable: site.onUnavailable,
    noScript: site.noScript,
    contact: site.contact,
  };
  return JSON.stringify(settings);
}
