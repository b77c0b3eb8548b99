import type { BehaviourSignals, EnvironmentSignals } from "@stile/protocol/signals";
import { toJson } from "../to-json.ts";

/**
 * The bytes of a signal string: UTF-8 JSON, within `SIGNALS_BYTES_LIMIT` since the collectors bound
 * what they collect (D9, submission).
 */
export function encodeSignals(
  signals: EnvironmentSignals | BehaviourSignals,
): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(toJson(signals));
}
