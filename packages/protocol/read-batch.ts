import { BATCH_MOMENTS, type Batch } from "./batch.ts";

const WHOLE = "-?\\d{1,10}";
const listOf = (item: string): string => `((?:${item}(?:_${item}){0,${BATCH_MOMENTS - 1}})?)`;

/** The texts that are batches: at most 755 characters, none of which an address has to escape. */
export const BATCH_PATTERN = new RegExp(
  `^(\\d{1,10})~${listOf(`${WHOLE}\\.${WHOLE}\\.${WHOLE}`)}~${listOf("\\d{1,10}")}$`,
);

/** The text of a batch to what it says; undefined for any other text. */
export function readBatch(text: string): Batch | undefined {
  const [, atMs, pointer, keys] = BATCH_PATTERN.exec(text) ?? [];
  if (atMs === undefined) return undefined;
  const split = (list = ""): string[] => (list === "" ? [] : list.split("_"));
  return { atMs: Number(atMs), pointer: split(pointer), keys: split(keys).map(Number) };
}
