import type { Decision } from "@stile/core/domain/decision";

/** Decisions held back at most between two flushes. */
export const MAX_HELD_DECISIONS = 2_000;
/** Decisions kept of one site and second: a person can't look at more, and a flood must not cost a disk. */
export const MAX_DECISIONS_PER_SECOND = 200;

/** Decisions that wait for being written, in bounded number; those too many are left out. */
export type DecisionHold = {
  readonly append: (decision: Decision) => void;
  /** Takes out all that are held. */
  readonly take: () => readonly Decision[];
  /** Puts back what could not be written, before what came since. */
  readonly putBack: (decisions: readonly Decision[]) => void;
};

/** An empty hold. */
export function createDecisionHold(): DecisionHold {
  let held: Decision[] = [];
  let counts = new Map<string, { readonly second: number; count: number }>();

  const isTooMany = ({ siteKey, atMs }: Decision): boolean => {
    const second = Math.floor(atMs / 1000);
    const counted = counts.get(siteKey);
    if (counted?.second !== second) counts.set(siteKey, { second, count: 1 });
    else if (counted.count >= MAX_DECISIONS_PER_SECOND) return true;
    else counted.count += 1;
    return false;
  };

  return {
    append: (decision) => {
      if (held.length < MAX_HELD_DECISIONS && !isTooMany(decision)) held.push(decision);
    },
    take: () => {
      const taken = held;
      held = [];
      // Sites of an earlier second have no count to keep.
      const newest = Math.max(...[...counts.values()].map(({ second }) => second));
      counts = new Map([...counts].filter(([, { second }]) => second === newest));
      return taken;
    },
    putBack: (decisions) => {
      held = [...decisions, ...held].slice(0, MAX_HELD_DECISIONS);
    },
  };
}
