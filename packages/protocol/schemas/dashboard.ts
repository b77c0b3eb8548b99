import { z } from "zod";
import type { FieldProblem } from "../dashboard-api.ts";
import { DECISION_FILTERS, DECISION_LABELS, RANGES } from "../dashboard-statistics.ts";
import { ROLES_IN_ORDER } from "../roles.ts";
import {
  BINDINGS,
  NO_SCRIPT,
  ON_UNAVAILABLE,
  SCORE_SIGNALS,
  SIGNED_AGENTS,
  SITE_MODES,
  THEMES,
} from "../site-settings.ts";

/**
 * The input of the private endpoints. The schemas only bound texts; the rules of the domain check
 * them. Unknown fields are dropped, so that no body can set a field that its route does not name.
 */

/** The type of the schemas below, by the value that comes out. */
export type Schema<Value> = z.ZodType<Value>;

/**
 * The problems of the input, field by field; a nested field is written with a point, as in `a.b`.
 */
export function problemsOf(error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) => ({ field: issue.path.join("."), message: issue.message }));
}

/**
 * A text without unpaired surrogates, which stores do not keep unchanged, and NUL, which PostgreSQL
 * never accepts.
 */
const text = (max: number) =>
  z
    .string("Use a text.")
    .max(max, `Use at most ${max} characters.`)
    .refine((value) => !/\p{Surrogate}/u.test(value), "Use whole characters.")
    .refine((value) => !value.includes("\0"), "Leave out the character NUL.");

const email = text(320);
const name = text(256);
const password = text(1024);
const linkToken = text(256);
const ticket = text(4096);
/** A code of an authenticator app, or a recovery code in any grouping. */
const code = text(64);

/** The result of `toJSON()` of a browser's credential. The passkey check validates it. */
const response = z.record(z.string(), z.unknown());

const puzzle = z.object({ challenge: text(256), solution: text(256) });

/** POST sign-in. */
export const signInSchema = z.object({
  email,
  password,
  code: code.optional(),
  puzzle: puzzle.optional(),
});
/** POST sign-in/passkey and POST prove/passkey. */
export const passkeySignInSchema = z.object({ ticket, response });
/** POST prove. */
export const passwordSchema = z.object({ password });
/** POST link. */
export const linkSchema = z.object({ token: linkToken });
/** POST link/accept. */
export const acceptLinkSchema = z.object({
  token: linkToken,
  email,
  name,
  password,
  code: code.optional(),
  passkey: z.object({ ticket, response }).optional(),
});
/** A proof of identity that comes with the call it is for. */
const ownProof = {
  currentPassword: password.optional(),
  passkey: z.object({ ticket, response }).optional(),
};
/** POST me/password. */
export const newPasswordSchema = z.object({ password, ...ownProof });
/** POST members/{id}/reset. */
export const resetSchema = z.object({ removeSecondFactors: z.boolean().optional(), ...ownProof });
/** PATCH account. */
export const accountSchema = z.object({ name });
/** PUT account/second-factor. */
export const demandSchema = z.object({ isDemanded: z.boolean("Say yes or no.") });
/** PATCH me. */
export const profileSchema = z.object({ name, email });
/** POST me/totp/confirm. */
export const totpConfirmationSchema = z.object({ ticket, code });
/** POST me/passkeys. */
export const newPasskeySchema = z.object({ ticket, name, response });
/** POST members and PATCH members/{id}. */
export const roleSchema = z.object({ role: z.enum(ROLES_IN_ORDER, "Choose a role.") });

/** The rules of site settings check the value; here it only has to be a number. */
const number = z.number("Use a number.");
const keysOf = <Key extends string>(table: Readonly<Record<Key, unknown>>) =>
  Object.keys(table) as Key[];

const domains = z.array(text(512)).max(200, "Name fewer domains.");

/** Every setting is optional: a new site takes the default, a changed one keeps its value. */
const settings = z.object({
  name: name.exactOptional(),
  domains: domains.exactOptional(),
  mode: z.enum(keysOf(SITE_MODES), "Choose a mode.").exactOptional(),
  theme: z.enum(THEMES, "Choose a theme.").exactOptional(),
  language: text(64).exactOptional(),
  isEnabled: z.boolean().exactOptional(),
  tokenLifeSeconds: number.exactOptional(),
  binding: z.enum(keysOf(BINDINGS), "Choose a binding.").exactOptional(),
  thresholds: z.object({ challenge: number, block: number }).exactOptional(),
  difficultyOffset: number.exactOptional(),
  signedAgents: z.enum(keysOf(SIGNED_AGENTS), "Choose one of the ways.").exactOptional(),
  verifyPerMinute: number.nullable().exactOptional(),
  scorePerMinute: number.nullable().exactOptional(),
  scoreSignals: z.enum(keysOf(SCORE_SIGNALS), "Choose expected or none.").exactOptional(),
  onUnavailable: z.enum(keysOf(ON_UNAVAILABLE), "Choose submit or block.").exactOptional(),
  noScript: z.enum(keysOf(NO_SCRIPT), "Choose off or wait.").exactOptional(),
  contact: text(512).exactOptional(),
});
/** POST sites: name and domains, and every setting that should differ from the default. */
export const newSiteSchema = settings.extend({ name, domains });
/** PATCH sites/{key}: the changed settings, and the revision that they were changed from. */
export const siteChangeSchema = settings.extend({ revision: z.int() });
/** DELETE sites/{key}: the site's name, typed by a person to confirm. */
export const siteDeletionSchema = z.object({ name });
/** PUT sites/{key}/decisions/{id}/label; null takes the label away. */
export const labelSchema = z.object({ label: z.enum(DECISION_LABELS).nullable() });
/** PUT sites/{key}/waves/{id}: whether visits of that class are refused, for an hour from now. */
export const waveRefusalSchema = z.object({ isRefused: z.boolean() });

/** A moment in epoch ms. It arrives as text because query values are texts. */
const moment = z
  .string()
  .regex(/^\d{1,14}$/, "Use epoch milliseconds.")
  .transform(Number);

/**
 * GET sites/{key}/outcome and GET sites/{key}/scores: the name of a range, or a time from and to.
 */
export const rangeQuerySchema = z
  .object({
    range: z.enum(keysOf(RANGES)).optional(),
    from: moment.optional(),
    to: moment.optional(),
    timeZone: text(64).default("UTC"),
  })
  .transform((query) => ({
    range: query.range ?? { fromMs: query.from ?? 0, toMs: query.to ?? 0 },
    timeZone: query.timeZone,
  }))
  .refine(({ range }) => typeof range === "string" || range.fromMs < range.toMs, {
    path: ["to"],
    message: "Must be later than from.",
  });
/** GET sites/{key}/decisions. */
export const decisionsQuerySchema = z.object({
  before: text(64).optional(),
  show: z.enum(DECISION_FILTERS).optional(),
  requestId: text(64).optional(),
});
/** GET audit. */
export const auditQuerySchema = z.object({
  before: z
    .string()
    .regex(/^\d{1,15}$/, "Use the id of an entry.")
    .transform(Number)
    .optional(),
});
