import type { CollectOptions } from "./collect.ts";
import type { StileCaptcha } from "./element/stile-captcha.ts";
import type { WidgetErrorName } from "./machine/widget-error.ts";

/**
 * Selects a widget: itself, an element around it, or a selector of either; by default the page's
 * first.
 */
export type Which = Element | string | null;

/** Parameters of `stile.render`: attributes by their names, and callbacks as functions. */
export type RenderParameters = {
  readonly sitekey?: string;
  readonly action?: string;
  readonly cdata?: string;
  readonly theme?: "auto" | "light" | "dark" | "contrast";
  readonly size?: "normal" | "flexible" | "compact" | "invisible";
  readonly appearance?: "always" | "execute" | "interaction-only";
  readonly execution?: "focus" | "render" | "execute" | "submit";
  readonly language?: string;
  readonly strings?: Readonly<Record<string, string>>;
  readonly tabindex?: number;
  readonly dir?: "ltr" | "rtl";
  readonly "response-field"?: boolean;
  readonly "response-field-name"?: string;
  readonly retry?: "auto" | "never";
  readonly "refresh-expired"?: "auto" | "manual" | "never";
  readonly "on-unavailable"?: "submit" | "block";
  readonly callback?: (token: string) => unknown;
  readonly "error-callback"?: (name: WidgetErrorName) => unknown;
  readonly "expired-callback"?: () => unknown;
  readonly "timeout-callback"?: () => unknown;
  readonly "before-interactive-callback"?: () => unknown;
  readonly "after-interactive-callback"?: () => unknown;
  readonly "unsupported-callback"?: () => unknown;
};

/** `window.stile`: the functions that a page's scripts may call. */
export type Stile = {
  readonly version: string;
  /** The languages that the widget has, as BCP 47 tags. */
  readonly languages: readonly string[];
  /**
   * Resolves, and calls `then`, once the document is parsed, so that all its widgets can be found.
   */
  readonly ready: (then?: () => unknown) => Promise<void>;
  /**
   * Returns a widget that is about to enter that element (given itself, by its id or by a
   * selector), or the widget that is already in it. An error becomes an unhandled rejection.
   */
  readonly render: (container: Element | string, params?: RenderParameters) => StileCaptcha;
  /** Removes the widget from the page. */
  readonly remove: (widget?: Which) => void;
  /**
   * The envelope for POST /score (D7, score request). Rejects with an Error whose message ends in
   * the name of a `WidgetError`.
   */
  readonly collect: (options?: CollectOptions) => Promise<string>;
  /**
   * A token that no caller got before. Waits for it, and for the visitor's press if one is needed.
   * Rejects like `collect`.
   */
  readonly execute: (widget?: Which) => Promise<string>;
  /**
   * Like the global `fetch`, with such a token: in the form if the body is one, else in the header
   * `Stile-Response`.
   */
  readonly fetch: (
    input: RequestInfo | URL,
    init?: RequestInit,
    widget?: Which,
  ) => Promise<Response>;
  /** The token, or an empty string; a token sent with the form stays until there is a new one. */
  readonly getResponse: (widget?: Which) => string;
  /** Whether there was a token that must be renewed, from half a minute before it expires. */
  readonly isExpired: (widget?: Which) => boolean;
  /** Drops the token; the next touch of the form, or `execute`, earns another. */
  readonly reset: (widget?: Which) => void;
  /**
   * Sets the service's address, once, for a script that can't know its own address (D8, challenge).
   * Throws if the address is known.
   */
  readonly configure: (options: { readonly endpoint: string }) => void;
};
