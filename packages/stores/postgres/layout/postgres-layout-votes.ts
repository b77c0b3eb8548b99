import type { ReleaseVotes } from "@stile/core/domain/layout/agreement";
import type { StoredLayoutVotes } from "@stile/core/ports/layout/layout-banks";
import { addVotesStatement, FORGET_SURPLUS, HALVE_VOTES, SELECT_VOTES } from "../../layout-vote-statements.ts";
import type { Connections } from "../engine/database.ts";

const ADD = addVotesStatement("($1, $2, $3, $4, $5)");

/** Votes in PostgreSQL. */
export function createPostgresLayoutVotes(jobs: Connections): StoredLayoutVotes {
  return {
    listVotes: async () => (await jobs.read<ReleaseVotes>(SELECT_VOTES)).rows,
    addVotes: async (votes) =>
      await jobs.transaction(async (query) => {
        // Nodes write one after the other: two that touch the same rows in another order would wait for each other.
        await query("LOCK TABLE layout_votes IN EXCLUSIVE MODE");
        for (const { release, near, nearShare, low, lowShare } of votes) {
          await query(ADD, [release, near, nearShare, low, lowShare]);
        }
        await query(HALVE_VOTES);
        await query(FORGET_SURPLUS);
      }),
    forgetVotes: async (releases) => {
      await jobs.transaction((query) => query("DELETE FROM layout_votes WHERE release = ANY($1)", [releases]));
    },
  };
}
