import { encodeSignals } from "./encode-signals.ts";
import type { FrameProbe } from "./frame-probe.ts";
import type { loadCollector } from "./load-collector.ts";

/** The bytes of the environment string (D9); empty where the collector cannot be had, which the service takes as withheld. */
export async function observeEnvironment(
  collector: ReturnType<typeof loadCollector>,
  probe: FrameProbe | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const collect = await collector;
  return collect ? encodeSignals(await collect(probe)) : new Uint8Array(0);
}
