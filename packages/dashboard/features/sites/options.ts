import { BINDINGS, SITE_MODES, THEMES } from "@stile/protocol/site-settings";
import { BINDING_NAMES, MODE_NAMES, SETTINGS, THEME_NAMES } from "./text.ts";

type Option = { readonly value: string; readonly label: string; readonly help?: string };

function toOptions<Key extends string>(
  names: Readonly<Record<Key, string>>,
  meanings: Readonly<Record<Key, string>>,
): readonly Option[] {
  return (Object.keys(meanings) as Key[]).map((value) => ({ value, label: names[value], help: meanings[value] }));
}

/** The modes with what they mean (D13). */
export const MODE_OPTIONS = toOptions(MODE_NAMES, SITE_MODES);

/** The binding settings with what they mean (D5). */
export const BINDING_OPTIONS = toOptions(BINDING_NAMES, BINDINGS);

/** The looks (D13). */
export const THEME_OPTIONS: readonly Option[] = THEMES.map((value) => ({ value, label: THEME_NAMES[value] }));

/** The difficulty offsets, each doubling the work of the one before. */
export const DIFFICULTY_OPTIONS: readonly Option[] = ["-1", "0", "1", "2"].map((value) => {
  return { value, label: SETTINGS.difficultyOptions[value as keyof typeof SETTINGS.difficultyOptions] };
});
