import { createBoundedMap } from "@stile/core/domain/bounded-map";
import { type Gate, gateOf, type ReleaseVotes, sumVotes, voteOf } from "@stile/core/domain/layout/agreement";
import { dayOf } from "@stile/core/domain/layout/kept-votes";
import { enginesIn } from "@stile/core/domain/layout/layout-bank";
import type { StoredLayoutVotes } from "@stile/core/ports/layout/layout-banks";
import type { LayoutScenes } from "@stile/core/ports/layout/layout-scenes";
import type { LayoutVotes } from "@stile/core/ports/layout/layout-votes";

/** Releases that are counted between two writes; who makes them up pushes out no other. */
const MAX_WAITING = 100;
/** Votes a day of one IPv6 /32: a provider's customers have the same browsers, and somebody may have all of it. */
const MOST_OF_PROVIDER = 10;

/**
 * Votes of one process: networks of the day in at most `maxNetworks` entries of 100 bytes, as many providers, and what waits to be
 * written. A network that visits several nodes has a vote on each.
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

  /** Whether the provider has a vote left today, which is taken then. */
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
  /** What fails is not written again: it may have been, and would count twice. One half minute's votes more or less say the same. */
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
      // New pages were answered by browsers of today: what fell with those before has another chance.
      const isNew = known.version !== undefined && bank?.version !== known.version;
      if (isNew) await stored.forgetVotes(known.gate.fallen);
      const listed = await stored.listVotes(nowMs);
      known = { version: bank?.version, gate: gateOf(bank ? enginesIn(bank).length : 0, listed) };
    },
  };
}
