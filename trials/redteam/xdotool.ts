import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Place, Way } from "./paths.ts";

/** A key by its X name, how long it is held, and how much time passes after it. */
export type Stroke = { readonly name: string; readonly holdMs: number; readonly afterMs: number };

/**
 * Input at the level of the operating system, by a program that knows no browsers. xdotool does the
 * timing.
 */
export type SystemInput = {
  /** Puts the pointer somewhere on the screen. */
  readonly place: (at: Place) => Promise<void>;
  /** Walks a path whose places are on the screen, and presses. */
  readonly walk: (way: Way) => Promise<void>;
  /** Presses keys one after another, by their X names, with or without Shift held down. */
  readonly keys: (strokes: readonly Stroke[], isShifted?: boolean) => Promise<void>;
  readonly end: () => Promise<void>;
};

/** The time that one command of xdotool takes, ms. */
const COMMAND_MS = 0.35;

const sleep = (ms: number): string =>
  ms > COMMAND_MS ? `sleep ${((ms - COMMAND_MS) / 1000).toFixed(4)}` : "";

/** A pointer and a keyboard for the display. */
export function openSystemInput(display: string): SystemInput {
  const child = spawn("/usr/bin/xdotool", ["-"], {
    env: { ...process.env, DISPLAY: display },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdout.setEncoding("utf8");
  child.stdin.on("error", () => {});
  let isOver = false;
  let onAnswer = (): void => {};
  child.stdout.on("data", () => onAnswer());
  child.on("exit", () => {
    isOver = true;
    onAnswer();
  });
  const does = async (commands: readonly string[]): Promise<void> => {
    const answered = new Promise<void>((resolve) => {
      onAnswer = resolve;
    });
    // The query at the end is answered once everything before it is done.
    child.stdin.write(
      `${[...commands.filter((command) => command !== ""), "getmouselocation"].join("\n")}\n`,
    );
    await answered;
    if (isOver) throw new Error("xdotool ended");
  };
  const to = ({ x, y }: Place): string => `mousemove ${Math.round(x)} ${Math.round(y)}`;
  return {
    place: (at) => does([to(at)]),
    walk: ({ steps, restMs, pressMs }) =>
      does([
        ...steps.flatMap((step) => [sleep(step.afterMs), to(step)]),
        sleep(restMs),
        "mousedown 1",
        sleep(pressMs),
        "mouseup 1",
      ]),
    keys: (strokes, isShifted = false) =>
      does([
        isShifted ? "keydown shift" : "",
        ...strokes.flatMap(({ name, holdMs, afterMs }) => [
          `keydown ${name}`,
          sleep(holdMs),
          `keyup ${name}`,
          sleep(afterMs),
        ]),
        isShifted ? "keyup shift" : "",
      ]),
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill();
      await gone;
    },
  };
}
