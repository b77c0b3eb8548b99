import { loadTrouble } from "../load-trouble.ts";
import type { WidgetFault } from "../machine/widget-fault.ts";
import { reportToOwner } from "./report-to-owner.ts";
import type { Texts } from "./texts.ts";

/** The texts of a `strings` attribute, by name; undefined if it is not a JSON object of texts. */
function parseStrings(json: string): Readonly<Record<string, string>> | undefined {
  try {
    const texts = JSON.parse(json);
    const isGood =
      /^\s*{/.test(json) && Object.values(texts).every((one) => typeof one === "string");
    return isGood ? texts : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Texts with those that the page replaces (the JSON of `strings`; if it is not an object of texts,
 * nothing is replaced and this is logged for the page's owner): `verify`, `checking`, `verified`,
 * `expired`, `retry`, `unverified`, `press`, `requestId`, and any error by its name. `{0}` is
 * replaced by the text's detail.
 */
export function withStrings(texts: Texts, json: string | null, base: string): Texts {
  const strings = parseStrings(json || "{}");
  if (strings) return { ...texts, ...strings, language: texts.language };
  // Unreadable texts are no reason to block visitors.
  const error: WidgetFault = { name: "attribute_invalid", detail: "strings" };
  void loadTrouble(base).then((trouble) =>
    reportToOwner(base, error, trouble?.errorTexts.attribute_invalid(error.detail) ?? ""),
  );
  return texts;
}
