import { toBatch } from "@stile/protocol/batch";
import type { BehaviourSignals } from "@stile/protocol/signals";

/**
 * What the page of that visit reports if it asks for a challenge at that moment, ms of the visit
 * (D9).
 */
export function toldAt(atMs: number, visit: BehaviourSignals): string {
  return toBatch({
    ...visit,
    durationMs: atMs,
    pointer: visit.pointer.filter(([ms]) => ms <= atMs),
    keys: visit.keys.filter(([ms]) => ms <= atMs),
  });
}
