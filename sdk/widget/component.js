// What the components of all frameworks share.
import { loadStile } from "./load-stile.js";

const ANY = undefined;
/** The options that become attributes, with their values. The widget itself checks the texts. */
const OPTIONS = {
  siteKey: ANY,
  action: ANY,
  cdata: ANY,
  form: ANY,
  language: ANY,
  strings: ANY,
  tabindex: ANY,
  responseFieldName: ANY,
  responseField: [true, false],
  theme: ["auto", "light", "dark", "contrast"],
  dir: ["ltr", "rtl"],
  execution: ["focus", "render", "execute", "submit"],
  appearance: ["always", "execute", "interaction-only"],
  size: ["normal", "flexible", "compact", "invisible"],
  retry: ["auto", "never"],
  refreshExpired: ["auto", "manual", "never"],
  onUnavailable: ["submit", "block"],
};
/** The names of these options. */
export const OPTION_NAMES = Object.keys(OPTIONS);

/** The last token of each element that was reported. */
const reported = new WeakMap();

/** The attributes of `<stile-captcha>` for these options. */
export function toAttributes(options) {
  const attributes = {};
  for (const name of OPTION_NAMES) {
    const value = options[name];
    if (value == null) continue;
    const attribute =
      name === "siteKey" ? "sitekey" : name.replace(/[A-Z]/g, (x) => `-${x.toLowerCase()}`);
    attributes[attribute] = typeof value === "object" ? JSON.stringify(value) : `${value}`;
  }
  return attributes;
}

/**
 * Connects an element of the page with a component's options, which `read` returns as they are at
 * that moment: loads the script, and calls `onVerify`, `onExpire` and `onError`. The returned
 * function ends that. An element may be connected again: each token is reported once.
 */
export function connect(element, read) {
  const connection = new AbortController();
  const { signal } = connection;
  const listen = (name, then) =>
    element.addEventListener(`stile:${name}`, ({ detail }) => then(detail), { signal });
  const report = (name, detail) => {
    console.error(`Stile: ${detail}`);
    read().onError?.({ name, detail });
  };
  const verified = ({ token }) => {
    if (reported.get(element) === token) return;
    reported.set(element, token);
    read().onVerify?.(token);
  };
  listen("verified", verified);
  listen("expired", () => read().onExpire?.());
  listen("error", (error) => read().onError?.(error));
  // A page from a server may have a token before its components run.
  if (element.state === "verified") verified({ token: element.value });
  const options = read();
  for (const name of OPTION_NAMES) {
    const value = options[name];
    if (value != null && OPTIONS[name]?.includes(value) === false)
      report(
        "attribute_invalid",
        `${name} must be ${OPTIONS[name].join(" or ")}. It is ${JSON.stringify(value)}.`,
      );
  }
  loadStile(options.baseUrl).catch((error) => {
    if (!signal.aborted)
      report(error instanceof TypeError ? "attribute_invalid" : "network", error.message);
  });
  return () => connection.abort();
}

/** Resolves to a token for a script. It rejects as `stile.execute` does. */
export async function execute(element, baseUrl) {
  const stile = await loadStile(baseUrl);
  // Without an element, the page's first widget would answer.
  if (!element?.isConnected) throw new Error("execute: the component is not in the page.");
  return stile.execute(element);
}
