/** Marks of spent things by id, in memory. */
export type Marks<Mark> = {
  readonly find: (id: Uint8Array) => Mark | undefined;
  /** False, and nothing is kept, if the id has a mark or may have had one that was swept. */
  readonly insert: (id: Uint8Array, keepUntilMs: number, mark: Mark) => boolean;
  /** Removes marks whose `keepUntilMs` has come; answers how many. */
  readonly sweep: (nowMs: number) => number;
};

/**
 * An empty set of marks. It remembers the greatest `keepUntilMs` it ever swept and never marks what is no younger: so a
 * clock that jumps ahead, lets everything be swept and comes back can't make a spent thing fresh again (D3).
 */
export function createMarks<Mark>(): Marks<Mark> {
  const marks = new Map<string, { readonly keepUntilMs: number; readonly mark: Mark }>();
  let sweptUntilMs = Number.NEGATIVE_INFINITY;
  const keyOf = (id: Uint8Array): string => Buffer.from(id).toString("hex");
  return {
    find: (id) => marks.get(keyOf(id))?.mark,
    insert: (id, keepUntilMs, mark) => {
      const key = keyOf(id);
      if (keepUntilMs <= sweptUntilMs || marks.has(key)) return false;
      marks.set(key, { keepUntilMs, mark });
      return true;
    },
    sweep: (nowMs) => {
      const before = marks.size;
      for (const [key, { keepUntilMs }] of marks) {
        if (keepUntilMs > nowMs) continue;
        sweptUntilMs = Math.max(sweptUntilMs, keepUntilMs);
        marks.delete(key);
      }
      return before - marks.size;
    },
  };
}
