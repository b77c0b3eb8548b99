import type { WidgetErrorName } from "../machine/widget-error.ts";
import { isOutage, OFFLINE, type WidgetFault } from "../machine/widget-fault.ts";
import { en } from "./en.ts";

/**
 * A translation's texts; `{0}` is replaced by a text's detail. `owner` is for errors that only the
 * page's owner can fix, and names them.
 */
export type Translation = Readonly<
  Record<
    | "verify"
    | "checking"
    | "verified"
    | "unverified"
    | "expired"
    | "retry"
    | "press"
    | "offline"
    | "unreachable",
    string
  > &
    Record<"limited" | "browser" | "rejected" | "blocked" | "owner" | "requestId", string>
>;

/**
 * The widget's texts in one language: a translation, as far as loaded, and errors with texts of
 * their own.
 */
export type Texts = {
  readonly [Key in keyof Translation | WidgetErrorName]?: string | undefined;
} & {
  /** BCP 47 tag for the `lang` attribute. */
  readonly language: string;
};

/** The text of the widget's region about an error; undefined if the region shows it already. */
export type DescribeError = (
  status: HTMLElement,
  texts: Texts,
  error: WidgetFault,
) => string | undefined;

/**
 * A text with its parts filled in; English if the translation, which may be an older version, lacks
 * it. Fetched texts can be anything.
 */
export const say = (texts: Texts, key: keyof Translation | WidgetErrorName, named = ""): string =>
  `${texts[key] ?? (en as Texts)[key] ?? ""}`.replace("{0}", () => named);

/** Errors that may keep `trouble.js` itself from being loaded, so their texts are built in. */
const BUILT_IN: ReadonlySet<WidgetErrorName> = new Set<WidgetErrorName>([
  "network",
  "timeout",
  "csp_blocked",
  "endpoint_not_allowed",
]);

/** Whether an error has a built-in text; the texts of all others come with `trouble.js`. */
export const isBuiltIn = ({ name }: WidgetFault): boolean => BUILT_IN.has(name);

/** The error and the advice, as far as built-in texts cover it. */
export function sayFault(texts: Texts, error: WidgetFault): string {
  const { name, detail } = error;
  if (texts[name]) return say(texts, name, detail);
  if (detail === OFFLINE) return say(texts, "offline");
  return isOutage(error) ? say(texts, "unreachable") : say(texts, "owner", name);
}
