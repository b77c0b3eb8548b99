import { CommanderError } from "commander";
import { readConfig } from "../config/config.ts";
import { explainFault } from "../faults/operator-faults.ts";
import { createProgram, toExitCode, type Work } from "./commands.ts";
import { fail } from "./fail.ts";

/** Does the work of a command under the settings of the environment; returns the exit code. */
async function perform(work: Work): Promise<number> {
  const reading = readConfig(process.env);
  if (reading.kind === "problems") return fail(...reading.problems);
  try {
    return await work(reading.config);
  } catch (error) {
    return fail(explainFault(error, reading.config));
  }
}

// Whoever reads the output may stop, as `head` does. The work goes on: half a move is worse than an unwatched one.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
// As in the server, because either may be the first to create the files (D16).
process.umask(0o077);
const program = createProgram(async (work) => {
  process.exitCode = await perform(work);
});
try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = toExitCode(error);
}
