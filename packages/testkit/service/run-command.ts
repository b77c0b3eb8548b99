import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { COMMAND_LINE_PROGRAM, SERVICE_PROGRAM } from "./programs.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const BOOTSTRAP_STAMP = join(ROOT, "node_modules", ".stile-bootstrap");

/** Settings and other variables in a program's environment. */
export type EnvironmentVariables = Readonly<Record<string, string>>;

/** How a command ended, and its output. */
export type CommandResult = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/**
 * A running command: `sawError` resolves once standard error matches, `ended` at its end; `stop`
 * asks it to end, `kill` forces it.
 */
export type RunningCommand = {
  readonly sawError: (pattern: RegExp) => Promise<void>;
  readonly ended: Promise<CommandResult>;
  readonly stop: () => void;
  readonly kill: () => void;
};

/**
 * Starts a command in the repository, with only the given STILE_ settings; ends it after `timeout`
 * ms, if given.
 */
function start(
  command: string,
  args: readonly string[],
  environment: EnvironmentVariables,
  timeout?: number,
): RunningCommand {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("STILE_"));
  const env = { ...Object.fromEntries(inherited), ...environment };
  const child = spawn(command, args, {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([code]) => ({
    code: code as number | null,
    stdout,
    stderr,
  }));
  return {
    sawError: async (pattern) => {
      while (!pattern.test(stderr)) {
        const event = await Promise.race([once(child.stderr, "data"), ended]);
        if (!Array.isArray(event)) assert.match(stderr, pattern);
      }
    },
    ended,
    stop: () => void child.kill(),
    kill: () => void child.kill("SIGKILL"),
  };
}

/** Runs `npm run --silent <script> -- <args>`, as an operator types it. */
export function runNpm(
  script: string,
  args: readonly string[],
  environment: EnvironmentVariables = {},
): Promise<CommandResult> {
  // Otherwise the script would install dependencies underneath the running tests.
  assert.ok(
    existsSync(BOOTSTRAP_STAMP),
    'run this through "npm test", which brings the dependencies first',
  );
  return start("npm", ["run", "--silent", script, "--", ...args], environment).ended;
}

/** Starts a command of the operator's command line (D16, operator). */
export function startStile(
  args: readonly string[],
  environment: EnvironmentVariables = {},
  program: readonly string[] = [COMMAND_LINE_PROGRAM],
): RunningCommand {
  return start(process.execPath, [...program, ...args], environment);
}

/** Runs a command of the operator's command line to its end. */
export function runStile(
  args: readonly string[],
  environment: EnvironmentVariables = {},
  program: readonly string[] = [COMMAND_LINE_PROGRAM],
): Promise<CommandResult> {
  return startStile(args, environment, program).ended;
}

/** Starts the server, which may end on its own or not. */
export function startServer(environment: EnvironmentVariables): RunningCommand {
  return start(process.execPath, [SERVICE_PROGRAM], environment);
}

/** A start that must fail but does not is ended after this time, ms. */
const FAILING_START_MS = 30_000;

/**
 * Runs the server until it ends on its own: for starts that must fail. If it keeps running, the
 * code is null.
 */
export function runServer(
  environment: EnvironmentVariables,
  args: readonly string[] = [],
  program: readonly string[] = [SERVICE_PROGRAM],
): Promise<CommandResult> {
  return start(process.execPath, [...program, ...args], environment, FAILING_START_MS).ended;
}

/** Starts the command-line visitor. */
export function startSolve(args: readonly string[]): RunningCommand {
  return start(process.execPath, [join(ROOT, "tools", "solve.ts"), ...args], {});
}
