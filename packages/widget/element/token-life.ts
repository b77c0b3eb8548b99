import { mayPass } from "../machine/widget-fault.ts";
import type { WidgetState } from "../machine/widget-state.ts";

/** Treated as expired this long before it is, so that a form never carries a token that dies on the way; at most half its life. */
const EXPIRY_MARGIN_MS = 30_000;
/**
 * When a token expires in a page that is visible and was used within this time, a new one is earned at once; in any other page
 * it is earned at the next touch of the form.
 */
const RENEW_WHEN_USED_WITHIN_MS = 300_000;
/** A token is no longer used this long before it expires: it has to travel yet. */
const LAST_MOMENTS_MS = 5_000;

/** The life of the last token that was earned; all times are epoch ms of the device's clock. */
export type TokenLife = {
  /** A token that lives that long was earned. Answers in how many ms it is to be renewed. */
  readonly begin: (state: WidgetState, lifeMs: number, nowMs: number) => number;
  /** Whether the token of that state, and of no earlier one, is to be renewed. */
  readonly isDue: (state: WidgetState, nowMs: number) => boolean;
  /** Until when a token that is being renewed is good all the same; 0 where there is none. */
  readonly goodUntilMs: () => number;
  /**
   * The state that is to be seen: while a token that is still good is renewed, that is nobody's concern; one that is good no more is none,
   * also where no timer has told so, since they stand still while a machine sleeps.
   */
  readonly shown: (state: WidgetState, nowMs: number) => WidgetState;
  /** The token is given up. */
  readonly drop: () => void;
};

/** No token so far. */
export function createTokenLife(): TokenLife {
  let renewAtMs = 0;
  let goodUntilMs = 0;
  let earned: WidgetState;
  return {
    begin: (state, lifeMs, nowMs) => {
      earned = state;
      goodUntilMs = nowMs + lifeMs - LAST_MOMENTS_MS;
      const renewInMs = Math.max(lifeMs - EXPIRY_MARGIN_MS, lifeMs / 2);
      renewAtMs = nowMs + renewInMs;
      return renewInMs;
    },
    isDue: (state, nowMs) => state === earned && nowMs >= renewAtMs,
    goodUntilMs: () => goodUntilMs,
    shown: (state, nowMs) => {
      const isQuiet = state.name === "error" ? mayPass(state.error) : /ing$|expired/.test(state.name);
      if (nowMs < goodUntilMs) return isQuiet ? earned : state;
      return state === earned ? { name: "expired" } : state;
    },
    drop: () => {
      goodUntilMs = 0;
    },
  };
}

/** Whether a page with its last input then, by the same clock as `nowMs`, is in use, so that its token is renewed unasked. */
export const isInUse = (lastInputMs: number, nowMs: number): boolean => nowMs - lastInputMs < RENEW_WHEN_USED_WITHIN_MS;
