import type { ReleaseVotes } from "../../domain/layout/agreement.ts";
import type { LayoutBank } from "../../domain/layout/layout-bank.ts";

/** Where the installation's scenes are kept, with what engines answer to them (proof of browser). */
export interface LayoutBanks {
  /** The banks, newest first: the one whose scenes are given out, and the one before, whose scenes are still being answered. */
  listBanks(): Promise<readonly LayoutBank[]>;
  /** The version of the newest bank, for whoever may have read it before; undefined if there is none. */
  newestVersion(): Promise<number | undefined>;
  /**
   * Puts these scenes before all others, under the version after the newest one's, and forgets all but the newest two. Answers the
   * version; undefined, with nothing changed, where `after` is given and is not the version of the newest (0: there is none).
   */
  addBank(bank: Omit<LayoutBank, "version">, after?: number): Promise<number | undefined>;
}

/** What honest visits said of the bank, kept for all nodes; of at most 100 releases, the newest 400 or so of each, half of it left each 30 days. */
export interface StoredLayoutVotes {
  /** Adds votes, one for each release, to those that are kept, as `addToVotes` says. */
  addVotes(votes: readonly ReleaseVotes[], nowMs: number): Promise<void>;
  /** What is left of the votes by now. */
  listVotes(nowMs: number): Promise<readonly ReleaseVotes[]>;
  /** Forgets what was said of these releases. */
  forgetVotes(releases: readonly string[]): Promise<void>;
}
