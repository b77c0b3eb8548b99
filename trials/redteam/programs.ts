import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** A program started here, with its own child processes. */
export type Running = { readonly child: ChildProcess; readonly end: () => Promise<void> };

const PATIENCE_MS = 3_000;

/**
 * Starts a program as the head of its own process group, so that ending it also ends its children.
 */
export function startProgram(
  command: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Running {
  const child = spawn(command, parameters, {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, ...environment },
  });
  child.on("error", () => {});
  const signal = (name: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, name);
    } catch {
      // The group is already gone.
    }
  };
  // Also if this command ends before it could end the program cleanly.
  const atExit = (): void => signal("SIGKILL");
  process.once("exit", atExit);
  const end = async (): Promise<void> => {
    const isGone = child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
    const gone = isGone ? Promise.resolve() : once(child, "exit");
    signal("SIGTERM");
    const timer = setTimeout(() => signal("SIGKILL"), PATIENCE_MS);
    await gone;
    clearTimeout(timer);
    signal("SIGKILL");
    process.removeListener("exit", atExit);
  };
  return { child, end };
}

/** Starts a virtual screen of 1920 x 1080 on a free display; returns the display's name. */
export async function startScreen(): Promise<{
  readonly display: string;
  readonly end: () => Promise<void>;
}> {
  const { child, end } = startProgram("/usr/bin/Xvfb", [
    ..."-displayfd 1 -screen 0 1920x1080x24 -nolisten tcp".split(" "),
  ]);
  let printed = "";
  child.stdout?.setEncoding("utf8");
  while (!printed.endsWith("\n")) {
    const [text] = (await Promise.race([
      once(child.stdout as NonNullable<ChildProcess["stdout"]>, "data"),
      once(child, "exit").then(() => [undefined]),
    ])) as [string | undefined];
    if (text === undefined) throw new Error("Xvfb did not start");
    printed += text;
  }
  return { display: `:${printed.trim()}`, end };
}
