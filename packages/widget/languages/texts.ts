import type { WidgetErrorName } from "../machine/widget-error.ts";

/** What happened and what to do, given the error's detail (host, seconds); see `WidgetError`. */
export type ErrorText = (detail: string | undefined) => string;

/** Everything the widget says, in one language. */
export type Texts = {
  /** BCP 47 tag for the `lang` attribute. */
  readonly language: string;
  /** The label in a state that works without the visitor or waits for their click. */
  readonly verify: string;
  readonly checking: string;
  readonly verified: string;
  readonly expired: string;
  readonly retry: string;
  /** Said when a click is asked for. */
  readonly clickNeeded: string;
  /** Of every error, as far as it was fetched. */
  readonly errors: { readonly [Name in WidgetErrorName]?: ErrorText };
  /** Names the request for the owner's support. */
  readonly requestId: (id: string) => string;
};
