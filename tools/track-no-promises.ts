// Loaded first by each test process. To name the test to which an unawaited fault belongs, the test
// runner tracks every asynchronous resource; most are promises, and tracking them took up to a
// quarter of a test's time. Without it such a fault still fails its file, and is shown here with
// its location. `node --test FILE` names the test (decision 0068).
import hooks from "node:async_hooks";
import { isMainThread } from "node:worker_threads";

const { createHook } = hooks;
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });

// Threads and forked processes of the tested code inherit the options: such a fault ends them, as
// usual.
if (isMainThread && process.send === undefined) {
  const show = (fault: unknown): void => {
    console.error(fault);
    process.exitCode = 1;
  };
  process.on("unhandledRejection", show);
  process.on("uncaughtExceptionMonitor", show);
}
