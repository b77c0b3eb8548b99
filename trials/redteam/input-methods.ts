import type { Target } from "./page.ts";
import type { Planner } from "./paths.ts";
import type { Session } from "./session.ts";

/** How a tool operates the page. */
export type InputMethod = {
  readonly press: (target: Target) => Promise<void>;
  /** Types into the field that was last pressed. */
  readonly write: (text: string) => Promise<void>;
};

/** A device that moves to given places, in CSS pixels of the viewport. */
export type Pointer = {
  readonly move: (x: number, y: number) => Promise<unknown>;
  readonly down: () => Promise<unknown>;
  readonly up: () => Promise<unknown>;
};

/** Waits, in milliseconds. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

const EMAIL = "ada@example.org";
const PASSWORD = "sesame 7";

/**
 * The steps of every visitor: fill in the form, press the widget if it asks for that, send. Half of
 * the visits press the widget first, as many scripts do.
 */
export async function signIn(session: Session, input: InputMethod): Promise<void> {
  await session.layout();
  if (session.isWidgetFirst) await input.press("widget");
  await input.press("email");
  await input.write(EMAIL);
  await input.press("password");
  await input.write(PASSWORD);
  let state = await session.reach("verified", "error", "interactive");
  if (state === "interactive") {
    await input.press("widget");
    state = await session.reach("verified", "error");
  }
  if (state === "error") return;
  // Tools may wait in vain for the end of a press that takes them to the next page.
  input.press("submit").catch(() => {});
  await session.arrive();
}

/** Operates by coordinates along the planner's paths, with the planned length of presses. */
export function pointerInput(
  session: Session,
  pointer: Pointer,
  plan: Planner,
  write: (text: string) => Promise<unknown>,
): InputMethod {
  let at = { x: 40, y: 60 };
  return {
    press: async (target) => {
      const layout = await session.layout();
      const way = plan(at, layout[target], layout.viewport);
      for (const step of way.steps) {
        if (step.afterMs > 0) await pause(step.afterMs);
        await pointer.move(step.x, step.y);
        at = step;
      }
      if (way.restMs > 0) await pause(way.restMs);
      await pointer.down();
      if (way.pressMs > 0) await pause(way.pressMs);
      await pointer.up();
    },
    write: async (text) => void (await write(text)),
  };
}
