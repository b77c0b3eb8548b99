// The types of Stile's widget for pages in TypeScript: docs/reference/widget.md says how to use
// them. Written by tools/widget-api.ts.

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
    readonly fetch: (input: RequestInfo | URL, init?: RequestInit, widget?: Which) => Promise<Response>;
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
    readonly configure: (options: {
        readonly endpoint: string;
    }) => void;
};

/** Options of `stile.collect`; by default both come from the first widget of the page. */
export type CollectOptions = {
    readonly siteKey?: string;
    readonly action?: string;
};

/** Why the widget stopped, by name. */
export type WidgetErrorName = "network" | "timeout" | "csp_blocked" | "endpoint_not_allowed" | "attribute_invalid" | "sitekey_missing" | "sitekey_unknown" | "hostname_not_allowed" | "site_disabled" | "rate_limited" | "worker_failed" | "solution_rejected" | "blocked_by_policy" | "internal";
/** The detail of `stile:error`. */
export type WidgetError = {
    readonly name: WidgetErrorName;
    /** Depending on the error: the page's host, the seconds to wait, or an attribute. */
    readonly detail?: string | undefined;
    /** The service's id of the refused request. */
    readonly requestId?: string | undefined;
};
/** The states of a widget. */
export type WidgetStateName = "idle" | "loading" | "solving" | "interactive" | "verifying" | "verified" | "expired" | "error";
/** `<stile-captcha>`. */
export interface StileCaptcha extends HTMLElement {
    /**
     * The token, or an empty string; what went out with the form's submission stays until the next
     * is there.
     */
    readonly value: string;
    readonly state: WidgetStateName;
    readonly form: HTMLFormElement | null;
    /**
     * Whether the `submit` event being handled repeats one that was held: only listeners before
     * the widget's see both.
     */
    readonly isResubmitting: boolean;
    /** Drops the token and starts again. */
    reset(): void;
}
/**
 * The attributes of `<stile-captcha>` in JSX: callbacks are names of functions of the page,
 * `strings` is JSON, and yes or no is a text, since React leaves out an attribute that is false.
 */
export type StileCaptchaAttributes = { form?: string } & {
    [Name in keyof RenderParameters]?: RenderParameters[Name] extends boolean | undefined
        ? "true" | "false"
        : RenderParameters[Name] extends string | number | undefined
          ? RenderParameters[Name]
          : string;
};
declare global {
    const stile: Stile;
    interface Window {
        readonly stile: Stile;
    }
    interface HTMLElementTagNameMap {
        "stile-captcha": StileCaptcha;
    }
    interface HTMLElementEventMap {
        "stile:statechange": CustomEvent<{ readonly state: WidgetStateName }>;
        "stile:verified": CustomEvent<{ readonly token: string }>;
        "stile:expired": CustomEvent<object>;
        "stile:interactive": CustomEvent<object>;
        "stile:unsupported": CustomEvent<object>;
        "stile:error": CustomEvent<WidgetError>;
    }
}
