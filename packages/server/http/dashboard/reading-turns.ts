/** Reads of one member that are done at once, as many as a page asks for; and those that wait for their turn. */
const AT_ONCE = 4;
const MOST_WAITING = 64;

/** What one member has under way: never empty. */
type Held = { running: number; readonly waiting: (() => void)[] };

/** Lets a member's reads have their turn; undefined, and nothing is done, where too many of them wait already. */
export type ReadingTurns = <Answer>(userId: string, read: () => Promise<Answer>) => Promise<Answer | undefined>;

/**
 * The turns of one service's members. A list of many sites takes a thousand queries, and one packet holds a hundred requests for it: whoever
 * may look at an account at all could else keep the process from everything that others ask of it, for as long as they like.
 */
export function createReadingTurns(): ReadingTurns {
  const members = new Map<string, Held>();

  const enter = async (userId: string): Promise<Held | undefined> => {
    const held = members.get(userId) ?? { running: 0, waiting: [] };
    members.set(userId, held);
    if (held.running < AT_ONCE) held.running += 1;
    else if (held.waiting.length >= MOST_WAITING) return undefined;
    // Whoever leaves hands its place over, so that nobody slips in between.
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
