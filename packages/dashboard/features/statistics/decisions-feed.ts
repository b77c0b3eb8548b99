import type {
  DecisionData,
  DecisionsData,
  ScoredRequestData,
} from "@stile/protocol/dashboard-statistics";

/**
 * The list as shown, and newer decisions that wait until the reader asks for them. The newest comes
 * first in both.
 */
export type Feed = {
  readonly shown: readonly DecisionData[];
  readonly waiting: readonly DecisionData[];
  /** Whether there are older ones beyond the last shown. */
  readonly hasMore: boolean;
  /**
   * Whether more arrived than one answer holds, so that showing the waiting ones starts the list
   * from scratch.
   */
  readonly hasGap: boolean;
};

/** The feed before the first answer. */
export const NO_FEED: Feed = { shown: [], waiting: [], hasMore: false, hasGap: false };

/**
 * Takes in the newest page. Rows never move under the reader: new ones wait, known ones only get
 * their new label. The first answer is shown at once, and so is one that finds the list empty.
 */
export function receive(feed: Feed, { decisions, hasMore }: DecisionsData): Feed {
  if (feed.shown.length === 0) return { shown: decisions, waiting: [], hasMore, hasGap: false };
  const latest = new Map(decisions.map((decision) => [decision.decisionId, decision]));
  const shown = feed.shown.map((decision) => latest.get(decision.decisionId) ?? decision);
  const known = new Set(shown.map(({ decisionId }) => decisionId));
  const waiting = decisions.filter(({ decisionId }) => !known.has(decisionId));
  const hasGap = hasMore && waiting.length === decisions.length;
  return { ...feed, shown, waiting, hasGap };
}

/** Puts the waiting ones on top; after a gap they become the whole list. */
export function showWaiting(feed: Feed): Feed {
  if (feed.hasGap) return { shown: feed.waiting, waiting: [], hasMore: true, hasGap: false };
  return { ...feed, shown: [...feed.waiting, ...feed.shown], waiting: [] };
}

/** Adds the page below the last shown one. */
export function appendOlder(feed: Feed, { decisions, hasMore }: DecisionsData): Feed {
  const known = new Set(feed.shown.map(({ decisionId }) => decisionId));
  return {
    ...feed,
    shown: [...feed.shown, ...decisions.filter(({ decisionId }) => !known.has(decisionId))],
    hasMore,
  };
}

/** Sets the label of one decision in the list, before the next answer brings it. */
export function relabel(feed: Feed, decisionId: string, label: ScoredRequestData["label"]): Feed {
  const change = (decision: DecisionData) =>
    decision.decisionId === decisionId ? { ...decision, label } : decision;
  return { ...feed, shown: feed.shown.map(change), waiting: feed.waiting.map(change) };
}
