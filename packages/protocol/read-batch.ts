import { BATCH_MOMENTS, type Batch } from "./batch.ts";

const WHOLE = "-?\\d{1,10}";
const listOf = (item: string): string => `((?:${item}(?:_${item}){0,${BATCH_MOMENTS - 1}})?)`;

/**
 * Matches the text of a batch: at most 755 characters, none of which has to be escaped in a URL.
 */
export const BATCH_PATTERN = new RegExp(
  `^(\\d{1,10})~${listOf(`${WHOLE}\\.${WHOLE}\\.${WHOLE}`)}~${listOf("\\d{1,10}")}$`,
);

/** Reads the text of a batch; undefined for any other text. */
export function readBatch(text: string): Batch | undefined {
  const [, atMs, pointer, keys] = BATCH_PATTERN.exec(text) ?? [];
  if (atMs === undefined) return undefined;
  const split = (list = ""): string[] => (list === "" ? [] : list.split("_"));
  return { atMs: Number(atMs), pointer: split(pointer), keys: split(keys).map(Number) };
}
