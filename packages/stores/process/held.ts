/**
 * Values of visits that are being scored. A value counts from `hold` until the caller calls the
 * function that `hold` returned.
 */
export type Held<Value extends object> = {
  readonly hold: (value: Value) => () => void;
  /** In order of arrival. Its size is at most the number of visits being scored. */
  readonly all: ReadonlySet<Value>;
};

/** Creates an empty set. */
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
