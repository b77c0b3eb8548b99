import { printable } from "../untrusted.ts";

const MAX_LINE_CHARS = 96;

/**
 * The lines of a call stack that belong to a script without an address, as drivers put them into a page ("UtilityScript.evaluate
 * (<anonymous>:372:16)", "pptr:evaluate"). Scripts of the page and of extensions have one, and what they `eval` names theirs. Who
 * only waits for the page's own call ("at async") is not its maker.
 */
export function foreignLines(stack: string): string[] {
  return stack
    .split("\n")
    .filter((line) => !/:\/\/|at async /.test(line) && /<anonymous>:\d|pptr:|__playwright|debugger eval/.test(line))
    .map((line) => printable(line.trim(), MAX_LINE_CHARS));
}
