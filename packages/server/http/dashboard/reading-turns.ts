/** How many reads of one member run at once (as many as a page needs), and how many may wait. */
const AT_ONCE = 4;
const MOST_WAITING = 64;

/** One member's reads: at least one is running. */
type Held = { running: number; readonly waiting: (() => void)[] };

/** Runs a member's read when it is its turn; undefined, without running it, if too many wait already. */
export type ReadingTurns = <Answer>(userId: string, read: () => Promise<Answer>) => Promise<Answer | undefined>;

/**
 * The turns of one service's members. A list of many sites takes a thousand queries, and one packet can request it a hundred
 * times: without turns, anyone who may view an account could keep the process from all other work.
 */
export function createReadingTurns(): ReadingTurns {
  const members = new Map<string, Held>();

  const enter = async (userId: string): Promise<Held | undefined> => {
    const held = members.get(userId) ?? { running: 0, waiting: [] };
    members.set(userId, held);
    if (held.running < AT_ONCE) held.running += 1;
    else if (held.waiting.length >= MOST_WAITING) return undefined;
    // The place is handed over directly, so that no later read slips in between.
    else await new Promise<void>((begin) => held.waiting.push(begin));
    return held;
  };

  const leave = (userId: string, held: Held): void => {
    const begin = held.waiting.shift();
    if (begin === undefined) held.running -= 1;
    else begin();
    if (held.running === 0) members.delete(userId);
  };

  return async (userId, read) => {
    const held = await enter(userId);
    if (held === undefined) return undefined;
    try {
      return await read();
    } finally {
      leave(userId, held);
    }
  };
}
