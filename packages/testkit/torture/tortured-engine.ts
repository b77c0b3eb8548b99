import type { Fault } from "./faults.ts";
import type { Ways } from "./ways.ts";

/** An engine that servers share, of their own, which is killed while they use it. */
export type TorturedEngine = {
  readonly name: "PostgreSQL" | "Valkey";
  readonly ways: Ways;
  /** Settings (D17) of a server that takes the way at this port. */
  readonly settingsAt: (wayPort: number) => Readonly<Record<string, string>>;
  /** kill -9 of its processes, after which it is started again; first of all of them at once. */
  readonly kills: readonly [Fault, ...Fault[]];
  /** Kills all of it at once. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Whether what is spent lies in it, so that nothing can be redeemed while it is away. */
  readonly isSpentIn: boolean;
  /** Whether what was issued before it is started again counts as expired (decision 0039). */
  readonly expiresAtStart: boolean;
  /** When it was started again, ms of `performance.now`, if so; else empty. */
  readonly anewAtMs: readonly number[];
  /** How long (ms) each answer may wait for its disk, where that is not at once. */
  readonly answersAfterMs: number;
  /** How much longer (ms) it may take after a kill, until its replica has come back. */
  readonly returnsAfterMs: number;
  /** Ends it, and the ways to it. */
  readonly stop: () => Promise<void>;
};
