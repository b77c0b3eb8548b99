/** What this process remembers of a client's last minutes, by address digest, in bounded memory (D9, D14). */
export interface VisitorHistory {
  /** From now until `untilMs` the client gets only stepped-up challenges of this site (D9). */
  demandStepUp(siteKey: string, client: string, untilMs: number): void;
  mustStepUp(siteKey: string, client: string, nowMs: number): boolean;
}
