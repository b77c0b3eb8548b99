import { addSeed } from "@stile/demo/seed/seed-command";
import { Command, type CommanderError, Option } from "commander";
import { COMMAND_LINE, START } from "../command-line.ts";
import { NETWORK_KINDS, type NetworkKind } from "../risk/network-kinds.ts";
import type { AddCommands, Perform } from "../sockets/add-commands.ts";
import { readVersion } from "../version.ts";
import type { DoctorOptions } from "./doctor.ts";
import type { ResetLinkOptions } from "./reset-link.ts";

/**
 * Commands that take one file. A call with a second file exits with 1; other invalid calls exit
 * with 2.
 */
const ONE_FILE = new Set(["backup", "restore"]);
/** Errors of a valid command whose input is missing or unusable. */
const FAULTS_OF_WORK = new Set([
  "commander.missingArgument",
  "commander.invalidArgument",
  "stile.lacks",
]);

/**
 * Exit code of a call that ran no command: 0 for help, 1 for a command without its input, 2 for an
 * unknown command.
 */
export function toExitCode({ code, exitCode }: CommanderError): number {
  if (exitCode === 0) return 0;
  return FAULTS_OF_WORK.has(code) ? 1 : 2;
}

/** Prints the help of a command whose input is missing, and ends it. */
const lacks = (command: Command, sentence: string): never =>
  command.error(`error: ${sentence}`, { code: "stile.lacks" });

function addInstallation(program: Command, perform: Perform): void {
  program
    .command("init")
    .summary("Creates the first account and a first site.")
    .description(
      "Creates the first account and a first site (the demo, for localhost) and prints its keys. If you run it again, it prints the " +
        "same keys. While the account has no member, it also prints a new link for its owner.",
    )
    .option("--json", "Prints one line of JSON.")
    .option(
      "--new",
      "Creates a new installation here, even if the database of an old one is missing.",
    )
    .action((options: { json?: boolean; new?: boolean }) =>
      perform(async (config) => (await import("./init.ts")).init(config, options)),
    );
  program
    .command("doctor")
    .description("Checks settings, data directory, store and keys, and says what to fix.")
    .option("--json", "Prints one line of JSON.")
    .action((options: DoctorOptions) =>
      perform(async (config) => (await import("./doctor.ts")).doctor(config, options)),
    );
  program
    .command("reset-link")
    .summary("Prints a link for choosing a new password.")
    .description(
      "Prints a link with which the owner, or the named member, can choose a new password (works once, for 60 minutes). While the " +
        "account has no member, prints a new link for its owner (works once, for 15 minutes). The link asks for the member's second factor.",
    )
    .option("--email <email>", "The member's email address. Not needed if there is only one owner.")
    .option(
      "--remove-second-factor",
      "Permanently removes authenticator app, passkeys and recovery codes, instead of asking for one.",
    )
    .action(
      ({ email, removeSecondFactor = false }: { email?: string; removeSecondFactor?: boolean }) => {
        const options: ResetLinkOptions = { email, removesSecondFactor: removeSecondFactor };
        return perform(async (config) =>
          (await import("./reset-link.ts")).resetLink(config, options),
        );
      },
    );
}

function addRekey(program: Command, perform: Perform): void {
  program
    .command("rekey")
    .summary("Changes the master key, or retires the service keys.")
    .description(
      "Creates a new master key, seals everything in the store under it and retires all service keys, in one transaction. Tokens and " +
        "challenges issued before are refused. The service must be stopped on every node. If the command is interrupted, run it again.",
    )
    .option(
      "--service-keys-only",
      "Only retires the service keys. Nodes on PostgreSQL may keep running and follow within 2 s. On SQLite the server must be stopped.",
    )
    .action(({ serviceKeysOnly = false }: { serviceKeysOnly?: boolean }) =>
      perform(async (config) => (await import("./rekey.ts")).rekey(config, serviceKeysOnly)),
    );
}

