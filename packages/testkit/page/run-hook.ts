import { type ComponentChildren, h, render } from "preact";
import { useEffect } from "preact/hooks";

/** A hook running in a component that renders nothing, including its effects. */
export type RunningHook<Result> = {
  /** Its latest result. */
  readonly latest: () => Result;
  /** Resolves with the first result that satisfies `isSo`, now or later. */
  readonly until: (isSo: (result: Result) => boolean) => Promise<Result>;
  /** Renders the component again, as a parent would that passes on something else. */
  readonly again: () => void;
  /** Resolves when its first effects have run. */
  readonly began: Promise<void>;
  /** Removes the component; resolves when its effects are undone, which is a moment later. */
  readonly end: () => Promise<void>;
};

/** Runs a hook until `end`. The component renders nothing, so no document is needed. */
export function runHook<Result>(use: () => Result): RunningHook<Result> {
  const results: Result[] = [];
  const [began, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let heard = (): void => {};
  let draws = 0;
  const Probe = (_: { readonly draws: number }): ComponentChildren => {
    results.push(use());
    // Runs after the hook's own effects, so that those are done or undone by then.
    useEffect(() => {
      began.resolve();
      return ended.resolve;
    }, []);
    heard();
    return null;
  };
  // Without elements, nothing is ever called on the root.
  const root = {} as Element;
  // With signals, a component whose properties are unchanged is not rendered again.
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
