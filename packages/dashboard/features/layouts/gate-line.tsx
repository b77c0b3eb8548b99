import type { GateData } from "@stile/protocol/dashboard-layouts";
import { describeGate } from "@stile/protocol/gate-words";
import { useData } from "../../ui/use-data.ts";

/** What "automatic" stands for at present, shadow or live, and why; nothing while that is unknown. */
export function GateLine() {
  const { data } = useData<GateData>("layouts/gate");
  return data === undefined ? null : <p class="quiet">{describeGate(data)}</p>;
}
