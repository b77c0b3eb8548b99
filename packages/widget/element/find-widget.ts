import type { Which } from "../stile.ts";
import type { StileCaptcha } from "./stile-captcha.ts";

/** The widget that is meant, or the first inside what is meant; left out, the page's first. */
export function findWidget(which?: Which): StileCaptcha | null | undefined {
  const scope = typeof which === "string" ? document.querySelector(which) : (which ?? document);
  // Not by what a form has, too.
  return (scope as Partial<StileCaptcha> | null)?.take
    ? (scope as StileCaptcha)
    : scope?.querySelector<StileCaptcha>("stile-captcha");
}
