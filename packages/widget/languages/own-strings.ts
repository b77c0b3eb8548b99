import { WIDGET_ERROR_NAMES, widgetError } from "../machine/widget-error.ts";
import { loadErrorTexts } from "./load-error-texts.ts";
import type { Texts } from "./texts.ts";

/** The texts of a `strings` attribute, by name; undefined where it is no JSON object of texts. */
function parseStrings(json: string): Readonly<Record<string, string>> | undefined {
  try {
    const texts = JSON.parse(json);
    const isGood = /^\s*{/.test(json) && Object.values(texts).every((one) => typeof one === "string");
    return isGood ? texts : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Texts with those that the page words itself (the JSON of `strings`; none where it is no object of texts, which the page's owner is told): `verify`, `checking`, `verified`, `expired`, `retry`, `press`,
 * `requestId`, and any error by its name; `{0}` stands for what a text names.
 */
export function withStrings(texts: Texts, json: string, base: string): Texts {
  const strings = parseStrings(json);
  if (strings === undefined) {
    // Nobody is kept out for words that can't be read.
    void loadErrorTexts(base).then((module) => module?.tellOwner(widgetError("attribute_invalid", "strings")));
    return texts;
  }
  const { verify = texts.verify, checking, verified, expired, retry, press } = strings;
  const fill = (text: string, value = ""): string => text.replace("{0}", () => value);
  const own = WIDGET_ERROR_NAMES.flatMap((name) => {
    const text = Object.hasOwn(strings, name) ? strings[name] : undefined;
    return text === undefined ? [] : [[name, (detail?: string) => fill(text, detail)] as const];
  });
  return {
    language: texts.language,
    verify,
    checking: checking ?? texts.checking,
    verified: verified ?? texts.verified,
    expired: expired ?? texts.expired,
    retry: retry ?? texts.retry,
    clickNeeded: press ? fill(press, verify) : texts.clickNeeded.replace(texts.verify, () => verify),
    errors: { ...texts.errors, ...Object.fromEntries(own) },
    requestId: (id) => (strings.requestId ? fill(strings.requestId, id) : texts.requestId(id)),
  };
}
