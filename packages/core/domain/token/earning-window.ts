import { TOKEN_LIFE_SECONDS } from "@stile/protocol/limits";

/**
 * UTC clock windows, in ms, by which earned tokens are counted. All of one have expired when the
 * next one ends.
 */
export const EARNING_WINDOW_MS: number = TOKEN_LIFE_SECONDS.max * 1000;
