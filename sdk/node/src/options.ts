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

const SECRET_KEY = /^sk_[\w-]+$/;
/** Without a user name, which fetch refuses, and without a query or fragment, which ends a path. */
const ADDRESS = /^https?:\/\/([\w.-]+|\[[\da-fA-F:.]+\])(:\d{1,5})?(\/[!-"$->@-z|~]*)?$/;
const HOST = /^\w[\w.-]*$/;

const matches = (pattern: RegExp, value: unknown): value is string =>
  typeof value === "string" && pattern.test(value);

function isAddress(value: unknown): boolean {
  try {
    return matches(ADDRESS, value) && new URL(value).host !== "";
  } catch {
    return false;
  }
}

const show = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value) : String(value);

/** For a text that may hold a secret. */
const hide = (value: unknown): string =>
  typeof value === "string" ? "another text" : String(value);

function requireThat(isRight: boolean, name: string, rule: string, found: string): void {
  if (!isRight) throw new TypeError(`Stile: ${name} must be ${rule}. It is ${found}.`);
}

function requireKnown(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new TypeError(
      `Stile: there is no option ${unknown}. The options are ${known.join(", ")}.`,
    );
}

/**
 * Returns the options with their defaults. Throws a TypeError that names the first wrong one. The
 * secret key is not part of its message, nor is the address, which may hold a password.
 */
export function readOptions(options: StileOptions): Required<Omit<StileOptions, "maxScore">> & {
  readonly maxScore: number | undefined;
} {
  const { secretKey, baseUrl, onUnavailable = "reject", hostnames, maxScore } = options ?? {};
  requireKnown(options ?? {}, ["secretKey", "baseUrl", "onUnavailable", "hostnames", "maxScore"]);
  requireThat(
    matches(SECRET_KEY, secretKey),
    "secretKey",
    "a text that begins with sk_, then letters, digits, - or _",
    hide(secretKey),
  );
  requireThat(
    isAddress(baseUrl),
    "baseUrl",
    "an address such as https://captcha.example.org",
    hide(baseUrl),
  );
  requireThat(
    onUnavailable === "accept" || onUnavailable === "reject",
    "onUnavailable",
    '"accept" or "reject"',
    show(onUnavailable),
  );
  requireThat(
    hostnames === undefined ||
      (Array.isArray(hostnames) &&
        hostnames.length > 0 &&
        hostnames.every((host) => matches(HOST, host))),
    "hostnames",
    'a list of hosts without a scheme, port or *, such as ["shop.example"]',
    show(hostnames),
  );
  requireThat(
    maxScore === undefined || (typeof maxScore === "number" && maxScore >= 0 && maxScore <= 1),
    "maxScore",
    "a number from 0 to 1",
    show(maxScore),
  );
  return {
    secretKey,
    baseUrl: baseUrl.replace(/\/+$/, ""),
    onUnavailable,
    hostnames: (hostnames ?? []).map((host) => host.toLowerCase()),
    maxScore,
  };
}

/**
 * Throws a TypeError that names the first wrong option of a call. An address or a user agent may be
 * null, as a header that a visitor left out.
 */
export function checkCall(
  options: { readonly action?: unknown; readonly remoteIp?: unknown; readonly userAgent?: unknown },
  known: readonly string[],
): void {
  if (typeof options !== "object" || options === null)
    throw new TypeError(
      `Stile: the options of a call must be an object. They are ${show(options)}.`,
    );
  requireKnown(options, known);
  const { action, remoteIp, userAgent } = options;
  for (const [name, value] of Object.entries({
    action,
    remoteIp: remoteIp ?? undefined,
    userAgent: userAgent ?? undefined,
  }))
    requireThat(value === undefined || typeof value === "string", name, "a text", show(value));
}
