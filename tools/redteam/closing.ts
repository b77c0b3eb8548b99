/** Ends everything that was started, the last first; each is ended once, also when the command is interrupted. */
export type Closing = {
  /** Registers how to end something; the answer ends it early. */
  readonly add: (name: string, end: () => unknown) => () => Promise<void>;
  /** Ends all that still runs. Faults are reported and don't keep the others. */
  readonly endAll: () => Promise<void>;
};

/** An empty list; `say` hears about what would not end. */
export function createClosing(say: (text: string) => void): Closing {
  const open: (() => Promise<void>)[] = [];
  return {
    add: (name, end) => {
      let ending: Promise<void> | undefined;
      const endOnce = (): Promise<void> => {
        ending ??= (async () => {
          try {
            await end();
          } catch (error) {
            say(`${name} did not end well: ${(error as Error).message}`);
          }
          open.splice(open.indexOf(endOnce), 1);
        })();
        return ending;
      };
      open.push(endOnce);
      return endOnce;
    },
    endAll: async () => {
      for (let last = open.at(-1); last !== undefined; last = open.at(-1)) await last();
    },
  };
}
