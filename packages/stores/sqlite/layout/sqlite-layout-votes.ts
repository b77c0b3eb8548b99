import type { DatabaseSync } from "node:sqlite";
import type { ReleaseVotes } from "@stile/core/domain/layout/agreement";
import type { StoredLayoutVotes } from "@stile/core/ports/layout/layout-banks";
import { addVotesStatement, FORGET_SURPLUS, HALVE_VOTES, SELECT_VOTES } from "../../layout-vote-statements.ts";
import { retryWhileBusy } from "../engine/busy.ts";
import { prepareSelect } from "../engine/select.ts";
import type { Writer } from "../engine/writer.ts";

/** Votes in SQLite. */
export function createSqliteLayoutVotes(database: DatabaseSync, writer: Writer, now: () => number): StoredLayoutVotes {
  const select = prepareSelect<ReleaseVotes>(database, SELECT_VOTES);
  const add = database.prepare(addVotesStatement("(?, ?, ?, ?, ?)"));
  const halve = database.prepare(HALVE_VOTES);
  const forgetSurplus = database.prepare(FORGET_SURPLUS);
  const forget = database.prepare("DELETE FROM layout_votes WHERE release = ?");
  return {
    listVotes: () => retryWhileBusy(() => select.all().map((row) => ({ ...row })), now),
    addVotes: (votes) =>
      writer.write(() => {
        for (const { release, near, nearShare, low, lowShare } of votes)
          add.run(release, near, nearShare, low, lowShare);
        halve.run();
        forgetSurplus.run();
      }),
    forgetVotes: (releases) =>
      writer.write(() => {
        for (const release of releases) forget.run(release);
      }),
  };
}
