/** An event at a moment of true time, ms. */
export type Event = { readonly dueMs: number; readonly order: number; readonly run: () => unknown };

/** Coming events, in the order of true time, and within a moment in the order of scheduling. */
export type Schedule = {
  readonly at: (dueMs: number, run: () => unknown) => void;
  readonly takeNext: () => Event | undefined;
};

/** An empty schedule. */
export function createSchedule(): Schedule {
  // The next one is last, so that taking it moves nothing.
  const events: Event[] = [];
  let scheduled = 0;
  return {
    at: (dueMs, run) => {
      const event = { dueMs, order: scheduled++, run };
      let at = events.length;
      while (at > 0 && (events[at - 1] as Event).dueMs <= dueMs) at--;
      events.splice(at, 0, event);
    },
    takeNext: () => events.pop(),
  };
}
