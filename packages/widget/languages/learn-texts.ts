import { OFFLINE, WIDGET_ERROR_NAMES, type WidgetError } from "../machine/widget-error.ts";
import { fieldsOf } from "../untrusted.ts";
import { withinPatience } from "../within-patience.ts";
import { en } from "./en.ts";
import { loadErrorTexts } from "./load-error-texts.ts";
import type { ErrorText, Texts } from "./texts.ts";

/** What a translation says; `{0}` stands for what a text names. What only the page's owner can mend is `owner`, and names the error. */
export type Translation = Readonly<
  Record<"verify" | "checking" | "verified" | "expired" | "retry" | "press" | "offline" | "unreachable", string> &
    Record<"limited" | "browser" | "rejected" | "blocked" | "owner" | "requestId", string>
>;

/** Seconds in the language's own way, with its unit: no plural can be wrong. */
function secondsIn(language: string, seconds = "60"): string {
  return new Intl.NumberFormat(language, { style: "unit", unit: "second" }).format(Number(seconds));
}

/** A translation as it came, to texts. */
export function toTexts(language: string, answer: unknown): Texts {
  const said = fieldsOf(answer);
  const say = (key: keyof Translation, value = ""): string => String(said[key] ?? "").replace("{0}", () => value);
  const outage = (): string => say("unreachable");
  const errors: Record<string, ErrorText> = {
    ...Object.fromEntries(WIDGET_ERROR_NAMES.map((name) => [name, () => say("owner", name)])),
    network: (detail) => say(detail === OFFLINE ? "offline" : "unreachable"),
    timeout: outage,
    internal: outage,
    rate_limited: (seconds) => say("limited", secondsIn(language, seconds)),
    worker_failed: () => say("browser"),
    solution_rejected: () => say("rejected"),
    blocked_by_policy: () => say("blocked"),
  };
  const verify = say("verify");
  return {
    ...{ language, verify, errors, clickNeeded: say("press", verify) },
    ...{ checking: say("checking"), verified: say("verified"), expired: say("expired"), retry: say("retry") },
    requestId: (id) => say("requestId", id),
  };
}

async function fetchTranslation(base: string, language: string): Promise<unknown> {
  try {
    const response = await fetch(`${base}/languages/${language}.json`, { credentials: "omit" });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

/** All texts in one of LANGUAGES or in English; undefined where they can't be had. */
export async function learnTexts(base: string, language: string): Promise<Texts | undefined> {
  if (language === "en") return en;
  const answer = await withinPatience(fetchTranslation(base, language));
  return answer === undefined ? undefined : toTexts(language, answer);
}

/** English with the words for what goes wrong seldom, told to the page's owner where it is theirs; where they can't be had, the network went wrong. */
export async function learnErrors(base: string, error: WidgetError): Promise<Texts> {
  const { errors } = en;
  const more = await withinPatience(loadErrorTexts(base));
  more?.tellOwner(error);
  return { ...en, errors: { ...errors, ...(more?.errorTexts ?? { [error.name]: errors.network }) } };
}