function addBackups(program: Command, perform: Perform): void {
  program
    .command("backup")
    .summary("Copies the database into one file.")
    .description(
      "Copies the database into one file and checks the copy. The server may be running. PostgreSQL needs pg_dump, " +
        "pg_restore and psql to be installed here.",
    )
    .argument("<file>", "The file to write. An existing file is never overwritten.")
    .action((file: string) =>
      perform(async (config) => (await import("./backup.ts")).backup(config, file)),
    );
  program
    .command("restore")
    .summary("Replaces the database with a backup.")
    .description(
      "Replaces the database with a backup and keeps the old one next to it. The server must be stopped. Tokens issued before " +
        "are refused from then on. A PostgreSQL database must be empty, unless you say --replace.",
    )
    .argument("<file>", "A file that backup wrote.")
    .option(
      "--replace",
      "Restores into a PostgreSQL database that has an installation, and deletes that installation.",
    )
    .action((file: string, { replace }: { replace?: boolean }) =>
      perform(async (config) => (await import("./restore.ts")).restore(config, file, replace)),
    );
}

/**
 * Why an address on the command line is refused: other users of the machine see it in the list of
 * processes.
 */
const ADDRESS_SHOWS =
  "an address on the command line shows in the list of processes, with its password. Leave out --to, and set STILE_DATABASE_URL or " +
  "STILE_DATABASE_URL_FILE instead. If the address is real, change its password";

function addMove(program: Command, perform: Perform): void {
  program
    .command("move")
    .summary("Moves the installation to PostgreSQL.")
    .description(
      "Moves the installation in the data directory to the empty PostgreSQL database of STILE_DATABASE_URL (or of the file named in " +
        "STILE_DATABASE_URL_FILE), including all redeemed tokens. Tokens stay valid. The service may be running. At the end it answers " +
        "503 until it is started on PostgreSQL. If the move is interrupted, run it again.",
    )
    .addOption(new Option("--to <address>").hideHelp())
    .action(({ to }: { to?: string }, command: Command) => {
      if (to !== undefined) return lacks(command, ADDRESS_SHOWS);
      return perform(async (config) => (await import("./move.ts")).move(config));
    });
}

function addRisk(program: Command, perform: Perform): void {
  const risk = program
    .command("risk")
    .usage("<command>")
    .description("Network lists and flag weights, for the risk score.");
  risk
    .command("import")
    .summary("Imports a list of networks.")
    .description(
      "Replaces the list of networks of that kind. The file has a CIDR, an address or a range on each line, or is a publisher's " +
        'JSON with "prefixes".',
    )
    .argument("<file>", "The list.")
    .addOption(new Option("--kind <kind>", "The kind of networks.").choices(NETWORK_KINDS))
    .option(
      "--as-table <table>",
      "A table of ranges by AS number, so that the list may name AS numbers too.",
    )
    .action(
      (
        file: string,
        { kind, asTable }: { kind?: NetworkKind; asTable?: string },
        command: Command,
      ) => {
        if (kind === undefined)
          return lacks(
            command,
            `say which list it is: --kind ${NETWORK_KINDS.join(" or --kind ")}`,
          );
        return perform(async (config) =>
          (await import("./risk-import.ts")).importNetworks(config, file, { kind, asTable }),
        );
      },
    );
  risk
    .command("export")
    .description(
      "Writes a line for each decision that a member labelled: the label, the score and its flags.",
    )
    .option("--out <file>", "The file to write. The default is standard output.")
    .action((options: { out?: string }) =>
      perform(async (config) =>
        (await import("./risk-export.ts")).exportDecisions(config, options),
      ),
    );
  risk
    .command("train")
    .description(
      "Fits the flags' weights to exported decisions, and keeps them if they are better.",
    )
    .option("--from <file>", "The exported decisions.")
    .action(({ from }: { from?: string }, command: Command) => {
      if (from === undefined) return lacks(command, "name the exported decisions: --from FILE");
      return perform(async (config) =>
        (await import("./risk-train.ts")).trainWeights(config, from),
      );
    });
}

/** Ends a call of `probe` that can't begin. Its exit code 1 means that a token was accepted. */
const misuses = (command: Command, sentence: string): never =>
  command.error(`error: ${sentence}`, { code: "stile.misuse" });

type ProbeArguments = {
  readonly siteKey?: string;
  readonly field?: readonly string[];
  readonly json?: boolean;
};

