/**
 * npm passes on what it is sent, and terminals and service managers signal every process of a group: one wish arrives twice.
 * Whoever asks again after this time does not want to wait.
 */
const ECHO_MS = 1000;
const PARENT_CHECK_MS = 250;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * What this process was when the first copy of this module was loaded, as `PID PARENT`. The service as built has a copy of its own, which
 * is loaded after the build and mostly by a program that took the place of the one before: what is left of that is its variables.
 */
const FIRST_PARENT = "FIRST_PARENT_OF_PROCESS";
const [owner, parent] = (process.env[FIRST_PARENT] ?? "").split(" ");
/** The parent when this process began; what was inherited from another process says nothing of it. */
const firstParent = owner === String(process.pid) ? Number(parent) : process.ppid;
process.env[FIRST_PARENT] = `${process.pid} ${firstParent}`;

/**
 * Whether our own `npm start` or `npm run dev` runs this process, which then has npm for its parent ("exec" in the script), or the
 * one that starts it anew after each change.
 */
function isRunByNpm({ npm_lifecycle_event: script, npm_package_name: name }: NodeJS.ProcessEnv): boolean {
  return (script === "start" || script === "dev") && name === "stile";
}

/**
 * Calls `stop` once, with the reason, when this process is to end: by a signal, or because the npm that runs it is gone, which
 * passes on neither SIGHUP nor, of course, SIGKILL. A second request a second later or more ends the process at once, exit code 1.
 */
export function onStopRequest(stop: (reason: string) => void): void {
  let requestedAtMs: number | undefined;
  const request = (reason: string): void => {
    const nowMs = performance.now();
    if (requestedAtMs !== undefined) {
      if (nowMs - requestedAtMs >= ECHO_MS) process.exit(1);
      return;
    }
    requestedAtMs = nowMs;
    stop(reason);
  };
  for (const signal of SIGNALS) process.on(signal, request);
  if (!isRunByNpm(process.env)) return;
  const check = setInterval(() => {
    if (process.ppid === firstParent) return;
    clearInterval(check);
    if (requestedAtMs === undefined) request("npm ended");
  }, PARENT_CHECK_MS);
  check.unref();
}
