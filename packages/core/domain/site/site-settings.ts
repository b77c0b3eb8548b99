import { SPOKEN } from "@stile/protocol/languages";
import { CONTACT_CHARACTERS, DEFAULT_THRESHOLDS, TOKEN_LIFE_SECONDS } from "@stile/protocol/limits";
import {
  BINDINGS,
  NO_SCRIPT,
  ON_UNAVAILABLE,
  SCORE_SIGNALS,
  SIGNED_AGENTS,
  SITE_MODES,
  THEMES,
} from "@stile/protocol/site-settings";
import { isVisible, withoutUnseen } from "../unseen.ts";
import { parseContact } from "./contact.ts";
import { parseHostName } from "./host-name.ts";
import type { SiteSettings } from "./site.ts";

/** A problem with proposed settings: the field, and how to correct it. */
export type SettingsProblem = { readonly field: keyof SiteSettings; readonly message: string };

/** The settings of a new site unless it chooses others (D13, formats). */
export const DEFAULT_SETTINGS: Omit<SiteSettings, "name" | "domains"> = {
  mode: "managed",
  theme: "auto",
  language: "auto",
  isEnabled: true,
  tokenLifeSeconds: TOKEN_LIFE_SECONDS.default,
  binding: "strict",
  thresholds: DEFAULT_THRESHOLDS,
  difficultyOffset: 0,
  signedAgents: "judge",
  verifyPerMinute: null,
  scorePerMinute: null,
  scoreSignals: "expected",
  onUnavailable: "submit",
  noScript: "off",
  contact: "",
};

const MAX_NAME = 64;
const MAX_DOMAINS = 50;
const MAX_PER_MINUTE = 10_000_000;
/** `auto` uses the language of the page around the widget, or else that of the browser. */
const LANGUAGES = ["auto", ...SPOKEN];

/**
 * Settings as stored: name and contact trimmed and NFC, the name all visible, domains canonical and
 * unique (D13, formats).
 */
export function normalizeSettings(settings: SiteSettings): SiteSettings {
  const domains = settings.domains.map((domain) => parseHostName(domain.trim()) ?? domain);
  const { challenge, block } = settings.thresholds;
  const tidy = (text: string): string => text.normalize("NFC").trim();
  return {
    ...settings,
    // Lists and the audit log quote the name, so it must not change how their lines read.
    name: tidy(withoutUnseen(settings.name)),
    contact: tidy(settings.contact),
    domains: [...new Set(domains)],
    // Always in the same order, because changes are found by comparing JSON texts.
    thresholds: { challenge, block },
  };
}

function isLimit(value: number | null): boolean {
  return value === null || (Number.isInteger(value) && value >= 1 && value <= MAX_PER_MINUTE);
}

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

/** Whether a field is valid, and how to correct it if not. */
type Rule = readonly [holds: boolean, field: keyof SiteSettings, message: string];

/** The permitted values of fields that are one of a few words. */
const CHOICES = [
  ["mode", Object.keys(SITE_MODES)],
  ["theme", THEMES as readonly string[]],
  ["binding", Object.keys(BINDINGS)],
  ["signedAgents", Object.keys(SIGNED_AGENTS)],
  ["scoreSignals", Object.keys(SCORE_SIGNALS)],
  ["onUnavailable", Object.keys(ON_UNAVAILABLE)],
  ["noScript", Object.keys(NO_SCRIPT)],
] as const;

/**
 * All problems of normalized settings (D13, formats). `keptLanguage` is the site's present
 * language, which may be any tag if it was chosen before there was a list.
 */
export function findSettingsProblems(
  settings: SiteSettings,
  keptLanguage?: string,
): SettingsProblem[] {
  const { thresholds } = settings;
  const foreign = settings.domains.filter((domain) => parseHostName(domain) !== domain);
  const life = TOKEN_LIFE_SECONDS;
  const rules: readonly Rule[] = [
    [
      isVisible(settings.name) && [...settings.name].length <= MAX_NAME,
      "name",
      `Use 1 to ${MAX_NAME} visible characters.`,
    ],
    [
      isWithin(settings.domains.length, 1, MAX_DOMAINS),
      "domains",
      `Enter 1 to ${MAX_DOMAINS} domains.`,
    ],
    [
      foreign.length === 0,
      "domains",
      `Not a host name: ${foreign.join(", ")}. Enter it without "https://", port and path.`,
    ],
    ...CHOICES.map(([field, choices]): Rule => {
      return [choices.includes(settings[field]), field, `Choose one of ${choices.join(", ")}.`];
    }),
    [
      settings.language === keptLanguage || LANGUAGES.includes(settings.language),
      "language",
      `Choose one of the widget's languages: ${LANGUAGES.join(", ")}.`,
    ],
    [
      isWithin(settings.tokenLifeSeconds, life.min, life.max),
      "tokenLifeSeconds",
      `Use ${life.min} to ${life.max} seconds.`,
    ],
    [
      thresholds.challenge > 0 && thresholds.challenge <= thresholds.block && thresholds.block <= 1,
      "thresholds",
      "Use numbers above 0 and up to 1. The block threshold can't be below the challenge threshold.",
    ],
    [
      isWithin(settings.difficultyOffset, -1, 2),
      "difficultyOffset",
      "Use a whole number from -1 to 2.",
    ],
    [
      isLimit(settings.verifyPerMinute),
      "verifyPerMinute",
      `Use a whole number from 1 to ${MAX_PER_MINUTE}.`,
    ],
    [
      settings.contact === "" || parseContact(settings.contact) !== undefined,
      "contact",
      `Use an email address, an address that begins with https://, or one line of at most ${CONTACT_CHARACTERS} characters.`,
    ],
    [
      isLimit(settings.scorePerMinute),
      "scorePerMinute",
      `Use a whole number from 1 to ${MAX_PER_MINUTE}.`,
    ],
  ];
  return rules.flatMap(([holds, field, message]) => (holds ? [] : [{ field, message }]));
}
