import type { Segment } from "../trajectory/segment.ts";

/** A line of a file of recordings: who drew the path that ends in a press, and the path. */
export type Recording = {
  /** The collection it comes from; empty where the line does not say. */
  readonly source: string;
  readonly subject: string;
  readonly kind: "human" | "bot";
  readonly generator: string;
  readonly events: Segment;
};

/** Untrusted JSON of a line to a recording; throws with what is missing. */
export function parseRecording(line: string): Recording {
  const { source = "", subject, kind, generator, events } = JSON.parse(line) as Record<string, unknown>;
  const isRecording =
    typeof source === "string" &&
    typeof subject === "string" &&
    (kind === "human" || kind === "bot") &&
    typeof generator === "string" &&
    Array.isArray(events);
  if (!isRecording) throw new Error("a recording needs subject, kind (human or bot), generator and events");
  return { source, subject, kind, generator, events: events as unknown as Segment };
}