function addProbe(program: Command, perform: Perform): void {
  program
    .command("probe")
    .summary("Tests whether your server refuses wrong tokens.")
    .usage("[options] <address>")
    .description(
      "Sends the form of that page without a token, with a forged, replayed, foreign and expired one, and with two valid ones, in at most " +
        "ten requests. A wrong token counts as accepted if its answer is that to a valid token: the same status, redirect and text, " +
        "except for ids, times and the values sent. Exits 0 if all were refused, 1 if one was accepted, 2 if it can't tell. Unless the " +
        "server is on this machine, it first asks for a proof that it is yours.",
    )
    .argument("[address]", "The page with the form, http:// or https://.")
    .option("--site-key <key>", "The site, if the page has no form with the widget.")
    .option(
      "--field <name=value>",
      "A field to send; may be repeated.",
      (text: string, former: readonly string[] = []) => [...former, text],
    )
    .option("--json", "Sends JSON instead of a form.")
    .action(
      (
        address: string | undefined,
        { siteKey, field = [], json = false }: ProbeArguments,
        command: Command,
      ) => {
        const url = URL.canParse(address ?? "") ? new URL(address ?? "") : undefined;
        if (url === undefined || !/^https?:$/.test(url.protocol))
          return misuses(command, "name the page with your form: http://... or https://...");
        const wrong = field.find((one) => !/^[^=]+=/.test(one));
        if (wrong !== undefined)
          return misuses(command, `write --field NAME=VALUE, not "${wrong}"`);
        const fields = new Map(
          field.map((one) => {
            const at = one.indexOf("=");
            return [one.slice(0, at), one.slice(at + 1)];
          }),
        );
        const options = { siteKey, fields, isJson: json };
        return perform(async (config) =>
          (await import("./probe/probe.ts")).probe(config, url, options),
        );
      },
    );
}

/**
 * Refuses words that the command does not take, and lists its sibling commands, because the
 * operator may have meant one of them.
 */
function refuseMoreWords(command: Command): void {
  const { args, registeredArguments, parent } = command;
  const more = args.slice(registeredArguments.length);
  if (more.length === 0) return;
  const name = parent?.parent ? `${parent.name()} ${command.name()}` : command.name();
  const [argument] = registeredArguments;
  const takes = argument === undefined ? "nothing else" : `one ${argument.name()}`;
  parent?.error(
    `error: "${name}" takes ${takes}: leave out "${more.join(" ")}", or choose one of these commands`,
    {
      code: ONE_FILE.has(name) ? "stile.lacks" : "stile.moreWords",
    },
  );
}

/** Turns a parser error into a sentence, with the parser's suggestions after it. */
function toSentence(text: string): string {
  const [, error, likely] = /^error: (.*?)(?:\n\((Did you mean .*)\))?\n$/s.exec(text) ?? [];
  return error === undefined
    ? text
    : `stile: ${error.replace(/\.$/, "")}.${likely === undefined ? "" : ` ${likely}`}\n`;
}

/** The commands in the order of the help. An optional part registers its own here. */
const COMMANDS: readonly AddCommands[] = [
  addInstallation,
  addSeed,
  addBackups,
  addMove,
  addRekey,
  addRisk,
  addProbe,
];

/**
 * The operator's command line (D16, operator). Each command has its own options and help. If a call
 * is not valid, it writes a sentence and the help of the nearest command to standard error, and
 * throws CommanderError. It also throws that after writing help.
 */
export function createProgram(perform: Perform): Command {
  let hasErrorText = false;
  const program = new Command(COMMAND_LINE)
    .usage("<command>")
    .description("Works on the data directory (STILE_DATA_DIR); the server may be running.")
    .helpOption("-h, --help", "Shows this help.")
    .helpCommand("help [command]", "Shows this help, or that of one command.")
    .version(`stile ${readVersion()}`, "--version", "Prints the version.")
    .showHelpAfterError()
    .allowExcessArguments()
    .hook("preAction", (_program, command) => refuseMoreWords(command))
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => {
        hasErrorText = true;
        write(toSentence(text));
      },
    })
    .addHelpText("beforeAll", ({ error }) =>
      error && !hasErrorText ? "stile: use one of these commands.\n" : "",
    )
    .addHelpText("after", `\nSettings come from the environment; ${START} --help names them.`);
  for (const add of COMMANDS) add(program, perform);
  program
    .command("version")
    .description("Prints the version.")
    .action(() => void process.stdout.write(`stile ${readVersion()}\n`));
  return program;
}
