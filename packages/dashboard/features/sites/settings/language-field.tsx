import { useState } from "preact/hooks";
import { type FieldOption, SelectField } from "../../../ui/field.tsx";
import { SETTINGS } from "../text.ts";

/**
 * The name of each of the widget's languages in that language: browsers don't know all of these.
 */
const OWN_NAMES: Readonly<Record<string, string>> = {
  en: "English",
  ar: "العربية",
  bg: "Български",
  ca: "Català",
  cs: "Čeština",
  da: "Dansk",
  de: "Deutsch",
  el: "Ελληνικά",
  es: "Español",
  et: "Eesti",
  fa: "فارسی",
  fi: "Suomi",
  fr: "Français",
  ga: "Gaeilge",
  he: "עברית",
  hi: "हिन्दी",
  hr: "Hrvatski",
  hu: "Magyar",
  id: "Bahasa Indonesia",
  it: "Italiano",
  ja: "日本語",
  ko: "한국어",
  lt: "Lietuvių",
  lv: "Latviešu",
  ms: "Bahasa Melayu",
  mt: "Malti",
  nb: "Norsk bokmål",
  nl: "Nederlands",
  pl: "Polski",
  pt: "Português",
  "pt-BR": "Português (Brasil)",
  ro: "Română",
  ru: "Русский",
  sk: "Slovenčina",
  sl: "Slovenščina",
  sv: "Svenska",
  th: "ไทย",
  tr: "Türkçe",
  uk: "Українська",
  vi: "Tiếng Việt",
  "zh-CN": "简体中文",
  "zh-TW": "繁體中文",
};

const OPTIONS: readonly FieldOption[] = [
  { value: "auto", label: SETTINGS.languageAuto },
  ...Object.entries(OWN_NAMES)
    .map(([value, name]) => ({ value, label: `${name} (${value})` }))
    .sort((one, other) => one.label.localeCompare(other.label, "en")),
];

type LanguageFieldProps = { readonly value: string; readonly onValue: (language: string) => void };

/**
 * The widget's language on this site (D13, formats). A site that had another language before there
 * was a list may keep it.
 */
export function LanguageField({ value, onValue }: LanguageFieldProps) {
  const [former] = useState(value);
  const isListed = OPTIONS.some((option) => option.value === former);
  return (
    <SelectField
      label={SETTINGS.language}
      name="language"
      value={value}
      onValue={onValue}
      options={
        isListed
          ? OPTIONS
          : [...OPTIONS, { value: former, label: `${former} ${SETTINGS.languageKept}` }]
      }
      help={SETTINGS.languageHelp}
    />
  );
}
