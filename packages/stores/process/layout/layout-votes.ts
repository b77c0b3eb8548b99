import { createBoundedMap } from "@stile/core/domain/bounded-map";
import { type Gate, gateOf, type ReleaseVotes, sumVotes, voteOf } from "@stile/core/domain/layout/agreement";
import { dayOf } from "@stile/core/domain/layout/kept-votes";
import { enginesIn } from "@stile/core/domain/layout/layout-bank";
import type { StoredLayoutVotes } from "@stile/core/ports/layout/layout-banks";
import type { LayoutScenes } from "@stile/core/ports/layout/layout-scenes";
import type { LayoutVotes } from "@stile/core/ports/layout/layout-votes";

/** The most releases counted between two writes; making up releases pushes out no other. */
const MAX_WAITING = 100;
/** Votes per day from one IPv6 /32: a provider's customers have the same browsers, and one person may own all of it. */
const MOST_OF_PROVIDER = 10;

/**
 * The votes of one process: the day's networks in at most `maxNetworks` entries of 100 bytes, as many providers, and
 * votes that wait to be written. A network that visits several nodes has a vote on each.
 */
export function createLayoutVotes(
  stored: StoredLayoutVotes,
  scenes: Pick<LayoutScenes, "newest">,
  { maxNetworks }: { readonly maxNetworks: number },
): LayoutVotes {
  const votedOn = createBoundedMap<string, number>(maxNetworks);
  const ofProvider = createBoundedMap<string, { readonly day: number; readonly votes: number }>(maxNetworks);
  let waiting = new Map<string, ReleaseVotes>();
  let known: { readonly version: number | undefined; readonly gate: Gate } = {
    version: undefined,
    gate: gateOf(0, []),
  };

  /** Whether the provider has a vote left today; if so, it is used up. */
  const mayVote = (provider: string | undefined, day: number): boolean => {
    if (provider === undefined) return true;
    const before = ofProvider.get(provider);
    const votes = before?.day === day ? before.votes : 0;
    if (votes >= MOST_OF_PROVIDER) return false;
    ofProvider.set(provider, { day, votes: votes + 1 });
    return true;
  };
  const count = (vote: ReleaseVotes): void => {
    const before = waiting.get(vote.release);
    if (before !== undefined || waiting.size < MAX_WAITING) {
      waiting.set(vote.release, before === undefined ? vote : sumVotes(before, vote));
    }
  };
  /** A failed write is not repeated: it may have succeeded, and would count twice. A few votes make no difference. */
  const write = async (nowMs: number): Promise<void> => {
    const written = [...waiting.values()];
    waiting = new Map();
    if (written.length > 0) await stored.addVotes(written, nowMs);
  };
  return {
    record: ({ network, provider, release, share, nowMs }) => {
      const day = dayOf(nowMs);
      const vote = voteOf(release, share);
      if (vote === undefined || votedOn.get(network) === day || !mayVote(provider, day)) return;
      votedOn.set(network, day);
      count(vote);
    },
    isFallen: (release) => known.gate.fallen.includes(release),
    gate: () => known.gate,
    refresh: async (nowMs) => {
      await write(nowMs);
      const bank = scenes.newest();
      // New scenes were answered by today's browsers: releases that failed with the earlier scenes get another chance.
      const isNew = known.version !== undefined && bank?.version !== known.version;
      if (isNew) await stored.forgetVotes(known.gate.fallen);
      const listed = await stored.listVotes(nowMs);
      known = { version: bank?.version, gate: gateOf(bank ? enginesIn(bank).length : 0, listed) };
    },
  };
}
