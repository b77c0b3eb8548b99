import type {
  BehaviourSignals,
  EnvironmentSignals,
  POINTER_KINDS,
  POINTER_TYPES,
} from "./signals.ts";

/** The action of the pointer. */
export type PointerKind = (typeof POINTER_KINDS)[number];
/** The device the pointer belongs to; `unknown` includes clicks made by assistive technology. */
export type PointerType = (typeof POINTER_TYPES)[number];

/** One pointer event as the page reported it (`PointerSample` with named fields). */
export type ObservedPointer = {
  /** Milliseconds since the widget's element was connected. */
  readonly atMs: number;
  /** CSS pixels, not rounded. */
  readonly x: number;
  readonly y: number;
  readonly kind: PointerKind;
  readonly type: PointerType;
  /** 0..1. */
  readonly pressure: number;
  /** Whether the browser calls the event trusted. */
  readonly isTrusted: boolean;
  /**
   * For a move: `movementX` and `movementY`; undefined if not reported, and for all other kinds.
   */
  readonly movedX: number | undefined;
  readonly movedY: number | undefined;
  /** For a move: how many events it combines. */
  readonly coalesced: number | undefined;
  /**
   * For a press or click: the distance from the middle of what was pressed, CSS pixels; undefined
   * if not reported.
   */
  readonly offsetX: number | undefined;
  readonly offsetY: number | undefined;
};

/**
 * A change of a state that is either on or off. For keys: whether one went down, never which one.
 */
export type ObservedToggle = {
  /** Milliseconds since the widget's element was connected. */
  readonly atMs: number;
  readonly isOn: boolean;
};

/** Sizes in CSS pixels, except the colour depth. */
type ObservedSizes = {
  readonly screen: {
    readonly width: number;
    readonly height: number;
    readonly availableWidth: number;
    readonly availableHeight: number;
    /** Bits. */
    readonly colourDepth: number;
  };
  readonly viewport: {
    readonly innerWidth: number;
    readonly innerHeight: number;
    readonly outerWidth: number;
    readonly outerHeight: number;
  };
};

/** A brand of the browser, as its client hints name it. */
export type ObservedBrand = { readonly name: string; readonly version: string };

/** The page's observations of the browser: `EnvironmentSignals` decoded into named fields. */
export type ObservedEnvironment = ObservedSizes &
  Omit<
    EnvironmentSignals,
    keyof ObservedSizes | "v" | "clientHints" | "permission" | "natives" | "graphics"
  > & {
    readonly clientHints: {
      readonly brands: readonly ObservedBrand[];
      readonly mobile: boolean;
      readonly platform: string;
    } | null;
    /** `Notification.permission`, and what `navigator.permissions` answers to the same question. */
    readonly permission: { readonly shown: string; readonly asked: string } | null;
    /**
     * Built-in functions that are not as the browser made them, with their text or where they were
     * put.
     */
    readonly natives: readonly { readonly name: string; readonly found: string }[];
    /** WebGL's unmasked vendor and renderer, as the worker sees them. */
    readonly graphics: { readonly vendor: string; readonly renderer: string } | null;
  };

/** The input around the widget: `BehaviourSignals` decoded into named fields. */
export type ObservedBehaviour = Pick<BehaviourSignals, "durationMs" | "solveMs" | "callers"> & {
  readonly pointer: readonly ObservedPointer[];
  readonly keys: readonly ObservedToggle[];
  readonly focus: readonly ObservedToggle[];
  readonly visibility: readonly ObservedToggle[];
  readonly scroll: readonly ObservedToggle[];
  /** The widget's box at submission, CSS pixels. */
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  } | null;
};
