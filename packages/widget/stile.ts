import type { CollectOptions } from "./collect.ts";
import type { StileCaptcha } from "./element/stile-captcha.ts";

/** Which widget is meant; left out, the page's first. */
type Which = StileCaptcha | null;

/** `window.stile`: what a page's scripts may call. */
export type Stile = {
  readonly version: string;
  /** The envelope for POST /score (D7). Rejects with an Error whose message ends in the name of a `WidgetError`. */
  readonly collect: (options?: CollectOptions) => Promise<string>;
  /** A token that nobody was given yet; waits for it to be earned, and for the visitor where they have to press. Rejects as `collect`. */
  readonly execute: (element?: Which) => Promise<string>;
  /** As the global `fetch`, with such a token in the form that is its body, else in the header `Stile-Response`. */
  readonly fetch: (input: RequestInfo | URL, init?: RequestInit, element?: Which) => Promise<Response>;
  /** The token, or an empty string; what went out with the form's submission stays until the next is there. */
  readonly getResponse: (element?: Which) => string;
  /** Drops the token; the next touch of the form, or `execute`, earns another. */
  readonly reset: (element?: Which) => void;
  /** Says where the service is, once, to a script that can't know its own address (D8). Throws if it is known. */
  readonly configure: (options: { readonly endpoint: string }) => void;
};
