/** Resolves after that time; without one in the next task. */
export const sleep = (ms?: number): Promise<undefined> => new Promise((resolve) => setTimeout(resolve, ms));
