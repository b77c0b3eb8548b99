/** Resolves after that time; by default in the next task. */
export const sleep = (ms?: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(resolve, ms));
