import { addToVotes, type KeptVotes, weighVotes } from "@stile/core/domain/layout/kept-votes";
import type { StoredLayoutVotes } from "@stile/core/ports/layout/layout-banks";
import { putVotesStatement, SELECT_VOTES, votesRow } from "../../layout-vote-statements.ts";
import type { Connections, Query } from "../engine/database.ts";

const PUT = putVotesStatement("($1, $2, $3, $4, $5, $6, $7)");

const forget = (query: Query, releases: readonly string[]) =>
  query("DELETE FROM layout_votes WHERE release = ANY($1)", [releases]);

/** Votes in PostgreSQL. */
export function createPostgresLayoutVotes(jobs: Connections): StoredLayoutVotes {
  return {
    listVotes: async (nowMs) => weighVotes((await jobs.read<KeptVotes>(SELECT_VOTES)).rows, nowMs),
    addVotes: async (votes, nowMs) =>
      await jobs.transaction(async (query) => {
        // Nodes write one after another: each adds to what it has just read.
        await query("LOCK TABLE layout_votes IN EXCLUSIVE MODE");
        const changes = addToVotes((await query<KeptVotes>(SELECT_VOTES)).rows, votes, nowMs);
        await forget(query, changes.forget);
        for (const one of changes.put) await query(PUT, votesRow(one));
      }),
    forgetVotes: async (releases) => {
      await jobs.transaction((query) => forget(query, releases));
    },
  };
}
