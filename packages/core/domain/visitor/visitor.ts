import type { ObservedBehaviour, ObservedEnvironment } from "@stile/protocol/observed-signals";
import type { WireEvidence } from "@stile/risk/evidence";
import type { CountryCode } from "./country-code.ts";
import type { IpAddress } from "./ip-address.ts";

/** What the page observed, as far as it was handed in and could be read (D9). */
export type Observations = {
  readonly environment: ObservedEnvironment | "withheld";
  readonly behaviour: ObservedBehaviour | "withheld";
};

/** Who stands before the widget, as the service sees it (D5, D14). */
export type Visitor = {
  /** For limits and history; undefined if the connection is already gone. */
  readonly address: IpAddress | undefined;
  /** For binding: undefined too when a proxy that nobody declared hides the visitor (D5). */
  readonly bindingAddress: IpAddress | undefined;
  /** For statistics, never for the score: where `bindingAddress` is, as far as the operator's database says. */
  readonly country: CountryCode | undefined;
  readonly userAgent: string;
  /** Request headers that risk may see, names in lower case (D7). */
  readonly riskHeaders: Readonly<Record<string, string>>;
  /** How the request came; undefined where it did not come from the visitor. */
  readonly wire?: WireEvidence | undefined;
  /**
   * Name of the bot that signed the request, by a key that the operator trusts (D9). Looked up when it is first asked for, and
   * spent by that: no other request with the same signature has one.
   */
  readonly signedAgent?: string | undefined;
};
