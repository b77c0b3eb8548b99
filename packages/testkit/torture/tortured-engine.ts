import type { Fault } from "./faults.ts";
import type { Ways } from "./ways.ts";

/** An engine that the servers of a run share, and that is killed while they use it. */
export type TorturedEngine = {
  readonly name: "PostgreSQL" | "Valkey";
  readonly ways: Ways;
  /** Settings (D17) of a server that connects through this port. */
  readonly settingsAt: (wayPort: number) => Readonly<Record<string, string>>;
  /** kill -9 of its processes, after which it is started again; the first one kills all of them at once. */
  readonly kills: readonly [Fault, ...Fault[]];
  /** Kills all its processes at once. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Whether spends are kept in it, so that nothing can be redeemed while it is down. */
  readonly isSpentIn: boolean;
  /** Whether tokens issued before it is started again count as expired (decision 0039). */
  readonly expiresAtStart: boolean;
  /** When it was started again, ms of `performance.now`, if so; otherwise empty. */
  readonly anewAtMs: readonly number[];
  /** How long each answer may wait for its disk, ms; 0 if it does not. */
  readonly answersAfterMs: number;
  /** How much longer that may take after a kill, ms, until its replica has come back. */
  readonly returnsAfterMs: number;
  /** Stops it, and the ways to it. */
  readonly stop: () => Promise<void>;
};
