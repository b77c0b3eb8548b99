/** Resolves in the next task: a policy's report is queued before what it refused fails, but not always delivered before that. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
