/** How long to wait before a service counts as hanging, ms. */
const PATIENCE_MS = 9_000;

/** The result of `work`, or undefined if it fails or takes longer than anybody should wait. */
export function withinPatience<Value>(work: Promise<Value>): Promise<Value | undefined> {
  return new Promise((resolve) => {
    const end = (value?: Value): void => {
      // Pages wait until no timer is left (Angular's zone, tests).
      clearTimeout(timer);
      resolve(value);
    };
    const timer = setTimeout(end, PATIENCE_MS);
    work.then(end, () => end());
  });
}
