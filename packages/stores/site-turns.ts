/** Writes of a site, and what it spends, in the order in which this process asked for them. */
export type SiteTurns = {
  /** Does the work unless a write of the site is under way, which it waits for. */
  readonly spend: <Result>(siteKey: string, work: () => Promise<Result>) => Promise<Result>;
  /** Does the write when all that was spent before has ended; what the site spends meanwhile waits for it. */
  readonly write: <Result>(siteKey: string, work: () => Promise<Result>) => Promise<Result>;
};

/** Nothing is under way. */
export function createSiteTurns(): SiteTurns {
  const lastSpends = new Map<string, Promise<unknown>>();
  const lastWrites = new Map<string, Promise<unknown>>();
  const remember = <Result>(lasts: Map<string, Promise<unknown>>, siteKey: string, running: Promise<Result>) => {
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
    spend: <Result>(siteKey: string, work: () => Promise<Result>): Promise<Result> => {
      const write = lastWrites.get(siteKey);
      if (write !== undefined) return write.then(() => remember(lastSpends, siteKey, work()));
      return remember(lastSpends, siteKey, work());
    },
    write: <Result>(siteKey: string, work: () => Promise<Result>): Promise<Result> => {
      const before = Promise.all([lastWrites.get(siteKey), lastSpends.get(siteKey)]);
      return remember(lastWrites, siteKey, before.then(work));
    },
  };
}
