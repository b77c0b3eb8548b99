import { z } from "zod";
import { API_ERROR_CODES, type ApiErrorCode } from "../api-error-codes.ts";
import { REASON_CODES, type ReasonCode } from "../reason-codes.ts";
import { RESERVED_RESPONSES, type ReservedResponse } from "../reserved-responses.ts";
import {
  INTERACTIONS,
  RECOMMENDATIONS,
  SITE_MODES,
  type SiteMode,
  THEMES,
} from "../site-settings.ts";
import { VERIFY_ERROR_CODES, type VerifyErrorCode } from "../verify-error-codes.ts";

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): [Key, ...Key[]] {
  return Object.keys(table) as [Key, ...Key[]];
}

const score = z.number().min(0).max(1).meta({ description: "0.0 = safe, 1.0 = bot." });
const isoTime = z.iso.datetime().meta({ description: "ISO 8601, UTC." });
const reasonCode = z.enum(keysOf<ReasonCode>(REASON_CODES));

/** The `error` of every answer that is not 200 (D11, errors). */
export const errorSchema = z.object({
  code: z.enum(keysOf<ApiErrorCode>(API_ERROR_CODES)),
  message: z.string(),
  request_id: z.string(),
});

/** Answer of POST /api/v1/token/verify (spec 2.1, 2.3, 4.1; D2, redemption). */
export const tokenVerifyAnswerSchema = z.object({
  success: z.boolean(),
  data: z.object({
    verified: z.boolean(),
    score,
    recommendation: z
      .enum(RECOMMENDATIONS)
      .optional()
      .meta({ description: "The verdict of the site's thresholds; only if verified is true." }),
    hostname: z.string().optional(),
    action: z.string().optional(),
    cdata: z.string().optional(),
    timestamp: isoTime.optional(),
    challenge_ts: isoTime.optional(),
    no_script: z
      .literal(true)
      .optional()
      .meta({ description: "The visitor had no JavaScript and waited for the token instead." }),
    error_codes: z.array(z.enum(keysOf<VerifyErrorCode>(VERIFY_ERROR_CODES))).optional(),
    reasonCode: reasonCode.optional(),
    response: z
      .enum(keysOf<ReservedResponse>(RESERVED_RESPONSES))
      .optional()
      .meta({ description: "Why there is no token, if the widget's field says so." }),
  }),
  reasonCode: reasonCode.optional(),
  error: errorSchema.optional(),
});

/** Answer of POST /api/v1/score (spec 2.2; D7, score request). */
export const scoreAnswerSchema = z.object({
  success: z.literal(true),
  data: z.object({
    score,
    flags: z.array(z.string()),
    action: z.enum(RECOMMENDATIONS),
    missing: z.enum(["signals", "behaviour"]).optional().meta({
      description: "What could not be scored: no signals were sent, or they show no input.",
    }),
  }),
});

const challengeData = z.object({
  challenge: z.string(),
  algorithm: z.int(),
  k: z.int(),
  difficulty: z.int(),
  expires_at: isoTime,
  mode: z.enum(keysOf<SiteMode>(SITE_MODES)),
  theme: z.enum(THEMES),
  language: z.string(),
  interaction: z.enum(INTERACTIONS),
  on_unavailable: z.literal("block").optional().meta({
    description: "During an outage the form is held. Otherwise it is submitted without a token.",
  }),
  test: z.literal(true).optional().meta({ description: "The site key is one for tests (D19)." }),
  receipt: z
    .string()
    .optional()
    .meta({ description: "Proves that the batch existed when the challenge was issued." }),
});

/** Answer of GET /api/v1/pow/challenge (D8, challenge). */
export const challengeAnswerSchema = z.object({ success: z.literal(true), data: challengeData });

/** Answer of POST /api/v1/verify (D9, submission). */
export const verifyAnswerSchema = z.object({
  success: z.literal(true),
  data: z.union([
    z.object({ verified: z.literal(true), token: z.string(), expires_at: isoTime }),
    z.object({
      verified: z.literal(false),
      next: z.literal("retry"),
      error_codes: z.array(z.literal("invalid_token")),
    }),
    z.object({
      verified: z.literal(false),
      next: z.enum(["interact", "work"]),
      challenge: challengeData,
    }),
    z.object({
      verified: z.literal(false),
      next: z.literal("blocked"),
      request_id: z.string(),
      contact: z.string().optional().meta({
        description: "How to reach the site owner: an address (mailto:, https:) or a text.",
      }),
    }),
  ]),
});

/** Every answer that is not 200, except those of token/verify (D11, errors). */
export const errorAnswerSchema = z.object({
  success: z.literal(false),
  data: z.object({}),
  error: errorSchema,
});
