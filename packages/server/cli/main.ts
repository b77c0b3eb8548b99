import { parseArgs } from "node:util";
import { type Config, readConfig } from "../config.ts";
import { explainFault } from "../operator-faults.ts";
import { doctor } from "./doctor.ts";
import { init } from "./init.ts";
import { type ResetLinkOptions, resetLink } from "./reset-link.ts";
import { risk } from "./risk.ts";
import type { RiskOptions } from "./risk-options.ts";
import { seed } from "./seed.ts";

const HELP = `Usage: npm run stile -- <command>

  init [--json]   Makes the first account and a first site (the demo, for localhost) and prints its keys.
                  Run again, it prints the same keys. Until the account has a member, it also prints a
                  new link for its owner.
  reset-link [--email E] [--remove-second-factor]
                  Prints a link by which an owner, or the member named, chooses a new password (once, 60 minutes);
                  where the account has no member yet, a new link for its owner (once, 15 minutes).
                  The link asks for the member's second factor, unless --remove-second-factor takes it away
                  for good: authenticator app, passkeys and recovery codes.
  seed --demo     Fills the account with three sites and 60 days of made-up traffic, to try the dashboard with.
  risk import --kind datacenter|tor [--as-table TABLE] FILE
                  Takes a list of networks: a CIDR, an address or a range a line, or a publisher's JSON with
                  "prefixes"; with a table of ranges by AS number also AS numbers. The old list is replaced.
  risk export [--out FILE]
                  Writes a line for each decision that a person labelled: the label, the score and its flags.
  risk train --from FILE
                  Fits the flags' weights to exported decisions, and keeps them if they do better.
  doctor          Checks settings, data directory, store and keys, and says what to mend.
  help            Shows this.

Works on the data directory (STILE_DATA_DIR), beside a running server too.
`;

/** What may stand behind a command; those that don't know an option leave it alone. */
type Options = RiskOptions &
  ResetLinkOptions & {
    readonly json: boolean;
    readonly demo: boolean;
    /** What stands behind the command's name; only `risk` takes any. */
    readonly words: readonly string[];
  };

type Command = (config: Config, options: Options) => Promise<number>;

const COMMANDS: Readonly<Record<string, Command>> = { init, doctor, "reset-link": resetLink, seed, risk };

function refuse(message: string): number {
  process.stderr.write(`stile: ${message}\n\n${HELP}`);
  return 2;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        json: { type: "boolean", default: false },
        email: { type: "string" },
        "remove-second-factor": { type: "boolean", default: false },
        demo: { type: "boolean", default: false },
        kind: { type: "string" },
        "as-table": { type: "string" },
        out: { type: "string" },
        from: { type: "string" },
        help: { type: "boolean", default: false, short: "h" },
      },
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
  const isUnknown = command === undefined || (rest.length > 0 && command !== risk);
  if (isUnknown) return refuse(`there is no command "${parsed.positionals.join(" ")}".`);
  const reading = readConfig(process.env);
  if (reading.kind === "problems") {
    for (const problem of reading.problems) process.stderr.write(`stile: ${problem}\n`);
    return 1;
  }
  const { json, email, demo, kind, out, from, "as-table": asTable } = parsed.values;
  const removesSecondFactor = parsed.values["remove-second-factor"];
  return await command(reading.config, {
    ...{ json, email, removesSecondFactor, demo, kind, out, from, asTable },
    words: rest,
  });
}

// As the server does: whichever comes first makes the files (D16).
process.umask(0o077);
try {
  process.exitCode = await runCommand(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`stile: ${explainFault(error)}\n`);
  process.exitCode = 1;
}
