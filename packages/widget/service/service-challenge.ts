/**
 * A challenge as sent by the service (D8, challenge), of the right shape; the solver reports
 * whether this build can solve it.
 */
export type ServiceChallenge = {
  /** base64url, returned unchanged. */
  readonly challenge: string;
  readonly algorithm: number;
  readonly k: number;
  readonly difficulty: number;
  /**
   * `click` if a press is asked for. This and the next three are as received, and may be any value.
   */
  readonly interaction?: unknown;
  /** The site's theme, one of `THEMES`. */
  readonly theme?: unknown;
  /** The site's language: `auto` or a BCP 47 tag. */
  readonly language?: unknown;
  /** Set if the site key is one for tests (D19, test keys). */
  readonly test?: unknown;
  /** Whether the site's mode is `invisible`: nothing is shown unless something goes wrong. */
  readonly isInvisible: boolean;
  /** Whether the site holds forms back in an outage (D15, outage). */
  readonly keepsForm: boolean;
  /** The batch that the request carried, and its receipt; undefined if the service gave none. */
  readonly earlier: { readonly batch: string; readonly receipt: string } | undefined;
};
