import type { IssuedChallenge } from "@stile/core/services/challenge/issue-within-budget";
import { isoTime } from "../answer/iso-time.ts";

/** A challenge on the wire (D8, challenge). */
export function toChallengeData(issued: IssuedChallenge) {
  const { challenge, mode, theme, language } = issued;
  return {
    challenge: issued.text,
    algorithm: challenge.algorithm,
    k: challenge.k,
    difficulty: challenge.difficulty,
    expires_at: isoTime(issued.expiresAtMs),
    mode,
    theme,
    language,
    interaction: challenge.interaction,
    ...(issued.onUnavailable === "block" && { on_unavailable: issued.onUnavailable }),
    ...(issued.isTest && { test: true }),
    ...(issued.receipt !== undefined && { receipt: issued.receipt }),
  };
}
