import { parseArgs } from "node:util";
import { readConfig } from "../config.ts";
import { explainFault } from "../operator-faults.ts";
import { readVersion } from "../version.ts";
import { COMMANDS, type Command } from "./commands.ts";
import { helpText } from "./help.ts";

const FLAG = { type: "boolean", default: false } as const;
const TEXT = { type: "string" } as const;
const OPTIONS = {
  json: FLAG,
  email: TEXT,
  "remove-second-factor": FLAG,
  demo: FLAG,
  new: FLAG,
  kind: TEXT,
  "as-table": TEXT,
  out: TEXT,
  from: TEXT,
  help: { ...FLAG, short: "h" },
  version: FLAG,
} as const;

function refuse(message: string, command?: Command): number {
  process.stderr.write(`stile: ${message}\n\n${helpText(command)}`);
  return 2;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, tokens: true });
  } catch (error) {
    // Node adds how to write words that begin with a dash; no command takes any.
    const [sentence = ""] = (error as Error).message.split(". ");
    return new Error(`${sentence.replace(/\.$/, "")}.`);
  }
}

function findCommand(name: string): Command | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

/** Runs one command; answers the exit code. */
async function runCommand(args: readonly string[]): Promise<number> {
  const parsed = parse(args);
  if (parsed instanceof Error) return refuse(parsed.message);
  const { help, version, ...values } = parsed.values;
  const isHelp = help || parsed.positionals[0] === "help";
  const [name, ...words] = parsed.positionals[0] === "help" ? parsed.positionals.slice(1) : parsed.positionals;
  if (version || (name === "version" && words.length === 0)) return print(`stile ${readVersion()}\n`);
  if (name === undefined) return isHelp ? print(helpText()) : refuse("name a command.");
  const command = findCommand(name);
  const isUnknown = command === undefined || (words.length > 0 && command.takesWords === undefined);
  if (isUnknown) return refuse(`there is no command "${[name, ...words].join(" ")}".`);
  if (isHelp) return print(helpText(command));
  const foreign = parsed.tokens.find((token) => token.kind === "option" && !command.takes.includes(token.name));
  if (foreign?.kind === "option") return refuse(`${name} takes no ${foreign.rawName}.`, command);
  const reading = readConfig(process.env);
  if (reading.kind === "problems") {
    for (const problem of reading.problems) process.stderr.write(`stile: ${problem}\n`);
    return 1;
  }
  const { json, email, demo, new: isNew, kind, out, from, "as-table": asTable } = values;
  const removesSecondFactor = values["remove-second-factor"];
  const options = { json, email, removesSecondFactor, demo, new: isNew, kind, out, from, asTable, words };
  try {
    return await command.run(reading.config, options);
  } catch (error) {
    process.stderr.write(`stile: ${explainFault(error, reading.config.dataDirectory)}\n`);
    return 1;
  }
}

// As the server does: whichever comes first makes the files (D16).
process.umask(0o077);
process.exitCode = await runCommand(process.argv.slice(2));
