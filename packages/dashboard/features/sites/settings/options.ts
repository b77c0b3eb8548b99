import {
  BINDINGS,
  NO_SCRIPT,
  ON_UNAVAILABLE,
  SCORE_SIGNALS,
  SIGNED_AGENTS,
  SITE_MODES,
  THEMES,
} from "@stile/protocol/site-settings";
import type { FieldOption } from "../../../ui/field.tsx";
import {
  BINDING_NAMES,
  MODE_NAMES,
  NO_SCRIPT_NAMES,
  SCORE_SIGNAL_NAMES,
  SETTINGS,
  SIGNED_AGENT_NAMES,
  THEME_NAMES,
  UNAVAILABLE_NAMES,
} from "../text.ts";

function toOptions<Key extends string>(
  names: Readonly<Record<Key, string>>,
  meanings: Readonly<Record<Key, string>>,
): readonly FieldOption[] {
  return (Object.keys(meanings) as Key[]).map((value) => ({
    value,
    label: names[value],
    help: meanings[value],
  }));
}

/** The modes, with their meanings (D13, formats). */
export const MODE_OPTIONS = toOptions(MODE_NAMES, SITE_MODES);

/** The binding settings, with their meanings (D5, binding). */
export const BINDING_OPTIONS = toOptions(BINDING_NAMES, BINDINGS);

/** Whether score requests come with signals, with the meaning of each (D7, score request). */
export const SCORE_SIGNAL_OPTIONS = toOptions(SCORE_SIGNAL_NAMES, SCORE_SIGNALS);

/** How a form behaves in an outage, with the meaning of each option (D15, outage). */
export const UNAVAILABLE_OPTIONS = toOptions(UNAVAILABLE_NAMES, ON_UNAVAILABLE);

/** The ways for visitors without JavaScript, with the meaning of each (D18, no JavaScript). */
export const NO_SCRIPT_OPTIONS = toOptions(NO_SCRIPT_NAMES, NO_SCRIPT);

/** How the site treats signed bots, with the meaning of each option (D9, submission). */
export const SIGNED_AGENT_OPTIONS = toOptions(SIGNED_AGENT_NAMES, SIGNED_AGENTS);

/** The themes (D13, formats). */
export const THEME_OPTIONS: readonly FieldOption[] = THEMES.map((value) => ({
  value,
  label: THEME_NAMES[value],
}));

/** The difficulty offsets; each doubles the work of the one before. */
export const DIFFICULTY_OPTIONS: readonly FieldOption[] = ["-1", "0", "1", "2"].map((value) => {
  return {
    value,
    label: SETTINGS.difficultyOptions[value as keyof typeof SETTINGS.difficultyOptions],
  };
});
