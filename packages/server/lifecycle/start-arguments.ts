import { COMMAND_LINE, START } from "../command-line.ts";
import { describeSettings } from "../config/settings.ts";
import { readVersion } from "../version.ts";

/** Forces a new installation although there are traces of another. */
export const NEW = "--new";

/** The column at which descriptions of settings begin. */
const COLUMN = 31;

/**
 * Markdown as a terminal shows it. A linked page is named by its path in brackets, because a
 * terminal can't follow links.
 */
function toPlain(markdown: string): string {
  return markdown
    .replaceAll(/\(\[[^\]]*\]\(\.\.\/([^)#]*)[^)]*\)\)/g, "(docs/$1)")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("`", "");
}

function helpText(): string {
  const settings = describeSettings().map(({ name, standard, meaning }) => {
    const otherwise = standard === "" ? "" : ` Default: ${standard}.`;
    return `  ${name}`.padEnd(COLUMN) + toPlain(meaning + otherwise);
  });
  return `Usage: ${START} [OPTION]

Runs the service. Settings come from the environment. To read the setting NAME from a file, set NAME_FILE to its path.

${settings.join("\n")}

D14 and so on are sections of docs/reference/contract.md. All other commands: ${COMMAND_LINE} help

  ${NEW}       Begins a new installation even if the database of an earlier one is missing. Creates a new service key
              if the database has lost its own.
  --version   Prints the version.
  --help      Shows this help.
`;
}

/** The text to print instead of running the service, and the exit code. */
export type ArgumentsAnswer = { readonly code: 0 | 2; readonly text: string };

/**
 * The answer to the arguments of a start. Undefined if there are none but `--new`, and the service
 * should run.
 */
export function answerArguments(args: readonly string[]): ArgumentsAnswer | undefined {
  const [first, ...more] = args;
  if (first === undefined || (first === NEW && more.length === 0)) return undefined;
  if (more.length === 0 && first === "--version")
    return { code: 0, text: `stile ${readVersion()}\n` };
  if (more.length === 0 && (first === "--help" || first === "-h"))
    return { code: 0, text: helpText() };
  return { code: 2, text: `stile: unknown option "${args.join(" ")}".\n\n${helpText()}` };
}
