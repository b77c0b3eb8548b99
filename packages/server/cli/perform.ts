import { readConfig } from "../config/config.ts";
import { explainFault } from "../faults/operator-faults.ts";
import type { CommandWork } from "../sockets/add-commands.ts";
import { fail } from "./fail.ts";

/** Runs a command under the settings of the environment; returns the exit code. */
export async function perform(work: CommandWork): Promise<number> {
  const reading = readConfig(process.env);
  if (reading.kind === "problems") return fail(...reading.problems);
  try {
    return await work(reading.config);
  } catch (error) {
    return fail(explainFault(error, reading.config));
  }
}
