import { endWithin } from "../engine/end-within.ts";

/** Runs a site's writes and spends in the order in which this process asked for them. */
export type SiteTurns = {
  /**
   * Does the work at once, or after the writes of the site that are under way. Rejects with
   * StoreUnavailable, and does nothing, if these take too long.
   */
  readonly spend: <Result>(siteKey: string, work: () => Promise<Result>) => Promise<Result>;
  /**
   * Does the write after everything spent before it has ended; what the site spends meanwhile waits
   * for the write.
   */
  readonly write: <Result>(siteKey: string, work: () => Promise<Result>) => Promise<Result>;
};

/** Turns with nothing under way; a spend waits for at most `mostWaitMs`. */
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
