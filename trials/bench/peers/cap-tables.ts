import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { CapChallenge } from "./cap-solving.ts";

/** A challenge as Cap stores it. */
export type KeptChallenge = { readonly challenge: CapChallenge; readonly expires: number };

/** Where Cap stores challenges and tokens: the hooks that its documentation requires. */
export type CapStorage = {
  readonly challenges: {
    readonly store: (token: string, kept: KeptChallenge) => Promise<void>;
    readonly read: (token: string) => Promise<KeptChallenge | null>;
    readonly delete: (token: string) => Promise<void>;
    readonly deleteExpired: () => Promise<void>;
  };
  readonly tokens: {
    readonly store: (key: string, expires: number) => Promise<void>;
    readonly get: (key: string) => Promise<number | null>;
    readonly delete: (key: string) => Promise<void>;
    readonly deleteExpired: () => Promise<void>;
  };
};

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE challenges (token TEXT PRIMARY KEY, data TEXT NOT NULL, expires INTEGER NOT NULL);
  CREATE TABLE tokens (key TEXT PRIMARY KEY, expires INTEGER NOT NULL);
`;

/**
 * The two tables of Cap's documentation, which shows them in Postgres, here in a throw-away SQLite
 * file: as durable as Stile's (WAL, an fsync per commit), and in this process, so that their work
 * is measured too. When the process ends, Cap cleans up once more and finds them closed.
 */
export function openCapTables(): CapStorage & { readonly close: () => void } {
  const directory = mkdtempSync(join(tmpdir(), "stile-bench-cap-"));
  const database = new DatabaseSync(join(directory, "cap.sqlite"));
  database.exec(SCHEMA);
  const statement = (sql: string) => database.prepare(sql);
  const keepChallenge = statement(
    "INSERT OR REPLACE INTO challenges (token, data, expires) VALUES (?, ?, ?)",
  );
  const findChallenge = statement(
    "SELECT data, expires FROM challenges WHERE token = ? AND expires > ?",
  );
  const dropChallenge = statement("DELETE FROM challenges WHERE token = ?");
  const dropOldChallenges = statement("DELETE FROM challenges WHERE expires <= ?");
  const keepToken = statement("INSERT OR REPLACE INTO tokens (key, expires) VALUES (?, ?)");
  const findToken = statement("SELECT expires FROM tokens WHERE key = ? AND expires > ?");
  const dropToken = statement("DELETE FROM tokens WHERE key = ?");
  const dropOldTokens = statement("DELETE FROM tokens WHERE expires <= ?");
  return {
    challenges: {
      store: async (token, { challenge, expires }) => {
        keepChallenge.run(token, JSON.stringify(challenge), expires);
      },
      read: async (token) => {
        const row = findChallenge.get(token, Date.now());
        return row === undefined
          ? null
          : {
              challenge: JSON.parse(String(row.data)) as CapChallenge,
              expires: Number(row.expires),
            };
      },
      delete: async (token) => {
        dropChallenge.run(token);
      },
      deleteExpired: async () => {
        if (database.isOpen) dropOldChallenges.run(Date.now());
      },
    },
    tokens: {
      store: async (key, expires) => {
        keepToken.run(key, expires);
      },
      get: async (key) => {
        const row = findToken.get(key, Date.now());
        return row === undefined ? null : Number(row.expires);
      },
      delete: async (key) => {
        dropToken.run(key);
      },
      deleteExpired: async () => {
        if (database.isOpen) dropOldTokens.run(Date.now());
      },
    },
    close: () => {
      database.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
