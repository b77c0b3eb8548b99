/** The options of `createStile`. */
export type StileOptions = {
  /** The secret key of your site, `sk_...`. It never leaves your server. */
  readonly secretKey: string;
  /** The address of your Stile service, such as `https://captcha.example.org`. */
  readonly baseUrl: string;
  /** Whether to let people pass while the service gives no verdict. Default `"reject"`. */
  readonly onUnavailable?: "accept" | "reject";
  /** The hosts of your pages; subdomains count. Default: every host that the site allows. */
  readonly hostnames?: readonly string[];
  /** The highest score to let pass, 0 to 1, if it is below the site's own threshold. */
  readonly maxScore?: number;
};

const show = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value) : String(value);

function requireThat(isRight: boolean, name: string, rule: string, value: unknown): void {
  if (!isRight) throw new TypeError(`Stile: ${name} must be ${rule}. It is ${show(value)}.`);
}

function isHttpUrl(text: unknown): boolean {
  try {
    return typeof text === "string" && /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}

/**
 * Returns the options with their defaults. Throws a TypeError that names the first wrong one. The
 * secret key is not part of its message.
 */
export function readOptions(options: StileOptions): Required<Omit<StileOptions, "maxScore">> & {
  readonly maxScore: number | undefined;
} {
  const { secretKey, baseUrl, onUnavailable = "reject", hostnames, maxScore } = options ?? {};
  const isSecret = typeof secretKey === "string" && secretKey.startsWith("sk_");
  const found = typeof secretKey === "string" ? "another text" : typeof secretKey;
  if (!isSecret)
    throw new TypeError(`Stile: secretKey must be a text that begins with sk_. It is ${found}.`);
  requireThat(
    isHttpUrl(baseUrl),
    "baseUrl",
    "an address such as https://captcha.example.org",
    baseUrl,
  );
  requireThat(
    onUnavailable === "accept" || onUnavailable === "reject",
    "onUnavailable",
    '"accept" or "reject"',
    onUnavailable,
  );
  const isHost = (host: unknown): boolean => typeof host === "string" && /^[^/:\s]+$/.test(host);
  requireThat(
    hostnames === undefined ||
      (Array.isArray(hostnames) && hostnames.length > 0 && hostnames.every(isHost)),
    "hostnames",
    'a list of hosts without a scheme or port, such as ["shop.example"]',
    hostnames,
  );
  requireThat(
    maxScore === undefined || (typeof maxScore === "number" && maxScore >= 0 && maxScore <= 1),
    "maxScore",
    "a number from 0 to 1",
    maxScore,
  );
  const known = ["secretKey", "baseUrl", "onUnavailable", "hostnames", "maxScore"];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new TypeError(
      `Stile: there is no option ${unknown}. The options are ${known.join(", ")}.`,
    );
  return {
    secretKey,
    baseUrl: baseUrl.replace(/\/+$/, ""),
    onUnavailable,
    hostnames: hostnames ?? [],
    maxScore,
  };
}
