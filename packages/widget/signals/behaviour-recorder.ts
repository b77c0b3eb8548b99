import { type BehaviourSignals, POINTER_TYPES } from "@stile/protocol/signals";
import { elementOf } from "../element-of.ts";
import { createBehaviourLog, type ToggleStream } from "./behaviour-log.ts";
import { foreignLines } from "./callers.ts";

/** Listens to one page for as long as it lives. */
export type BehaviourRecorder = {
  /** What happened since `sinceMs`, a value of `performance.now()`; the box is the element's, if there is one. */
  readonly snapshot: (sinceMs: number, solveMs: number | null, element: Element | undefined) => BehaviourSignals;
  /** To be called where a script measures the widget: notes which one, if it is none of the page. */
  readonly recordCaller: () => void;
  /**
   * Calls `then` when somebody is there, at `sinceMs` or later: with a press, a key's click, or a pointer that was moved for half a second;
   * else some seconds after a key. Whoever waits holds `then` itself: nobody may come, and widgets go.
   */
  readonly noticed: (sinceMs: number, then: () => void) => void;
  /** `performance.now()` of the last key or pointer event; of minus infinity if there was none. */
  readonly lastInputMs: () => number;
};

/** The event behind each of `POINTER_KINDS`, in that order. */
const POINTER_EVENTS = ["pointermove", "pointerdown", "pointerup", "pointercancel", "click"] as const;

/** No handler of the page hides an event from the capture phase. */
const PASSIVE = { capture: true, passive: true };

/**
 * How long whoever uses the keyboard is waited for with a mouse, ms: by keys alone they would be asked for a press, and whoever goes
 * on to the button that sends is best asked there. Pages that enable that button with the token must not wait for ever.
 */
const KEYS_ALONE_MS = 5_000;

/** A pointer that was moved for so long shows somebody, ms: in less, one movement in fifty still stands on a straight line. */
const MOVED_MS = 500;

/** What came before such a pause, or before a key, is another movement, ms. */
const MOVES_REST_MS = 1_000;

/** A pause after which the next scroll event starts a new scroll, ms. */
const SCROLL_REST_MS = 150;

/** What only moves, presses and clicks have: see `PointerSample`. A key's click has no place, but it has a target. */
function extrasOf(event: MouseEvent): readonly [number?, number?, number?] {
  if (event.type === "pointermove") {
    return [event.movementX, event.movementY, (event as Partial<PointerEvent>).getCoalescedEvents?.().length ?? 0];
  }
  const target = elementOf(event);
  // Not by the target's own method: a form's fields may have taken that name.
  if (!/down|click/.test(event.type) || !target || document.contains.call(target, document.body)) return [];
  const { left, top, width, height } = target.getBoundingClientRect();
  return [event.clientX - left - width / 2, event.clientY - top - height / 2];
}

/** Starts listening: passive, in the capture phase, so that no handler of the page hides an event. Keys leave their time only. */
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
  const listen = (name: string, record: (event: MouseEvent & Partial<PointerEvent>) => void): void =>
    addEventListener(
      name,
      (event) => {
        record(event as MouseEvent);
        if (!event.isTrusted) recordCaller();
      },
      PASSIVE,
    );
  POINTER_EVENTS.forEach((name, kind) => {
    listen(name, (event) => {
      const { timeStamp, clientX, clientY, pointerType, pressure = 0, isTrusted } = event;
      if (timeStamp - lastInputMs > MOVES_REST_MS) movingSinceMs = timeStamp;
      lastInputMs = timeStamp;
      // The first of the kinds is the move.
      if (kind || timeStamp - movingSinceMs > MOVED_MS) notice();
      // Of four types "unknown" is the last, and that is what -1 comes to.
      const type = (POINTER_TYPES as readonly unknown[]).indexOf(pointerType) & 3;
      log.addPointer([timeStamp, clientX, clientY, kind, type, pressure, +isTrusted as 0 | 1, ...extrasOf(event)]);
    });
  });
  const listenToToggle = (name: string, stream: ToggleStream, isOn: boolean): void =>
    listen(name, ({ timeStamp }) => {
      if (stream === "keys") {
        lastInputMs = movingSinceMs = timeStamp;
        setTimeout(notice, KEYS_ALONE_MS);
      }
      log.addToggle(stream, timeStamp, isOn);
    });
  listenToToggle("keydown", "keys", true);
  listenToToggle("keyup", "keys", false);
  listenToToggle("focus", "focus", true);
  listenToToggle("blur", "focus", false);

  let scrolledMs = Number.NEGATIVE_INFINITY;
  const onScroll = ({ timeStamp }: Event): void => {
    if (timeStamp - scrolledMs > SCROLL_REST_MS) log.addToggle("scroll", timeStamp, true);
    scrolledMs = timeStamp;
    setTimeout(() => scrolledMs === timeStamp && log.addToggle("scroll", timeStamp, false), SCROLL_REST_MS);
  };
  addEventListener("scroll", onScroll, PASSIVE);
  addEventListener("visibilitychange", ({ timeStamp }) => {
    log.addToggle("visibility", timeStamp, !document.hidden);
  });

  return {
    noticed: (sinceMs, then) => {
      if (noticedMs >= sinceMs) then();
      else waiting.push(new WeakRef(then));
    },
    lastInputMs: () => lastInputMs,
    recordCaller,
    snapshot: (sinceMs, solveMs, element) => {
      // Not by the widget's own method, which notes who calls.
      const box = element && Element.prototype.getBoundingClientRect.call(element);
      const place = box ? ([box.left, box.top, box.width, box.height] as const) : null;
      return log.snapshot(sinceMs, performance.now(), solveMs, place);
    },
  };
}
