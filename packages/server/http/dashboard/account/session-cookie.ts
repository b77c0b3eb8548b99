import { DEVICE_DAYS } from "@stile/core/services/account/sign-in/known-devices";

/**
 * Our cookies: the session's, and the one that identifies a browser from an earlier sign-in, which
 * grants nothing.
 */
type CookieKind = {
  readonly session: string;
  readonly device: string;
  readonly attributes: string;
};

/**
 * Because of the prefix, browsers accept these only over a secure connection, for this host alone
 * and for all its paths. No other host or path can plant one (RFC 6265bis, 4.1.3.2).
 */
const SECURE: CookieKind = {
  session: "__Host-stile",
  device: "__Host-stile-device",
  attributes: "Path=/; Secure; HttpOnly",
};

/**
 * For http on the machine itself. WebKit, as in Safari, drops `Secure` cookies there too (decision
 * 0043, sessions).
 */
const PLAIN: CookieKind = {
  session: "stile",
  device: "stile-device",
  attributes: "Path=/; HttpOnly",
};

const DAY_SECONDS = 86_400;

const sessionCookie = ({ session, attributes }: CookieKind, token: string): string =>
  `${session}=${token}; ${attributes}; SameSite=Lax`;

/** Only the dashboard's own page needs it to sign in, hence Strict. */
const deviceCookie = ({ device, attributes }: CookieKind, token: string): string =>
  `${device}=${token}; Max-Age=${DEVICE_DAYS * DAY_SECONDS}; ${attributes}; SameSite=Strict`;

const clearedCookie = ({ session, attributes }: CookieKind): string =>
  `${session}=; Max-Age=0; ${attributes}; SameSite=Lax`;

/**
 * The Set-Cookie values of a new session and of the browser, which is known from now on. The
 * session's cookie lasts until the browser is closed; the service ends the session sooner.
 */
export function signedInCookies(
  tokens: { readonly token: string; readonly deviceToken: string },
  isPlain: boolean,
) {
  const kind = isPlain ? PLAIN : SECURE;
  const begun = [sessionCookie(kind, tokens.token), deviceCookie(kind, tokens.deviceToken)];
  // Another cookie, planted or from before, could outlive the new one, which ends with the browser.
  return isPlain ? [...begun, clearedCookie(SECURE)] : begun;
}

/** The Set-Cookie values that remove the session. */
export function signedOutCookies(isPlain: boolean): readonly string[] {
  return (isPlain ? [PLAIN, SECURE] : [SECURE]).map(clearedCookie);
}

/**
 * The session token in a Cookie header. Undefined if there are none or several, because no browser
 * sends our cookie twice. Without `mayBePlain`, a plain cookie does not count, because another host
 * may have planted it. With it, the plain one wins. A script of another port can plant a cookie
 * with the prefix, but can't replace one that scripts can't read.
 */
export function readSessionToken(
  header: string | undefined,
  mayBePlain: boolean,
): string | undefined {
  return readOwn(SESSION_COOKIES, header, mayBePlain);
}

/** The device token, by the same rules. */
export function readDeviceToken(
  header: string | undefined,
  mayBePlain: boolean,
): string | undefined {
  return readOwn(DEVICE_COOKIES, header, mayBePlain);
}

/** Matches each cookie of that name in a Cookie header, with its value. */
const patternOf = (name: string): RegExp =>
  new RegExp(`(?<=^|;)[ \\t]*${name}[ \\t]*=([^;]*)`, "g");

const SESSION_COOKIES = { secure: patternOf(SECURE.session), plain: patternOf(PLAIN.session) };
const DEVICE_COOKIES = { secure: patternOf(SECURE.device), plain: patternOf(PLAIN.device) };

function readOwn(
  { secure, plain }: typeof SESSION_COOKIES,
  header: string | undefined,
  mayBePlain: boolean,
): string | undefined {
  if (header === undefined) return undefined;
  const ofPlain = mayBePlain ? valuesOf(header, plain) : [];
  const [first, second] = ofPlain.length > 0 ? ofPlain : valuesOf(header, secure);
  return second === undefined ? first || undefined : undefined;
}

function valuesOf(header: string, pattern: RegExp): readonly string[] {
  return [...header.matchAll(pattern)].map(([, value = ""]) => value.trim());
}
