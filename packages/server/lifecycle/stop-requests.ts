/**
 * In ms. npm forwards signals, and terminals and service managers signal every process of a group,
 * so one request arrives twice. A request after this time is a second one, from somebody who does
 * not want to wait.
 */
const ECHO_MS = 1000;
const PARENT_CHECK_MS = 250;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * The variable that holds `PID PARENT` from when the first copy of this module was loaded. The
 * built service has its own copy, loaded after the build, usually by a program that replaced the
 * earlier one. Only the environment survives that.
 */
const FIRST_PARENT = "FIRST_PARENT_OF_PROCESS";
const [owner, parent] = (process.env[FIRST_PARENT] ?? "").split(" ");
/** The parent when this process began. A value inherited from another process does not count. */
const firstParent = owner === String(process.pid) ? Number(parent) : process.ppid;
process.env[FIRST_PARENT] = `${process.pid} ${firstParent}`;

/**
 * Whether this process was started by our own `npm start` or `npm run dev`. Its parent is then npm
 * ("exec" in the script), or the program that restarts it after each change.
 */
function isRunByNpm({
  npm_lifecycle_event: script,
  npm_package_name: name,
}: NodeJS.ProcessEnv): boolean {
  return (script === "start" || script === "dev") && name === "stile";
}

/**
 * Calls `stop` once, with the reason, when this process should end: after a signal, or when the npm
 * that runs it is gone. npm forwards neither SIGHUP nor SIGKILL. A second request at least a second
 * later ends the process at once with exit code 1.
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
