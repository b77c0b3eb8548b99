import type { Config } from "../config.ts";
import { backup } from "./backup.ts";
import { doctor } from "./doctor.ts";
import { init } from "./init.ts";
import { type ResetLinkOptions, resetLink } from "./reset-link.ts";
import { restore } from "./restore.ts";
import { risk } from "./risk.ts";
import type { RiskOptions } from "./risk-options.ts";
import { seed } from "./seed.ts";

/** What may stand behind a command. */
export type Options = RiskOptions &
  ResetLinkOptions & {
    readonly json: boolean;
    readonly demo: boolean;
    readonly new: boolean;
    /** What stands behind the command's name. */
    readonly words: readonly string[];
  };

/** One command of the operator's command line (D16). */
export type Command = {
  /** Answers the exit code. */
  readonly run: (config: Config, options: Options) => Promise<number>;
  /** Names of the options it takes, without their dashes; others are refused. */
  readonly takes: readonly string[];
  /** Whether words may follow the command's name. */
  readonly takesWords?: true;
  /** Each way to write it, and lines that say what that does. */
  readonly help: readonly (readonly [usage: string, ...lines: readonly string[]])[];
};

/** Every command by its name. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  init: {
    run: init,
    takes: ["json", "new"],
    help: [
      [
        "init [--json] [--new]",
        "Makes the first account and a first site (the demo, for localhost) and prints its keys.",
        "Run again, it prints the same keys. Until the account has a member, it also prints a",
        "new link for its owner. --new insists where the database of an installation is missing.",
      ],
    ],
  },
  backup: {
    run: backup,
    takes: [],
    takesWords: true,
    help: [["backup FILE", "Copies the database into one file, beside a running server too, and checks the copy."]],
  },
  restore: {
    run: restore,
    takes: [],
    takesWords: true,
    help: [
      [
        "restore FILE",
        "Puts such a file in the place of the database, which is kept aside. The server must be stopped.",
      ],
    ],
  },
  "reset-link": {
    run: resetLink,
    takes: ["email", "remove-second-factor"],
    help: [
      [
        "reset-link [--email E] [--remove-second-factor]",
        "Prints a link by which an owner, or the member named, chooses a new password (once, 60 minutes);",
        "where the account has no member yet, a new link for its owner (once, 15 minutes).",
        "The link asks for the member's second factor, unless --remove-second-factor takes it away",
        "for good: authenticator app, passkeys and recovery codes.",
      ],
    ],
  },
  seed: {
    run: seed,
    takes: ["demo"],
    help: [
      ["seed --demo", "Fills the account with three sites and 60 days of made-up traffic, to try the dashboard with."],
    ],
  },
  risk: {
    run: risk,
    takes: ["kind", "as-table", "out", "from"],
    takesWords: true,
    help: [
      [
        "risk import --kind datacenter|tor [--as-table TABLE] FILE",
        "Takes a list of networks: a CIDR, an address or a range a line, or a publisher's JSON with",
        '"prefixes"; with a table of ranges by AS number also AS numbers. The old list is replaced.',
      ],
      [
        "risk export [--out FILE]",
        "Writes a line for each decision that a person labelled: the label, the score and its flags.",
      ],
      ["risk train --from FILE", "Fits the flags' weights to exported decisions, and keeps them if they do better."],
    ],
  },
  doctor: {
    run: doctor,
    takes: [],
    help: [["doctor", "Checks settings, data directory, store and keys, and says what to mend."]],
  },
};
