import type { WidgetErrorName } from "../machine/widget-error.ts";

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
  /** What happened and what to do, given the error's detail (host, seconds); see `WidgetError`. */
  readonly errors: Readonly<Record<WidgetErrorName, (detail: string | undefined) => string>>;
  /** Names the request for the owner's support. */
  readonly requestId: (id: string) => string;
};
