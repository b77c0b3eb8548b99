import type { BehaviourSignals, EnvironmentSignals, POINTER_KINDS, POINTER_TYPES } from "./signals.ts";

/** What a pointer did. */
export type PointerKind = (typeof POINTER_KINDS)[number];
/** What it did it with; unknown includes clicks made by assistive technology. */
export type PointerType = (typeof POINTER_TYPES)[number];

/** One pointer event as the page reported it (`PointerSample` by names). */
export type ObservedPointer = {
  /** Milliseconds since the element was connected. */
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
  /** Of a move: `movementX` and `movementY`; undefined where it was not told, and of all others. */
  readonly movedX: number | undefined;
  readonly movedY: number | undefined;
  /** Of a move: the number of events it is made of. */
  readonly coalesced: number | undefined;
  /** Of a press or a click: how far from the middle of what was pressed, CSS pixels; undefined where it was not told. */
  readonly offsetX: number | undefined;
  readonly offsetY: number | undefined;
};

/** One change of something that is either on or off; of a key, whether it went down. Never which key. */
export type ObservedToggle = {
  /** Milliseconds since the element was connected. */
  readonly atMs: number;
  readonly isOn: boolean;
};

/** Sizes in CSS pixels. */
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

/** What the page observed of the browser, by names: `EnvironmentSignals` behind the door. */
export type ObservedEnvironment = ObservedSizes &
  Omit<EnvironmentSignals, keyof ObservedSizes | "v" | "clientHints" | "permission" | "natives" | "graphics"> & {
    readonly clientHints: {
      readonly brands: readonly ObservedBrand[];
      readonly mobile: boolean;
      readonly platform: string;
    } | null;
    /** `Notification.permission`, and what `navigator.permissions` answers to the same question. */
    readonly permission: { readonly shown: string; readonly asked: string } | null;
    /** Built-in functions that are not as the browser made them, with their text or where they were put. */
    readonly natives: readonly { readonly name: string; readonly found: string }[];
    /** WebGL's, unmasked, as the worker sees them. */
    readonly graphics: { readonly vendor: string; readonly renderer: string } | null;
  };

/** What happened around the widget, by names: `BehaviourSignals` behind the door. */
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
