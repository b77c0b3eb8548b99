import { type BehaviourSignals, POINTER_TYPES } from "@stile/protocol/signals";
import { type BehaviourLog, createBehaviourLog } from "./behaviour-log.ts";
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
  /** `performance.now()` of the last key or pointer event, or undefined if there was none. */
  readonly lastInputMs: () => number | undefined;
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
  const [target] = event.composedPath();
  if (!/down|click/.test(name) || !(target instanceof Element) || target.contains(document.body)) return [];
  const { left, top, width, height } = target.getBoundingClientRect();
  return [event.clientX - left - width / 2, event.clientY - top - height / 2];
}

/** A dispatched event reaches its listener while the script that made it is still on the stack. */
function recordCaller(log: BehaviourLog): void {
  log.addCallers(foreignLines(new Error().stack ?? ""));
}

function listenToPointer(log: BehaviourLog, onInput: () => void): void {
  POINTER_EVENTS.forEach((name, kind) => {
    const listener = (event: MouseEvent): void => {
      onInput();
      const { pointerType, pressure } = event as Partial<PointerEvent>;
      // Of four types "unknown" is the last, and that is what -1 comes to.
      const type = (POINTER_TYPES as readonly unknown[]).indexOf(pointerType) & 3;
      const { timeStamp, clientX, clientY, isTrusted } = event;
      const sample = [timeStamp, clientX, clientY, kind, type, pressure ?? 0, isTrusted ? 1 : 0] as const;
      log.addPointer([...sample, ...extrasOf(event, name)]);
      if (!isTrusted) recordCaller(log);
    };
    addEventListener(name, listener, PASSIVE);
  });
}

function listenToScroll(log: BehaviourLog): void {
  let lastMs = Number.NEGATIVE_INFINITY;
  let rest: ReturnType<typeof setTimeout> | undefined;
  const onScroll = (event: Event): void => {
    if (event.timeStamp - lastMs > SCROLL_REST_MS) log.addToggle("scroll", event.timeStamp, true);
    lastMs = event.timeStamp;
    clearTimeout(rest);
    rest = setTimeout(() => log.addToggle("scroll", lastMs, false), SCROLL_REST_MS);
  };
  addEventListener("scroll", onScroll, PASSIVE);
}

/** Starts listening: passive, in the capture phase, so that no handler of the page hides an event. Keys leave their time only. */
export function recordBehaviour(): BehaviourRecorder {
  const log = createBehaviourLog();
  let lastInputMs: number | undefined;
  const onInput = (): void => {
    lastInputMs = performance.now();
  };
  let noticedMs: number | undefined;
  const waiting = new Set<() => void>();
  const notice = (): void => {
    noticedMs = performance.now();
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  listenToPointer(log, () => {
    onInput();
    notice();
  });
  listenToScroll(log);
  const toggles = {
    keydown: ["keys", true],
    keyup: ["keys", false],
    focus: ["focus", true],
    blur: ["focus", false],
  } as const;
  for (const [name, [stream, isOn]] of Object.entries(toggles)) {
    const listener = (event: Event): void => {
      if (stream === "keys") {
        onInput();
        setTimeout(notice, KEYS_ALONE_MS);
      }
      if (!event.isTrusted) recordCaller(log);
      log.addToggle(stream, event.timeStamp, isOn);
    };
    addEventListener(name, listener, PASSIVE);
  }
  document.addEventListener("visibilitychange", (event) => {
    log.addToggle("visibility", event.timeStamp, document.visibilityState === "visible");
  });

  return {
    noticed: (sinceMs) =>
      new Promise((resolve) => {
        if (noticedMs !== undefined && noticedMs >= sinceMs) resolve();
        else waiting.add(resolve);
      }),
    lastInputMs: () => lastInputMs,
    recordCaller: () => recordCaller(log),
    snapshot: (sinceMs, solveMs, element) => {
      // Not by the widget's own method, which notes who calls.
      const box = element && Element.prototype.getBoundingClientRect.call(element);
      return log.snapshot({
        sinceMs,
        nowMs: performance.now(),
        solveMs,
        box: box === undefined ? null : [box.left, box.top, box.width, box.height],
      });
    },
  };
}
