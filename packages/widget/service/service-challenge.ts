import type { Interaction, Theme } from "@stile/protocol/site-settings";

/** A challenge as the service sends it (D8), checked for its shape; whether this build can solve it, the solver says. */
export type ServiceChallenge = {
  /** base64url, as it is handed back. */
  readonly challenge: string;
  readonly algorithm: number;
  readonly k: number;
  readonly difficulty: number;
  /** What the frame lays out, as it came. */
  readonly scenes?: unknown;
  readonly interaction: Interaction;
  readonly theme: Theme;
  /** The site's: `auto` or a BCP 47 tag. */
  readonly language: string;
  /** Whether the site's mode is `invisible`: nothing is shown unless something goes wrong. */
  readonly isInvisible: boolean;
  /** Whether the site keeps forms in an outage (D15). */
  readonly keepsForm: boolean;
  /** The batch it came for, and its receipt; undefined where the service gave none. */
  readonly earlier: { readonly batch: string; readonly receipt: string } | undefined;
};
