import { createRandom, seedOf } from "../seeded-random.ts";
import { extractFeatures } from "../trajectory/features.ts";
import { preparePath, type Segment } from "../trajectory/segment.ts";
import { augment } from "./augment.ts";
import type { Example } from "./train.ts";

/** A line of a file of recordings: who drew the path that ends in a press, and the path. */
export type Recording = {
  readonly subject: string;
  readonly kind: "human" | "bot";
  readonly generator: string;
  readonly events: Segment;
};

/** Untrusted JSON of a line to a recording; throws with what is missing. */
export function parseRecording(line: string): Recording {
  const { subject, kind, generator, events } = JSON.parse(line) as Record<string, unknown>;
  const isRecording =
    typeof subject === "string" &&
    (kind === "human" || kind === "bot") &&
    typeof generator === "string" &&
    Array.isArray(events);
  if (!isRecording) throw new Error("a recording needs subject, kind (human or bot), generator and events");
  return { subject, kind, generator, events: events as unknown as Segment };
}

/** The example of a recording, and that of its altered copy; none where too little moved to be judged. */
export function toExamples({ subject, kind, generator, events }: Recording): Example[] {
  const isBot = kind === "bot";
  const random = createRandom(seedOf(`${generator} ${subject} ${events.length} ${events[0]?.join()}`));
  return [false, true].flatMap((isAltered) => {
    const path = preparePath(isAltered ? augment(events, random) : events);
    return path === undefined ? [] : [{ features: extractFeatures(path), isBot, subject, generator, isAltered }];
  });
}
