import type { GateData } from "./dashboard-layouts.ts";

const plain = (count: number): string => count.toLocaleString("en-US");

/** A share in tenths of a per cent, rounded down so that it never seems to reach what is needed. */
const percent = (share: number): string => `${Math.floor(1000 * share) / 10} %`;

function shadowWords({ engines, visits, share, needed }: GateData): string {
  if (engines === 0) return "Shadow: no pages were made yet.";
  const seen = `${plain(Math.min(visits, needed.visits))} of ${plain(needed.visits)} visits`;
  if (engines < needed.engines) {
    return `Shadow: ${seen}; one engine of two. Let another kind of browser answer, too (System, Proof of browser).`;
  }
  if (visits < needed.visits) return `Shadow: ${seen}. It goes live by itself.`;
  return `Shadow: visitors' browsers have ${percent(share)} of their reads as the pages should be; ${percent(needed.share)} are needed. If nothing is wrong for your visitors, choose Live.`;
}

/** Says whether and why layouts count where a site leaves it to the service, for the dashboard and for `doctor`. */
export function describeGate(gate: GateData): string {
  const { isOpen, visits, share, fallen } = gate;
  const state = isOpen ? `Live: ${plain(visits)} visits agree in ${percent(share)} of their reads.` : shadowWords(gate);
  if (fallen.length === 0) return state;
  const names = fallen.join(", ");
  return `${state} Unlike the pages, and held to less until they are made anew: ${names}.`;
}
