import type { DatabaseSync } from "node:sqlite";
import { addToVotes, type KeptVotes, weighVotes } from "@stile/core/domain/layout/kept-votes";
import type { StoredLayoutVotes } from "@stile/core/ports/layout/layout-banks";
import { putVotesStatement, SELECT_VOTES, votesRow } from "../../layout-vote-statements.ts";
import { retryWhileBusy } from "../engine/busy.ts";
import type { Writer } from "../engine/group-commit.ts";
import { prepareSelect } from "../engine/select.ts";

/** Votes in SQLite. */
export function createSqliteLayoutVotes(database: DatabaseSync, writer: Writer, now: () => number): StoredLayoutVotes {
  const select = prepareSelect<KeptVotes>(database, SELECT_VOTES);
  const put = database.prepare(putVotesStatement("(?, ?, ?, ?, ?, ?, ?)"));
  const remove = database.prepare("DELETE FROM layout_votes WHERE release = ?");
  const forget = (releases: readonly string[]): void => {
    for (const release of releases) remove.run(release);
  };
  return {
    listVotes: (nowMs) => retryWhileBusy(() => weighVotes(select.all(), nowMs), now),
    addVotes: (votes, nowMs) =>
      writer.write(() => {
        const changes = addToVotes(select.all(), votes, nowMs);
        forget(changes.forget);
        for (const one of changes.put) put.run(...votesRow(one));
      }),
    forgetVotes: (releases) => writer.write(() => forget(releases)),
  };
}
