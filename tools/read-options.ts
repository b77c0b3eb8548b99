import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** A command of package.json: its name behind `npm run`, and what its `--help` prints. */
export type ToolCommand = { readonly name: string; readonly help: string };

const HELP = { help: { type: "boolean", short: "h", default: false } } as const;

/** Ends the process with 2, for a call that the command does not take: with what is wrong, and the help, on standard error. */
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

/** The options that this process was called with. Where help is asked for it is printed, and the process ends with 0. */
export function readOptions<Options extends ParseArgsOptionsConfig>(command: ToolCommand, options: Options) {
  const values = parse(command, options);
  if ((values as { readonly help: boolean }).help) {
    process.stdout.write(command.help);
    process.exit(0);
  }
  return values;
}
