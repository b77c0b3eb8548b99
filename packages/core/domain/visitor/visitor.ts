import type { ObservedBehaviour, ObservedEnvironment } from "@stile/protocol/observed-signals";
import type { ClientAddress } from "./client-address.ts";
import type { CountryCode } from "./country-code.ts";

/** What the page observed, as far as it was handed in and could be read (D9). */
export type Observations = {
  readonly environment: ObservedEnvironment | "withheld";
  readonly behaviour: ObservedBehaviour | "withheld";
};

/** Who stands before the widget, as the service sees it (D5, D14). */
export type Visitor = {
  /** For limits and history; undefined if the connection is already gone. */
  readonly address: ClientAddress | undefined;
  /** For binding: undefined too when a proxy that nobody declared hides the visitor (D5). */
  readonly bindingAddress: ClientAddress | undefined;
  /** For statistics, never for the score: where `bindingAddress` is, as far as the operator's database says. */
  readonly country: CountryCode | undefined;
  readonly userAgent: string;
  /** Request headers that risk may see, names in lower case (D7). */
  readonly riskHeaders: Readonly<Record<string, string>>;
};
