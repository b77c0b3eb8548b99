import type { NodeFeed } from "@stile/core/ports/node-feed";

/** The most entries held at a time; a node that asks too late misses the oldest. */
const MAX_ENTRIES = 10_000;

/** Makes feeds for nodes that share a process, as tests start them. */
export function createMemoryNodeFeeds(): () => NodeFeed {
  let entries: { readonly by: number; readonly text: string }[] = [];
  let published = 0;
  let nodes = 0;
  const dayKeys = new Map<number, Uint8Array>();
  return () => {
    const by = ++nodes;
    let received = published;
    return {
      publish: async (texts) => {
        entries = [...entries, ...texts.map((text) => ({ by, text }))].slice(-MAX_ENTRIES);
        published += texts.length;
      },
      receive: async () => {
        const missed = published - received;
        received = published;
        const news = missed === 0 ? [] : entries.slice(-missed);
        return news.filter((entry) => entry.by !== by).map(({ text }) => text);
      },
      agreeOnDayKey: async (day, proposed) => {
        for (const known of dayKeys.keys()) if (known < day - 1) dayKeys.delete(known);
        const key = dayKeys.get(day) ?? proposed;
        dayKeys.set(day, key);
        return key;
      },
    };
  };
}
