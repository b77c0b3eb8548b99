import { isOutage, OFFLINE, type WidgetError, type WidgetErrorName } from "../machine/widget-error.ts";

/** What a translation says; `{0}` stands for what a text names. What only the page's owner can mend is `owner`, and names the error. */
export type Translation = Readonly<
  Record<"verify" | "checking" | "verified" | "expired" | "retry" | "press" | "offline" | "unreachable", string> &
    Record<"limited" | "browser" | "rejected" | "blocked" | "owner" | "requestId", string>
>;

/** Everything the widget says, in one language: a translation, as far as it was fetched, and errors that are told in words of their own. */
export type Texts = { readonly [Key in keyof Translation | WidgetErrorName]?: string | undefined } & {
  /** BCP 47 tag for the `lang` attribute. */
  readonly language: string;
  /** English words for what goes wrong seldom, once they were fetched. */
  readonly rare?: ((error: WidgetError) => string | undefined) | undefined;
};

/** The texts that tell an error which has none of its own. */
const TOLD_BY: { readonly [Name in WidgetErrorName]?: keyof Translation } = {
  rate_limited: "limited",
  worker_failed: "browser",
  solution_rejected: "rejected",
  blocked_by_policy: "blocked",
};

/** A text with what it names in it; empty where it is not known. What was fetched may be anything. */
export const say = (texts: Texts, key: keyof Translation | WidgetErrorName, named = ""): string =>
  String(texts[key] ?? "").replace("{0}", () => named);

/** Seconds in the language's own way, with its unit: no plural can be wrong. */
const secondsIn = (language: string, seconds = "60"): string =>
  new Intl.NumberFormat(language, { style: "unit", unit: "second" }).format(Number(seconds));

/** What happened and what to do; empty where the words were not fetched yet. */
export function sayError(texts: Texts, error: WidgetError): string {
  const { name, detail } = error;
  if (texts[name]) return say(texts, name, detail);
  const rare = texts.rare?.(error);
  if (rare) return rare;
  if (detail === OFFLINE) return say(texts, "offline");
  if (isOutage(error)) return say(texts, "unreachable");
  return say(texts, TOLD_BY[name] ?? "owner", name === "rate_limited" ? secondsIn(texts.language, detail) : name);
}
