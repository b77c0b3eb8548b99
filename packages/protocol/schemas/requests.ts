import { z } from "zod";
import { TEXT_LIMITS } from "../limits.ts";
import { BATCH_PATTERN } from "../read-batch.ts";
import { VENDOR_VERDICTS } from "../vendor-verdicts.ts";

/** A text that may be left out or null, which many client libraries send for "none". */
const optionalText = (max: number) => z.string().max(max).nullish();

/**
 * Any text that fits in a body may be an address: visitors can make it long, which must not fail
 * the call (D1, status and body).
 */
const ADDRESS_TEXT = 16_384;
const SITE_KEY_TEXT = 256;

/** Body of POST /api/v1/token/verify (spec 4.1; D2, redemption). Unknown fields are ignored. */
export const tokenVerifyRequestSchema = z.object({
  token: z.unknown().optional().meta({ type: "string", description: "The token from the widget." }),
  remoteip: optionalText(ADDRESS_TEXT).meta({
    description: "The visitor's address, which is compared with the one that earned the token.",
  }),
  ip: optionalText(ADDRESS_TEXT).meta({ description: "Same as remoteip." }),
  clientIP: optionalText(ADDRESS_TEXT).meta({ description: "Same as remoteip." }),
  client_ip: optionalText(ADDRESS_TEXT).meta({ description: "Same as remoteip." }),
  user_agent: optionalText(16_384).meta({ description: "The visitor's User-Agent header." }),
  userAgent: optionalText(16_384).meta({ description: "Same as user_agent." }),
  site_key: optionalText(SITE_KEY_TEXT).meta({
    description: "If given, it must be the site key that belongs to the secret key.",
  }),
  siteKey: optionalText(SITE_KEY_TEXT).meta({ description: "Same as site_key." }),
  idempotency_key: z
    .string()
    .min(TEXT_LIMITS.idempotencyKeyMin)
    .max(TEXT_LIMITS.idempotencyKeyMax)
    .nullish()
    .meta({
      description:
        "An exact repeat of the call within 60 s gets the same answer as the call that redeemed the token.",
    }),
  vendor_verdict: z.enum(VENDOR_VERDICTS).nullish().meta({
    description:
      "What another CAPTCHA said about the visitor. It is counted in the statistics and changes nothing in the answer.",
  }),
});

/** Whether it is an object or nothing. PHP writes an empty object as an empty list. */
function isObjectOrNone(value: unknown): boolean {
  if (value === undefined || value === "") return true;
  return Array.isArray(value) ? value.length === 0 : typeof value === "object";
}

/**
 * The largest body of POST /api/v1/score: a text that visitors can make long must not fail the call
 * (D7, score request).
 */
const SCORE_TEXT = 65_536;

/**
 * Body of POST /api/v1/score (D7, score request): everything is optional, unknown fields are
 * ignored.
 */
export const scoreRequestSchema = z.object({
  // Any type: visitors fill it in, like the token, and must not be able to break the call.
  signals: z
    .unknown()
    .optional()
    .meta({ type: "string", description: "The result of stile.collect() on the page." }),
  ip: optionalText(SCORE_TEXT).meta({ description: "The visitor's address." }),
  user_agent: optionalText(SCORE_TEXT).meta({ description: "The visitor's User-Agent header." }),
  // Most headers are dropped unread, so checking each entry here would cost more than everything
  // else.
  headers: z
    .unknown()
    .refine(isObjectOrNone)
    .optional()
    .meta({
      type: ["object", "null"],
      description:
        "The visitor's request headers; only accept*, sec-ch-ua*, sec-fetch-* and user-agent are read.",
    }),
  url: optionalText(SCORE_TEXT).meta({
    description: "The protected page or endpoint. Its query is dropped.",
  }),
  action: optionalText(TEXT_LIMITS.actionName).meta({
    description: "What the visitor is about to do, such as login.",
  }),
  token: z
    .unknown()
    .optional()
    .meta({ type: "string", description: "A token from the widget. It is read, not redeemed." }),
});

/** Action names: how a page may name what the widget protects (widget `action`). */
export const ACTION_PATTERN = /^[A-Za-z0-9_./-]{1,64}$/;

const batch = z
  .string()
  .max(768)
  .regex(BATCH_PATTERN)
  .meta({ description: "What the page has observed so far." });

/** Query of GET /api/v1/pow/challenge (D8, challenge). */
export const challengeQuerySchema = z.object({
  site_key: z.string().max(SITE_KEY_TEXT).meta({ description: "The public key of the site." }),
  action: z
    .string()
    .regex(ACTION_PATTERN)
    .optional()
    .meta({ description: "The purpose of the form, such as login." }),
  fallback: z
    .literal("1")
    .optional()
    .meta({ description: "Asks for less work, because the browser has no WebAssembly." }),
  batch: batch.optional(),
});

/** Body of POST /api/v1/verify (D9, submission). */
export const verifyRequestSchema = z.object({
  site_key: z.string().max(SITE_KEY_TEXT),
  challenge: z.string().max(512).meta({ description: "The challenge as it was issued." }),
  solution: z
    .string()
    .max(2048)
    .meta({ description: "k nonces as u32, little endian, ascending; base64url." }),
  signals: z
    .object({
      environment: optionalText(21_846).meta({
        description: "base64url of the bytes that the puzzle's digest covers.",
      }),
      behaviour: optionalText(21_846).meta({ description: "base64url" }),
      batch: batch.nullish(),
      earlier: z
        .object({ batch, receipt: z.string().max(64) })
        .nullish()
        .meta({ description: "The batch that was sent for the challenge, and its receipt." }),
    })
    .nullish(),
  action: z.string().regex(ACTION_PATTERN).nullish(),
  cdata: z.string().max(TEXT_LIMITS.cdata).nullish(),
});

/**
 * Query of GET /noscript (D18, no JavaScript). `host` is that of the page with the form, in case no
 * header names it.
 */
export const noScriptQuerySchema = z.object({
  sitekey: z.string().max(SITE_KEY_TEXT),
  action: z.string().regex(ACTION_PATTERN).optional(),
  host: z.string().max(TEXT_LIMITS.hostname).optional(),
});

/** Form of POST /noscript (D18, no JavaScript). */
export const noScriptFormSchema = noScriptQuerySchema
  .required({ host: true })
  .extend({ delay: z.string().max(512) });
