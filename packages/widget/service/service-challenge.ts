/** A challenge as the service sends it (D8), checked for its shape; whether this build can solve it, the solver says. */
export type ServiceChallenge = {
  /** base64url, as it is handed back. */
  readonly challenge: string;
  readonly algorithm: number;
  readonly k: number;
  readonly difficulty: number;
  /** What the frame lays out; this and the next three as they came, which may be anything. */
  readonly scenes?: unknown;
  /** Whether a press is asked for: `click`. */
  readonly interaction?: unknown;
  /** The site's, of `THEMES`. */
  readonly theme?: unknown;
  /** The site's: `auto` or a BCP 47 tag. */
  readonly language?: unknown;
  /** Whether the site's mode is `invisible`: nothing is shown unless something goes wrong. */
  readonly isInvisible: boolean;
  /** Whether the site keeps forms in an outage (D15). */
  readonly keepsForm: boolean;
  /** The batch it came for, and its receipt; undefined where the service gave none. */
  readonly earlier: { readonly batch: string; readonly receipt: string } | undefined;
};
