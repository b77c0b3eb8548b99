import { printable } from "../untrusted.ts";

const MAX_LINE_CHARS = 96;

/**
 * The lines of a call stack that belong to a script without an address, as drivers inject them into
 * a page ("UtilityScript.evaluate (<anonymous>:372:16)", "pptr:evaluate"). Scripts of the page and
 * of extensions have an address, and code that they `eval` names theirs. A script that only awaits
 * the page's own call ("at async") did not make it.
 */
export function foreignLines(stack: string): string[] {
  return stack
    .split("\n")
    .filter(
      (line) =>
        !/:\/\/|at async /.test(line) &&
        /<anonymous>:\d|pptr:|__playwright|debugger eval/.test(line),
    )
    .map((line) => printable(line.trim(), MAX_LINE_CHARS));
}
