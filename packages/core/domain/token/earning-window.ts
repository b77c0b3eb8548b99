import { TOKEN_LIFE_SECONDS } from "@stile/protocol/limits";

/** Tokens that a network earns are counted by windows of the UTC clock, ms; those of one window are dead when the next one is over. */
export const EARNING_WINDOW_MS: number = TOKEN_LIFE_SECONDS.max * 1000;

/** Tokens that a network earned of a site lately. */
export type Earned = {
  readonly tokens: number;
  /** Those of them that were given in spite of doubts, of the windows that are over. */
  readonly doubtful: number;
};
