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
   * Resolves when somebody is there, at `sinceMs` or later: with the first event of a pointer, or a key's click; else some seconds
   * after a key.
   */
  readonly noticed: (sinceMs: number) => Promise<void>;
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

/** A pause after which the next scroll event starts a new scroll, ms. */
const SCROLL_REST_MS = 150;

/** What only moves, presses and clicks have: see `PointerSample`. A key's click has no place, but it has a target. */
function extrasOf(event: MouseEvent, name: (typeof POINTER_EVENTS)[number]): readonly [number?, number?, number?] {
  if (name === "pointermove") {
    const coalesced = (event as Partial<PointerEvent>).getCoalescedEvents?.().length ?? 0;
    return [event.movementX, event.movementY, coalesced];
  }
  const target = elementOf(event);
  // Not by the target's own method: a form's fields may have taken that name.
  if (!/down|click/.test(name) || !target || document.contains.call(target, document.body)) return [];
  const { left, top, width, height } = target.getBoundingClientRect();
  return [event.clientX - left - width / 2, event.clientY - top - height / 2];
}

/** Starts listening: passive, in the capture phase, so that no handler of the page hides an event. Keys leave their time only. */
export function recordBehaviour(): BehaviourRecorder {
  const log = createBehaviourLog();
  let lastInputMs = Number.NEGATIVE_INFINITY;
  let noticedMs = Number.NEGATIVE_INFINITY;
  const waiting = new Set<() => void>();
  const notice = (): void => {
    noticedMs = performance.now();
    for (const resolve of waiting) resolve();
    waiting.clear();
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
      lastInputMs = performance.now();
      notice();
      const { pointerType, pressure, timeStamp, clientX, clientY, isTrusted } = event;
      // Of four types "unknown" is the last, and that is what -1 comes to.
      const type = (POINTER_TYPES as readonly unknown[]).indexOf(pointerType) & 3;
      const sample = [timeStamp, clientX, clientY, kind, type, pressure ?? 0, isTrusted ? 1 : 0] as const;
      log.addPointer([...sample, ...extrasOf(event, name)]);
    });
  });
  const listenToToggle = (name: string, stream: ToggleStream, isOn: boolean, onToggle = (): void => {}): void =>
    listen(name, ({ timeStamp }) => {
      onToggle();
      log.addToggle(stream, timeStamp, isOn);
    });
  const onKey = (): void => {
    lastInputMs = performance.now();
    setTimeout(notice, KEYS_ALONE_MS);
  };
  listenToToggle("keydown", "keys", true, onKey);
  listenToToggle("keyup", "keys", false, onKey);
  listenToToggle("focus", "focus", true);
  listenToToggle("blur", "focus", false);

  let scrolledMs = Number.NEGATIVE_INFINITY;
  let rest: ReturnType<typeof setTimeout> | undefined;
  const onScroll = ({ timeStamp }: Event): void => {
    if (timeStamp - scrolledMs > SCROLL_REST_MS) log.addToggle("scroll", timeStamp, true);
    scrolledMs = timeStamp;
    clearTimeout(rest);
    rest = setTimeout(() => log.addToggle("scroll", scrolledMs, false), SCROLL_REST_MS);
  };
  addEventListener("scroll", onScroll, PASSIVE);
  document.addEventListener("visibilitychange", ({ timeStamp }) => {
    log.addToggle("visibility", timeStamp, document.visibilityState === "visible");
  });

  return {
    noticed: (sinceMs) =>
      new Promise((resolve) => {
        if (noticedMs >= sinceMs) resolve();
        else waiting.add(resolve);
      }),
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
