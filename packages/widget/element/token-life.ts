/** Treated as expired this long before it is, so that a form never carries a token that dies on the way; at most half its life. */
const EXPIRY_MARGIN_MS = 30_000;
/**
 * When a token expires in a page that is visible and was used within this time, a new one is earned at once; in any other page
 * it is earned at the next touch of the form.
 */
const RENEW_WHEN_USED_WITHIN_MS = 300_000;
/** A token is no longer used this long before it expires: it has to travel yet. */
const LAST_MOMENTS_MS = 5_000;

/** When a token of that life is renewed, and until when it is good all the same; epoch ms of the device's clock, like `nowMs`. */
export function planRenewal(
  lifeMs: number,
  nowMs: number,
): { readonly renewAtMs: number; readonly goodUntilMs: number } {
  return {
    renewAtMs: nowMs + lifeMs - Math.min(EXPIRY_MARGIN_MS, lifeMs / 2),
    goodUntilMs: nowMs + lifeMs - LAST_MOMENTS_MS,
  };
}

/** Whether a page with its last input then, by the same clock as `nowMs`, is in use, so that its token is renewed unasked. */
export const isInUse = (lastInputMs: number | undefined, nowMs: number): boolean =>
  lastInputMs !== undefined && nowMs - lastInputMs < RENEW_WHEN_USED_WITHIN_MS;
