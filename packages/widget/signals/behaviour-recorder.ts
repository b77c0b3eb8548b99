import { type BehaviourSignals, POINTER_TYPES } from "@stile/protocol/signals";
import { elementOf } from "../element-of.ts";
import { createBehaviourLog, type ToggleStream } from "./behaviour-log.ts";
import { foreignLines } from "./callers.ts";

/** Listens to a page as long as the page lives. */
export type BehaviourRecorder = {
  /**
   * Starts to listen. Call it again later: a page that replaces itself (`document.open`) removes
   * all listeners.
   */
  readonly listen: () => void;
  /**
   * The events since `sinceMs`, a value of `performance.now()`; the box is the element's, if there
   * is one.
   */
  readonly snapshot: (
    sinceMs: number,
    solveMs: number | null,
    element: Element | undefined,
  ) => BehaviourSignals;
  /** Call this when a script measures the widget: records that script, if it is not the page's. */
  readonly recordCaller: () => void;
  /**
   * Calls `then` when somebody is there, at `sinceMs` or later: on a press, a key's click, or a
   * pointer that was moved for half a second; else some seconds after a key. The caller must hold
   * `then` itself: it may never be called, and widgets are removed.
   */
  readonly noticed: (sinceMs: number, then: () => void) => void;
  /** `performance.now()` of the last key or pointer event; minus infinity if there was none. */
  readonly lastInputMs: () => number;
};

/** The event behind each of `POINTER_KINDS`, in that order. */
const POINTER_EVENTS = [
  "pointermove",
  "pointerdown",
  "pointerup",
  "pointercancel",
  "click",
] as const;

/**
 * How long to wait for the mouse of a visitor who uses the keyboard, ms. Keys alone would lead to a
 * request for a press, and a visitor who continues to the submit button is best asked there. Pages
 * that enable that button only with the token must not wait forever.
 */
const KEYS_ALONE_MS = 5_000;

/**
 * A pointer moved for this long shows somebody, ms; in less time, one movement in fifty is still a
 * straight line.
 */
const MOVED_MS = 500;

/** Moves before a pause this long, or before a key, are another movement, ms. */
const MOVES_REST_MS = 1_000;

/** After a pause this long, the next scroll event starts a new scroll, ms. */
const SCROLL_REST_MS = 150;

/**
 * The numbers of moves, presses and clicks alone: see `PointerSample`. A key's click has no
 * position, but a target.
 */
function extrasOf(event: MouseEvent): readonly [number?, number?, number?] {
  if (event.type === "pointermove") {
    return [
      event.movementX,
      event.movementY,
      (event as Partial<PointerEvent>).getCoalescedEvents?.().length ?? 0,
    ];
  }
  const target = elementOf(event);
  // Not by the target's own method: a form's field may have taken that name.
  if (!/down|click/.test(event.type) || !target || document.contains.call(target, document.body))
    return [];
  const { left, top, width, height } = target.getBoundingClientRect();
  return [event.clientX - left - width / 2, event.clientY - top - height / 2];
}

/**
 * Starts listening, in the capture phase, so that no handler hides an event. Of keys only the time
 * is kept.
 */
export function recordBehaviour(): BehaviourRecorder {
  const log = createBehaviourLog();
  let movingSinceMs = 0;
  let lastInputMs = Number.NEGATIVE_INFINITY;
  let noticedMs = Number.NEGATIVE_INFINITY;
  const waiting: WeakRef<() => void>[] = [];
  const notice = (): void => {
    noticedMs = performance.now();
    for (const then of waiting.splice(0)) then.deref()?.();
  };
  // A dispatched event reaches its listener while the script that made it is still on the stack.
  const recordCaller = (): void => log.addCallers(foreignLines(new Error().stack ?? ""));
  type Listener = (event: PointerEvent) => void;
  const toggle =
    (stream: ToggleStream, isOn: boolean): Listener =>
    ({ timeStamp, isTrusted }) => {
      if (stream === "keys") {
        lastInputMs = movingSinceMs = timeStamp;
        setTimeout(notice, KEYS_ALONE_MS);
      }
      log.addToggle(stream, timeStamp, isOn);
      if (!isTrusted) recordCaller();
    };
  let scrolledMs = Number.NEGATIVE_INFINITY;
  /**
   * By event. Pages and extensions dispatch the last two for reasons of their own, so their callers
   * are not recorded.
   */
  const listeners: { [name: string]: Listener } = {
    keydown: toggle("keys", true),
    keyup: toggle("keys", false),
    focus: toggle("focus", true),
    blur: toggle("focus", false),
    visibilitychange: ({ timeStamp }) => log.addToggle("visibility", timeStamp, !document.hidden),
    scroll: ({ timeStamp }) => {
      if (timeStamp - scrolledMs > SCROLL_REST_MS) log.addToggle("scroll", timeStamp, true);
      scrolledMs = timeStamp;
      setTimeout(
        () => scrolledMs === timeStamp && log.addToggle("scroll", timeStamp, false),
        SCROLL_REST_MS,
      );
    },
  };
  POINTER_EVENTS.forEach((name, kind) => {
    listeners[name] = (event) => {
      const { timeStamp, clientX, clientY, pointerType, pressure = 0, isTrusted } = event;
      if (timeStamp - lastInputMs > MOVES_REST_MS) movingSinceMs = timeStamp;
      lastInputMs = timeStamp;
      // Kind 0 is the move.
      if (kind || timeStamp - movingSinceMs > MOVED_MS) notice();
      // "unknown" is the last of the four types, and -1 & 3 selects it.
      const type = (POINTER_TYPES as readonly unknown[]).indexOf(pointerType) & 3;
      log.addPointer([
        timeStamp,
        clientX,
        clientY,
        kind,
        type,
        pressure,
        +isTrusted as 0 | 1,
        ...extrasOf(event),
      ]);
      if (!isTrusted) recordCaller();
    };
  });
  const listen = (): void => {
    for (const name in listeners) addEventListener(name, listeners[name] as EventListener, true);
  };
  listen();

  return {
    listen,
    noticed: (sinceMs, then) => {
      if (noticedMs >= sinceMs) then();
      else waiting.push(new WeakRef(then));
    },
    lastInputMs: () => lastInputMs,
    recordCaller,
    snapshot: (sinceMs, solveMs, element) => {
      // Not by the widget's own method, which records its caller.
      const box = element && Element.prototype.getBoundingClientRect.call(element);
      const place = box ? ([box.left, box.top, box.width, box.height] as const) : null;
      return log.snapshot(sinceMs, performance.now(), solveMs, place);
    },
  };
}
