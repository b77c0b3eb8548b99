import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** A command of package.json: its name after `npm run`, and the text of its `--help`. */
export type ToolCommand = { readonly name: string; readonly help: string };

const HELP = { help: { type: "boolean", short: "h", default: false } } as const;

/**
 * Ends the process with exit code 2 because of a wrong call; prints the mistake and the help to
 * standard error.
 */
export function refuseCall({ name, help }: ToolCommand, problem: string): never {
  process.stderr.write(`${name}: ${problem}\n\n${help}`);
  process.exit(2);
}

function parse<Options extends ParseArgsOptionsConfig>(command: ToolCommand, options: Options) {
  try {
    return parseArgs({ options: { ...options, ...HELP } }).values;
  } catch (error) {
    return refuseCall(command, (error as Error).message);
  }
}

/**
 * The options that this process was called with. With `--help`, prints the help and ends the
 * process with 0.
 */
export function readOptions<Options extends ParseArgsOptionsConfig>(
  command: ToolCommand,
  options: Options,
) {
  const values = parse(command, options);
  if ((values as { readonly help: boolean }).help) {
    process.stdout.write(command.help);
    process.exit(0);
  }
  return values;
}
