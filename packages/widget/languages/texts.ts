import type { WidgetErrorName } from "../machine/widget-error.ts";
import { isOutage, OFFLINE, type WidgetFault } from "../machine/widget-fault.ts";
import { en } from "./en.ts";

/** What a translation says; `{0}` stands for what a text names. What only the page's owner can mend is `owner`, and names the error. */
export type Translation = Readonly<
  Record<
    "verify" | "checking" | "verified" | "unverified" | "expired" | "retry" | "press" | "offline" | "unreachable",
    string
  > &
    Record<"limited" | "browser" | "rejected" | "blocked" | "owner" | "requestId", string>
>;

/** Everything the widget says, in one language: a translation, as far as it was fetched, and errors that are told in words of their own. */
export type Texts = { readonly [Key in keyof Translation | WidgetErrorName]?: string | undefined } & {
  /** BCP 47 tag for the `lang` attribute. */
  readonly language: string;
};

/** What the widget's region is to say of an error; undefined where it says that already. */
export type Tell = (status: HTMLElement, texts: Texts, error: WidgetFault) => string | undefined;

/** A text with what it names in it; in English where a translation lacks it, which may be an earlier one. What was fetched may be anything. */
export const say = (texts: Texts, key: keyof Translation | WidgetErrorName, named = ""): string =>
  `${texts[key] ?? (en as Texts)[key] ?? ""}`.replace("{0}", () => named);

/** Whether an error is told in words that are there, since it may be the network's; all others wait for `trouble.ts`. */
export const isToldAtOnce = ({ name }: WidgetFault): boolean => /^(network|timeout|csp|endpoint)/.test(name);

/** What happened and what to do, as far as that needs no words that are fetched. */
export function sayFault(texts: Texts, error: WidgetFault): string {
  const { name, detail } = error;
  if (texts[name]) return say(texts, name, detail);
  if (detail === OFFLINE) return say(texts, "offline");
  return isOutage(error) ? say(texts, "unreachable") : say(texts, "owner", name);
}
