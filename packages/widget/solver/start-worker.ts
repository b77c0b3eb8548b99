const WORKER_FILE = "solver-worker.js";

/** The part of the Trusted Types API used here; the common types don't have it yet. */
type TrustedTypes = {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (input: string) => string },
  ) => { readonly createScriptURL: (input: string) => string };
};

/**
 * The only script this frame may start, as a TrustedScriptURL if the browser asks for one (policy
 * `stile-frame`).
 */
function trustWorkerScript(): string {
  const href = new URL(WORKER_FILE, location.href).href;
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  return (
    trustedTypes
      ?.createPolicy("stile-frame", { createScriptURL: () => href })
      .createScriptURL("") ?? href
  );
}

let workerScript: string | undefined;

/** Starts a module worker of the frame; throws if the browser has none. */
export function startWorker(): Worker {
  workerScript ??= trustWorkerScript();
  return new Worker(workerScript, { type: "module" });
}
