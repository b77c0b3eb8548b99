/**
 * Values of visits that are being scored. A value counts from `add` until the caller calls the
 * function that `add` returned.
 */
export type PendingVisits<Value extends object> = {
  readonly add: (value: Value) => () => void;
  /** In order of arrival. Its size is at most the number of visits being scored. */
  readonly all: ReadonlySet<Value>;
};

/** Creates an empty set. */
export function createPendingVisits<Value extends object>(): PendingVisits<Value> {
  const all = new Set<Value>();
  return {
    all,
    add: (value) => {
      all.add(value);
      return () => void all.delete(value);
    },
  };
}
