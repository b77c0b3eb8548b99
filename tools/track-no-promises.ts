// Loaded first by each process of tests. To name the test that a fault belongs to which nobody awaited, its runner follows every
// asynchronous resource; promises are most of them, and took up to a quarter of a test's time. Without them such a fault fails
// its file still, and is shown here with the place it comes from. `node --test FILE` names the test
// (decision 0068).
import hooks from "node:async_hooks";
import { isMainThread } from "node:worker_threads";

const { createHook } = hooks;
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });

// Threads and forked processes of what is tested take the options over: they end by such a fault, as ever.
if (isMainThread && process.send === undefined) {
  const show = (fault: unknown): void => {
    console.error(fault);
    process.exitCode = 1;
  };
  process.on("unhandledRejection", show);
  process.on("uncaughtExceptionMonitor", show);
}
