/** What counts for as long as visits are judged: each value, an object of its own, from `hold` until what that answers is called. */
export type Held<Value extends object> = {
  readonly hold: (value: Value) => () => void;
  /** In the order in which they came; as many as visits are judged at a time. */
  readonly all: ReadonlySet<Value>;
};

/** None yet. */
export function createHeld<Value extends object>(): Held<Value> {
  const all = new Set<Value>();
  return {
    all,
    hold: (value) => {
      all.add(value);
      return () => void all.delete(value);
    },
  };
}
