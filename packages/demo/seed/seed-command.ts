import { COMMAND_LINE } from "@stile/server/command-line";
import type { AddCommands } from "@stile/server/sockets/add-commands";

/** Adds `seed --demo`. */
export const addSeed: AddCommands = (program, perform) => {
  const command = program
    .command("seed")
    .summary("Fills the account with synthetic traffic.")
    .description(
      "Fills the account with three sites and 60 days of synthetic traffic, to try the dashboard with.",
    )
    .option("--demo", "Confirms that you want synthetic traffic.");
  command.action(({ demo }: { demo?: boolean }) => {
    if (demo !== true) command.error(`error: say what to seed: ${COMMAND_LINE} seed --demo`);
    return perform(async (config) => (await import("./seed.ts")).seed(config));
  });
};
