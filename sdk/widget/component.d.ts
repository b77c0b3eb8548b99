import type { RenderParameters, WidgetError } from "./stile.js";

type Given<Name extends keyof RenderParameters> = RenderParameters[Name] | undefined;

/** The options of all components; docs/reference/widget.md explains the attributes of these names. */
export type StileOptions = {
  /** The address of your service, such as `https://captcha.example`. */
  readonly baseUrl: string;
  /** The site's public key, `pk_...`. */
  readonly siteKey: string;
  readonly action?: Given<"action">;
  readonly cdata?: Given<"cdata">;
  /** The id of the form, if the component is outside of it. */
  readonly form?: string | undefined;
  readonly language?: Given<"language">;
  readonly strings?: Given<"strings">;
  readonly tabindex?: Given<"tabindex">;
  readonly responseField?: Given<"response-field">;
  readonly responseFieldName?: Given<"response-field-name">;
  readonly theme?: Given<"theme">;
  readonly dir?: Given<"dir">;
  readonly execution?: Given<"execution">;
  readonly appearance?: Given<"appearance">;
  readonly size?: Given<"size">;
  readonly retry?: Given<"retry">;
  readonly refreshExpired?: Given<"refresh-expired">;
  readonly onUnavailable?: Given<"on-unavailable">;
};

/** The functions of all components. */
export type StileHandlers = {
  /** The visitor has earned this token. */
  readonly onVerify?: ((token: string) => unknown) | undefined;
  /** The token has to be renewed. */
  readonly onExpire?: (() => unknown) | undefined;
  /**
   * An error of the widget, or of the component: `attribute_invalid` (an option has a wrong value)
   * and `network` (the script did not load), with a sentence as `detail`.
   */
  readonly onError?: ((error: WidgetError) => unknown) | undefined;
};

/** What a `ref` to a component has. */
export type StileHandle = {
  /** Resolves to a token that no script has had yet. Rejects with the name of an error. */
  execute(): Promise<string>;
  /** Drops the token. */
  reset(): void;
};

/** The names of the options that become attributes. */
export declare const OPTION_NAMES: readonly string[];
/** The attributes of `<stile-captcha>` for these options. */
export declare function toAttributes(options: object): Record<string, string>;
/**
 * Connects an element of the page with a component's options, which `read` returns as they are at
 * that moment. The returned function ends that.
 */
export declare function connect(
  element: Element,
  read: () => Partial<StileOptions> & StileHandlers,
): () => void;
/** Resolves to a token for a script. Rejects as `stile.execute` does. */
export declare function execute(
  element: Element | null | undefined,
  baseUrl: string,
): Promise<string>;
