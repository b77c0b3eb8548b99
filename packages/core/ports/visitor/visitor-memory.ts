/** What this process remembers of the last minutes, in bounded memory, by names that are digests (D9, D14). */
export interface VisitorMemory {
  /** From now until `untilMs` the browser gets only stepped-up challenges of this site (D9). */
  demandStepUp(siteKey: string, browser: string, untilMs: number): void;
  mustStepUp(siteKey: string, browser: string, nowMs: number): boolean;
  /** From now until `untilMs` a token of this agent, network and user agent, is known to have been redeemed, by who pays for its challenges (D10). */
  recordRedeemed(payer: string, agent: string, untilMs: number): void;
  hasRedeemed(payer: string, agent: string, nowMs: number): boolean;
}
