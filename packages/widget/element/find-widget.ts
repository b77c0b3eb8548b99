import type { Which } from "../stile.ts";
import type { StileCaptcha } from "./stile-captcha.ts";

/** The given widget, or the first one inside the given element; by default the page's first. */
export function findWidget(which?: Which): StileCaptcha | null | undefined {
  const scope = typeof which === "string" ? document.querySelector(which) : (which ?? document);
  // Recognised by a method that forms don't have.
  return (scope as Partial<StileCaptcha> | null)?.take
    ? (scope as StileCaptcha)
    : scope?.querySelector<StileCaptcha>("stile-captcha");
}
