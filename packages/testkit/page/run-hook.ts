import { type ComponentChildren, h, render } from "preact";
import { useEffect } from "preact/hooks";

/** A hook at work in a component that draws nothing, effects included. */
export type RunningHook<Result> = {
  /** What it gave last. */
  readonly latest: () => Result;
  /** Resolves with the first result that is so, now or later. */
  readonly until: (isSo: (result: Result) => boolean) => Promise<Result>;
  /** Draws the component anew, as a parent would that passes on something else. */
  readonly again: () => void;
  /** Its first effects have run. */
  readonly began: Promise<void>;
  /** Takes the component away; resolves when its effects are undone, which is a moment later. */
  readonly end: () => Promise<void>;
};

/** Runs a hook until `end`. The component draws nothing, so there is no document. */
export function runHook<Result>(use: () => Result): RunningHook<Result> {
  const results: Result[] = [];
  const [began, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let heard = (): void => {};
  let draws = 0;
  const Probe = (_: { readonly draws: number }): ComponentChildren => {
    results.push(use());
    // Behind the hook's own effects, so that those are done or undone by then.
    useEffect(() => {
      began.resolve();
      return ended.resolve;
    }, []);
    heard();
    return null;
  };
  // Without elements, nothing is ever asked of the root.
  const root = {} as Element;
  // Signals let a component alone whose properties are as they were.
  const draw = (): void => render(h(Probe, { draws: ++draws }), root);
  draw();
  const latest = (): Result => results.at(-1) as Result;
  return {
    latest,
    until: async (isSo) => {
      while (!isSo(latest())) {
        await new Promise<void>((resolve) => {
          heard = resolve;
        });
      }
      return latest();
    },
    again: draw,
    began: began.promise,
    end: async () => {
      await began.promise;
      render(null, root);
      await ended.promise;
    },
  };
}
