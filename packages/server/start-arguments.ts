import { readVersion } from "./version.ts";

const HELP = `Usage: npm start

Runs the service. Settings come from the environment:

  STILE_HOST, STILE_PORT   where to listen (127.0.0.1, 8787)
  STILE_DATA_DIR           where to keep everything (./stile-data)
  STILE_BASE_URL           the address browsers use, where a proxy stands before the service
  STILE_TRUSTED_PROXIES    the addresses of that proxy

All of them: docs/reference/contract.md, section D17. The command line: npm run stile -- help

  --new       Begins a new installation even where the database of another is missing.
  --version   Prints the version.
  --help      Shows this.
`;

/** What to print instead of running the service, and the exit code. */
export type ArgumentsAnswer = { readonly code: 0 | 2; readonly text: string };

/** Insists on a new installation where traces of another are. */
export const NEW = "--new";

/** Answers the arguments of `npm start`; undefined without any but `--new`: then the service runs. */
export function answerArguments(args: readonly string[]): ArgumentsAnswer | undefined {
  const [first, ...more] = args;
  if (first === undefined || (first === NEW && more.length === 0)) return undefined;
  if (more.length === 0 && first === "--version") return { code: 0, text: `stile ${readVersion()}\n` };
  if (more.length === 0 && (first === "--help" || first === "-h")) return { code: 0, text: HELP };
  return { code: 2, text: `stile: npm start takes no "${args.join(" ")}".\n\n${HELP}` };
}
