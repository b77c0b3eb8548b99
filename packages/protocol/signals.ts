/**
 * Version of both signal strings. A reader that does not know the version treats them as withheld
 * (D9, submission).
 */
export const SIGNALS_VERSION = 2;

/**
 * The values that a part of the browser (page, fresh frame, solver frame, worker) reports about
 * itself, to compare with the others.
 */
export type BrowserFacts = {
  readonly userAgent: string;
  readonly platform: string;
  readonly languages: readonly string[];
  /** `navigator.webdriver`; null in workers, which have none. */
  readonly webdriver: boolean | null;
  readonly cores: number | null;
};

/**
 * The page's observations of the browser before solving. The server decides everything from them;
 * the client sends no verdicts. A value that the platform does not give is null, which is neutral.
 * Decoded bytes: UTF-8 JSON.
 */
export type EnvironmentSignals = BrowserFacts & {
  readonly v: typeof SIGNALS_VERSION;
  readonly vendor: string;
  /** `navigator.deviceMemory` in GiB. */
  readonly memory: number | null;
  readonly touchPoints: number;
  /**
   * CSS pixels: width, height, available width, available height; then the colour depth in bits.
   */
  readonly screen: readonly [number, number, number, number, number];
  /** CSS pixels: inner width, inner height, outer width, outer height. */
  readonly viewport: readonly [number, number, number, number];
  readonly pixelRatio: number;
  /** Pinch zoom times the CSS zoom of the document; 1 is unzoomed. */
  readonly pageScale: number | null;
  /** Whether the page is in a frame of another page, which may scale it. */
  readonly isFramed: boolean;
  readonly isSecure: boolean;
  /** Offset from UTC in minutes, as `Date.prototype.getTimezoneOffset` gives it. */
  readonly timezoneOffset: number;
  readonly timezone: string | null;
  /** The media queries that matched, of those that the collector asks. */
  readonly media: readonly string[];
  /** Low-entropy `navigator.userAgentData`: brands as [name, version], mobile, platform. */
  readonly clientHints: {
    readonly brands: readonly (readonly [string, string])[];
    readonly mobile: boolean;
    readonly platform: string;
  } | null;
  /** Names of global properties that automation drivers are known to leave. */
  readonly driverGlobals: readonly string[];
  /** Names of the properties of `window.chrome`; null if there is no such object. */
  readonly chrome: readonly string[] | null;
  /** `Notification.permission`, then what `navigator.permissions` answers to the same question. */
  readonly permission: readonly [string, string] | null;
  /**
   * Built-in functions that are not as the browser made them: the name, and its text or where it
   * was put.
   */
  readonly natives: readonly (readonly [name: string, found: string])[];
  /** A fresh, empty frame of the page's own origin. */
  readonly blank: BrowserFacts | null;
  /** The solver frame, which has another origin on most pages. */
  readonly frame: BrowserFacts | null;
  /** A worker of the solver frame. */
  readonly worker: BrowserFacts | null;
  /** WebGL's unmasked vendor and renderer, as the worker sees them. */
  readonly graphics: readonly [string, string] | null;
};

/** Kinds of pointer events; a sample holds the index. */
export const POINTER_KINDS = ["move", "down", "up", "cancel", "click"] as const;
/**
 * Kinds of pointing devices; a sample holds the index. `unknown` includes clicks made by assistive
 * technology.
 */
export const POINTER_TYPES = ["mouse", "touch", "pen", "unknown"] as const;

/**
 * A pointer event on the wire; decoded, it is an `ObservedPointer`. [time in ms since the element
 * was connected, x, y in CSS pixels (not rounded), index in POINTER_KINDS, index in POINTER_TYPES,
 * pressure 0..1, 1 if the browser calls the event trusted else 0]. A move continues with
 * [movementX, movementY, number of coalesced events]; a press and a click with [x, y from the
 * middle of their target].
 */
export type PointerSample = readonly [
  ms: number,
  x: number,
  y: number,
  kind: number,
  type: number,
  pressure: number,
  trusted: 0 | 1,
  dx?: number | undefined,
  dy?: number | undefined,
  coalesced?: number | undefined,
];

/**
 * [time in ms since the element was connected, 1 for on or down, 0 for off or up]. It never says
 * which key.
 */
export type ToggleSample = readonly [number, 0 | 1];

/**
 * The input around the widget until submission, in ring buffers that keep the newest samples. UTF-8
 * JSON.
 */
export type BehaviourSignals = {
  readonly v: typeof SIGNALS_VERSION;
  /**
   * Milliseconds from the connection of the element to submission, by the page's monotonic clock.
   */
  readonly durationMs: number;
  /** How long the solver reports that it worked, in milliseconds. */
  readonly solveMs: number | null;
  readonly pointer: readonly PointerSample[];
  readonly keys: readonly ToggleSample[];
  readonly focus: readonly ToggleSample[];
  readonly visibility: readonly ToggleSample[];
  readonly scroll: readonly ToggleSample[];
  /** The widget's box at submission, CSS pixels: left, top, width, height. */
  readonly box: readonly [number, number, number, number] | null;
  /**
   * Lines of call stacks, from scripts without an address, that made an event or measured the
   * widget.
   */
  readonly callers: readonly string[];
};

/**
 * The separator between the three parts of the result of `stile.collect()`: challenge, environment,
 * behaviour (D7, score request).
 */
export const ENVELOPE_SEPARATOR = ".";
