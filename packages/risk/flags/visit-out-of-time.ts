import type { ObservedBehaviour } from "@stile/protocol/observed-signals";
import { knownBehaviour, type SolveEvidence } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { AHEAD_MS, UNASKED_LEAD_MS } from "../widget-press.ts";
import { batchOf, isTrueToBatch } from "../witness.ts";

/** Whether something is dated after the submission of the visit. */
function isAheadOfItself(behaviour: ObservedBehaviour): boolean {
  const lastMs = behaviour.durationMs + AHEAD_MS;
  const isAhead = (event: { readonly atMs: number }): boolean => event.atMs > lastMs;
  return (
    behaviour.pointer.some(isAhead) ||
    behaviour.keys.some(isAhead) ||
    behaviour.scroll.some(isAhead)
  );
}

/**
 * Whether the page claims that more time passed since it asked for its challenge than can have
 * passed.
 */
function isLongerThanPassed(
  askedMs: number,
  durationMs: number,
  { elapsedMs }: SolveEvidence,
): boolean {
  const saidMs = durationMs - askedMs;
  return saidMs < 0 || saidMs > elapsedMs + UNASKED_LEAD_MS;
}

/**
 * The submission contradicts the service's own clock and receipts. It lies in the future, took
 * longer than the time since its challenge, or begins differently from what the page reported when
 * it asked for the challenge. Or its receipt belongs to another challenge. No browser does that,
 * but pages' clocks stop and jump, so it never blocks alone.
 */
export const visitOutOfTime = {
  name: "visit_out_of_time",
  group: "input",
  label: "The visit does not match the time that passed, or what the page reported at first.",
  weight: 2.1,
  floor: 0.3,
  detect: (evidence) => {
    const { solve } = evidence;
    const behaviour = knownBehaviour(evidence);
    if (solve === undefined || behaviour === undefined) return false;
    if (solve.witness === "forged" || isAheadOfItself(behaviour)) return true;
    const batch = batchOf(solve);
    if (batch === undefined) return false;
    return (
      isLongerThanPassed(batch.atMs, Math.ceil(behaviour.durationMs), solve) ||
      !isTrueToBatch(batch, behaviour)
    );
  },
} satisfies FlagRow;
