import type { ObservedBehaviour, ObservedEnvironment } from "@stile/protocol/observed-signals";
import type { WireEvidence } from "@stile/risk/evidence";
import type { CountryCode } from "./country-code.ts";
import type { IpAddress } from "./ip-address.ts";

/** The page's observations, as far as they were submitted and readable (D9, submission). */
export type Observations = {
  readonly environment: ObservedEnvironment | "withheld";
  readonly behaviour: ObservedBehaviour | "withheld";
};

/**
 * The visitor in front of the widget, as the service sees them (D5, binding; D14, client address).
 */
export type Visitor = {
  /** For limits and history; undefined if the connection is already gone. */
  readonly address: IpAddress | undefined;
  /** For binding; also undefined if an undeclared proxy hides the visitor (D5, binding). */
  readonly bindingAddress: IpAddress | undefined;
  /**
   * The country of `bindingAddress`, as far as the operator's database knows; for statistics, never
   * for the score.
   */
  readonly country: CountryCode | undefined;
  readonly userAgent: string;
  /**
   * The request headers that the risk model may see, with names in lower case (D7, score request).
   */
  readonly riskHeaders: Readonly<Record<string, string>>;
  /** Evidence of how the request was sent; undefined if it did not come from the visitor. */
  readonly wire?: WireEvidence | undefined;
  /**
   * Name of the bot that signed the request with a key the operator trusts (D9, submission). The
   * first read verifies the signature and spends it: no other request with the same signature gets
   * a name.
   */
  readonly signedAgent?: string | undefined;
};
