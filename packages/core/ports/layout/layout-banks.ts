import type { ReleaseVotes } from "../../domain/layout/agreement.ts";
import type { LayoutBank } from "../../domain/layout/layout-bank.ts";

/** Stores the installation's scenes with the engines' answers (proof of browser). */
export interface LayoutBanks {
  /** The banks, newest first: the one whose scenes are sent out, then the one whose scenes are still accepted. */
  listBanks(): Promise<readonly LayoutBank[]>;
  /** The version of the newest bank, to tell whether it was read already; undefined if there is none. */
  newestVersion(): Promise<number | undefined>;
  /**
   * Adds a bank, with the version after the newest one's, and forgets all but the newest two. Returns the version. With
   * `after`, it does nothing and returns undefined unless that is the newest version (0: there is none).
   */
  addBank(bank: Omit<LayoutBank, "version">, after?: number): Promise<number | undefined>;
}

/** What honest visits say of the bank, for all nodes: of at most 100 releases, some 400 votes, halved in 30 days. */
export interface StoredLayoutVotes {
  /** Adds votes, one for each release, to the stored ones, as `addToVotes` does. */
  addVotes(votes: readonly ReleaseVotes[], nowMs: number): Promise<void>;
  /** The votes with their weight at this moment. */
  listVotes(nowMs: number): Promise<readonly ReleaseVotes[]>;
  /** Forgets the votes of these releases. */
  forgetVotes(releases: readonly string[]): Promise<void>;
}
