import type { Gate } from "../../domain/layout/agreement.ts";

/** What honest visits said of the bank, as one process knows it, some seconds old. */
export interface LayoutVotes {
  /**
   * Counts an honest visit: one a network and UTC day, and ten of an IPv6 /32, which has 65,536 networks; both are names of the day.
   * `share` is what its own engine has alike, 0..1.
   */
  record(vote: {
    readonly network: string;
    /** Undefined for IPv4. */
    readonly provider: string | undefined;
    readonly release: string;
    readonly share: number;
    readonly nowMs: number;
  }): void;
  /** Whether that release lays out otherwise than the bank has it. */
  isFallen(release: string): boolean;
  /** Whether, and why, layouts count where a site's owner leaves it to the service. */
  gate(): Gate;
  /** Hands on what was counted, and reads what other nodes counted. Rejects as the store does; nothing is lost then. */
  refresh(nowMs: number): Promise<void>;
}
