import { toBatch } from "@stile/protocol/batch";
import type { BehaviourSignals } from "@stile/protocol/signals";

/**
 * The page's report of that visit if it asks for a challenge at that moment, ms of the visit (D9,
 * submission).
 */
export function toldAt(atMs: number, visit: BehaviourSignals): string {
  return toBatch({
    ...visit,
    durationMs: atMs,
    pointer: visit.pointer.filter(([ms]) => ms <= atMs),
    keys: visit.keys.filter(([ms]) => ms <= atMs),
  });
}
