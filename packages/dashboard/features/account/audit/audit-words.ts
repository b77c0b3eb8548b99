import {
  BINDING_NAMES,
  MODE_NAMES,
  NO_SCRIPT_NAMES,
  SCORE_SIGNAL_NAMES,
  SETTINGS,
  SIGNED_AGENT_NAMES,
  THEME_NAMES,
  UNAVAILABLE_NAMES,
} from "../../sites/text.ts";
import { AUDIT } from "../text.ts";

/** Longest text of a value in the log; audit entries may hold 50 domains. */
const LONGEST = 200;

/** The names that the settings page gives to the values of a field. */
const VALUE_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mode: MODE_NAMES,
  theme: THEME_NAMES,
  binding: BINDING_NAMES,
  scoreSignals: SCORE_SIGNAL_NAMES,
  onUnavailable: UNAVAILABLE_NAMES,
  noScript: NO_SCRIPT_NAMES,
  signedAgents: SIGNED_AGENT_NAMES,
  difficultyOffset: SETTINGS.difficultyOptions,
};

/** Looks up a name that may come from anywhere. */
const own = (names: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(names, key) ? names[key] : undefined;

/** The value of a changed field, in the words of the settings page. */
export function toWords(field: string, value: unknown): string {
  const names = Object.hasOwn(VALUE_NAMES, field) ? VALUE_NAMES[field] : undefined;
  const text = (names && own(names, String(value))) ?? spell(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function spell(value: unknown): string {
  if (value === null || value === undefined || value === "") return AUDIT.nothing;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? AUDIT.nothing : value.map(spell).join(", ");
  if (typeof value === "object") {
    return Object.entries(value)
      .map(([name, part]) => `${name} ${spell(part)}`)
      .join(", ");
  }
  return String(value);
}

/** The name of a changed field for people; the field's own name if it has none. */
export function fieldName(field: string): string {
  return own(AUDIT.fields, field) ?? field;
}

/** The action that a refused member tried, by the route that refused it. */
const WANTED: Readonly<Record<string, string>> = {
  "POST prove": "entering their password",
  "POST prove/passkey": "using a passkey",
  "POST me/password": "changing their password",
  "POST me/passkeys": "adding a passkey",
  "POST me/totp/confirm": "turning on an authenticator app",
  "PATCH me": "changing their profile",
  "DELETE me/totp": "turning off their authenticator app",
  "DELETE me/passkeys/:passkeyId": "removing a passkey",
  "POST me/recovery-codes": "creating recovery codes",
  "DELETE me/sessions/:sessionId": "ending a session",
  "DELETE me/sessions": "ending their other sessions",
  "POST sites": "creating a site",
  "PATCH sites/:siteKey": "changing a site",
  "DELETE sites/:siteKey": "deleting a site",
  "POST sites/:siteKey/restore": "restoring a site",
  "POST sites/:siteKey/rotate": "rotating a secret key",
  "POST sites/:siteKey/revoke": "revoking replaced secret keys",
  "PUT sites/:siteKey/decisions/:decisionId/label": "labelling a decision",
  "PUT sites/:siteKey/waves/:waveId": "blocking a wave",
  "GET members": "viewing the members",
  "POST members": "inviting a member",
  "PATCH members/:userId": "changing a role",
  "DELETE members/:userId": "removing a member",
  "POST members/:userId/reset": "creating a reset link",
  "DELETE members/:userId/sessions": "ending a member's sessions",
  "PATCH account": "renaming the account",
  "PUT account/second-factor": "requiring a second factor",
  "DELETE invitations/:linkId": "withdrawing an invitation",
  "GET audit": "viewing the audit log",
  "GET system": "viewing the system page",
};

/**
 * Actions that record a refusal of a member; their subject is the route that refused, all others
 * are names.
 */
const REFUSALS: readonly string[] = [
  "role_denied",
  "proof_failed",
  "proof_limited",
  "changes_limited",
];

/**
 * The subject of an entry, for people. A refusal names the route that refused, and perhaps how
 * often it did.
 */
export function subjectWords(action: string, subject: string): string {
  if (!REFUSALS.includes(action)) return subject;
  const [, route = "", again = ""] = /^([A-Z]+ \S+)( \(.+\))?$/.exec(subject) ?? [];
  const wanted = own(WANTED, route);
  return wanted === undefined ? subject : `${wanted}${again}`;
}
