import type { Store } from "@stile/core/ports/store";
import { consumeRate, settleChallenge } from "../settlement.ts";
import { createAuditLog } from "./audit-log.ts";
import { retryWhileBusy } from "./busy.ts";
import { createDecisions, type SqliteDecisions } from "./decisions.ts";
import { describeDatabase } from "./describe.ts";
import { createGenerationFence } from "./generation.ts";
import { createHousekeeping } from "./housekeeping.ts";
import { createKeyUsage, type SqliteKeyUsage } from "./key-usage.ts";
import { createLinks } from "./links.ts";
import { createMembers } from "./members.ts";
import { openDatabase } from "./open-database.ts";
import { createServiceKeys } from "./service-keys.ts";
import { createSessions } from "./sessions.ts";
import { createSites } from "./sites.ts";
import { createStatistics } from "./statistics.ts";
import { createTokenLedger } from "./token-ledger.ts";
import { createWriter } from "./writer.ts";

/**
 * Where the store lies, the monotonic clock (ms), for how long of it a write waits for a database that is held, and what is told
 * when it was upgraded: the path of the copy that was made before.
 */
export type SqliteOptions = {
  readonly file: string;
  readonly now?: () => number;
  readonly busyDeadlineMs?: number;
  readonly onUpgrade?: (copy: string) => void;
};

/** The store, and the writes behind what it holds back. */
export type SqliteStore = Store & { readonly decisions: SqliteDecisions; readonly keyUsage: SqliteKeyUsage };

/**
 * Opens the embedded store: one file, one connection, one writer. Class strict: what was answered survives kill -9 and
 * loss of power. Rejects with StoreUnavailable if the file can't be opened or stays held, with NewerDatabase if a later
 * version wrote it.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<SqliteStore> {
  const { file, now = () => performance.now(), busyDeadlineMs, onUpgrade } = options;
  const database = await openDatabase(file, now, onUpgrade);
  const fence = createGenerationFence(database, file);
  const writer = createWriter(database, now, fence.note, busyDeadlineMs);
  const statistics = createStatistics(database, writer, now);
  const decisions = createDecisions(database, writer, now);
  const keyUsage = createKeyUsage(database, writer, now);
  const beat = database.prepare("UPDATE heartbeat SET beats = beats + 1 WHERE id = 1");
  return {
    sites: createSites(database, writer, now),
    tokens: createTokenLedger(database, writer, now),
    challenges: {
      spendMany: (batch) => writer.write((transaction) => batch.map((spend) => settleChallenge(transaction, spend))),
    },
    limiter: {
      consumeMany: (batch) => writer.write((transaction) => batch.map((request) => consumeRate(transaction, request))),
    },
    statistics,
    decisions,
    keyUsage,
    serviceKeys: createServiceKeys(database, writer, now),
    members: createMembers(database, writer, now),
    links: createLinks(database, writer, now),
    sessions: createSessions(database, writer, now),
    auditLog: createAuditLog(database, writer, now),
    housekeeping: createHousekeeping(database, writer, now),
    begin: () => writer.write(fence.begin),
    ping: () =>
      writer.write(() => {
        beat.run();
      }),
    describe: () => retryWhileBusy(() => describeDatabase(database), now),
    close: async () => {
      if (!database.isOpen) return;
      try {
        await Promise.all([statistics.flush(), decisions.flush(), keyUsage.flush()]);
      } finally {
        // The last write: what would come after it would not be known to be missing.
        const ended = writer.write(fence.end);
        await Promise.all([ended, writer.stop()]);
        fence.close();
        database.close();
      }
    },
  };
}
