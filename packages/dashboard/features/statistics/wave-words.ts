import type { WaveData } from "@stile/protocol/dashboard-waves";
import { countOf, formatDuration, formatNumber } from "../../ui/format.ts";

const SHORTEST_MS = 60_000;

/** "5 min"; a duration below a minute counts as one. */
const within = (ms: number): string => formatDuration(Math.max(ms, SHORTEST_MS));

/** A description of a wave: "312 visits in 5 min share 7 properties; 4 would be expected." */
export function describeWave({ peak, properties }: WaveData): string {
  const shared =
    properties.length === 0 ? "look the same" : `share ${countOf(properties.length, "property")}`;
  const plural = shared.replace(/propertys$/, "properties");
  const expected = Math.max(1, Math.round(peak.expected));
  return `${countOf(peak.visits, "visit")} in ${within(peak.withinMs)} ${plural}; ${formatNumber(expected)} would be expected.`;
}

/** How strong it is: "78 times the usual number, from about 300 networks". */
export function describeStrength({ peak }: WaveData): string {
  const times = Math.round(peak.visits / Math.max(1, peak.expected));
  return `${formatNumber(times)} times the usual number, from about ${countOf(Math.round(peak.networks), "network")}`;
}

/** Other visitors affected by blocking the wave: regular visitors with the same properties. */
export function describePrice({ peak }: WaveData): string {
  const anHour = Math.ceil((peak.expected * 3_600_000) / Math.max(peak.withinMs, SHORTEST_MS));
  return `Blocking them may also block up to ${countOf(anHour, "regular visitor")} an hour.`;
}
