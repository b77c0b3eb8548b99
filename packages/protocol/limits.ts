/**
 * Request limits per minute: the published ones (spec 8) and those of D2 (redemption) and D10
 * (limits). Operators may change them.
 */
export const RATE_LIMITS = {
  verify: { perMinute: 1000, scope: "site" },
  score: { perMinute: 500, scope: "site" },
  /** How many challenges one network may get from an account (D10, limits). */
  challenge: { perMinute: 100, scope: "account" },
  /** The same for all networks together: 1.4% of a core (docs/operations/difficulty.md). */
  challengeTotal: { perMinute: 10_000, scope: "account" },
  /** Wrong secret keys from one address before that address gets 429 (D2, redemption). */
  wrongSecret: { perMinute: 60, scope: "address" },
  /**
   * Finished delays of visitors without JavaScript (D18, no JavaScript): those of one network,
   * those of a network over the free part of its tokens (D10, limits), and those of all networks
   * for one site.
   */
  delay: { perMinute: 5, scope: "network" },
  delayBusy: { perMinute: 2, scope: "network" },
  delayTotal: { perMinute: 60, scope: "site" },
} as const;

/**
 * Bounds of a request body (D2, redemption; D7, score request; D9, submission; D11, errors): its
 * size, and how many of its characters may lie outside of texts (a name counts as one) or be
 * escaped, because these are expensive to parse. The widget sends far fewer.
 */
export const BODY_LIMITS = {
  tokenVerify: { bytes: 16_384, marks: 2048 },
  score: { bytes: 65_536, marks: 8192 },
  verify: { bytes: 65_536, marks: 1024 },
  dashboard: { bytes: 16_384, marks: 2048 },
  /** A form of four short fields (D18, no JavaScript). */
  noScript: { bytes: 2048, marks: 0 },
} as const;

/**
 * Lengths of texts: `token` and the keys in characters, the others in UTF-8 bytes (D2, redemption;
 * D4, sealed token).
 */
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
 * The most sites of an account, including deleted ones until they are purged. Without a limit, a
 * member who may create sites could fill the store and every page that lists them (D13, formats).
 */
export const MOST_SITES = 1_000;

/**
 * The most members of an account, including open invitations. Without a limit, a member who may
 * invite could fill the store and the page that lists them (D16, operator).
 */
export const MOST_MEMBERS = 1_000;

/** The most passkeys of a member; each sign-in reads them all. */
export const MOST_PASSKEYS = 20;

/**
 * The most characters of a passkey's id: base64url of 1,023 bytes (WebAuthn, 6.5.1). Its
 * authenticator chooses it.
 */
export const PASSKEY_ID_CHARACTERS = 1364;

/**
 * The most secret keys of a site that work at the same time; each rotation leaves one in its grace
 * period (D12, states).
 */
export const MOST_SECRET_KEYS = 20;

/** Longest contact of a site, in characters (D13, formats). */
export const CONTACT_CHARACTERS = 200;

/** Deepest nesting of a JSON body (D11, errors). */
export const JSON_DEPTH_LIMIT = 8;

/** Largest decoded size, in bytes, of each of the two signal strings (D9, submission). */
export const SIGNALS_BYTES_LIMIT = 16_384;

/**
 * Life of tokens in seconds: the default, and the bounds of a site's own choice (D4, sealed token).
 */
export const TOKEN_LIFE_SECONDS = { default: 300, min: 30, max: 900 } as const;

/** Life of a challenge in seconds (proof of work, "Challenge"). */
export const CHALLENGE_LIFE_SECONDS = 300;

/**
 * How long the widget observes a visitor before it submits, in ms by the service's clock. After a
 * shorter visit the visitor counts as not seen (D9, submission).
 */
export const LEAST_WATCHED_MS = 1_000;

/**
 * The same for an easier challenge in a browser without WebAssembly: no interpreter is done sooner
 * (proof of work).
 */
export const FALLBACK_WATCHED_MS = 4_000;

/**
 * Times of a delay in seconds, by the service's clock (D18, no JavaScript): how long the visitor
 * waits, how long after its issue the delay is accepted, and the least life of its token, which is
 * long because people copy it by hand.
 */
export const DELAY_SECONDS = { wait: 30, life: 600, tokenLife: 300 } as const;

/** How long a replaced secret key stays valid, in seconds (spec 5.3; D12, states). */
export const GRACE_SECONDS = 86_400;

/** For how many seconds the exact repeat of a redemption gets the same answer (D2, redemption). */
export const REPEAT_SECONDS = 60;

/**
 * The same for Turnstile's calls. In a form, a visitor's token can bring an idempotency key if the
 * server does not escape it.
 */
export const TURNSTILE_REPEAT_SECONDS = 10;

/** For how many days a deleted site can be restored (D12, states). */
export const RESTORE_DAYS = 7;

/** Score thresholds between allow, challenge and block (spec 4.2; D6, scores). */
export const DEFAULT_THRESHOLDS = { challenge: 0.3, block: 0.6 } as const;
