import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs a program in a process group of its own. A second process kills the group as soon as its
 * input ends: when the tests say so, and also when they were killed themselves.
 */
const WITH_ITS_STARTER =
  'exec 3<&0; (cat <&3; kill -9 0) >/dev/null 2>&1 & exec 3<&- </dev/null; exec "$@"';

/** How long a program may take until it reports that it is ready, ms; it takes about one second. */
const START_MS = 60_000;

/** A running program, with a folder for its files, which is its home. */
export type StartedProgram = AsyncDisposable & {
  readonly hasEnded: () => boolean;
  /** Its output so far, on either stream. */
  readonly written: () => string;
  /**
   * Resolves to the pattern's match in its output, once it is there; rejects if the program ends
   * before, or stays silent.
   */
  readonly says: (pattern: RegExp) => Promise<string>;
};

/**
 * Starts a program in an empty folder. Its end kills all its child processes at once, and removes
 * the folder.
 */
export function startProgram(
  file: string,
  parametersIn: (folder: string) => readonly string[],
  environment: NodeJS.ProcessEnv = {},
): StartedProgram {
  const folder = mkdtempSync(join(tmpdir(), "stile-engine-"));
  const child: ChildProcess = spawn(
    "/bin/sh",
    ["-c", WITH_ITS_STARTER, "sh", file, ...parametersIn(folder)],
    {
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
      cwd: folder,
      env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder, ...environment },
    },
  );
  const gone = once(child, "exit");
  let written = "";
  for (const output of [child.stdout, child.stderr]) {
    output?.setEncoding("utf8").on("data", (text: string) => {
      written += text;
      child.emit("written");
    });
  }

  const says = async (pattern: RegExp): Promise<string> => {
    const signal = AbortSignal.timeout(START_MS);
    for (;;) {
      const found = pattern.exec(written);
      if (found !== null) return found[1] ?? found[0];
      const isOver = await Promise.race([
        once(child, "written", { signal }).then(() => false),
        gone.then(() => true),
      ]);
      if (isOver) throw new Error(`${file} ended: ${written}`);
    }
  };

  return {
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    written: () => written,
    says,
    [Symbol.asyncDispose]: async () => {
      child.stdin?.end();
      await gone;
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}
