import type { Layout, Report } from "./page.ts";

/** One visit of one tool. */
export type Session = {
  /** Name of the visit: the label of its host and its action. */
  readonly name: string;
  /** The address from which the service sees it come. */
  readonly address: string;
  /** The address of the page. */
  readonly url: string;
  /** The service's address for clients without a browser, which can't use separate hosts. */
  readonly rawUrl: string;
  /**
   * Whether it presses the widget before the form; others find it already working when they reach
   * it.
   */
  readonly isWidgetFirst: boolean;
  /** Where things are now; waits for the page's first report. */
  readonly layout: () => Promise<Layout>;
  /** Resolves with the widget's state once it is one of these; rejects if that takes too long. */
  readonly reach: (...states: readonly string[]) => Promise<string>;
  /** The widget's present state. */
  readonly state: () => string;
  /** Id of the field that last took the focus. */
  readonly focus: () => string;
  /** Whether BotD considers the browser a bot; undefined if it did not run. */
  readonly botd: () => boolean | undefined;
  /** Resolves once the page after the form is there. */
  readonly arrive: () => Promise<void>;
};

/** The testbed's side of a session. */
export type SessionRecord = Session & {
  readonly hear: (report: Report) => void;
};

const PATIENCE_MS = 30_000;

/** A session before anybody visited. */
export function createSession(
  identity: Pick<Session, "name" | "address" | "url" | "rawUrl" | "isWidgetFirst">,
  patienceMs: number = PATIENCE_MS,
): SessionRecord {
  let layout: Layout | undefined;
  let botd: boolean | undefined;
  let [state, focus] = ["idle", ""];
  let hasArrived = false;
  let waiting: (() => void)[] = [];

  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  };
  /** The first value of `look` that is not undefined. */
  const awaitFirst = async <Value>(what: string, look: () => Value | undefined): Promise<Value> => {
    const endMs = performance.now() + patienceMs;
    for (;;) {
      const value = look();
      if (value !== undefined) return value;
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) throw new Error(`${what} did not come (the widget is ${state})`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  };

  return {
    ...identity,
    layout: () => awaitFirst("the page", () => layout),
    reach: (...states) =>
      awaitFirst(states.join(" or "), () => (states.includes(state) ? state : undefined)),
    state: () => state,
    focus: () => focus,
    botd: () => botd,
    arrive: () =>
      awaitFirst("the page behind the form", () => (hasArrived ? true : undefined)).then(() => {}),
    hear: (report) => {
      if ("layout" in report) layout = report.layout;
      else if ("state" in report) state = report.state;
      else if ("focus" in report) focus = report.focus;
      else if ("botd" in report) botd = report.botd;
      else hasArrived = true;
      wake();
    },
  };
}
