import { encodeSignals } from "./encode-signals.ts";
import type { FrameProbe } from "./frame-probe.ts";
import type { loadCollector } from "./load-collector.ts";

/**
 * The bytes of the environment string (D9, submission); empty if the collector can't be loaded, or
 * fails in this browser: the service treats that as withheld.
 */
export async function observeEnvironment(
  collector: ReturnType<typeof loadCollector>,
  probe: FrameProbe | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const signals = await collector.then((collect) => collect?.(probe)).catch(reportError);
  return signals ? encodeSignals(signals) : new Uint8Array(0);
}
