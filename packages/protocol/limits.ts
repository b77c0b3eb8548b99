/** Published request limits per minute (spec 8) and those of D2 and D10; operators may change them. */
export const RATE_LIMITS = {
  verify: { perMinute: 1000, scope: "site" },
  score: { perMinute: 500, scope: "site" },
  /** What one network may draw of an account (D10). */
  challenge: { perMinute: 100, scope: "account" },
  /** What all networks together may: 1.4 % of a core (docs/operations/difficulty.md). */
  challengeTotal: { perMinute: 10_000, scope: "account" },
  /** Wrong secret keys from one address before that address is answered 429 (D2). */
  wrongSecret: { perMinute: 60, scope: "address" },
  /** Delays for visitors without JavaScript (D18): what one network may ask for, and what all may for one site. */
  delay: { perMinute: 5, scope: "network" },
  delayTotal: { perMinute: 60, scope: "site" },
} as const;

/**
 * What a request body may be (D2, D7, D9, D11): its size, and how many of its characters may lie outside of texts (names count
 * one each) or be escaped, since there lies all that is dear to read. What the widget sends has far fewer.
 */
export const BODY_LIMITS = {
  tokenVerify: { bytes: 16_384, marks: 2048 },
  score: { bytes: 65_536, marks: 8192 },
  verify: { bytes: 65_536, marks: 1024 },
  dashboard: { bytes: 16_384, marks: 2048 },
  /** What a member's browser laid out of a few thousand scenes (D16). */
  layouts: { bytes: 65_536, marks: 64 },
  /** A form of four short fields (D18). */
  noScript: { bytes: 2048, marks: 0 },
} as const;

/** Longest texts: `token` and the keys in characters; the others in UTF-8 bytes (D2, D4). */
export const TEXT_LIMITS = {
  tokenAccepted: 2048,
  tokenIssued: 1024,
  actionName: 64,
  cdata: 255,
  hostname: 253,
  userAgent: 1024,
  idempotencyKeyMin: 16,
  idempotencyKeyMax: 64,
} as const;

/**
 * Most sites of an account, deleted ones included until they are gone for good: whoever may make sites could else fill the store, and
 * every page that lists them (D13).
 */
export const MOST_SITES = 1_000;

/**
 * Most members of an account, open invitations included: whoever may invite could else fill the store, and the page that lists them
 * (D16).
 */
export const MOST_MEMBERS = 1_000;

/** Most passkeys of a member: each sign-in reads them all. */
export const MOST_PASSKEYS = 20;

/** Most secret keys of a site that work at once: each rotation leaves one in its grace (D12). */
export const MOST_SECRET_KEYS = 20;

/** Longest contact of a site, in characters (D13). */
export const CONTACT_CHARACTERS = 200;

/** Deepest nesting of a JSON body (D11). */
export const JSON_DEPTH_LIMIT = 8;

/** Largest decoded size, in bytes, of each of the two signal strings (D9). */
export const SIGNALS_BYTES_LIMIT = 16_384;

/** Life of tokens in seconds: the default and what a site may choose (D4). */
export const TOKEN_LIFE_SECONDS = { default: 300, min: 30, max: 900 } as const;

/** Life of a challenge in seconds (proof of work, "Challenge"). */
export const CHALLENGE_LIFE_SECONDS = 300;

/**
 * For how long a visitor is watched under a challenge before the work is handed in, ms by the service's clock: nobody is seen in
 * less (D9).
 */
export const LEAST_WATCHED_MS = 1_000;

/** The same under a challenge of less work, for want of WebAssembly: sooner than that no interpreter is done with it (proof of work). */
export const FALLBACK_WATCHED_MS = 4_000;

/**
 * Of a delay, by the service's clock, in seconds (D18): how long the visitor waits, for how long after its issue it is taken, and how
 * long at least its token lives, since people carry that by hand.
 */
export const DELAY_SECONDS = { wait: 30, life: 600, tokenLife: 300 } as const;

/** Seconds a replaced secret key stays valid (spec 5.3, D12). */
export const GRACE_SECONDS = 86_400;

/** Seconds in which the exact repeat of a redemption is answered again (D2). */
export const REPEAT_SECONDS = 60;

/** Days a deleted site can be restored (D12). */
export const RESTORE_DAYS = 7;

/** Score thresholds between allow, challenge and block (spec 4.2, D6). */
export const DEFAULT_THRESHOLDS = { challenge: 0.3, block: 0.6 } as const;
