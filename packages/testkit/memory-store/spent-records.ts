/** The spent ids, in memory. */
export type SpentRecords<Spent> = {
  readonly find: (id: Uint8Array) => Spent | undefined;
  /** Returns false, and keeps nothing, if the id was spent, or may have been spent and swept. */
  readonly insert: (id: Uint8Array, retainUntilMs: number, spent: Spent) => boolean;
  /** Removes the records whose `retainUntilMs` has come; returns how many. */
  readonly sweep: (nowMs: number) => number;
};

/**
 * An empty set. It remembers the greatest `retainUntilMs` that it ever swept, and accepts nothing
 * that expires by then. Otherwise a clock that jumps ahead and then comes back would make spent ids
 * fresh again after a sweep (D3, single use).
 */
export function createSpentRecords<Spent>(): SpentRecords<Spent> {
  const records = new Map<string, { readonly retainUntilMs: number; readonly spent: Spent }>();
  let sweptUntilMs = Number.NEGATIVE_INFINITY;
  const keyOf = (id: Uint8Array): string => Buffer.from(id).toString("hex");
  return {
    find: (id) => records.get(keyOf(id))?.spent,
    insert: (id, retainUntilMs, spent) => {
      const key = keyOf(id);
      if (retainUntilMs <= sweptUntilMs || records.has(key)) return false;
      records.set(key, { retainUntilMs, spent });
      return true;
    },
    sweep: (nowMs) => {
      const before = records.size;
      for (const [key, { retainUntilMs }] of records) {
        if (retainUntilMs > nowMs) continue;
        sweptUntilMs = Math.max(sweptUntilMs, retainUntilMs);
        records.delete(key);
      }
      return before - records.size;
    },
  };
}
