import { TOKEN_LIFE_SECONDS } from "@stile/protocol/limits";

/** UTC clock windows, in ms, by which earned tokens are counted. All of one have expired when the next one ends. */
export const EARNING_WINDOW_MS: number = TOKEN_LIFE_SECONDS.max * 1000;

/** Tokens that a network has earned of a site lately. */
export type Earned = {
  readonly tokens: number;
  /** Those issued in spite of doubts, in windows that have ended. */
  readonly doubtful: number;
};
