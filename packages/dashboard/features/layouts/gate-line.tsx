import type { GateData } from "@stile/protocol/dashboard-layouts";
import { describeGate } from "@stile/protocol/gate-words";
import { useData } from "../../ui/use-data.ts";

/** Which of shadow and live "automatic" is now, and why; nothing while that is unknown. */
export function GateLine() {
  const { data } = useData<GateData>("layouts/gate");
  return data === undefined ? null : <p class="quiet">{describeGate(data)}</p>;
}
