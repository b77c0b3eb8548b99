// The types of Stile's widget for pages in TypeScript: docs/reference/widget.md says how to use them. Written by tools/widget-api.ts.

/** Which widget is meant: it, what is around it, or a selector of either; left out, the page's first. */
export type Which = Element | string | null;
/** What `stile.render` is given: attributes by their names, callbacks as functions. */
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
/** `window.stile`: what a page's scripts may call. */
export type Stile = {
    readonly version: string;
    /** What the widget speaks, as BCP 47 tags. */
    readonly languages: readonly string[];
    /** Resolves, and calls `then`, once the document is parsed: what is to be found is there. */
    readonly ready: (then?: () => unknown) => Promise<void>;
    /**
     * A widget that comes into that element, named by itself, its id or a selector, or the one that it has; what is wrong with that is an
     * unhandled rejection.
     */
    readonly render: (container: Element | string, params?: RenderParameters) => StileCaptcha;
    /** Takes the widget out of the page. */
    readonly remove: (widget?: Which) => void;
    /** The envelope for POST /score (D7). Rejects with an Error whose message ends in the name of a `WidgetError`. */
    readonly collect: (options?: CollectOptions) => Promise<string>;
    /** A token that nobody was given yet; waits for it to be earned, and for the visitor where they have to press. Rejects as `collect`. */
    readonly execute: (widget?: Which) => Promise<string>;
    /** As the global `fetch`, with such a token in the form that is its body, else in the header `Stile-Response`. */
    readonly fetch: (input: RequestInfo | URL, init?: RequestInit, widget?: Which) => Promise<Response>;
    /** The token, or an empty string; what went out with the form's submission stays until the next is there. */
    readonly getResponse: (widget?: Which) => string;
    /** Whether there was a token that is to be renewed, half a minute before it expires. */
    readonly isExpired: (widget?: Which) => boolean;
    /** Drops the token; the next touch of the form, or `execute`, earns another. */
    readonly reset: (widget?: Which) => void;
    /** Says where the service is, once, to a script that can't know its own address (D8). Throws if it is known. */
    readonly configure: (options: {
        readonly endpoint: string;
    }) => void;
};

/** What `stile.collect` may be told; by default the first widget of the page says both. */
export type CollectOptions = {
    readonly siteKey?: string;
    readonly action?: string;
};

/** Why the widget stopped, by name. */
export type WidgetErrorName = "network" | "timeout" | "csp_blocked" | "endpoint_not_allowed" | "attribute_invalid" | "sitekey_missing" | "sitekey_unknown" | "hostname_not_allowed" | "site_disabled" | "rate_limited" | "worker_failed" | "solution_rejected" | "blocked_by_policy" | "internal";
/** What `stile:error` tells. */
export type WidgetError = {
    readonly name: WidgetErrorName;
    /** What the error names: the page's host, the seconds to wait, an attribute. */
    readonly detail?: string | undefined;
    /** The service's id of the refused request. */
    readonly requestId?: string | undefined;
};
/** The states of a widget. */
export type WidgetStateName = "idle" | "loading" | "solving" | "interactive" | "verifying" | "verified" | "expired" | "error";
/** `<stile-captcha>`. */
export interface StileCaptcha extends HTMLElement {
    /** The token, or an empty string; what went out with the form's submission stays until the next is there. */
    readonly value: string;
    readonly state: WidgetStateName;
    readonly form: HTMLFormElement | null;
    /** Drops the token and begins anew. */
    reset(): void;
}
/**
 * What `<stile-captcha>` is written with in JSX: callbacks by the name of a function of the page, `strings` as JSON, yes and no as texts, since
 * React leaves out an attribute that is false.
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
