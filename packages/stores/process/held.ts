/**
 * Values that count while visits are being judged: each from `hold` until the function that it
 * returns is called.
 */
export type Held<Value extends object> = {
  readonly hold: (value: Value) => () => void;
  /** In order of arrival; at most as many as visits being judged. */
  readonly all: ReadonlySet<Value>;
};

/** Begins empty. */
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
