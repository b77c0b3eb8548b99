import { mayPass } from "../machine/widget-fault.ts";
import type { WidgetState, WidgetStateName } from "../machine/widget-state.ts";

/**
 * A token is renewed this long before it expires, ms, so that none expires on its way; at most half
 * its life.
 */
const EXPIRY_MARGIN_MS = 30_000;
/**
 * When a token expires in a page that is visible and was used within this time, a new one is earned
 * at once; in any other page, at the next touch of the form.
 */
const RENEW_WHEN_USED_WITHIN_MS = 300_000;
/** A token is no longer used this long before it expires, ms: it still has to travel. */
const LAST_MOMENTS_MS = 5_000;

/**
 * States of a renewal that need nothing from the visitor. They stay hidden while the token that is
 * being renewed is still valid.
 */
const RENEWAL_STATES: ReadonlySet<WidgetStateName> = new Set<WidgetStateName>([
  "expired",
  "loading",
  "solving",
  "verifying",
]);

/** The life of the last token earned; all times are those of `nowMs`. */
export type TokenLife = {
  /** A token with that life was earned. Returns how long until it must be renewed, ms. */
  readonly begin: (state: WidgetState, lifeMs: number, nowMs: number) => number;
  /** Whether the token of that state, and not an earlier one, must be renewed. */
  readonly isDue: (state: WidgetState, nowMs: number) => boolean;
  /** Until when a token that is being renewed is still valid; 0 if there is none. */
  readonly validUntilMs: () => number;
  /**
   * The state to show: the renewal of a token that is still valid stays hidden. If a token is no
   * longer valid, it counts as none even before its timer fires, because timers stop while a
   * machine sleeps.
   */
  readonly shownState: (state: WidgetState, nowMs: number) => WidgetState;
  /** Drops the token. */
  readonly discard: () => void;
};

/**
 * Epoch ms by the device's clock, or the time since the page was opened if that is more. The first
 * may be set back, the other may stop while the machine sleeps.
 */
export const nowMs = (): number => Math.max(Date.now(), performance.timeOrigin + performance.now());

/** No token yet. */
export function createTokenLife(): TokenLife {
  let renewAtMs = 0;
  let validUntilMs = 0;
  let earned: WidgetState;
  return {
    begin: (state, lifeMs, nowMs) => {
      earned = state;
      validUntilMs = nowMs + lifeMs - LAST_MOMENTS_MS;
      const renewInMs = Math.max(lifeMs - EXPIRY_MARGIN_MS, lifeMs / 2);
      renewAtMs = nowMs + renewInMs;
      return renewInMs;
    },
    isDue: (state, nowMs) => state === earned && nowMs >= renewAtMs,
    validUntilMs: () => validUntilMs,
    shownState: (state, nowMs) => {
      const isQuiet =
        state.name === "error" ? mayPass(state.error) : RENEWAL_STATES.has(state.name);
      if (nowMs < validUntilMs) return isQuiet ? earned : state;
      return state === earned ? { name: "expired" } : state;
    },
    discard: () => {
      validUntilMs = 0;
    },
  };
}

/**
 * Whether a page is in use, so that its token is renewed automatically; both times are by the same
 * clock.
 */
export const isInUse = (lastInputMs: number, nowMs: number): boolean =>
  nowMs - lastInputMs < RENEW_WHEN_USED_WITHIN_MS;
