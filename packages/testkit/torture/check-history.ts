import { REPEAT_SECONDS } from "@stile/protocol/limits";

/**
 * The answer to a caller: `unavailable` is a 503, `cut` a connection that ended; after both it is
 * unknown whether the token is spent. `expired`: an engine that started from scratch no longer
 * remembers whether it is, so nobody can spend it from now on.
 */
export type RedeemOutcome = "verified" | "used" | "expired" | "unavailable" | "cut";

/**
 * One redemption of a token, as its caller saw it: when it was sent and when it ended, in ms of a
 * clock that never jumps.
 */
export type RedeemCall = {
  readonly idempotencyKey: string | undefined;
  /** For how long its exact repeat is answered, ms; by default as the rule says. */
  readonly repeatMs?: number;
  readonly sentAtMs: number;
  readonly endedAtMs: number;
  readonly outcome: RedeemOutcome;
};

/** All calls of one token, in any order. */
export type TokenHistory = readonly RedeemCall[];

/** How long an exact repeat is answered, and by how much the clocks of two nodes may differ, ms. */
export type RepeatRule = { readonly repeatMs: number; readonly slackMs: number };

/** The fault of a history: see TokenFindings. */
type Wrong = "double" | "forgotten" | "burned" | "repeat_refused";

/** The result of the calls for one token. */
export type TokenFindings = {
  /**
   * `told`: some caller got "verified". Otherwise, if some caller got "used": `unknown` if some
   * caller got a 503, `lost` if the answer got lost. Otherwise `expired`: it cannot be spent any
   * more, and nobody knows whether it was.
   */
  readonly spent: "told" | "unknown" | "lost" | "expired" | "no";
  /**
   * Empty if some order of the calls explains every answer. `double`: verified for two calls that
   * are no repeats of each other; `forgotten`: verified for a call that began after the token was
   * answered as verified, used or expired; `burned`: used, though nobody can have spent it;
   * `repeat_refused`: used or expired, for a repeat, in time, of the call that spent it.
   */
  readonly wrong: readonly Wrong[];
};

const RULE: RepeatRule = { repeatMs: REPEAT_SECONDS * 1000, slackMs: 2000 };

const isRefused = ({ outcome }: RedeemCall): boolean => outcome === "used" || outcome === "expired";
const isTold = (call: RedeemCall): boolean => call.outcome === "verified" || isRefused(call);
const isRepeat = (a: RedeemCall, b: RedeemCall): boolean =>
  a.idempotencyKey !== undefined && a.idempotencyKey === b.idempotencyKey;

/**
 * The end of the first call that got an answer, ms: by then the token was spent, or could not be
 * spent any more.
 */
function firstToldMs(history: TokenHistory): number {
  return Math.min(...history.filter(isTold).map(({ endedAtMs }) => endedAtMs));
}

/**
 * Whether this call can be the one that spent the token. An order of the calls only leaves open the
 * moment of spending: after this call was sent, before the first answer, less than the time for
 * repeats before each repeat that was verified, and at least that before one that was not.
 */
function canHaveSpent(
  call: RedeemCall,
  history: TokenHistory,
  { repeatMs, slackMs }: RepeatRule,
): boolean {
  if (isRefused(call)) return false;
  const others = history.filter((other) => other !== call);
  const verified = others.filter(({ outcome }) => outcome === "verified");
  if (!verified.every((other) => isRepeat(call, other))) return false;
  const refused = others.filter((other) => isRefused(other) && isRepeat(call, other));
  const latest = Math.min(
    firstToldMs(history),
    ...refused.map((one) => one.endedAtMs - (one.repeatMs ?? repeatMs) + slackMs),
  );
  return (
    call.sentAtMs <= latest &&
    verified.every((one) => one.sentAtMs - (one.repeatMs ?? repeatMs) - slackMs < latest)
  );
}

/**
 * Whether the history is linearizable: the token is spent at one moment by one call, every answered
 * call takes effect at a moment between its sending and its end, and one with an unknown outcome at
 * any moment after its sending, or never.
 */
function isLinearizable(history: TokenHistory, rule: RepeatRule): boolean {
  // If every answer was "expired", no call needs to have spent the token.
  const saysSpent = history.some(({ outcome }) => outcome === "verified" || outcome === "used");
  return !saysSpent || history.some((call) => canHaveSpent(call, history, rule));
}

function isDouble(verified: readonly RedeemCall[], { repeatMs, slackMs }: RepeatRule): boolean {
  const [first] = verified;
  if (first === undefined || verified.length === 1) return false;
  const latestSentMs = Math.max(...verified.map(({ sentAtMs }) => sentAtMs));
  const earliestEndMs = Math.min(...verified.map(({ endedAtMs }) => endedAtMs));
  return (
    !verified.every((other) => isRepeat(first, other)) ||
    latestSentMs - earliestEndMs >= (first.repeatMs ?? repeatMs) + slackMs
  );
}

/**
 * Verified although the token was spent before this call, and any call that it may be a repeat of,
 * was sent.
 */
function isForgotten(verified: readonly RedeemCall[], history: TokenHistory): boolean {
  const toldMs = firstToldMs(history);
  const mayHaveSpent = (call: RedeemCall): boolean => !isRefused(call) && call.sentAtMs <= toldMs;
  return verified.some(
    (call) =>
      call.sentAtMs > toldMs &&
      !history.some((earlier) => mayHaveSpent(earlier) && isRepeat(call, earlier)),
  );
}

function findWrong(history: TokenHistory, rule: RepeatRule): readonly Wrong[] {
  if (isLinearizable(history, rule)) return [];
  const verified = history.filter(({ outcome }) => outcome === "verified");
  const wrong: Wrong[] = [];
  if (isDouble(verified, rule)) wrong.push("double");
  if (isForgotten(verified, history)) wrong.push("forgotten");
  const toldMs = firstToldMs(history);
  if (!history.some((call) => !isRefused(call) && call.sentAtMs <= toldMs) && wrong.length === 0) {
    wrong.push("burned");
  }
  return wrong.length === 0 ? ["repeat_refused"] : wrong;
}

function spentOf(history: TokenHistory): TokenFindings["spent"] {
  const has = (wanted: RedeemOutcome): boolean => history.some(({ outcome }) => outcome === wanted);
  if (has("verified")) return "told";
  if (!has("used")) return has("expired") ? "expired" : "no";
  return has("unavailable") ? "unknown" : "lost";
}

/** Checks the calls for one token against single use (D2, redemption; D3, single use). */
export function checkHistory(history: TokenHistory, rule: RepeatRule = RULE): TokenFindings {
  return { spent: spentOf(history), wrong: findWrong(history, rule) };
}
