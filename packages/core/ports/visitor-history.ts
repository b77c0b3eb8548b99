/** What this process remembers of a client's last minutes, by address digest, in bounded memory (D9, D14). */
export interface VisitorHistory {
  /** From now until `untilMs` the client gets only stepped-up challenges of this site (D9). */
  demandStepUp(siteKey: string, client: string, untilMs: number): void;
  /** From now until `untilMs` the client is known to have earned a good token of this site. */
  noteGood(siteKey: string, client: string, untilMs: number): void;
  wasGood(siteKey: string, client: string, nowMs: number): boolean;
  mustStepUp(siteKey: string, client: string, nowMs: number): boolean;
}
