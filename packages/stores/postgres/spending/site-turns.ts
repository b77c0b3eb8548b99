import { endWithin } from "../engine/end-within.ts";

/** Runs a site's writes and spends in the order in which this process received them. */
export type SiteTurns = {
  /**
   * Runs the work immediately, or after the site's running writes. If these take too long, it
   * rejects with StoreUnavailable and does nothing.
   */
  readonly spend: <Result>(siteKey: string, work: () => Promise<Result>) => Promise<Result>;
  /**
   * Runs the write after all earlier spends have ended. Later spends of the site wait for the
   * write.
   */
  readonly write: <Result>(siteKey: string, work: () => Promise<Result>) => Promise<Result>;
};

/** Creates empty turns. A spend waits at most `mostWaitMs`. */
export function createSiteTurns(mostWaitMs: number): SiteTurns {
  const lastSpends = new Map<string, Promise<unknown>>();
  const lastWrites = new Map<string, Promise<unknown>>();
  const remember = <Result>(
    lasts: Map<string, Promise<unknown>>,
    siteKey: string,
    running: Promise<Result>,
  ) => {
    const ended = running.then(
      () => {},
      () => {},
    );
    lasts.set(siteKey, ended);
    void ended.then(() => {
      if (lasts.get(siteKey) === ended) lasts.delete(siteKey);
    });
    return running;
  };
  return {
    spend: async (siteKey, work) => {
      const write = lastWrites.get(siteKey);
      if (write !== undefined)
        await endWithin(mostWaitMs, write, "the site is being written: this was not spent");
      return await remember(lastSpends, siteKey, work());
    },
    write: <Result>(siteKey: string, work: () => Promise<Result>): Promise<Result> => {
      const before = Promise.all([lastWrites.get(siteKey), lastSpends.get(siteKey)]);
      return remember(lastWrites, siteKey, before.then(work));
    },
  };
}
