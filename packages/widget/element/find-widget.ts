import type { Which } from "../stile.ts";
import type { StileCaptcha } from "./stile-captcha.ts";

/** The widget that is meant, or the first inside what is meant; left out, the page's first. */
export function findWidget(which?: Which): StileCaptcha | null {
  const scope = typeof which === "string" ? document.querySelector(which) : (which ?? document);
  return (scope as Partial<StileCaptcha> | null)?.reset
    ? (scope as StileCaptcha)
    : (scope?.querySelector<StileCaptcha>("stile-captcha") ?? null);
}
