import type { LimitState } from "../../domain/rate-window.ts";
import type { ServiceSettings } from "../../domain/service-settings.ts";
import type { Account } from "../../domain/site.ts";
import type { LocalLimiter } from "../../ports/rate-limiter.ts";

/** Challenges a client may have had this minute to be let in by the reserve (D10). */
const RESERVE_CLIENT_LIMIT = 3;

/**
 * Draws one challenge from the account's budget, and from its reserve once that is used up, for clients that had few
 * (D10): one script can't close every form of the account.
 */
export function drawChallenge(
  limiter: LocalLimiter,
  settings: ServiceSettings,
  request: { account: Account; client: string; nowMs: number },
): LimitState {
  const { account, client, nowMs } = request;
  const budget = limiter.consume({
    scope: `challenge:${account.accountId}`,
    perMinute: account.challengePerMinute ?? settings.limits.challenge,
    nowMs,
  });
  const clientScope = `challenge:${account.accountId}:${client}`;
  const mayUseReserve = limiter.countThisMinute(clientScope, nowMs) < RESERVE_CLIENT_LIMIT;
  const state =
    budget.isAdmitted || !mayUseReserve
      ? budget
      : limiter.consume({
          scope: `reserve:${account.accountId}`,
          perMinute: account.reservePerMinute ?? settings.limits.reserve,
          nowMs,
        });
  if (state.isAdmitted) limiter.consume({ scope: clientScope, perMinute: Number.MAX_SAFE_INTEGER, nowMs });
  return state;
}
