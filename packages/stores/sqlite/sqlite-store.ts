import {
  applyChallengeSpend,
  applySpends,
  consumeRate,
  type SpendOutcomes,
  type Spends,
} from "@stile/core/domain/token/single-use";
import type { Store } from "@stile/core/ports/store";
import { retryWhileBusy } from "./engine/busy.ts";
import { describeDatabase } from "./engine/describe-database.ts";
import { createGenerationFence } from "./engine/generation.ts";
import { createWriter } from "./engine/group-commit.ts";
import { openDatabase } from "./engine/open-database.ts";
import type { SqliteKeyUsage } from "./site/sqlite-key-usage.ts";
import { createSqlitePorts } from "./sqlite-ports.ts";
import type { SqliteDecisionLog } from "./statistics/sqlite-decision-log.ts";

/**
 * `file` is the database, and `now` the monotonic clock (ms). A write waits `busyDeadlineMs` for a
 * locked database. `onUpgrade` gets the path of the copy that was made before an upgrade.
 */
export type SqliteOptions = {
  readonly file: string;
  readonly now?: () => number;
  readonly busyDeadlineMs?: number;
  readonly onUpgrade?: (copy: string) => void;
};

/** The store, the writes of its buffers, and many spends as one write, for the writer's thread. */
export type SqliteStore = Store & {
  readonly decisions: SqliteDecisionLog;
  readonly keyUsage: SqliteKeyUsage;
  readonly spendAll: (spends: Spends) => Promise<SpendOutcomes>;
};

/**
 * Opens the embedded store: one file, one connection, one writer. Durability `strict`: an answered
 * write survives kill -9 and loss of power. Rejects with StoreUnavailable if the file can't be
 * opened or stays locked, and with NewerDatabase if a later version wrote it.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<SqliteStore> {
  const { file, now = () => performance.now(), busyDeadlineMs, onUpgrade } = options;
  const database = await openDatabase(file, now, onUpgrade);
  const fence = createGenerationFence(database, file);
  const writer = createWriter(database, now, fence, busyDeadlineMs);
  const ports = createSqlitePorts(database, writer, now);
  const beat = database.prepare("UPDATE heartbeat SET beats = beats + 1 WHERE id = 1");
  return {
    ...ports,
    challenges: {
      spend: (spend) => writer.write((transaction) => applyChallengeSpend(transaction, spend)),
    },
    limiter: {
      consume: (request) => writer.write((transaction) => consumeRate(transaction, request)),
    },
    spendAll: (spends) => writer.write((transaction) => applySpends(transaction, spends)),
    begin: () => writer.write(fence.begin),
    // Processes that share the file also share its directory, which is locked for this.
    alone: (work) => work(),
    ping: () =>
      writer.write(() => {
        beat.run();
      }),
    describe: () => retryWhileBusy(() => describeDatabase(database), now),
    close: async () => {
      if (!database.isOpen) return;
      try {
        await Promise.all([
          ports.statistics.flush(),
          ports.decisions.flush(),
          ports.keyUsage.flush(),
        ]);
      } finally {
        // This must be the last write. If a later one were lost, the next start would not notice.
        const ended = writer.write(fence.end);
        await Promise.all([ended, writer.stop()]).finally(() => {
          fence.close();
          database.close();
        });
      }
    },
  };
}
