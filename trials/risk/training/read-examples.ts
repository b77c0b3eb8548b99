import type { Segment } from "@stile/risk/trajectory/segment";

/** A line of a file of recordings: a path that ends in a press, and its author. */
export type Recording = {
  /** The collection it comes from; empty if the line does not say. */
  readonly source: string;
  readonly subject: string;
  readonly kind: "human" | "bot";
  readonly generator: string;
  readonly events: Segment;
};

/**
 * Parses the untrusted JSON of a line into a recording; throws an error that says what is missing.
 */
export function parseRecording(line: string): Recording {
  const {
    source = "",
    subject,
    kind,
    generator,
    events,
  } = JSON.parse(line) as Record<string, unknown>;
  const isRecording =
    typeof source === "string" &&
    typeof subject === "string" &&
    (kind === "human" || kind === "bot") &&
    typeof generator === "string" &&
    Array.isArray(events);
  if (!isRecording)
    throw new Error("a recording needs subject, kind (human or bot), generator and events");
  return { source, subject, kind, generator, events: events as unknown as Segment };
}
