import type { SiteData, SiteSettingsData } from "@stile/protocol/dashboard-api";

/** One setting that two people changed to different values. */
export type SettingConflict = {
  readonly field: keyof SiteSettingsData;
  readonly mine: unknown;
  readonly theirs: unknown;
};

const FIELDS = [
  "name",
  "domains",
  "mode",
  "theme",
  "language",
  "isEnabled",
  "tokenLifeSeconds",
  "binding",
  "thresholds",
  "difficultyOffset",
  "signedAgents",
  "verifyPerMinute",
  "scorePerMinute",
  "scoreSignals",
  "onUnavailable",
  "noScript",
  "contact",
] as const satisfies readonly (keyof SiteSettingsData)[];

/** The part of a site that its settings page edits. */
export function toSettings(site: SiteData): SiteSettingsData {
  return pick(site, FIELDS);
}

function pick<Field extends keyof SiteSettingsData>(
  settings: SiteSettingsData,
  fields: readonly Field[],
): Pick<SiteSettingsData, Field> {
  return Object.fromEntries(fields.map((field) => [field, settings[field]])) as Pick<
    SiteSettingsData,
    Field
  >;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function changedFields(
  before: SiteSettingsData,
  after: SiteSettingsData,
): (keyof SiteSettingsData)[] {
  return FIELDS.filter((field) => !isSame(before[field], after[field]));
}

/** The settings that differ from `before`, with their new values; empty if none does. */
export function findChange(
  before: SiteSettingsData,
  after: SiteSettingsData,
): Partial<SiteSettingsData> {
  return pick(after, changedFields(before, after));
}

/**
 * Merges two changes of the same settings: changes by only one side are kept, and mine win.
 * `conflicts` names the settings that both changed, to different values.
 */
export function mergeSettings(
  base: SiteSettingsData,
  mine: SiteSettingsData,
  theirs: SiteSettingsData,
): { readonly merged: SiteSettingsData; readonly conflicts: readonly SettingConflict[] } {
  const changed = changedFields(base, mine);
  const conflicts = changed
    .filter((field) => !isSame(base[field], theirs[field]) && !isSame(mine[field], theirs[field]))
    .map((field) => ({ field, mine: mine[field], theirs: theirs[field] }));
  return { merged: { ...pick(theirs, FIELDS), ...pick(mine, changed) }, conflicts };
}
