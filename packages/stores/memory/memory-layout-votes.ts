import { MOST_OF_RELEASE, MOST_RELEASES, type ReleaseVotes, sumVotes } from "@stile/core/domain/layout/agreement";
import type { StoredLayoutVotes } from "@stile/core/ports/layout/layout-banks";

function halve({ release, near, nearShare, low, lowShare }: ReleaseVotes): ReleaseVotes {
  return { release, near: near / 2, nearShare: nearShare / 2, low: low / 2, lowShare: lowShare / 2 };
}

/** Votes in the memory of one process. */
export function createMemoryLayoutVotes(): StoredLayoutVotes {
  let known = new Map<string, ReleaseVotes>();
  return {
    addVotes: async (votes) => {
      for (const vote of votes) {
        const before = known.get(vote.release);
        const sum = before === undefined ? vote : sumVotes(before, vote);
        known.set(vote.release, sum.near + sum.low > MOST_OF_RELEASE ? halve(sum) : sum);
      }
      const most = [...known].sort(([, one], [, other]) => other.near + other.low - one.near - one.low);
      known = new Map(most.slice(0, MOST_RELEASES));
    },
    listVotes: async () => [...known.values()],
    forgetVotes: async (releases) => {
      for (const release of releases) known.delete(release);
    },
  };
}
