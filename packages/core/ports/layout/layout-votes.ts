import type { Gate } from "../../domain/layout/agreement.ts";

/** The votes of honest visits about the bank, as one process knows them, some seconds old. */
export interface LayoutVotes {
  /**
   * Counts an honest visit: one per network and UTC day, and ten per IPv6 /32, which has 65,536 networks. Both names
   * change with the day. `share` (0..1) is how much agrees with the answers of its own engine.
   */
  record(vote: {
    readonly network: string;
    /** Undefined for IPv4. */
    readonly provider: string | undefined;
    readonly release: string;
    readonly share: number;
    readonly nowMs: number;
  }): void;
  /** Whether that release lays out differently from the bank. */
  isFallen(release: string): boolean;
  /** Whether layouts count at sites that leave it to the service, and why. */
  gate(): Gate;
  /** Stores what was counted and reads what other nodes counted. Rejects as the store does; then nothing is lost. */
  refresh(nowMs: number): Promise<void>;
}
