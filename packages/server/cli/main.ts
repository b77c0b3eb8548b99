import { parseArgs } from "node:util";
import { type Config, readConfig } from "../config.ts";
import { explainFault } from "../operator-faults.ts";
import { doctor } from "./doctor.ts";
import { init } from "./init.ts";

const HELP = `Usage: npm run stile -- <command>

  init [--json]   Makes the first account and a first site (the demo, for localhost) and prints its keys.
                  Run again, it prints the same keys.
  doctor          Checks settings, data directory, store and keys, and says what to mend.
  help            Shows this.

Works on the data directory (STILE_DATA_DIR), beside a running server too.
`;

type Command = (config: Config, options: { readonly json: boolean }) => Promise<number>;

const COMMANDS: Readonly<Record<string, Command>> = { init, doctor };

function refuse(message: string): number {
  process.stderr.write(`stile: ${message}\n\n${HELP}`);
  return 2;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { json: { type: "boolean", default: false }, help: { type: "boolean", default: false, short: "h" } },
      allowPositionals: true,
    });
  } catch (error) {
    return error as Error;
  }
}

/** Runs one command; answers the exit code. */
async function runCommand(args: readonly string[]): Promise<number> {
  const parsed = parse(args);
  if (parsed instanceof Error) return refuse(parsed.message);
  const [name, ...rest] = parsed.positionals;
  if (parsed.values.help || name === "help") {
    process.stdout.write(HELP);
    return 0;
  }
  if (name === undefined) return refuse("name a command.");
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined || rest.length > 0) return refuse(`there is no command "${parsed.positionals.join(" ")}".`);
  const reading = readConfig(process.env);
  if (reading.kind === "problems") {
    for (const problem of reading.problems) process.stderr.write(`stile: ${problem}\n`);
    return 1;
  }
  return await command(reading.config, { json: parsed.values.json });
}

// As the server does: whichever comes first makes the files (D16).
process.umask(0o077);
try {
  process.exitCode = await runCommand(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`stile: ${explainFault(error)}\n`);
  process.exitCode = 1;
}
