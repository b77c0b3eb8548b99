import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parseRecording, type Recording } from "../training/read-examples.ts";

/**
 * Whether a program replays a person's own path: that is a question of repetition, not of shape.
 */
export const isReplay = ({ generator }: Recording): boolean => /replay/.test(generator);

/**
 * Every recording in a folder's *.jsonl and *.jsonl.gz files whose lines are paths; names the files
 * it skips.
 */
export function readRecordings(directory: string, say: (text: string) => void): Recording[] {
  const files = readdirSync(directory)
    .filter((name) => /\.jsonl(\.gz)?$/.test(name))
    .sort();
  if (files.length === 0) throw new Error(`${directory} has no *.jsonl or *.jsonl.gz files.`);
  return files.flatMap((name) => {
    const bytes = readFileSync(join(directory, name));
    const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
    const lines = text.split("\n").filter((line) => line !== "");
    if (!lines[0]?.includes('"events"')) {
      say(`${name} holds no paths; left out`);
      return [];
    }
    say(`${name}: ${lines.length} paths`);
    return lines.map((line, index) => {
      try {
        return parseRecording(line);
      } catch (cause) {
        throw new Error(`${name}, line ${index + 1}: ${(cause as Error).message}`, { cause });
      }
    });
  });
}
