/**
 * The memory of this process for the last minutes, bounded. Names are digests (D9, submission; D14,
 * client address).
 */
export interface VisitorMemory {
  /** Until `untilMs`, the browser gets only stepped-up challenges of this site (D9, submission). */
  demandStepUp(siteKey: string, browser: string, untilMs: number): void;
  mustStepUp(siteKey: string, browser: string, nowMs: number): boolean;
  /**
   * Until `untilMs`, records for `payer` that a token of this agent (network and user agent) was
   * redeemed (D10, limits).
   */
  recordRedeemed(payer: string, agent: string, untilMs: number): void;
  hasRedeemed(payer: string, agent: string, nowMs: number): boolean;
}
