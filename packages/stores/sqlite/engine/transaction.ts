import type { DatabaseSync } from "node:sqlite";
import type { SpentToken, SpentTokenKey, Transaction } from "@stile/core/domain/token/single-use";
import { createStatisticSums } from "../statistics/statistic-sums.ts";
import type { SpentRecord } from "./last-spent.ts";
import { prepareSelect } from "./select.ts";
import { createSpentSweep } from "./spent-sweep.ts";

/** A transaction on one connection, from BEGIN to COMMIT. Do not use it afterwards. */
export type SqliteTransaction = Transaction & {
  /** Call this when the site's row changes or is removed, so that its revision is read again. */
  readonly forgetRevision: (siteKey: string) => void;
  /** Removes one step of expired token or challenge records; returns how many. */
  readonly sweepSpent: (kind: "tokens" | "challenges", nowMs: number) => number;
  /** The last record written; undefined if none was. */
  readonly lastSpent: () => SpentRecord | undefined;
  /** Writes the sums. Call it once, before COMMIT. */
  readonly writeSums: () => void;
  /**
   * Call this after ROLLBACK. Otherwise later transactions would believe that the sums were
   * written.
   */
  readonly undo: () => void;
};

type SpentTokenRow = { readonly spent_at_ms: number; readonly repeat_digest: Uint8Array | null };
type RateCount = {
  readonly scope: string;
  readonly minute: number;
  count: number;
  isChanged: boolean;
};

function prepareStatements(database: DatabaseSync) {
  return {
    selectRevision: prepareSelect<{ readonly revision: number }>(
      database,
      "SELECT revision FROM sites WHERE site_key = ?",
    ),
    selectRate: prepareSelect<{ readonly count: number }>(
      database,
      "SELECT count FROM rate_counts WHERE minute = ? AND scope = ?",
    ),
    writeRate: database.prepare(
      `INSERT INTO rate_counts (minute, scope, count) VALUES (?, ?, ?)
        ON CONFLICT (minute, scope) DO UPDATE SET count = excluded.count`,
    ),
    selectSpentToken: prepareSelect<SpentTokenRow>(
      database,
      "SELECT spent_at_ms, repeat_digest FROM token_marks WHERE keep_until_ms = ? AND id = ?",
    ),
    insertSpentToken: database.prepare(
      `INSERT INTO token_marks (id, keep_until_ms, spent_at_ms, repeat_digest) VALUES (?, ?, ?, ?)
        ON CONFLICT (keep_until_ms, id) DO NOTHING`,
    ),
    insertSpentChallenge: database.prepare(
      "INSERT INTO challenge_marks (id, keep_until_ms) VALUES (?, ?) ON CONFLICT (keep_until_ms, id) DO NOTHING",
    ),
  };
}

type Statements = ReturnType<typeof prepareStatements>;

/**
 * Counts by scope and minute. Each is read once from the table, kept in memory, and written once.
 */
function createRateSums(statements: Statements) {
  const held = new Map<string, RateCount>();
  const find = (scope: string, minute: number): RateCount => {
    const key = `${minute} ${scope}`;
    const known = held.get(key);
    if (known !== undefined) return known;
    const row = statements.selectRate.get(minute, scope);
    const read = { scope, minute, count: row?.count ?? 0, isChanged: false };
    held.set(key, read);
    return read;
  };
  return {
    find,
    write: (): void => {
      for (const { scope, minute, count, isChanged } of held.values()) {
        if (isChanged) statements.writeRate.run(minute, scope, count);
      }
    },
  };
}

function readSpentToken(
  statements: Statements,
  { tokenId, retainUntilMs }: SpentTokenKey,
): SpentToken | undefined {
  const row = statements.selectSpentToken.get(retainUntilMs, tokenId);
  return row && { spentAtMs: row.spent_at_ms, repeatDigest: row.repeat_digest ?? undefined };
}

/**
 * Prepares the statements once. Each call of the returned function begins one transaction. It reads
 * a site's revision and a scope's count once and writes sums once, so each redemption adds a single
 * INSERT.
 */
export function createTransactions(database: DatabaseSync): () => SqliteTransaction {
  const statements = prepareStatements(database);
  const sweeps = {
    tokens: createSpentSweep(database, "token_marks"),
    challenges: createSpentSweep(database, "challenge_marks"),
  };
  const statistics = createStatisticSums(database);
  return () => {
    const revisions = new Map<string, number | undefined>();
    const sums = statistics.begin();
    const rates = createRateSums(statements);
    let lastSpent: SpentRecord | undefined;
    const sweptUntilMs: { tokens?: number; challenges?: number } = {};

    const findRevision = (siteKey: string): number | undefined => {
      if (revisions.has(siteKey)) return revisions.get(siteKey);
      const row = statements.selectRevision.get(siteKey);
      revisions.set(siteKey, row?.revision);
      return row?.revision;
    };
    const maySpend = (kind: "tokens" | "challenges", retainUntilMs: number): boolean => {
      sweptUntilMs[kind] ??= sweeps[kind].sweptUntilMs();
      return retainUntilMs > sweptUntilMs[kind];
    };

    return {
      findRevision,
      forgetRevision: (siteKey) => revisions.delete(siteKey),
      countOf: (scope, minute) => rates.find(scope, minute).count,
      addRequest: (scope, minute) => {
        const rate = rates.find(scope, minute);
        rate.count += 1;
        rate.isChanged = true;
      },
      addCount: sums.add,
      findSpentToken: (key) => readSpentToken(statements, key),
      insertSpentToken: ({ tokenId, retainUntilMs, nowMs, repeatDigest }) => {
        if (!maySpend("tokens", retainUntilMs)) return false;
        const { changes } = statements.insertSpentToken.run(
          tokenId,
          retainUntilMs,
          nowMs,
          repeatDigest ?? null,
        );
        if (changes === 1) lastSpent = { table: "token_marks", id: tokenId, retainUntilMs };
        return changes === 1;
      },
      insertSpentChallenge: ({ challengeId, retainUntilMs }) => {
        if (!maySpend("challenges", retainUntilMs)) return false;
        const { changes } = statements.insertSpentChallenge.run(challengeId, retainUntilMs);
        if (changes === 1) lastSpent = { table: "challenge_marks", id: challengeId, retainUntilMs };
        return changes === 1;
      },
      lastSpent: () => lastSpent,
      sweepSpent: (kind, nowMs) => {
        delete sweptUntilMs[kind];
        return sweeps[kind].sweepStep(nowMs);
      },
      writeSums: () => {
        rates.write();
        sums.write((siteKey) => findRevision(siteKey) !== undefined);
      },
      undo: statistics.forget,
    };
  };
}
