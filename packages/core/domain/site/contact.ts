import { CONTACT_CHARACTERS } from "@stile/protocol/limits";
import { isAllSeen } from "../unseen.ts";
import { isTestingHost, parseHostName } from "./host-name.ts";

/**
 * How blocked visitors reach a site's owner: the text to show, and the address that it links to, if
 * any (D13, formats).
 */
export type Contact = { readonly text: string; readonly address: string | undefined };

const EMAIL = /^([\w.!#$%&'*+/=?^{|}~-]{1,64})@([\w.-]+)$/;
/**
 * Allows a path, query and fragment of URL characters (RFC 3986), but no user name before the host.
 */
const HTTPS =
  /^https:\/\/([\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?(?:[/?#][\w.~:/?#[\]@!$&'()*+,;=%-]*)?$/i;
/** Looks like a URL of another scheme, such as `javascript:`. */
const ANY_SCHEME = /^[a-z][a-z\d+.-]*:\S/i;

/**
 * The mailto: URL of an email address. Characters that could add a subject, a copy or a text are
 * escaped.
 */
function parseEmail(text: string): string | undefined {
  const [, local = "", domain = ""] = EMAIL.exec(text) ?? [];
  const host = parseHostName(domain);
  if (host === undefined || !host.includes(".") || isTestingHost(host)) return undefined;
  return `mailto:${local.replace(/[^\w.~-]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}@${host}`;
}

function parseHttps(text: string): string | undefined {
  const host = HTTPS.exec(text)?.[1];
  return host !== undefined && parseHostName(host) !== undefined ? text : undefined;
}

/**
 * Accepts an email address, an https address, or a text without invisible characters that looks
 * like no other address. Undefined for anything else, and beyond CONTACT_CHARACTERS. The text is
 * not escaped.
 */
export function parseContact(text: string): Contact | undefined {
  if (text === "" || [...text].length > CONTACT_CHARACTERS || !isAllSeen(text)) return undefined;
  const address = parseEmail(text) ?? parseHttps(text);
  return address === undefined && ANY_SCHEME.test(text) ? undefined : { text, address };
}
