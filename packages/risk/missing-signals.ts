import type { ObservedBehaviour } from "@stile/protocol/observed-signals";

/**
 * The part that the signals of a score lack: `signals` if none were sent, `behaviour` if the page
 * saw no input at all. Scrolling, focus and visibility do not count, since a page causes them
 * without a visitor.
 */
export type MissingSignals = "signals" | "behaviour";

/**
 * The missing part of the collected behaviour. Withheld or unreadable signals are not missing:
 * another flag covers them.
 */
export function findMissingSignals(
  behaviour: ObservedBehaviour | "withheld" | undefined,
): MissingSignals | undefined {
  if (behaviour === undefined) return "signals";
  if (behaviour === "withheld") return undefined;
  const isInputSeen =
    behaviour.pointer.some(({ isTrusted }) => isTrusted) || behaviour.keys.length > 0;
  return isInputSeen ? undefined : "behaviour";
}
