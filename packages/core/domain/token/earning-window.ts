import { TOKEN_LIFE_SECONDS } from "@stile/protocol/limits";

/** Tokens that a network earns are counted by windows of the UTC clock, ms; those of one window are dead when the next one is over. */
export const EARNING_WINDOW_MS: number = TOKEN_LIFE_SECONDS.max * 1000;
