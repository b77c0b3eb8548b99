/** What this process remembers of the last minutes, in bounded memory, by names that are digests (D9, D14). */
export interface VisitorHistory {
  /** From now until `untilMs` the browser gets only stepped-up challenges of this site (D9). */
  demandStepUp(siteKey: string, browser: string, untilMs: number): void;
  mustStepUp(siteKey: string, browser: string, nowMs: number): boolean;
  /** From now until `untilMs` it is known that the site's server redeemed a token of this browser (D8). */
  noteRedeemed(siteKey: string, browser: string, untilMs: number): void;
  wasRedeemed(siteKey: string, browser: string, nowMs: number): boolean;
}
