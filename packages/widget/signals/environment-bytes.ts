import { encodeSignals } from "./encode-signals.ts";
import type { FrameSight } from "./frame-sight.ts";
import type { loadCollector } from "./load-collector.ts";

/** The bytes of the environment string (D9); empty where the collector cannot be had, which the service takes as withheld. */
export async function observeEnvironment(
  collector: ReturnType<typeof loadCollector>,
  sight: FrameSight | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const collect = await collector;
  return collect === undefined ? new Uint8Array(0) : encodeSignals(await collect(sight));
}
