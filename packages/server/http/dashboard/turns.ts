/** How many tasks of one holder run at once, and how many may wait. */
export type TurnTerms = { readonly atOnce: number; readonly mostWaiting: number };

/** One holder's tasks: at least one is running. */
type TurnQueue = { running: number; readonly waiting: (() => void)[] };

/**
 * Runs a holder's task when it is its turn; undefined, without running it, if too many wait
 * already.
 */
export type Turns = <Answer>(
  holder: string,
  task: () => Promise<Answer>,
) => Promise<Answer | undefined>;

/** Turns for any number of holders. No holder delays another. */
export function createTurns({ atOnce, mostWaiting }: TurnTerms): Turns {
  const holders = new Map<string, TurnQueue>();

  const enter = async (holder: string): Promise<TurnQueue | undefined> => {
    const held = holders.get(holder) ?? { running: 0, waiting: [] };
    holders.set(holder, held);
    if (held.running < atOnce) held.running += 1;
    else if (held.waiting.length >= mostWaiting) return undefined;
    // The place is passed directly to the next task, so that no later one slips in between.
    else await new Promise<void>((begin) => held.waiting.push(begin));
    return held;
  };

  const leave = (holder: string, held: TurnQueue): void => {
    const begin = held.waiting.shift();
    if (begin === undefined) held.running -= 1;
    else begin();
    if (held.running === 0) holders.delete(holder);
  };

  return async (holder, task) => {
    const held = await enter(holder);
    if (held === undefined) return undefined;
    try {
      return await task();
    } finally {
      leave(holder, held);
    }
  };
}
