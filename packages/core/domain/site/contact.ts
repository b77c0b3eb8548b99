import { CONTACT_CHARACTERS } from "@stile/protocol/limits";
import { isAllSeen } from "../unseen.ts";
import { isTestingHost, parseHostName } from "./host-name.ts";

/** How blocked visitors reach a site's owner: what is read, and the address behind it where it is one (D13). */
export type Contact = { readonly text: string; readonly address: string | undefined };

const EMAIL = /^([\w.!#$%&'*+/=?^{|}~-]{1,64})@([\w.-]+)$/;
/** With a path, a query and a fragment of the characters that addresses are made of (RFC 3986); nobody's name stands before the host. */
const HTTPS = /^https:\/\/([\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?(?:[/?#][\w.~:/?#[\]@!$&'()*+,;=%-]*)?$/i;
/** What reads as an address of some other kind, such as `javascript:`. */
const ANY_SCHEME = /^[a-z][a-z\d+.-]*:\S/i;

/** The address that writes to an e-mail address; nothing in it is taken for a subject, a copy or a text. */
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
 * An e-mail address, an address with https, or a text that is neither and reads as it stands; undefined for anything else, and for
 * more than CONTACT_CHARACTERS. The text is not escaped.
 */
export function parseContact(text: string): Contact | undefined {
  if (text === "" || [...text].length > CONTACT_CHARACTERS || !isAllSeen(text)) return undefined;
  const address = parseEmail(text) ?? parseHttps(text);
  return address === undefined && ANY_SCHEME.test(text) ? undefined : { text, address };
}
